"""Rules for quantities, for any language that has a Tongue: money, units, magnitudes, ranges, plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import regex

from engine.text.normalize.figures import (
    AFTER,
    AT_DIGIT,
    AT_NUMBER,
    BEFORE,
    FIGURE,
    MEASURE,
    SIGN,
    YEAR,
    Figure,
    figure,
)
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.tongue import Tongue
from engine.text.normalize.wording import before, choice, stop

Gender = Callable[[str, Figure], str]
"""The gender that the word after a number asks for; "" if it asks for none."""

_YEARS = regex.compile(rf"{YEAR}-{YEAR}")
_NEXT = r"(?= (?P<next>\p{L}{1,30})|)"


def quantities(tongue: Tongue, to: Callable[[str, str, str], str]) -> list[Rule]:
    """In the order of a table; `to` joins both ends of a range, and is given the word before it."""
    money, units, magnitudes = choice(tongue.money), choice(tongue.units), choice(tongue.magnitudes)
    magnitude = rf"(?: ?(?P<magnitude>{magnitudes})(?!\p{{L}}))?"
    ending = rf"{magnitude}(?: ?(?P<money>{money})| ?(?P<unit>{units})|)(?![\p{{L}}\p{{M}}0-9'²³])"
    ends = rf"(?P<low>{MEASURE})(?: ?[–—] ?|-)(?P<high>{MEASURE})"
    return [
        rule("range", rf"{AT_DIGIT}{ends}{ending}(?![-–:/.,][0-9])", partial(_range, tongue, to), "0 -–—"),
        rule(
            "money first",
            rf"{BEFORE}{SIGN}(?P<money>{money}) ?(?P<number>{MEASURE}){magnitude}{AFTER}",
            partial(_money, tongue),
            "0",
        ),
        rule("quantity", rf"{AT_NUMBER}{SIGN}(?P<number>{MEASURE}){ending}", partial(_quantity, tongue), "0"),
        rule(
            "unit",
            rf"(?<=[0-9½¼¾⅓⅔]) ?(?P<unit>{units})(?![\p{{L}}\p{{M}}0-9'²³])",
            lambda m: f" {tongue.units[m['unit']].forms[0]}",
            "0½¼¾⅓⅔",
        ),
    ]


def plain(tongue: Tongue, gender: Gender = lambda _word, _number: "") -> Rule:
    """A number that no other rule has said; last of a table."""

    def say(found: Match) -> str:
        number = figure(found["number"], point=tongue.point)
        return tongue.signed(found["sign"], tongue.number(number, gender(found["next"] or "", number)))

    return rule("number", rf"{AT_NUMBER}{SIGN}(?P<number>{FIGURE}){AFTER}{_NEXT}", say, "0")


def _money(tongue: Tongue, found: Match) -> str:
    words = tongue.amount(figure(found["number"], point=tongue.point), found["money"], found["magnitude"] or "")
    return tongue.signed(found["sign"], words) + stop(found)


def _quantity(tongue: Tongue, found: Match) -> str | None:
    number, magnitude, unit = figure(found["number"], point=tongue.point), found["magnitude"] or "", found["unit"]
    if found["money"]:
        words = tongue.amount(number, found["money"], magnitude)
    elif unit:
        words = tongue.counted(number, tongue.units[unit], magnitude)
    elif magnitude:
        words = tongue.counted(number, tongue.magnitudes[magnitude])
    else:
        return None
    return tongue.signed(found["sign"], words) + stop(found)


def _range(tongue: Tongue, to: Callable[[str, str, str], str], found: Match) -> str | None:
    last = before(found)[1]
    low, high = figure(found["low"], point=tongue.point), figure(found["high"], point=tongue.point)
    if not low.before(high):
        return None
    magnitude, money = found["magnitude"] or "", found["money"]
    noun = tongue.money.get(money) or tongue.units.get(found["unit"])
    if tongue.between:
        counted = noun or tongue.magnitudes.get(magnitude)
        words = [counted.forms[min(2, len(counted.forms) - 1)]] if counted else []
        if magnitude and noun:
            words.insert(0, tongue.magnitudes[magnitude].forms[2])
        return to(tongue.number(low, tongue.between), " ".join([tongue.number(high, tongue.between), *words]), last)
    if money:
        said = tongue.amount(high, money, magnitude)
    elif noun:
        said = tongue.counted(high, noun, magnitude)
    elif magnitude:
        said = tongue.counted(high, tongue.magnitudes[magnitude])
    elif "." in found["low"] + found["high"]:
        return None  # a point before other than three digits: chapters, days
    elif tongue.year and _YEARS.fullmatch(f"{low.whole}-{high.whole}"):
        return to(tongue.year(low.whole), tongue.year(high.whole), last)
    else:
        said = tongue.number(high)
    return to(tongue.number(low, noun.gender if noun and not magnitude else ""), said + stop(found), last)


def per(tongue: Tongue, word: str) -> Rule:
    """The stroke after money or a part of something: "sechzig Euro pro Stunde"."""
    after = rf"(?<=[€$£%]|[0-9] ?(?:{choice(tongue.money)}))"
    return rule(
        "per",
        rf"{after}/(?:(?P<unit>{choice(tongue.units)})(?![\p{{L}}\p{{M}}0-9])|(?=\p{{L}}))",
        lambda m: f" {word} {tongue.units[m['unit']].forms[0] if m['unit'] else ''}",
        "/",
    )
