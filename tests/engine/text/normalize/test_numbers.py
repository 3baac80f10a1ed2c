"""Numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.normalize import numbers
from engine.text.normalize.tables import words

ONES = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
SCALES = ["", " thousand", " million", " billion", " trillion"]


def english(number: int) -> str:
    """By the rule of school."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{ONES[number // 100]} hundred" + (f" {english(number % 100)}" if number % 100 else "")
    groups = [(number // 1000**at % 1000, scale) for at, scale in enumerate(SCALES)]
    return " ".join(f"{english(value)}{scale}" for value, scale in reversed(groups) if value)


@given(st.integers(0, 10**numbers.LONGEST - 1))
def test_every_number_is_said_as_in_school(number: int) -> None:
    assert numbers.cardinal(number, "en") == english(number)


@pytest.mark.parametrize(
    ("digits", "language", "words"),
    [
        ("21", "de", "einundzwanzig"),
        ("80", "fr", "quatre-vingts"),
        ("-5", "en", "minus five"),
        ("007", "en", "seven"),
        ("1" * 16, "en", " ".join(["one"] * 16)),
        ("1" * 5000, "en", " ".join(["one"] * 5000)),
    ],
)
def test_cardinal_takes_any_digits(digits: str, language: str, words: str) -> None:
    assert numbers.cardinal(digits, language) == words


def test_ordinals_years_decimals_and_single_digits() -> None:
    assert numbers.ordinal("21", "en") == "twenty-first"
    assert numbers.ordinal(3, "fr", "spellout-ordinal-feminine") == "troisième"
    assert numbers.year("1968", "en") == "nineteen sixty-eight"
    assert numbers.decimal("3", "14", "Komma", "de") == "drei Komma eins vier"
    assert numbers.decimal("", "5", "point", "en") == "zero point five"
    assert numbers.spelled("0 30-1", "en") == "zero three zero one"
