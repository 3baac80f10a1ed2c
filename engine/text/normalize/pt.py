"""Portuguese: what espeak-ng reads wrong, in the words of Brazil and of Portugal."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text.normalize import numbers
from engine.text.normalize.common import addresses
from engine.text.normalize.figures import AT_DIGIT, BEFORE, ROMAN, Figure, roman
from engine.text.normalize.pt_words import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESSES,
    BRAZIL,
    FEMININE,
    KINGS,
    MASCULINE,
    MONTHS,
    NO_NOUNS,
    PARTS,
    PORTUGAL,
    QUEENS,
    SIGNS,
)
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
    versions,
)

_CLOCK = (
    r"(?P<hour>2[0-4]|[01]?\d)(?:(?::| ?h ?)(?P<minute>[0-5]\d)(?!\d)(?::"
    r"(?P<second>[0-5]\d))?(?: ?(?:h|min)(?!\p{L}))?| ?h(?!\p{L}))"
)
_NUMBERED = r"[Cc]apítulo|[Tt]omo|[Aa]to|[Cc]ena|[Vv]olume|[Ll]ivro|[Pp]arte|[Aa]nexo|[Aa]rtigo|[Tt]ítulo|[Ff]ase"
_FEMININE_ENDS = ("a", "as", "ção", "ções", "são", "sões", "dade", "dades", "gem", "gens", "tude")
_WEEKDAYS = {2: "segunda", 3: "terça", 4: "quarta", 5: "quinta", 6: "sexta"}


def _ordinal(number: int, feminine: bool = False) -> str:
    return numbers.ordinal(number, "pt", f"spellout-ordinal-{'feminine' if feminine else 'masculine'}")


def _nth(found: Match) -> str | None:
    number = int(found["number"])
    return _ordinal(number, found["mark"] in "ªa") if 0 < number < 100 else None


def _gender(word: str, number: Figure) -> str:
    low = word.lower()
    if not low or low in NO_NOUNS or number.part:
        return ""
    if low in FEMININE or (low.endswith(_FEMININE_ENDS) and low not in MASCULINE):
        return "f"
    return "m"


def _portuguese(tongue: Tongue) -> Sequence[Rule]:
    def say(digits: str | int) -> str:
        return tongue.cardinal(digits)

    def first(day: int) -> str:
        return "primeiro" if day == 1 else say(day)

    def date(found: Match, day: int, month: int, year: str) -> str:
        return f"{first(day)} de {MONTHS[month]} de {say(int(year))}"

    def clock(found: Match) -> str:
        hour, minute, second = int(found["hour"]), int(found["minute"] or 0), found["second"]
        said = tongue.cardinal(hour, "f")
        if not (minute or second):
            return f"{said} {'hora' if hour < 2 else 'horas'}"
        said += f" e {say(minute)}"
        return f"{said} e {tongue.counted(Figure(str(int(second))), tongue.units['s'])}" if second else said

    def reign(found: Match) -> str:
        number = roman(found["roman"])
        return f"{found['name']} {say(number) if number > 10 else _ordinal(number, found['name'] in QUEENS)}"

    def century(found: Match) -> str:
        number = roman(found["roman"])
        return say(number) if number > 10 else _ordinal(number)

    def fraction(whole: int, above: int, below: int, noun: str) -> str | None:
        if below == 2:
            gender = _gender(noun, Figure("1"))
            half = "meia" if gender == "f" else "meio"
            return f"{tongue.cardinal(whole, gender)} e {half}" if whole else half
        part = PARTS.get(below)
        if part is None:
            return None
        said = f"{tongue.cardinal(above, 'm')} {part}{'s' if above > 1 else ''}"
        return f"{say(whole)} e {said}" if whole else said

    return (
        *addresses(ADDRESSES),
        dates(date),
        rule("first of", rf"{BEFORE}0?1(?:\.?[ºo])?(?= de (?:{choice(MONTHS[1:])})(?!\p{{L}}))", "primeiro", "0"),
        rule("clock", rf"{AT_DIGIT}{_CLOCK}(?![\p{{L}}\d:])", clock, "0"),
        score(say, " a "),
        *phones(tongue, words=("Tel", "Telefone", "Telemóvel", "Celular", "Fax")),
        rule("round the clock", r"(?<![\d/])24/7(?![\d/])", "vinte e quatro horas por dia", "0 /"),
        fractions(fraction),
        rule("weekday", rf"{BEFORE}(?P<day>[2-6])[ªa]\.?(?=-feira)", lambda m: _WEEKDAYS[int(m["day"])], "0"),
        rule("nth", rf"{BEFORE}(?P<number>\d{{1,2}})\.?(?P<mark>[ºª])(?!\p{{L}})(?! ?[CF](?!\p{{L}}))", _nth, "0"),
        abbreviations(ABBREVIATIONS),
        acronyms(ACRONYMS),
        rule(
            "reign",
            rf"(?<!\p{{L}})(?P<name>{choice([*KINGS, *QUEENS])}) (?P<roman>{ROMAN})(?!\p{{L}})",
            reign,
            "IVXLCDM",
        ),
        rule("century", rf"(?<=[Ss]éculo )(?P<roman>{ROMAN})(?!\p{{L}})", century, "IVXLCDM"),
        rule(
            "centuries",
            rf"(?<=[Ss]éculos )(?P<a>{ROMAN}) (?P<y>e|ao?) (?P<roman>{ROMAN})(?!\p{{L}})",
            lambda m: f"{say(roman(m['a']))} {m['y']} {say(roman(m['roman']))}",
            "IVXLCDM",
        ),
        numbered(_NUMBERED, say),
        coefficient(say),
        rule(
            "times",
            rf"{BEFORE}(?P<n>\d{{1,4}}) ?[x×](?= |$)(?! ?\d)",
            lambda m: f"{tongue.cardinal(m['n'], 'f')} {'vez' if m['n'] == '1' else 'vezes'}",
            "0 x×",
        ),
        by(" por "),
        *quantities(tongue, "{} a {}".format),
        plain(tongue, _gender),
        versions(tongue, "ponto"),
        rule("to", r"(?<=[\dh]) ?– ?(?=\d)", " a ", "0 –"),
        per(tongue, "por"),
        SLASH,
        signs(SIGNS),
    )


BRAZILIAN = _portuguese(BRAZIL)
EUROPEAN = _portuguese(PORTUGAL)
