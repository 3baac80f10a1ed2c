"""Values of clients in messages."""

from __future__ import annotations

import pytest

from gateway.errors import shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, "true"), (None, "null"), (1.5, "1.5"), ("a", "'a'"), ([1, True], "[1, true]"), ("\ud800", "'\\ud800'")],
)
def test_a_value_is_shown_as_json_has_it(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_a_long_value_is_cut() -> None:
    assert shown("x" * 1000) == "'" + "x" * 44 + "..."
