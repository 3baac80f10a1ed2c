"""English readings of what stands in code and on the net: names of files, handles, tags, identifiers."""

from __future__ import annotations

import regex

from engine.text.normalize.common import Signs, say_name
from engine.text.normalize.en_letters import letters
from engine.text.normalize.en_numbers import count, number
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import pairs

SIGNS = Signs(
    "en",
    pairs("""
. = dot
@ = at
/ = slash
- = dash
_ = underscore
: = colon
+ = plus
~ = tilde
\\ = backslash
# = hash
& = and
% = percent
"""),
    "and so on",
)

HASHTAG = r"(?<![\p{L}\p{N}_&/])#(?P<tag>(?=[0-9_]{0,20}\p{L})[\p{L}\p{M}\p{N}_]{1,60})"
HANDLE = r"(?<![\p{L}\p{N}_.])@(?P<name>[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,38}[A-Za-z0-9_])?)"
_SEGMENT = r"[\w.@+-]{1,60}+"
PATH = (
    r"(?<![\p{L}\p{N}_.:/\\])(?P<name>[~/\\](?:(?<=~)[/\\]|(?<!~))(?=[^\s\p{L}]{0,20}\p{L})"
    rf"{_SEGMENT}(?:[/\\]{_SEGMENT}){{0,12}}[/\\]?)(?<!\.)"
)
DRIVE = rf"(?<![\p{{L}}\p{{N}}_])(?P<name>[A-Za-z]:\\(?:{_SEGMENT}\\?){{1,12}})(?<!\.)"
NEAR = rf"(?<![\p{{L}}\p{{N}}_.])(?P<name>\.\.?(?:[/\\]{_SEGMENT}){{1,12}}[/\\]?)(?<!\.)"
FILE = (
    r"(?<![\p{L}\p{N}_./\\:-])(?P<name>[\w-](?:(?<=[\w-])[\w-]{0,60}+/){0,12}+[\w-]{0,60}+(?:\.[\w-]{1,30}){0,3}"
    r"\.(?:\p{Ll}[\p{Ll}\p{N}]{0,4}|7z))(?![\p{L}\p{N}_/\\])"
)
LANGUAGE = r"(?<![\p{L}\p{N}_])(?P<name>C\+\+|[CF]\#(?![\p{L}\p{N}_])|\.NET(?![\p{L}\p{N}_]))"
SNAKE = r"(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}]{0,40}(?:_{1,2}[\p{L}\p{N}]{1,40}){1,12}_{0,2}(?![\p{L}\p{N}_])"
MIXED = (
    r"(?<![\p{L}\p{N}_])(?P<lead>\p{Lu}{1,5})(?P<digits>[0-9]{1,4})(?P<tail>\p{L}{0,3}s?)(?![\p{L}\p{N}_]|[.,][0-9])"
)
_LANGUAGES = {"C++": "C plus plus", "C#": "C sharp", "F#": "F sharp", ".NET": "dot net"}
_SNAKE_PARTS = regex.compile(r"_|(?<=\p{L})(?=[0-9])|(?<=[0-9])(?=\p{L})")
_CAMEL = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})|_|(?<=\p{L})(?=[0-9])|(?<=[0-9])(?=\p{L})")


def say_hashtag(found: Match) -> str:
    words = [_part(word) for word in _CAMEL.split(found["tag"]) if word]
    return "hashtag " + " ".join(words)


def _part(word: str) -> str:
    if word.isascii() and word.isdecimal():
        return number(word)
    return letters(word) if word.isupper() and len(word) < 4 and word.isascii() else word


def say_handle(found: Match) -> str:
    return "at " + say_name(found["name"], SIGNS)


def say_file(found: Match) -> str | None:
    """A path or a file's name; the middle of a long path is left out."""
    name = found["name"].replace("_", " ").strip()
    if regex.fullmatch(r"[/\\]\p{L}{1,2}|\p{L}\.\p{L}", name):
        return None
    parts = regex.split(r"([/\\])", name.rstrip("/\\"))
    if len(parts) > 9:
        return f"{say_name(''.join(parts[:5]), SIGNS)} {SIGNS.more}, {say_name(''.join(parts[-1:]), SIGNS)}"
    return say_name(name.rstrip("/\\"), SIGNS)


def say_snake(found: Match) -> str:
    return " ".join(_part(part) for part in _SNAKE_PARTS.split(found.group()) if part)


def say_mixed(found: Match) -> str:
    """MP3, B2B, H2O: letters, a number, letters."""
    digits = found["digits"]
    said = count(digits) if len(digits) < 4 or digits[:2] in ("19", "20") else " ".join(map(number, digits))
    lead = found["lead"]
    tail = letters(found["tail"]) if found["tail"].isupper() else found["tail"]
    gap = "-" if lead == "A" else " "  # by itself it would be the article
    return f"{letters(lead)}{gap}{said}{'' if tail == 's' else ' ' if tail else ''}{tail}"


def say_language(found: Match) -> str:
    return _LANGUAGES[found["name"]]
