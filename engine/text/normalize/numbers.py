"""Numbers to words, in the languages that Unicode has rules for; remembered, for few numbers make up most texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from unicode_rbnf import RbnfEngine
from unicode_rbnf.engine import DEFAULT_TOLERANCE

LONGEST = 15
"""Digits of the longest number that is said as one; longer ones are said digit by digit."""

_REMEMBERED = 8192
_SMALL = 1000
_GROUPS = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"))
"""English says a number group by group: the words of a thousand groups are soon known, those of all numbers never."""

NUMBERING = "spellout-numbering"
ORDINAL = "spellout-ordinal"
YEAR = "spellout-numbering-year"


def cardinal(digits: str | int, language: str, rules: str = NUMBERING) -> str:
    """The words of a whole number of ASCII digits, as "one hundred five".

    `language` is a primary tag as "en"; `rules` one of the rule sets that Unicode has for it (genders, cases).
    """
    digits = str(digits)
    if len(digits.lstrip("-")) > LONGEST:
        return spelled(digits.lstrip("-"), language)
    return _words(int(digits), language, rules)


def ordinal(digits: str | int, language: str, rules: str = ORDINAL) -> str:
    """As `cardinal`, for "third". Some languages have their ordinals under another name: `rules`."""
    return cardinal(digits, language, rules)


def year(digits: str | int, language: str) -> str:
    """A year as it is said: "nineteen sixty-eight"."""
    return cardinal(digits, language, YEAR)


def decimal(whole: str, fraction: str, point: str, language: str) -> str:
    """A number with its digits behind the `point`, which is given in words, one by one: "three point one four"."""
    return f"{cardinal(whole or 0, language)} {point} {spelled(fraction, language)}"


def spelled(digits: str, language: str) -> str:
    """Digits one by one; what is no digit is left out."""
    return " ".join(each(digits, language))


def each(digits: str, language: str) -> Sequence[str]:
    return [_words(int(digit), language, NUMBERING) for digit in digits if "0" <= digit <= "9"]


@lru_cache(_REMEMBERED)
def _words(number: int, language: str, rules: str) -> str:
    if number >= 1000 and language == "en" and rules == NUMBERING:
        size, name = next(group for group in _GROUPS if number >= group[0])
        head, rest = divmod(number, size)
        return f"{_words(head, language, rules)} {name}" + (f" {_words(rest, language, rules)}" if rest else "")
    words = "".join(_engine(language).iter_format_number(number, rules))
    return words.replace("\N{SOFT HYPHEN}", "")


@lru_cache(32)
def _engine(language: str) -> RbnfEngine:
    return _Engine(language)


class _Engine(RbnfEngine):
    """Remembers small numbers, of which all others are made."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.rulesets = RbnfEngine.for_language(language).rulesets
        self._small = lru_cache(_REMEMBERED)(lambda *asked: tuple(super(_Engine, self).iter_format_number(*asked)))

    def iter_format_number(
        self,
        number: int | float | str | Decimal,
        ruleset_name: str,
        radix: int | None = None,
        tolerance: float = DEFAULT_TOLERANCE,
    ) -> Iterable[str]:
        if isinstance(number, int) and 0 <= number < _SMALL:
            return self._small(number, ruleset_name, radix, tolerance)
        return super().iter_format_number(number, ruleset_name, radix, tolerance)
