"""German: what espeak-ng reads wrong, with the endings that a sentence asks for."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text.normalize import numbers
from engine.text.normalize.common import addresses
from engine.text.normalize.de_words import (
    ABBREVIATIONS,
    ACCUSATIVE,
    ACRONYMS,
    ADDRESSES,
    DATIVE,
    FEMININE,
    KINGS,
    MONTHS,
    NEUTER,
    PARTS,
    QUEENS,
    SIGNS,
    THINGS,
    TONGUE,
    WEAK,
    WEEKDAYS,
    YEARS,
)
from engine.text.normalize.figures import AFTER, AT_DIGIT, BEFORE, DAY, MONTH, ROMAN, Figure, roman
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
    stop,
    versions,
)

_MONTH_NAMES = choice([*MONTHS[1:], "Jänner", *(month[:3] + "." for month in MONTHS[1:]), "Sept."])
_DAYS = rf"(?:(?P<low>{DAY})\.? ?(?P<joint>[-–]|bis|und) ?)?(?P<day>{DAY})\. ?(?P<name>{_MONTH_NAMES})(?!\p{{L}})"
_CLOCK = (
    r"(?P<hour>2[0-4]|[01]?[0-9])(?::(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?(?: ?(?:Uhr|h)(?!\p{L}))?"
    r"|\.(?P<minute>[0-5][0-9]) ?Uhr)"
)
_REIGN = rf"(?<!\p{{L}})(?P<name>(?:{choice([*KINGS, *QUEENS])})s?) (?P<roman>{ROMAN})(?!\p{{L}})\.?"
_NUMBERED = r"Kapitel|Band|Teil|Akt|Artikel|Abschnitt|Szene|Buch|Weltkrieg|Phase|Stufe|Klasse|Typ|Liga|Tabelle"


def _ordinal(digits: str | int, ending: str) -> str:
    return numbers.ordinal(digits, "de") + ending[1:]


def _is_feminine(word: str) -> bool:
    return word in FEMININE or word.endswith(("ung", "heit", "keit", "schaft", "ion", "tät", "minute", "stunde"))


def _ending(found: Match, noun: str = "") -> str:
    """Of an ordinal, from the words before it and the noun behind it: "am dritten", "der dritte", "dritter"."""
    last_but_one, last = before(found)
    if last in ("der", "dieser", "jeder"):
        return "en" if last_but_one in DATIVE else "e"
    if last in ("die", "das", "eine", "diese", "dieses", "jede", "jedes"):
        return "e"
    if last in WEAK or (last in WEEKDAYS and last_but_one in WEAK):
        return "en"
    if _is_feminine(noun):
        return "e"
    return "es" if noun in NEUTER else "er"


def _date(found: Match, day: int, month: int, year: str) -> str:
    said = numbers.year(year, "de") if len(year) == 4 else numbers.cardinal(year, "de")
    return f"{_ordinal(day, _ending(found))} {MONTHS[month]} {said}"


def _day_of_year(found: Match) -> str | None:
    """Only after a word that a day follows: else it is a version or a chapter."""
    _, last = before(found)
    if last not in WEAK and last not in ("der", "die", "das") and last not in WEEKDAYS:
        return None
    return f"{_ordinal(int(found['day']), _ending(found))} {MONTHS[int(found['month'])]}{stop(found)}"


def _day(found: Match) -> str:
    name = found["name"]
    if name.endswith("."):
        name = next(month for month in MONTHS[1:] if month.startswith(name[:3]))
    ending = _ending(found)
    joint = "und" if found["joint"] == "und" else "bis"
    low = f"{_ordinal(found['low'].lstrip('0'), ending)} {joint} " if found["low"] else ""
    return f"{low}{_ordinal(int(found['day']), ending)} {name}{stop(found)}"


def _nth(found: Match) -> str | None:
    """ "3." before a word; at the beginning of a sentence it is the number of a line in a list."""
    if before(found)[1] == "":
        return None
    return _ordinal(found["number"], _ending(found, found["next"]))


def _clock(found: Match) -> str:
    minute, second = int(found["minute"]), found["second"]
    said = f"{TONGUE.cardinal(int(found['hour']), 'm')} Uhr"
    if minute or second:
        said += f" {numbers.cardinal(minute, 'de')}"
    return f"{said} und {TONGUE.counted(Figure(str(int(second))), TONGUE.units['s'])}" if second else said


def _reign(found: Match) -> str:
    """Ludwig der Vierzehnte, Ludwigs des Vierzehnten, von Ludwig dem Vierzehnten, Elisabeth die Zweite."""
    name = found["name"]
    owner = name not in (*KINGS, *QUEENS)
    queen = (name[:-1] if owner else name) in QUEENS
    if owner:
        article, ending = ("der" if queen else "des"), "en"
    elif before(found)[1] in DATIVE:
        article, ending = ("der" if queen else "dem"), "en"
    else:
        article, ending = ("die" if queen else "der"), "e"
    return f"{name} {article} {_ordinal(roman(found['roman']), ending).capitalize()}{stop(found)}"


def _one(found: Match) -> str | None:
    """ "kostet einen Euro": the object of a verb, or after a word that asks for the same form."""
    return f"einen {THINGS[found['noun']]}" if before(found)[1] in ACCUSATIVE else None


def _gender(word: str, number: Figure) -> str:
    """Of what follows a one. Words that are no nouns ask for none."""
    if not number.is_one or not word[:1].isupper():
        return ""
    return "f" if _is_feminine(word) else "m"


def _year(found: Match) -> str | None:
    """A year is counted in hundreds, and so is nothing else: a noun behind it makes it a quantity."""
    named = found["next"] and found["next"][0].isupper()
    return None if named and before(found)[1] not in YEARS else numbers.year(found["year"], "de")


def _fraction(whole: int, above: int, below: int, noun: str) -> str | None:
    if below == 2:
        half = "eine halbe" if _is_feminine(noun) else "ein halbes" if noun in NEUTER else "einen halben"
        alone = half if noun[:1].isupper() or noun in TONGUE.units else "ein halb"
        return f"{TONGUE.cardinal(whole, 'm')}einhalb" if whole else alone
    part = PARTS.get(below)
    said = f"{TONGUE.cardinal(above, 'm')} {part}"
    return None if part is None else f"{TONGUE.cardinal(whole, 'm')} {said}" if whole else said


def _say(digits: str | int) -> str:
    return numbers.cardinal(digits, "de")


def _decade(digits: str) -> str:
    return numbers.year(digits, "de") if len(digits) == 4 else _say(digits)


GERMAN: Sequence[Rule] = (
    *addresses(ADDRESSES),
    dates(_date),
    rule("day", rf"{BEFORE}{_DAYS}", _day, "0"),
    rule("day of year", rf"{BEFORE}(?P<day>{DAY})\. ?(?P<month>{MONTH})\.(?!\d)", _day_of_year, "0"),
    rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", _clock, "0"),
    score(_say, " zu "),
    *phones(TONGUE, words=("Tel", "Telefon", "Telefonnummer", "Fax", "Handy", "Rufnummer")),
    fractions(_fraction),
    abbreviations(ABBREVIATIONS),
    rule("street", r"(?<=\p{Ll})str\.", "straße"),
    acronyms(ACRONYMS),
    rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "rund um die Uhr", "0 /"),
    rule(
        "decade", rf"{BEFORE}(?P<year>\d{{2}}|1[1-9]\d0|20\d0)er(?!\p{{L}})", lambda m: f"{_decade(m['year'])}er", "0"
    ),
    coefficient(_say),
    rule(
        "times",
        rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |-?fach|$)(?! ?\d)",
        lambda m: f"{TONGUE.cardinal(m['n'], 'm')}mal",
        "0 x×",
    ),
    by(" mal "),
    rule(
        "nth",
        rf"{BEFORE}(?P<number>\d{{1,3}})\. (?=(?P<next>\p{{L}}{{2,40}}))",
        lambda m: (w := _nth(m)) and f"{w} ",
        "0",
    ),
    rule(
        "nth at last",
        r"(?<=\b(?:am|zum|vom|der|im|den|dem) )(?P<number>\d{1,3})\.(?=$|[)\"“])",
        lambda m: f"{_ordinal(m['number'], _ending(m))}.",
        "0",
    ),
    rule("reign", _REIGN, _reign, "IVXLCDM"),
    numbered(_NUMBERED, _say),
    rule(
        "Roman nth",
        rf"(?<= )(?P<roman>(?=[IVX]){ROMAN})\. (?=(?P<next>\p{{Lu}}\p{{L}}{{2,40}}))",
        lambda m: f"{_ordinal(roman(m['roman']), _ending(m, m['next']))} ",
        "IVX",
    ),
    rule("one", rf"{BEFORE}1 ?(?P<noun>{choice(THINGS)})(?![\p{{L}}\p{{M}}0-9²³/])", _one, "0"),
    *quantities(TONGUE, "{} bis {}".format),
    rule("year", rf"{BEFORE}(?P<year>1[1-9]\d{{2}}){AFTER}(?= (?P<next>\p{{L}}{{1,30}})|)", _year, "0"),
    plain(TONGUE, _gender),
    versions(TONGUE, "Punkt"),
    rule("to", r"(?<=[\d.r]) ?– ?(?=\d)", " bis ", "0 –"),
    per(TONGUE, "pro"),
    SLASH,
    signs(SIGNS),
)
