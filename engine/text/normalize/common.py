"""What is done to a text of any language, before and beside the rules of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import regex

from engine.text.normalize import numbers
from engine.text.normalize.rules import Match, Rule, Table, rule
from engine.text.normalize.spoken import Spoken
from engine.text.silent import BROKEN, EMOJI, INVISIBLE

_NAMELESS = r"[\p{C}ℹ\u2600-\u27bf]"  # also what is not assigned, of private use, or an ornament
_JOINER = r"[\u200c\u200d]"  # shapes a word in many scripts
_SILENT = (
    rf"[[{EMOJI}{BROKEN}{INVISIBLE}{_NAMELESS}]--[\t\n\r{_JOINER}]]"
    rf"|(?<![\p{{L}}\p{{M}}]){_JOINER}|(?<=\p{{Latin}}){_JOINER}"
)


def _gap(found: Match) -> str:
    """One space, where there was one, between two words; none before a stop or at an end."""
    text, end = found.string, found.end()
    spaced = found.group()[0].isspace() or found.group()[-1].isspace()
    if not spaced or found.start() == 0 or text[found.start() - 1].isspace():
        return ""
    return " " if end < len(text) and (text[end].isalnum() or text[end] not in ".,;:!?…)]}’”") else ""


CLEAN = Table(
    (
        rule("silent", rf"(?V1)[ ]?(?:{_SILENT})(?:{_SILENT}|\s)*+", _gap),
        rule("apostrophe", r"[‘’ʼ＇‛]", "'"),
        rule("space", r"(?V1)[\p{Zs}--[ \u3000]]", " "),
        rule("dash", r"[‐‑]", "-"),
        rule("minus", r"[−﹣－]", "-"),
        rule("composed", r"\p{L}\p{M}+", lambda m: unicodedata.normalize("NFC", m.group())),
        rule("styled", r"[\U0001d400-\U0001d7ffﬀ-ﬆ]+", lambda m: unicodedata.normalize("NFKC", m.group())),
    )
)
"""First, by itself: so that no rule has to think of signs that nobody sees."""


def clean(text: str) -> Spoken:
    """Without what no language says: emoji, invisible signs; one kind of apostrophe and space."""
    if text.isascii() and text.isprintable():
        return Spoken(text)
    return CLEAN.say(text)


@dataclass(frozen=True, slots=True)
class Signs:
    """How a language names what stands in addresses and the like."""

    language: str  # primary tag, as "en"
    names: Mapping[str, str]  # of single characters: ".", "@", "/", "-", "_", ":", "+", "~"; the others are left out
    more: str  # what stands for the rest of something too long: "and so on"


_URL = r"(?i)(?<![\w@.])(?:(?:https?|ftps?|wss?|file)://|www\.)[^\s<>\"|^`{}\\\[\]]{1,2000}(?<![.,;:!?'\")\]*_])"
_BARE = (
    r"(?<![\w.@/:\\-])[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,8}(?<=\.\p{Ll}{2,24})(?::[0-9]{1,5})?"
    r"/[^\s<>\"|^`{}\\\[\]]{1,2000}(?<![.,;:!?'\")\]*_])"
)
_MAIL = r"(?<![\w.+@-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}\p{L}{2,24}(?![\w@-])"
_IDENTIFIER = r"(?<![\w+/=-])[0-9A-Za-z+/_=-]{16,}+"

_PARTS = 4  # of an address' path
_WORD = 24  # characters of a part
_HOST = 60  # characters
_SPELLED = 6  # characters of an identifier
_TURNS = 4  # between digits and letters: more than any word or name has
_LONGEST = 80  # characters of a word

_PIECE = regex.compile(r"[0-9]+|[^\W\d_]+|.", regex.DOTALL)


def addresses(signs: Signs) -> list[Rule]:
    """Rules that say addresses and identifiers briefly, however long they are. First in a table."""
    return [
        rule("url", _URL, lambda m: say_url(m.group(), signs), ":wW"),
        rule("url without a scheme", _BARE, lambda m: say_url(m.group(), signs), ". /"),
        rule("mail", _MAIL, lambda m: say_name(m.group(), signs), "@"),
        rule("identifier", _IDENTIFIER, lambda m: _identifier(m.group(), signs)),
    ]


def say_url(url: str, signs: Signs) -> str:
    """Host and the first parts of the path, without scheme, query and fragment."""
    address = url.partition("://")[2] or url
    address = regex.split(r"[?#]", address, maxsplit=1)[0].strip("/")
    host, *path = [part for part in address.removeprefix("www.").split("/") if part] or [""]
    told = [host[:_HOST]]
    for part in path[:_PARTS]:
        if len(part) > _WORD or is_identifier(part):
            break
        told.append(part)
    words = f" {signs.names.get('/', '')} ".join(say_name(part, signs) for part in told)
    return words if len(told) == len(path) + 1 else f"{words} {signs.more}"


def say_name(name: str, signs: Signs) -> str:
    """A name with signs and digits in it, as in addresses: its words as they stand, all else in words."""
    said: list[str] = []
    for piece in _PIECE.findall(name):
        if piece[0] in "0123456789":
            said.append(say_digits(piece, signs.language))
        elif piece.isalpha():
            said.append(piece)
        else:
            said.append(signs.names.get(piece, ""))
    return " ".join(word for word in said if word)


def say_digits(digits: str, language: str) -> str:
    """As one number if it is short and does not begin with 0, else one by one."""
    if len(digits) <= 4 and (digits[0] != "0" or len(digits) == 1):
        return numbers.cardinal(digits, language)
    return numbers.spelled(digits, language)


def is_identifier(word: str) -> bool:
    """Whether it is a hash, a key or the like: it turns from letters to digits too often for a word."""
    kinds = [char.isdigit() for char in word[: 2 * _LONGEST] if char.isalnum()]
    return sum(a != b for a, b in pairwise(kinds)) >= _TURNS or len(word) >= _LONGEST


def _identifier(word: str, signs: Signs) -> str | None:
    if not is_identifier(word):
        return None
    return f"{say_name(' '.join(word[:_SPELLED]), signs)} {signs.more}"
