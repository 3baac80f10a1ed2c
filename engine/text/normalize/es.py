"""Spanish: what espeak-ng reads wrong, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.text.normalize import numbers
from engine.text.normalize.common import addresses
from engine.text.normalize.es_words import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESSES,
    FEMININE,
    KINGS,
    MASCULINE,
    MONTHS,
    NO_NOUNS,
    PARTS,
    PESOS,
    QUEENS,
    SIGNS,
    TONGUE,
)
from engine.text.normalize.figures import AT_DIGIT, BEFORE, ROMAN, Figure, roman
from engine.text.normalize.quantities import per, plain, quantities
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.tongue import Tongue
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
    stop,
    versions,
)

_CLOCK = (
    r"(?P<hour>2[0-4]|[01]?\d)(?:(?::| ?h ?)(?P<minute>[0-5]\d)(?!\d)(?::"
    r"(?P<second>[0-5]\d))?(?P<hours> ?(?:h|hs|hrs|horas)(?!\p{L})\.?)?|(?P<hours> ?h(?!\p{L})))"
)
_NUMBERED = (
    r"[Cc]apítulo|[Tt]omo|[Aa]cto|[Ee]scena|[Vv]olumen|[Ll]ibro|[Pp]arte|[Aa]nexo|[Aa]rtículo|[Tt]ítulo|Mundial|[Ff]ase"
)
_FEMININE_ENDS = ("a", "as", "ción", "ciones", "sión", "siones", "dad", "dades", "tad", "tades", "tud", "umbre")


def _ordinal(number: int, rules: str = "masculine") -> str:
    return numbers.ordinal(number, "es", f"spellout-ordinal-{rules}")


def _nth(found: Match) -> str | None:
    """1.º, 2ª, 3.er; "primer" and "tercer" before what they count."""
    mark, number = found["mark"], int(found["number"])
    if not 0 < number < 100:
        return None
    if mark in "ªa":
        return _ordinal(number, "feminine")
    counts = found["next"] and found["next"] not in NO_NOUNS
    return _ordinal(number, "masculine-adjective" if mark in ("er", "ᵉʳ") or counts else "masculine")


def _date(found: Match, day: int, month: int, year: str) -> str:
    return f"{_first(day)} de {MONTHS[month]} de {TONGUE.cardinal(int(year))}"


def _first(day: int) -> str:
    return "primero" if day == 1 else TONGUE.cardinal(day)


def _clock(found: Match) -> str:
    minute, second = found["minute"] or "00", found["second"]
    said = TONGUE.cardinal(int(found["hour"]), "f")
    if minute != "00" or second:
        said += f" {'cero ' if minute[0] == '0' and minute != '00' else ''}{TONGUE.cardinal(int(minute))}"
    if second:
        said += f" y {TONGUE.counted(Figure(str(int(second))), TONGUE.units['s'])}"
    elif found["hours"] or minute == "00":
        said += " hora" if int(found["hour"]) == 1 else " horas"
    return said + stop(found)


def _reign(found: Match) -> str | None:
    """Up to ten an ordinal, then a number: Felipe sexto, Luis catorce."""
    number = roman(found["roman"])
    if number > 10:
        return f"{found['name']} {TONGUE.cardinal(number)}"
    return f"{found['name']} {_ordinal(number, 'feminine' if found['name'] in QUEENS else 'masculine')}"


def _century(found: Match) -> str:
    number = roman(found["roman"])
    return _ordinal(number) if number <= 10 else TONGUE.cardinal(number)


def _gender(word: str, number: Figure) -> str:
    low = word.lower()
    if not low or low in NO_NOUNS or number.part:
        return ""
    if low in FEMININE or (low.endswith(_FEMININE_ENDS) and low not in MASCULINE):
        return "f"
    return "m"


def _fraction(whole: int, above: int, below: int, noun: str) -> str | None:
    part = PARTS.get(below)
    if part is None:
        return None
    if below == 2:
        gender = _gender(noun, Figure("1"))
        half = "media" if gender == "f" else "medio"
        return f"{TONGUE.cardinal(whole, gender)} y {half}" if whole else half
    said = f"{TONGUE.cardinal(above, 'm')} {part}{'s' if above > 1 else ''}"
    return f"{TONGUE.cardinal(whole)} y {said}" if whole else said


def _say(digits: str | int) -> str:
    return TONGUE.cardinal(digits)


def _spanish(tongue: Tongue) -> Sequence[Rule]:
    return (
        *addresses(ADDRESSES),
        dates(_date),
        rule("first of", rf"{BEFORE}0?1(?:\.?[ºo])?(?= de (?:{choice(MONTHS[1:])})(?!\p{{L}}))", "primero", "0"),
        rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", _clock, "0"),
        score(_say, " a "),
        *phones(TONGUE, words=("Tel", "Teléfono", "Tfno", "Móvil", "Fax")),
        rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "veinticuatro horas al día", "0 /"),
        fractions(_fraction),
        rule(
            "nth",
            rf"{BEFORE}(?P<number>\d{{1,2}})\.?(?P<mark>[ºª]|er|ᵉʳ)(?![\p{{L}}])(?= (?P<next>\p{{L}}{{1,30}})|)",
            _nth,
            "0",
        ),
        abbreviations(ABBREVIATIONS),
        acronyms(ACRONYMS),
        rule(
            "reign",
            rf"(?<!\p{{L}})(?P<name>{choice([*KINGS, *QUEENS])}) (?P<roman>{ROMAN})(?!\p{{L}})",
            _reign,
            "IVXLCDM",
        ),
        rule("century", rf"(?<=[Ss]iglo )(?P<roman>{ROMAN})(?!\p{{L}})", _century, "IVXLCDM"),
        rule(
            "centuries",
            rf"(?<=[Ss]iglos )(?P<a>{ROMAN}) (?P<y>y|al?) (?P<roman>{ROMAN})(?!\p{{L}})",
            lambda m: f"{_say(roman(m['a']))} {m['y']} {_say(roman(m['roman']))}",
            "IVXLCDM",
        ),
        numbered(_NUMBERED, _say),
        coefficient(_say),
        rule(
            "times",
            rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |$)(?! ?\d)",
            lambda m: f"{TONGUE.cardinal(m['n'], 'f')} {'vez' if m['n'] == '1' else 'veces'}",
            "0 x×",
        ),
        by(" por "),
        *quantities(tongue, "{} a {}".format),
        plain(tongue, _gender),
        versions(TONGUE, "punto"),
        rule("to", r"(?<=[\dh]) ?– ?(?=\d)", " a ", "0 –"),
        per(tongue, "por"),
        SLASH,
        rule("and", r"(?<=\w) ?& ?(?=[Hh]?[IiÍí](?![eé]))", " e ", "&"),
        signs(SIGNS),
    )


SPANISH = _spanish(TONGUE)
MEXICAN = _spanish(replace(PESOS, point=True, comma="punto"))
SOUTHERN = _spanish(PESOS)
