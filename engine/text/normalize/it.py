"""Italian: what espeak-ng reads wrong, in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text.normalize import numbers
from engine.text.normalize.common import addresses
from engine.text.normalize.figures import AT_DIGIT, BEFORE, ROMAN, Figure, roman
from engine.text.normalize.it_words import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESSES,
    FEMININE,
    KINGS,
    MASCULINE,
    MONTHS,
    NO_NOUNS,
    PARTS,
    QUEENS,
    SIGNS,
    TONGUE,
)
from engine.text.normalize.quantities import per, plain, quantities
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.wording import (
    SLASH,
    abbreviations,
    acronyms,
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
    r"(?P<hour>2[0-4]|[01]?\d)(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
    r"|\.(?P<minute>[0-5]\d)(?<=(?:ore|alle|dalle|le|all'|verso le) \d{1,2}\.\d\d))"
)
_NUMBERED = r"[Cc]apitolo|[Tt]omo|[Aa]tto|[Ss]cena|[Vv]olume|[Ll]ibro|[Pp]arte|[Aa]rticolo|[Tt]itolo|[Cc]anto|[Ff]ase"
_OPEN = ("z", "ps", "gn", "x", "pn", "sb", "sc", "sd", "sf", "sg", "sl", "sm", "sn", "sp", "sq", "sr", "st", "sv")


def _ordinal(number: int, feminine: bool = False) -> str:
    return numbers.ordinal(number, "it", f"spellout-ordinal-{'feminine' if feminine else 'masculine'}")


def _nth(found: Match) -> str | None:
    number = int(found["number"])
    return _ordinal(number, found["mark"] in "ªa") if 0 < number < 100 else None


def _date(found: Match, day: int, month: int, year: str) -> str:
    return f"{_first(day)} {MONTHS[month]} {TONGUE.cardinal(int(year))}"


def _first(day: int) -> str:
    return "primo" if day == 1 else TONGUE.cardinal(day)


def _clock(found: Match) -> str:
    minute, second = found["minute"], found["second"]
    said = "una" if int(found["hour"]) == 1 else TONGUE.cardinal(int(found["hour"]))
    if minute != "00" or second:
        said += f" e {TONGUE.cardinal(int(minute))}"
    return f"{said} e {TONGUE.counted(Figure(str(int(second))), TONGUE.units['s'])}" if second else said


def _gender(word: str, number: Figure) -> str:
    low = word.lower()
    if not low or low in NO_NOUNS or not number.is_one:
        return ""
    if low in FEMININE or (low.endswith(("a", "ione", "tà", "tù", "gine")) and low not in MASCULINE):
        return "f"
    return "" if low.startswith(_OPEN) else "m"


def _range(low: str, high: str, last: str) -> str:
    return f"{low} a {high}" if last in ("da", "di", "dal", "dai", "del", "dei") else f"da {low} a {high}"


def _fraction(whole: int, above: int, below: int, noun: str) -> str | None:
    if below == 2:
        half = "mezza" if _gender(noun, Figure("1")) == "f" else "mezzo"
        return f"{TONGUE.cardinal(whole)} e {half}" if whole else half
    part = PARTS.get(below)
    if part is None:
        return None
    said = f"{TONGUE.cardinal(above, 'm')} {part if above == 1 else part[:-1] + 'i'}"
    return f"{TONGUE.cardinal(whole)} e {said}" if whole else said


def _say(digits: str | int) -> str:
    return TONGUE.cardinal(digits)


ITALIAN: Sequence[Rule] = (
    *addresses(ADDRESSES),
    dates(_date),
    rule("first of", rf"{BEFORE}0?1[°º]?(?= (?:{choice(MONTHS[1:])})(?!\p{{L}}))", "primo", "0"),
    rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", _clock, "0"),
    score(_say, " a "),
    *phones(TONGUE, words=("Tel", "Telefono", "Cell", "Cellulare", "Fax")),
    rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "ventiquattro ore su ventiquattro", "0 /"),
    fractions(_fraction),
    rule("nth", rf"{BEFORE}(?P<number>\d{{1,2}})(?P<mark>[ªº°])(?! ?[CF](?!\p{{L}}))(?= ?\p{{Ll}})", _nth, "0"),
    abbreviations(ABBREVIATIONS),
    acronyms(ACRONYMS),
    rule(
        "reign",
        rf"(?<!\p{{L}})(?P<name>{choice([*KINGS, *QUEENS])}) (?P<roman>{ROMAN})(?!\p{{L}})",
        lambda m: f"{m['name']} {_ordinal(roman(m['roman']), m['name'] in QUEENS)}",
        "IVXLCDM",
    ),
    rule(
        "century",
        r"(?<![\p{L}\d])(?P<roman>[IVX]{1,6})(?= secol[oi](?!\p{L}))",
        lambda m: _ordinal(roman(m["roman"])),
        "IVXLCDM",
    ),
    rule(
        "of a century",
        rf"(?<=[Ss]ecolo )(?P<roman>{ROMAN})(?!\p{{L}})",
        lambda m: _ordinal(roman(m["roman"])),
        "IVXLCDM",
    ),
    numbered(_NUMBERED, _say),
    coefficient(_say),
    rule(
        "times",
        rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |$)(?! ?\d)",
        lambda m: f"{TONGUE.cardinal(m['n'], 'f')} {'volta' if m['n'] == '1' else 'volte'}",
        "0 x×",
    ),
    by(" per "),
    rule("decade", r"(?<=anni )'(?P<year>\d0)(?!\d)", lambda m: _say(m["year"]), "0"),
    *quantities(TONGUE, _range),
    plain(TONGUE, _gender),
    versions(TONGUE, "punto"),
    rule("to", r"(?<=\d) ?– ?(?=\d)", " a ", "0 –"),
    per(TONGUE, "al"),
    SLASH,
    signs(SIGNS),
)
