"""English numbers: counts, ordinals, fractions, years, telephone numbers."""

from __future__ import annotations

from engine.text.normalize import numbers
from engine.text.normalize.rules import Match

EN = "en"

BEFORE = r"(?<![\p{L}\p{N}_])(?<![0-9][.,])"
AFTER = r"(?![\p{L}\p{N}_]|[.,][0-9])"
WHOLE = r"[0-9][0-9]{0,39}+(?:(?<![0-9]{4}),[0-9]{3}(?:,[0-9]{3}){0,12}+(?![0-9]))?+"
NUMBER = rf"{WHOLE}(?:\.[0-9]{{1,40}}+)?+"
SCALE = r"(?:[ ]?(?:[kKMB]|bn|mn|tn)(?![\p{L}\p{N}])|[ -](?:hundred|thousand|million|billion|trillion)(?!\p{L}))"

VERSION = rf"{BEFORE}(?P<v>[vV](?:er\.? ?)?)?(?P<parts>[0-9]{{1,4}}(?:\.[0-9]{{1,6}}){{1,6}})(?![\p{{L}}_]|\.?[0-9])"
ADDRESS = (
    rf"{BEFORE}(?P<parts>[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}})"
    rf"(?::(?P<port>[0-9]{{1,5}}))?(?:/(?P<mask>[0-9]{{1,2}}))?{AFTER}"
)
PHONE = (
    r"(?<![\p{L}\p{N}+])(?:"
    r"\+[0-9]{1,3}(?:[ .\-/]?\(?[0-9]{1,5}+\)?+){1,7}+"
    r"|(?:1[ .-])?\([0-9]{2,5}\)[ -]?[0-9]{2,5}[ -][0-9]{2,5}"
    r"|(?:[0-9][-. ])?[0-9]{3}([-. ])[0-9]{3}\1[0-9]{4}"
    r"|0[0-9]{1,5}(?:[ /-][0-9]{2,8}){1,5}"
    r"|[0-9]{4}([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{3,4}"
    rf"){AFTER}(?!/|-[0-9])"
)
LOCAL = rf"(?<![\p{{L}}\p{{N}}])(?P<first>[0-9]{{3}})-(?P<last>[0-9]{{4}}){AFTER}(?!-)"
CHAIN = rf"{BEFORE}(?<!-)[0-9]{{1,8}}(?:-[0-9]{{1,8}}){{2,6}}(?!-){AFTER}"
CODE = (
    r"(?i)(?<=\b(?:code|postcode|zip|pin|passcode|otp|extension|ext\.?|call|dial|ring)(?: is| was|:| number|) )"
    rf"[0-9]{{3,12}}{AFTER}(?![- ][0-9])"
)

NAMED_VERSION = (
    r"(?<=\b(?:[Vv]ersion|[Rr]elease|Python|iOS|Android|macOS|Windows|Node|Ubuntu) )"
    r"(?P<v>)(?P<parts>[0-9]{1,4}\.[0-9]{1,4})(?![\p{L}\p{N}_]|\.[0-9])"
)
SERIES = r"(?<=\p{L})(?P<v>)(?P<parts>[0-9]{1,3}\.[0-9]{1,3})(?![\p{L}\p{N}_]|\.[0-9])"
SIZE = (
    r"(?<=\p{L}(?:-?[0-9]{1,3}(?:\.[0-9]{1,3})?)?-)"
    r"(?P<n>[0-9]{1,4}(?:\.[0-9]{1,2})?)(?P<letter>B)(?![\p{L}\p{N}_])"
)
TOLL_FREE = rf"{BEFORE}1-(?P<n>8[0-9]{{2}}|900)-(?=[A-Z])"
ORDINAL = rf"{BEFORE}(?P<n>{WHOLE})(?i:st|nd|rd|th)(?![\p{{L}}\p{{N}}_])"
PLACE = (
    r"(?<=\b(?:[Rr]oom|[Aa]partment|[Aa]pt\.?|[Gg]ate|[Ss]eat|[Uu]nit|[Ss]uite|[Ff]lat|[Ee]xit|[Rr]ow|[Bb]us) )"
    r"(?P<n>[0-9]{1,4})(?P<letter>[A-Z])(?![\p{L}\p{N}_])"
)
FOUR_K = rf"{BEFORE}(?P<n>[0-9]{{1,2}})(?:(?<![0-9]{{2}})(?<=[48])K(?![\p{{L}}\p{{N}}_])|[kK](?= (?:run|race|walk)\b))"
V = rf"(?<![\p{{L}}\p{{N}}_.])v([0-9]{{1,3}}){AFTER}"
SCALED = rf"{BEFORE}(?P<n>{NUMBER})(?P<scale>{SCALE})"
LINES = rf"{BEFORE}(?P<a>[0-9][0-9]?)(?P<b>[248]0)(?P<kind>[pi])(?![\p{{L}}\p{{N}}_])"
OTHER = (
    rf"{BEFORE}(?P<n>[1-9][0-9]{{0,2}}(?:(?:\.[0-9]{{3}}){{1,4}},[0-9]{{1,2}}|(?: [0-9]{{3}}){{0,3}} 000))"
    r"(?![\p{L}\p{N}_]|[ .,]?[0-9])"
)
LONG = rf"{BEFORE}[0-9]{{10,400}}{AFTER}"
PLAIN = rf"{BEFORE}{NUMBER}{AFTER}"
DIGITS = r"[0-9]{1,400}"

_SCALES = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion", "tn": "trillion"}
_YEARS = range(1100, 2100)


def number(text: str) -> str:
    """The words of a number with separators, digits behind the point or zeros before it."""
    whole, _, fraction = text.replace(",", "").partition(".")
    if fraction:
        return numbers.decimal(whole, fraction, "point", EN)
    if len(whole) > 1 and whole[0] == "0":
        return numbers.spelled(whole, EN)
    return numbers.cardinal(whole, EN)


def count(text: str) -> str:
    """As `number`, but four digits without a separator are a year: "nineteen sixty-eight"."""
    if len(text) == 4 and text.isdecimal() and int(text) in _YEARS:
        return numbers.year(text, EN)
    return number(text)


def scaled(text: str, scale: str | None) -> str:
    """A number and the word after it, as in "12k"."""
    if not scale:
        return number(text)
    name = scale.strip(" -")
    return f"{number(text)} {_SCALES.get(name.lower(), name)}"


def ordinal(text: str) -> str:
    return numbers.ordinal(text.replace(",", ""), EN)


def plural(word: str) -> str:
    """Of a number word, as in "nineteen eighties"."""
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}es" if word.endswith("x") else f"{word}s"


def say_scaled(found: Match) -> str:
    return scaled(found["n"], found["scale"])


def say_ordinal(found: Match) -> str:
    return ordinal(found["n"])


def say_count(found: Match) -> str:
    return count(found.group())


def say_digits(found: Match) -> str:
    """Digits that no other rule wanted, as within names; apart from letters and digits around them."""
    text, start, end = found.string, found.start(), found.end()
    lead = " " if start and (text[start - 1].isalnum() or text[start - 1] in ",._") else ""
    tail = " " if end < len(text) and (text[end].isalnum() or text[end] == "_") else ""
    digits = found.group()
    return f"{lead}{number(digits) if len(digits) <= 4 else numbers.spelled(digits, EN)}{tail}"


def say_long(found: Match) -> str:
    """Ten digits and more are no quantity unless they are round."""
    digits = found.group()
    return number(digits) if digits.endswith("000000") else numbers.spelled(digits, EN)


def say_version(found: Match) -> str | None:
    """Two parts are a decimal number, unless it is said that they are a version."""
    parts = found["parts"].split(".")
    if len(parts) == 2 and found["v"] is None:
        return None
    lead = "version " if found["v"] else ""
    return lead + " point ".join(number(part) for part in parts)


def say_address(found: Match) -> str:
    """An IP address: octets of three digits digit by digit, as they are read out."""
    octets = [numbers.spelled(o, EN) if len(o) == 3 else number(o) for o in found["parts"].split(".")]
    port = f" port {number(found['port'])}" if found["port"] else ""
    mask = f" slash {number(found['mask'])}" if found["mask"] else ""
    return " dot ".join(octets) + port + mask


def phone(text: str) -> str:
    """Digits one by one, with a short pause between the groups."""
    groups = [group for group in "".join(c if c.isdecimal() else " " for c in text).split() if group]
    cut = [part for group in groups for part in _cut(group)]
    return ("plus " if text.startswith("+") else "") + ", ".join(numbers.spelled(group, EN) for group in cut)


def _cut(group: str) -> list[str]:
    return [group[at : at + 3] for at in range(0, len(group), 3)] if len(group) > 6 else [group]


def say_phone(found: Match) -> str | None:
    text = found.group()
    return phone(text) if sum(map(str.isdecimal, text)) >= 7 else None


def say_local(found: Match) -> str | None:
    """555-0123; but 100-1500 is a range."""
    first, last = found["first"], found["last"]
    if first != "555" and last.endswith("00"):
        return None
    return phone(found.group())


def say_toll_free(found: Match) -> str:
    """1-800 before a number that is a word."""
    return f"one {number(found['n'])} "


def say_chain(found: Match) -> str:
    """4-4-2, 1-2-3 as numbers; 978-3-16-148410-0 and the like as digits."""
    parts = found.group().split("-")
    if all(len(part) < 3 and (len(part) == 1 or part[0] != "0") for part in parts):
        return " ".join(number(part) for part in parts)
    return phone(found.group())


def say_place(found: Match) -> str:
    """Gate 12B and Llama-3-8B are no numbers of billions."""
    return f"{number(found['n'])} {found['letter']}"


def say_four_k(found: Match) -> str:
    """What screens have is no four thousand."""
    return f"{number(found['n'])} K"


def say_code(found: Match) -> str:
    return numbers.spelled(found.group(), EN)


def say_lines(found: Match) -> str:
    """Of a screen: 1080p, ten eighty p."""
    return f"{number(found['a'])} {number(found['b'])} {found['kind']}"


def say_other(found: Match) -> str:
    """Separators as other languages have them, where nothing else can be meant: 1.500,75 and 10 000."""
    return number(found["n"].replace(" ", "").replace(".", "").replace(",", "."))
