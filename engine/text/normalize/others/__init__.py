"""Languages in which espeak-ng reads plain numbers itself: money, units, dates, ranges and signs in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.text.normalize import numbers
from engine.text.normalize.common import Signs, addresses
from engine.text.normalize.figures import BEFORE, DAY, Figure
from engine.text.normalize.quantities import plain, quantities
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.tongue import Noun, Tongue, nouns
from engine.text.normalize.wording import choice, dates, phones, signs


def _one(number: Figure) -> int:
    return 0 if number.is_one else 1


def _slavic(number: Figure) -> int:
    """One, two to four, five and more, a part; 21 as one, 22 as two."""
    tens, ones = number.value % 100 // 10, number.value % 10
    if number.part:
        return 3
    if tens == 1 or ones == 0 or ones > 4:
        return 2
    return 0 if ones == 1 else 1


def _czech(number: Figure) -> int:
    if number.part:
        return 3
    return 0 if number.value == 1 else 1 if 2 <= number.value <= 4 else 2


def _romanian(number: Figure) -> int:
    """From twenty on with a word between: "20 de lei"."""
    if number.is_one:
        return 0
    return 1 if number.part or number.value == 0 or 1 <= number.value % 100 <= 19 else 2


_FORMS = {"ru": _slavic, "uk": _slavic, "cs": _czech, "sk": _czech, "ro": _romanian}


@dataclass(frozen=True, slots=True)
class Speech:
    """A file of this folder: its lines with "=", and the things that are counted, by their heading.

    Forms of these: for one, several; Slavic: one, few, many, a part; Romanian: one, few, many.
    """

    said: Mapping[str, str]
    things: Mapping[str, dict[str, Noun]]


def _speech(text: str) -> Speech:
    head, *parts = text.split("[")
    said = dict(line.strip().split(" = ", 1) for line in head.splitlines() if line.strip())
    named = (part.partition("]")[::2] for part in parts)
    return Speech(said, {name: nouns(lines) for name, lines in named})


def _days(language: str, said: Mapping[str, str]) -> Sequence[str]:
    """What the days of a month are called, the first at 1; as numbers where the language counts them."""
    days = said.get("days", "")
    if not days:
        return list(map(str, range(32)))
    if days.startswith("spellout"):
        return ["", *(numbers.ordinal(day, language, days) for day in range(1, 32))]
    named = ["", *days.split()]
    if len(named) < 32:
        gap = "" if language == "no" else " "
        twenty, after_twenty = said["twenty"].split()
        thirty, after_thirty = said["thirty"].split()
        ones = named[1:10]
        named += [twenty, *(f"{after_twenty}{gap}{one}" for one in ones), thirty, f"{after_thirty}{gap}{ones[0]}"]
    return named


def table(language: str) -> Sequence[Rule]:
    speech = _speech(Path(__file__).with_name(f"{language}.txt").read_text(encoding="utf-8"))
    said, things = speech.said, speech.things
    months, days = said["months"].split(), _days(language, said)
    names = dict(sign.split(" ", 1) for sign in said["signs"].split(", "))
    tongue = Tongue(
        language=language,
        rules={},
        digits=True,
        comma=said["comma"],
        signs={"-": said["minus"], "+": said["plus"], "±": f"{said['plus']} {said['minus']}"},
        units=things["units"],
        money=things["money"],
        cents=things["cents"],
        cent_word="{whole} {cents}",
        magnitudes=things["magnitudes"],
        form=_FORMS.get(language, _one),
    )

    def date(_: Match, day: int, month: int, year: str) -> str:
        return said["date"].format(day=days[day], month=months[month - 1], year=year)

    def range_(low: str, high: str, _: str) -> str:
        return said["to"].format(low=low, high=high)

    dotted = r"\.? ?" if "days" in said else r"(?!)"
    marks = {".": said["point"], "@": names["@"], "+": said["plus"]}
    return (
        *addresses(Signs(language, marks, "…")),
        dates(date),
        rule(
            "day",
            rf"{BEFORE}(?P<day>{DAY}){dotted}(?= ?(?:{choice(months)})(?!\p{{L}}))",
            lambda m: f"{days[int(m['day'])]} ",
            "0",
        ),
        *phones(tongue),
        *quantities(tongue, range_),
        plain(tongue),
        signs(names),
    )
