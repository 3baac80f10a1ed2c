"""Fields of messages that nobody meant: the error names the field, and is short."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from gateway.dialects.fields import Fields, json_object, typed
from gateway.errors import GatewayError, shown

HUGE = "9" * 400
ODD = (HUGE, f"-{HUGE}", "9" * 5000, "1e400", "-1e400", "NaN", "Infinity", "true", '"1"', "[]", "{}", f"{HUGE}.5")
READ: dict[str, Callable[[Fields], object]] = {
    "number": lambda fields: fields.number("speed", 0.25, 4),
    "flag": lambda fields: fields.flag("speed"),
    "inner": lambda fields: fields.inner("speed"),
    "choice": lambda fields: fields.choice("speed", {"slow": 0.5}, code="bad_value"),
}


def said(value: str) -> dict[str, Any]:
    return json_object(f'{{"speed": {value}}}')


@pytest.mark.parametrize("written", ODD)
def test_what_is_no_number_of_the_range_is_a_bad_value(written: str) -> None:
    fields = Fields(said(written), "a")
    with pytest.raises(GatewayError) as refused:
        fields.number("speed", 0.25, 4)
    assert (refused.value.code, refused.value.context) == ("bad_value", "a")
    assert refused.value.message.startswith("'speed' is ")


@pytest.mark.parametrize("written", [f'"{"x" * 1_000_000}"', f"[{HUGE}]", *ODD[:3]])
@pytest.mark.parametrize("read", READ)
def test_an_error_shows_little_of_a_long_value(written: str, read: str) -> None:
    with pytest.raises(GatewayError) as refused:
        READ[read](Fields(said(written)))
    assert len(refused.value.message) < 120


@pytest.mark.parametrize(
    ("number", "whole"), [("1", 1), ("1.0", 1), ("1e2", 100), ("-0", 0), ("1.5", None), ("true", None), ("1e400", None)]
)
def test_a_whole_number_may_be_written_with_a_point(number: str, whole: int | None) -> None:
    fields = Fields(said(number))
    if whole is not None:
        assert fields.whole("speed") == whole
        return
    with pytest.raises(GatewayError, match="a whole number"):
        fields.whole("speed")


@pytest.mark.parametrize("depth", [50, 400, 900, 980, 990, 995, 2000, 100_000])
def test_no_nesting_is_too_deep_for_an_error(depth: int) -> None:
    with pytest.raises(GatewayError) as refused:
        Fields(said("[" * depth + "1" + "]" * depth)).number("speed", 0, 1)
    assert refused.value.code in {"bad_value", "not_json"}


def test_what_python_cannot_write_is_shown_by_its_kind() -> None:
    nested: Any = {}
    for _ in range(sys.getrecursionlimit()):
        nested = {"a": nested}
    assert shown(nested) == "an object"
    assert shown([nested]) == "an array"
    assert shown(10**5000) == "a number"


def test_of_a_name_said_twice_the_last_one_counts() -> None:
    assert Fields(json_object('{"a": 1, "a": 2}')).whole("a") == 2


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("16000", 16_000),
        ("16000.0", 16_000.0),
        ("-1", -1),
        ("1e3", 1000.0),
        *((odd, odd) for odd in ("2.0400.0", "16.0.00", "1_0", " 1", "+1", "0x1", "nan", "inf", "", "1.", ".5", "٣")),
        ("9" * 4400, "9" * 4400),
    ],
)
def test_a_query_has_its_numbers_written_out(written: str, read: object) -> None:
    assert typed({"n": written, "other": "1"}, ("n", "missing")) == {"n": read, "other": "1"}


def test_a_query_has_true_and_false_written_out() -> None:
    query = {"a": "TRUE", "b": "0", "c": "yes"}
    assert typed(query, (), ("a", "b", "c", "d")) == {"a": True, "b": False, "c": "yes"}
