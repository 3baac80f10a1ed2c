"""What a language has words for: its numbers, and the things that are counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.text.normalize import numbers
from engine.text.normalize.figures import Figure


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing that is counted; `gender` names the numbers that go with it, "" those of counting itself."""

    forms: tuple[str, ...]  # for one, for several; Slavic: for one, few, many, a part
    gender: str = "m"


def nouns(table: str) -> dict[str, Noun]:
    """A line each: signs, ":", forms with commas between, and at last the gender if it is not the first one."""
    found: dict[str, Noun] = {}
    for line in filter(None, map(str.strip, table.splitlines())):
        signs, _, rest = line.partition(":")
        forms = [form.strip() for form in rest.split(",")]
        gender = forms.pop() if forms[-1] in ("m", "f", "n", "-") else "m"
        found |= dict.fromkeys(signs.split(), Noun(tuple(forms), gender.strip("-")))
    return found


def _one_or_more(number: Figure) -> int:
    return 0 if number.is_one else 1


def below_two(number: Figure) -> int:
    """French and Portuguese: singular up to the second one."""
    return 0 if number.value < 2 else 1


def digits_as_number(part: str) -> bool:
    """Most languages say two digits behind the mark as a number: three comma fourteen."""
    return len(part) <= 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """The words of a language that every rule may need."""

    language: str  # as `numbers` knows it
    rules: Mapping[str, str]  # gender -> Unicode's rule set
    comma: str
    signs: Mapping[str, str]  # "-", "+", "±"
    units: dict[str, Noun]
    money: dict[str, Noun]
    cents: dict[str, Noun]  # of the same signs, if they are said
    magnitudes: Mapping[str, Noun]
    cent_word: str = (
        "{whole} {part}"  # how an amount goes on: "{whole} und {part}"; `part` is with its noun, if it has one
    )
    of: Callable[[str], str] = "{}".format  # a noun after a million: "d'euros"
    form: Callable[[Figure], int] = _one_or_more
    tidy: Callable[[str], str] = str  # the words of a number, as this language writes them
    between: str = ""  # the gender of both ends of a range, where they bend; the third form of a noun goes with it
    elide: Callable[[str], str] = str  # what becomes of "una ora"
    point: bool = False  # whether a point stands before the parts of a number, and commas group
    digits: bool = False  # whether numbers stay digits, for espeak-ng to read
    year: Callable[[str], str] | None = None  # where years are not said as other numbers are
    together: Callable[[str], bool] = digits_as_number  # whether the digits behind the mark are one number

    def cardinal(self, digits: str | int, gender: str = "") -> str:
        if self.digits:
            return str(digits)
        rules = self.rules.get(gender, numbers.NUMBERING)
        return self.tidy(numbers.cardinal(digits, self.language, rules))

    def number(self, number: Figure, gender: str = "") -> str:
        """With its decimals; digit by digit if it is too long, or begins with 0 as numbers of things do not."""
        whole = number.whole
        if len(whole) > 1 and whole[0] == "0" and not number.part:
            return numbers.spelled(whole, self.language)
        if not number.part:
            return self.cardinal(whole, gender)
        if self.digits:
            comma = self.comma if self.comma == "," else f" {self.comma} "
            return f"{whole}{comma}{number.part}"
        zeros = len(number.part) - len(number.part.lstrip("0"))
        if self.together(number.part) and zeros < len(number.part):
            part = " ".join([self.cardinal(0)] * zeros + [self.cardinal(number.part[zeros:])])
        else:
            part = numbers.spelled(number.part, self.language)
        return f"{self.cardinal(whole)} {self.comma} {part}"

    def noun(self, number: Figure, noun: Noun) -> str:
        forms = noun.forms
        return forms[min(self.form(number), len(forms) - 1)]

    def counted(self, number: Figure, noun: Noun, magnitude: str = "") -> str:
        """The number with what it counts: "ein Kilometer", "vier Komma sieben Milliarden Dollar"."""
        if magnitude:
            thousands = self.magnitudes[magnitude]
            many = Figure("5000000")
            return f"{self.counted(number, thousands)} {self.after_million(thousands, self.noun(many, noun))}"
        said = self.noun(number, noun)
        if not number.part and len(number.whole) > 6 and number.value % 1_000_000 == 0 and number.value:
            said = self.of(said)
        return self.elide(f"{self.number(number, noun.gender)} {said}".rstrip())

    def after_million(self, magnitude: Noun, noun: str) -> str:
        """A thousand is a number, a million is a noun of its own."""
        return noun if not magnitude.gender else self.of(noun)

    def amount(self, number: Figure, sign: str, magnitude: str = "") -> str:
        """Money: two digits behind the mark are cents, and said as such where nothing stands before them."""
        noun = self.money[sign]
        cents = self.cents.get(sign)
        if magnitude or len(number.part) != 2 or cents is None:
            return self.counted(number, noun, magnitude)
        part = Figure(number.part.lstrip("0") or "0")
        whole = Figure(number.whole.lstrip("0") or "0")
        if part.whole == "0":
            return self.counted(whole, noun)
        if whole.whole == "0":
            return self.counted(part, cents)
        return self.cent_word.format(
            whole=self.counted(whole, noun), part=self.cardinal(part.whole), cents=self.counted(part, cents)
        )

    def signed(self, sign: str | None, words: str) -> str:
        return f"{self.signs[sign]} {words}" if sign else words
