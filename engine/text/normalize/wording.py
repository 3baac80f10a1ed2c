"""Rules that a language has with other words only: abbreviations, signs, dates, fractions, telephone numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

import regex

from engine.text.normalize import numbers
from engine.text.normalize.figures import AFTER, AT_DIGIT, BEFORE, DAY, MONTH, ROMAN, YEAR, roman
from engine.text.normalize.rules import Match, Rule, rule
from engine.text.normalize.tongue import Tongue

_FAR = 48  # characters looked back on
_WORD_END = r"(?![\p{L}\p{M}0-9])"
_WORD_START = r"(?<![\p{L}\p{M}0-9.])"
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_NEXT_WORD = regex.compile(r" ?(\p{L}{1,40})")
_CAPITALS = regex.compile(r"\p{Lu}\p{Lu}")
_SHORTEST_PHONE = 7  # digits


def choice(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(map(regex.escape, sorted(words, key=lambda word: (-len(word), word))))


def before(found: Match) -> tuple[str, str]:
    """The two words before what was found, in lower case; "" where there is none. A stop belongs to its word."""
    text = found.string[max(0, found.start() - _FAR) : found.start()]
    if text and not text[-1].isspace():
        return "", ""
    words = ["", "", *(word.strip(",(\"„“«»'").lower() for word in text.split())]
    return words[-2], words[-1]


def stop(found: Match) -> str:
    """The stop that ends a sentence, if it was found with what stands before it."""
    return "." if found.group()[-1] == "." and not found.string[found.end() : found.end() + 4].strip(" )\"'”»“") else ""


def abbreviations(table: str) -> Rule:
    """A line each: what is written, "=", the words. A space may be left out; a stop at the end of a text stays one."""
    words: dict[str, str] = {}
    for line in filter(None, map(str.strip, table.splitlines())):
        short, _, long = line.partition("=")
        words[short.strip().replace(" ", "")] = long.strip()
    written = "|".join(
        " ?".join(regex.escape(part) for part in _parts(short)) + ("" if short[-1] in "." else _WORD_END)
        for short in sorted(words, key=lambda short: (-len(short), short))
    )

    def say(found: Match) -> str:
        said = words[found.group().replace(" ", "")]
        if stop(found):
            return f"{said}."
        return f"{said} " if found.string[found.end() : found.end() + 1].isalnum() else said

    first = regex.escape("".join({short[0] for short in words}))
    return rule("abbreviation", rf"(?=[{first}]){_WORD_START}(?:{written})", say)


def _parts(short: str) -> list[str]:
    return regex.findall(r"[^.]+\.?|\.", short)


def acronyms(names: str, letters: Callable[[str], str] = " ".join) -> Rule:
    """Names that are said letter by letter though they could be words; not where everything is written so."""
    return rule(
        "acronym",
        rf"{_WORD_START}(?:{choice(names.split())}){_WORD_END}",
        lambda m: None if m.string.isupper() and len(m.string) > 2 * len(m.group()) else letters(m.group()),
        "2" if all(map(_CAPITALS.search, names.split())) else "",
    )


def signs(table: Mapping[str, str]) -> Rule:
    """Signs between words or alone, with spaces about their words."""

    def say(found: Match) -> str:
        text, end = found.string, found.end()
        left = "" if found.start() == 0 or text[found.start() - 1] in ' ([„"' else " "
        right = "" if end >= len(text) or text[end] in ' .,;:!?)]…"“”' else " "
        return f"{left}{table[found.group()]}{right}"

    return rule("sign", choice(table), say, "".join({sign[0] for sign in table}))


def dates(say: Callable[[Match, int, int, str], str | None]) -> Rule:
    """24.11.2027, 24/11/2027, 24-11-2027, 2027-11-24, 24.11.27; `say` is given day, month and the year's digits."""
    year = rf"(?P<year>{YEAR}|(?<=[./]|\. )[0-9]{{2}})"
    dotted = rf"(?P<day>{DAY})(?P<mark>\. ?|[/-])(?P<month>{MONTH})(?P=mark){year}"
    iso = rf"(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])"
    return rule(
        "date",
        rf"{AT_DIGIT}(?:{iso}|{dotted}){AFTER}",
        lambda m: say(m, int(m["day"]), int(m["month"]), m["year"]),
        "0",
    )


def fractions(say: Callable[[int, int, int, str], str | None]) -> Rule:
    """1/2, 1 1/2, ½, 1½; `say` is given the whole (0 for none), the numbers above and below, and the next word."""

    def said(found: Match) -> str | None:
        above, below = found["above"], found["below"]
        if found["sign"]:
            above, _, below = unicodedata.normalize("NFKC", found["sign"]).partition("\N{FRACTION SLASH}")
        if not 0 < int(above) < int(below) <= 100:
            return None
        following = _NEXT_WORD.match(found.string, found.end())
        return say(int(found["whole"] or 0), int(above), int(below), following[1] if following else "")

    simple = r"(?:(?P<whole>[0-9]{1,4}) )?(?P<above>[0-9]{1,2})[/⁄](?P<below>[0-9]{1,3})"
    return rule(
        "fraction",
        rf"(?=[0-9{_FRACTIONS}]){BEFORE}(?:{simple}|(?P<whole>[0-9]{{1,4}})? ?(?P<sign>[{_FRACTIONS}])){AFTER}",
        said,
        f"/⁄{_FRACTIONS}",
    )


def phones(tongue: Tongue, *, pairs: bool = False, words: Sequence[str] = ()) -> list[Rule]:
    """Telephone numbers, groups apart, digit by digit or (`pairs`) two by two; other figures that begin with 0."""

    def group(digits: str) -> str:
        if pairs and len(digits) == 2 and digits[0] != "0":
            return tongue.cardinal(digits)
        return numbers.spelled(digits, tongue.language)

    def say(found: Match) -> str | None:
        text = found["phone"]
        if sum(map(str.isdigit, text)) < _SHORTEST_PHONE:
            return None
        plus = f"{tongue.signs['+']} " if text[0] == "+" else ""
        return plus + ", ".join(group(digits) for digits in regex.findall(r"[0-9]+", text))

    called = rf"(?<={_WORD_START}(?i:{choice(words)})[.:]{{0,2}} ?:? ?)" if words else "(?!)"
    groups = r"(?:[ ./()–-]{1,3}[0-9]{1,14}){%s}(?![0-9])"
    national = rf"\+[0-9]{{1,4}}{groups % '1,7'}|\+[0-9]{{7,15}}|0[0-9]{{1,5}}\)?{groups % '1,6'}"
    return [
        rule("phone called so", rf"(?=[+(0-9]){called}\(?(?P<phone>\+?[0-9]{{2,14}}{groups % '0,7'})", say, "7"),
        rule("phone", rf"(?=[+(0]){BEFORE}\(?(?P<phone>{national}){AFTER}", say, "7"),
    ]


def score(say: Callable[[str | int], str], between: str) -> Rule:
    """3:2, with what is said between the two."""
    pattern = rf"{BEFORE}(?P<a>\d{{1,3}}):(?P<b>\d{{1,3}}){AFTER}"
    return rule("score", pattern, lambda m: f"{say(m['a'])}{between}{say(m['b'])}", "0 :")


def numbered(nouns: str, say: Callable[[str | int], str]) -> Rule:
    """Chapter IV: a Roman numeral behind one of `nouns`, a pattern for words."""
    return rule(
        "numbered", rf"(?<=(?:{nouns}) )(?P<roman>{ROMAN})(?!\p{{L}})", lambda m: say(roman(m["roman"])), "IVXLCDM"
    )


def coefficient(say: Callable[[str | int], str]) -> Rule:
    """3x + 2 = 8 has an unknown, and is not three times anything."""
    unknown = r"(?=x(?: ?[=+*/^²³] ?(?:[\d(]|\p{L}(?!\p{L}))| [-–] [\d(]))"
    return rule("coefficient", rf"{BEFORE}(?P<n>\d{{1,9}}){unknown}", lambda m: f"{say(m['n'])} ", "9")


def by(words: str) -> Rule:
    """3 x 4, 3*4."""
    return rule("by", r"(?<=\d) ?[x×*] ?(?=\d)", words, "0 x×*")


SLASH = rule("slash", r"(?<=\p{L})/(?=\p{L})", " ", "/")
"""Between two words it is not said."""


def versions(tongue: Tongue, point: str) -> Rule:
    """2.14.3, v2.1, addresses of machines: the numbers with the word for the point between."""

    def part(digits: str) -> str:
        if len(digits) > 1 and digits[0] == "0":
            return numbers.spelled(digits, tongue.language)
        return tongue.cardinal(digits)

    return rule(
        "version",
        rf"{BEFORE}(?P<v>[vV](?=[0-9]))?(?P<digits>[0-9]{{1,6}}(?:\.[0-9]{{1,6}}){{1,7}}){AFTER}",
        lambda m: (f"{m['v']} " if m["v"] else "") + f" {point} ".join(map(part, m["digits"].split("."))),
        "0 .",
    )
