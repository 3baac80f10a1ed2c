"""Polish: what espeak-ng reads wrong, in the forms that a sentence asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engine.text.normalize.common import addresses
from engine.text.normalize.figures import AFTER, AT_DIGIT, BEFORE, DAY, ROMAN, YEAR, Figure, roman
from engine.text.normalize.pl_words import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESSES,
    FEMININE,
    KINGS,
    KINGS_OF,
    MONTHS,
    NEUTER,
    QUEENS,
    QUEENS_OF,
    SIGNS,
    TONGUE,
)
from engine.text.normalize.quantities import per, plain, quantities
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.tables import words
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
    signs,
    stop,
    versions,
)

Case = Literal["he", "of him", "in him", "she", "of her", "by her", "it", "they", "of them"]

_ENDINGS: dict[Case, str] = {
    "he": "y", "of him": "ego", "in him": "ym", "she": "a", "of her": "ej", "by her": "ą", "it": "e", "they": "e",
    "of them": "ych",
}  # fmt: skip
_ONES = ["", *words("pierwsz drug trzec czwart piąt szóst siódm ósm dziewiąt dziesiąt jedenast dwunast trzynast")]
_ONES += words("czternast piętnast szesnast siedemnast osiemnast dziewiętnast")
_TENS = ["", "", *words("dwudziest trzydziest czterdziest pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt")]
_TENS += ["dziewięćdziesiąt"]
_HUNDREDS = ["", *words("setn dwusetn trzechsetn czterechsetn pięćsetn sześćsetn siedemsetn osiemsetn dziewięćsetn")]
_CLOCK = (
    r"(?P<hour>2[0-4]|[01]?\d)(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
    r"|\.(?P<minute>[0-5]\d)(?<=(?:o|od|do|po|godz\.|godzinie|godziny) \d{1,2}\.\d\d))"
)
_NUMBERED = r"[Rr]ozdział|[Tt]om|[Aa]kt|[Ss]cena|[Cc]zęść|[Kk]sięga|[Ff]aza"
_MONTH = rf"(?:{choice(MONTHS[1:])})(?!\p{{L}})"
_DAY = rf"(?P<day>{DAY}) (?P<month>{_MONTH})(?: (?P<year>{YEAR})(?: ?(?:roku|r\.?)(?!\p{{L}}))?(?![\p{{L}}\d]))?"


def _ending(stem: str, case: Case) -> str:
    ending = _ENDINGS[case]
    if stem == "drug":
        return stem + (
            "a"
            if case == "she"
            else "ą"
            if case == "by her"
            else "i"
            if case == "he"
            else "i" + ending.replace("ym", "m").replace("ych", "ch")
        )
    if stem == "trzec":
        return stem + ("i" if case == "he" else "i" + ending.replace("ym", "m").replace("ych", "ch"))
    return stem + ending


def _ordinal(number: int, case: Case) -> str:
    """Only tens and ones of a number bend: "tysiąc dziewięćset osiemdziesiąty czwarty"."""
    rest = number % 100
    if number == 2000:
        return _ending("dwutysięczn", case)
    if rest == 0 and number % 1000 > 0:
        above, bent = number - number % 1000, _ending(_HUNDREDS[number % 1000 // 100], case)
    elif rest == 0:
        return TONGUE.cardinal(number)
    elif rest < 20:
        above, bent = number - rest, _ending(_ONES[rest], case)
    else:
        ones = f" {_ending(_ONES[rest % 10], case)}" if rest % 10 else ""
        above, bent = number - rest, _ending(_TENS[rest // 10], case) + ones
    return f"{TONGUE.cardinal(above)} {bent}" if above else bent


def _date(found: Match, day: int, month: int, year: str) -> str:
    return f"{_ordinal(day, 'of him')} {MONTHS[month]} {_ordinal(int(year), 'of him')} roku"


def _written_date(found: Match) -> str:
    said = f"{_ordinal(int(found['day']), 'of him')} {found['month']}"
    if not found["year"]:
        return said
    return f"{said} {_ordinal(int(found['year']), 'of him')} roku{stop(found)}"


def _year(found: Match) -> str:
    """ "1984 r." is the year's own case, "w 1984 roku" another."""
    inside = before(found)[1] in ("w", "we", "po", "o", "przy", "na")
    return f"{_ordinal(int(found['year']), 'in him' if inside else 'of him')} roku{stop(found)}"


def _clock(found: Match) -> str:
    hour, minute, second = int(found["hour"]), found["minute"], found["second"]
    last_but_one, last = before(found)
    last = last_but_one if last == "godz." else last
    case: Case = "she"
    if last in ("o", "od", "do", "po", "około", "koło", "godziny", "godzinie"):
        case = "of her"
    elif last in ("przed", "między", "a"):
        case = "by her"
    said = _ordinal(hour, case) if hour else "zero"
    if minute != "00":
        said += f" {'zero ' if minute[0] == '0' else ''}{TONGUE.cardinal(int(minute))}"
    return f"{said} i {TONGUE.counted(Figure(str(int(second))), TONGUE.units['s'])}" if second else said


def _of_noun(noun: str) -> Case:
    if noun.endswith(("o", "e", "ę", "um")):
        return "it"
    return "she" if noun.endswith(("a", "ść", "noc")) else "he"


def _nth(found: Match) -> str | None:
    """ "3. miejsce"; only where the noun is named, not bent by a word before it."""
    last = before(found)[1]
    if last in ("", "w", "we", "na", "po", "o", "do", "od", "z", "ze", "dla", "bez", "przy", "przed", "za", "ku", "od"):
        return None
    return f"{_ordinal(int(found['number']), _of_noun(found['next']))} "


def _reign(found: Match) -> str:
    name = found["name"]
    case: Case = "he"
    if name in KINGS_OF:
        case = "of him"
    elif name in QUEENS:
        case = "she"
    elif name in QUEENS_OF:
        case = "of her"
    said = _ordinal(roman(found["roman"]), case)
    return f"{name} {said.title()}"


def _century(found: Match) -> str:
    case: Case = {"wiek": "he", "wieku": "of him", "w.": "of him"}[found["word"]]  # type: ignore[assignment]
    if case == "of him" and before(found)[1] in ("w", "we", "na", "po", "o"):
        case = "in him"
    word = {"w.": "wieku"}.get(found["word"], found["word"])
    return f"{_ordinal(roman(found['roman']), case)} {word}{stop(found)}"


def _decade(found: Match) -> str:
    return _ordinal(int(found["year"]), "they" if found["word"].lower() == "lata" else "of them")


def _gender(word: str, number: Figure) -> str:
    if number.is_one and word.endswith("ę"):
        return "her"
    if word in FEMININE:
        return "f"
    return "n" if number.is_one and word in NEUTER else "m"


def _fraction(whole: int, above: int, below: int, noun: str) -> str | None:
    if below == 2:
        return f"{TONGUE.cardinal(whole, 'm')} i pół" if whole else "pół"
    if below > 20:
        return None
    part = _ordinal(
        below, "she" if above == 1 else "they" if above % 10 in (2, 3, 4) and above // 10 != 1 else "of them"
    )
    said = f"{TONGUE.cardinal(above, 'f')} {part}"
    return f"{TONGUE.cardinal(whole)} i {said}" if whole else said


def _say(digits: str | int) -> str:
    return TONGUE.cardinal(digits)


POLISH: Sequence[Rule] = (
    *addresses(ADDRESSES),
    dates(_date),
    rule(
        "day",
        rf"{BEFORE}{_DAY}",
        _written_date,
        "0",
    ),
    rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", _clock, "0"),
    rule(
        "score",
        rf"{BEFORE}(?P<a>\d{{1,3}}):(?P<b>\d{{1,3}}){AFTER}",
        lambda m: f"{_say(m['a'])} do {TONGUE.cardinal(m['b'], 'of')}",
        "0 :",
    ),
    *phones(TONGUE, words=("Tel", "Telefon", "Telefonu", "Kom", "Komórka", "Fax", "Faks")),
    rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "całą dobę", "0 /"),
    fractions(_fraction),
    rule("year", rf"{BEFORE}(?P<year>{YEAR}) ?(?P<word>roku|r\.)(?!\p{{L}})", _year, "0"),
    rule(
        "in the year",
        rf"(?<=(?<!\p{{L}})[Rr]ok )(?P<year>{YEAR}){AFTER}",
        lambda m: _ordinal(int(m["year"]), "he"),
        "0",
    ),
    rule("in a year", rf"(?<=[Rr]oku )(?P<year>{YEAR}){AFTER}", lambda m: _ordinal(int(m["year"]), "of him"), "0"),
    rule("decade", r"(?<=(?<!\p{L})(?P<word>[Ll]ata|[Ll]at|[Ll]atach) )(?P<year>[2-9]0)\.", _decade, "0"),
    rule("at an hour", r"(?<=(?<!\p{L})[Oo] )godz\.", "godzinie"),
    rule("from an hour", r"(?<=(?<!\p{L})(?:[Oo]d|[Dd]o|[Oo]koło) )godz\.", "godziny"),
    rule("in a street", r"(?<=(?<!\p{L})(?:przy|na|z|od|do|koło|obok|w) )ul\.", "ulicy"),
    abbreviations(ABBREVIATIONS),
    acronyms(ACRONYMS),
    rule("nth", rf"{BEFORE}(?P<number>\d{{1,3}})\. (?=(?P<next>\p{{Ll}}{{2,40}}))", _nth, "0"),
    rule(
        "reign",
        rf"(?<!\p{{L}})(?P<name>{choice([*KINGS, *KINGS_OF, *QUEENS, *QUEENS_OF])}) (?P<roman>{ROMAN})(?!\p{{L}})",
        _reign,
        "IVXLCDM",
    ),
    rule("century", r"(?<![\p{L}\d])(?P<roman>[IVX]{1,6}+) (?P<word>wieku?(?!\p{L})|w\.)", _century, "IVXLCDM"),
    numbered(_NUMBERED, _say),
    coefficient(_say),
    rule(
        "times",
        rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |$)(?! ?\d)",
        lambda m: f"{_say(m['n'])} {'raz' if m['n'] == '1' else 'razy'}",
        "0 x×",
    ),
    by(" na "),
    *quantities(TONGUE, "od {} do {}".format),
    plain(TONGUE, _gender),
    versions(TONGUE, "kropka"),
    rule("to", r"(?<=\d) ?– ?(?=\d)", " do ", "0 –"),
    per(TONGUE, "za"),
    SLASH,
    signs(SIGNS),
)
