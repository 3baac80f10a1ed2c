"""Dutch: what espeak-ng reads wrong, in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text.normalize import numbers
from engine.text.normalize.common import addresses
from engine.text.normalize.figures import AFTER, AT_DIGIT, BEFORE, ROMAN, Figure, roman
from engine.text.normalize.nl_words import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESSES,
    KINGS,
    MONTHS,
    PARTS,
    QUEENS,
    SIGNS,
    TONGUE,
    VERBS,
    YEARS,
)
from engine.text.normalize.quantities import per, plain, quantities
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.wording import (
    SLASH,
    abbreviations,
    acronyms,
    before,
    by,
    choice,
    coefficient,
    dates,
    fractions,
    numbered,
    phones,
    score,
    signs,
    versions,
)

_CLOCK = (
    r"(?P<hour>2[0-4]|[01]?\d)(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?: ?(?:uur|u|h)(?!\p{L}))?"
    r"|[.u](?P<minute>[0-5]\d)(?: ?uur(?!\p{L})|(?<=u\d\d)))"
)
_NUMBERED = r"[Hh]oofdstuk|[Dd]eel|[Bb]edrijf|[Bb]and|[Bb]oek|[Aa]rtikel|[Ff]ase|Wereldoorlog"


def _ordinal(number: int | str) -> str:
    return numbers.ordinal(number, "nl")


def _date(found: Match, day: int, month: int, year: str) -> str:
    said = _year(year) if len(year) == 4 else TONGUE.cardinal(int(year))
    return f"{TONGUE.cardinal(day)} {MONTHS[month]} {said}"


def _year(digits: str) -> str:
    assert TONGUE.year
    return TONGUE.year(digits)


def _lone_year(found: Match) -> str | None:
    following = found["next"]
    if following and following not in VERBS and before(found)[1] not in YEARS:
        return None
    return _year(found["year"])


def _clock(found: Match) -> str:
    minute, second = int(found["minute"]), found["second"]
    said = f"{TONGUE.cardinal(int(found['hour']))} uur"
    if minute or second:
        said += f" {TONGUE.cardinal(minute)}"
    return f"{said} en {TONGUE.counted(Figure(str(int(second))), TONGUE.units['s'])}" if second else said


def _fraction(whole: int, above: int, below: int, noun: str) -> str | None:
    if below == 2:
        return (
            f"{TONGUE.cardinal(whole)}eneenhalf".replace("ééneneenhalf", "anderhalf").replace(
                "eneen", "ëneen" if whole in (2, 3) else "eneen"
            )
            if whole
            else "een half"
        )
    part = "kwart" if below == 4 else PARTS.get(below)
    if part is None:
        return None
    said = f"{'een' if above == 1 else TONGUE.cardinal(above)} {part}"
    return f"{TONGUE.cardinal(whole)} {said}" if whole else said


def _say(digits: str | int) -> str:
    return TONGUE.cardinal(digits)


DUTCH: Sequence[Rule] = (
    *addresses(ADDRESSES),
    dates(_date),
    rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", _clock, "0"),
    score(_say, " "),
    *phones(TONGUE, words=("Tel", "Telefoon", "Telefoonnummer", "Mobiel", "Fax")),
    rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "vierentwintig zeven", "0 /"),
    fractions(_fraction),
    abbreviations(ABBREVIATIONS),
    acronyms(ACRONYMS),
    rule("nth", rf"{BEFORE}(?P<number>\d{{1,3}})(?:e|de|ste)(?!\p{{L}})", lambda m: _ordinal(m["number"]), "0"),
    rule("decade", r"(?<=jaren )'?(?P<year>\d0)(?!\d)", lambda m: _say(m["year"]), "0"),
    rule(
        "reign",
        rf"(?<!\p{{L}})(?P<name>{choice([*KINGS, *QUEENS])}) (?P<roman>{ROMAN})(?!\p{{L}})",
        lambda m: f"{m['name']} de {_ordinal(roman(m['roman'])).capitalize()}",
        "IVXLCDM",
    ),
    rule(
        "Roman nth",
        r"(?<![\p{L}\d])(?P<roman>[IVX]{1,6}+)(?:e|de|ste)(?!\p{L})",
        lambda m: _ordinal(roman(m["roman"])),
        "IVX",
    ),
    numbered(_NUMBERED, _say),
    coefficient(_say),
    rule("times", rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |$)(?! ?\d)", lambda m: f"{_say(m['n'])} keer", "0 x×"),
    by(" keer "),
    *quantities(TONGUE, "{} tot {}".format),
    rule("year", rf"{BEFORE}(?P<year>1[1-9]\d{{2}}){AFTER}(?= (?P<next>\p{{L}}{{1,30}})|)", _lone_year, "0"),
    plain(TONGUE),
    versions(TONGUE, "punt"),
    rule("to", r"(?<=[\dr]) ?– ?(?=\d)", " tot ", "0 –"),
    per(TONGUE, "per"),
    SLASH,
    signs(SIGNS),
)
