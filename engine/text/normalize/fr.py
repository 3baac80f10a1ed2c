"""French: what espeak-ng reads wrong, in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text.normalize import numbers
from engine.text.normalize.common import addresses
from engine.text.normalize.figures import AT_DIGIT, BEFORE, ROMAN, Figure, roman
from engine.text.normalize.fr_words import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESSES,
    FEMININE,
    KINGS,
    MONTHS,
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
    r"(?P<hour>2[0-4]|[01]?\d)"
    r"(?:(?::| ?[hH](?!\p{L}) ?)(?P<minute>[0-5]\d)(?!\d)"
    r"(?:(?::| ?min ?)(?P<second>[0-5]\d)(?: ?s(?!\p{L}))?)?(?: ?(?:h|min)(?!\p{L}))?"
    r"| ?[hH](?!\p{L}))"
)
_NAMES = choice([*KINGS, *QUEENS])
_NUMBERED = (
    r"[Cc]hapitre|[Tt]ome|[Aa]cte|[Ss]cène|[Vv]olume|[Ll]ivre|[Pp]artie|[Aa]nnexe|[Aa]rticle|[Tt]itre|[Pp]aris|Guerre"
)
_RANK = r"(?P<rank>ers?|res?|ères?|nde?s?|d[es]?|i?èmes?|emes?|es?)"


def _ordinal(number: int, feminine: bool = False, plural: bool = False) -> str:
    rules = f"spellout-ordinal-{'feminine' if feminine else 'masculine'}{'-plural' if plural else ''}"
    return numbers.ordinal(number, "fr", rules)


def _rank(number: int, mark: str, following: str) -> str | None:
    """1er, 1re, 2nd, 2nde, 2e: `mark` is what is written behind the number."""
    plural = mark.endswith("s")
    mark = mark.rstrip("s")
    if mark.startswith(("n", "d")):
        return f"second{mark[2:] or mark[1:]}" + ("s" if plural else "") if number == 2 else None
    if mark in ("er", "re", "ère") and number != 1:
        return None
    return _ordinal(number, mark in ("re", "ère") or (mark == "e" and following in FEMININE), plural)


def _nth(found: Match) -> str | None:
    return _rank(int(found["number"]), found["rank"], found["next"] or "")


def _roman_nth(found: Match) -> str | None:
    return _rank(
        roman(found["roman"]), found["rank"], found["next"] or ""
    )  # of I, V and X: "Le", "De", "Ces" are words


def _date(found: Match, day: int, month: int, year: str) -> str:
    return f"{_first(str(day))} {MONTHS[month]} {TONGUE.cardinal(int(year))}"


def _first(day: str) -> str:
    return "premier" if int(day) == 1 else TONGUE.cardinal(int(day))


def _clock(found: Match) -> str:
    minute, second = int(found["minute"] or 0), found["second"]
    said = TONGUE.counted(Figure(str(int(found["hour"]))), TONGUE.units["heure"])
    if minute or second:
        said += f" {TONGUE.cardinal(minute)}"
    return f"{said} et {TONGUE.counted(Figure(str(int(second))), TONGUE.units['s'])}" if second else said


def _reign(found: Match) -> str:
    number = roman(found["roman"])
    return f"{found['name']} {_ordinal(1, found['name'] in QUEENS) if number == 1 else TONGUE.cardinal(number)}"


def _gender(word: str, number: Figure) -> str:
    return "f" if word.rstrip("s") in FEMININE or word.endswith(("tion", "tions", "té", "tés", "ette", "ettes")) else ""


def _fraction(whole: int, above: int, below: int, noun: str) -> str | None:
    part = PARTS.get(below) or (_ordinal(below) if below <= 20 else None)
    if part is None:
        return None
    if whole:
        said = (
            "demi" if below == 2 else f"{TONGUE.cardinal(above)} {part}{'s' if above > 1 and part[-1] != 's' else ''}"
        )
        return f"{TONGUE.cardinal(whole)} et {said}"
    if below == 2:
        return "une demi" if noun in FEMININE else "un demi"
    return f"{TONGUE.cardinal(above)} {part}{'s' if above > 1 and part[-1] != 's' else ''}"


def _say(digits: str | int) -> str:
    return TONGUE.cardinal(digits)


FRENCH: Sequence[Rule] = (
    *addresses(ADDRESSES),
    dates(_date),
    rule("first of", rf"{BEFORE}(?P<day>0?1)(?= (?:{choice(MONTHS[1:])})(?!\p{{L}}))", lambda m: _first(m["day"]), "0"),
    rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", _clock, "0"),
    score(_say, " à "),
    *phones(TONGUE, pairs=True, words=("Tél", "Téléphone", "Fax", "Portable", "Mobile")),
    rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "vingt-quatre heures sur vingt-quatre", "0 /"),
    rule("round the clock", r"(?<![\d/])(?:7j/7|7/7)(?![\d/])", "sept jours sur sept", "0 /"),
    fractions(_fraction),
    abbreviations(ABBREVIATIONS),
    acronyms(ACRONYMS),
    rule("number sign", r"(?<!\p{L})[nN][°º] ?(?=\d)", "numéro ", "0 º°"),
    rule("number signs", r"(?<!\p{L})[nN][°º]s ?(?=\d)", "numéros ", "0 º°"),
    rule("nth", rf"{BEFORE}(?P<number>\d{{1,3}}){_RANK}(?!\p{{L}})(?= (?P<next>\p{{L}}{{1,30}})|)", _nth, "0"),
    rule("reign", rf"(?<!\p{{L}})(?P<name>{_NAMES}) (?P<roman>{ROMAN})(?:er|re)?(?!\p{{L}})", _reign, "IVXLCDM"),
    rule(
        "Roman nth",
        rf"(?=[IVX])(?<![\p{{L}}\d])(?P<roman>[IVX]{{1,5}}+){_RANK}(?!\p{{L}})(?= (?P<next>\p{{L}}{{1,30}})|)",
        _roman_nth,
        "IVX",
    ),
    numbered(_NUMBERED, _say),
    coefficient(_say),
    rule(
        "times", rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |$)(?! ?\d)", lambda m: f"{TONGUE.cardinal(m['n'])} fois", "0 x×"
    ),
    by(" fois "),
    *quantities(TONGUE, "{} à {}".format),
    plain(TONGUE, _gender),
    versions(TONGUE, "point"),
    rule("to", r"(?<=[\dhr]) ?– ?(?=\d)", " à ", "0 –"),
    per(TONGUE, "par"),
    SLASH,
    signs(SIGNS),
)
