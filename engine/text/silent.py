"""Signs that nobody says: emoji, what is left of broken ones, invisible characters."""

from __future__ import annotations

from functools import lru_cache

import regex

EMOJI = r"[[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]--[#*0-9©®™‼⁉ℹ↔]]"
BROKEN = r"[\ufffc\ufffd\p{Cs}]"  # what a server makes of half a character
INVISIBLE = (
    r"[[\p{Cc}--\s\x1c-\x1f]\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    r"\ufe00-\ufe0f\u20e3\U000e0000-\U000e007f]"
)
"""Classes of signs, to be a part of others, of patterns that `regex` reads as V1."""

_KNOWN_CHARS = 1024  # remembered: a text has few different ones

_IS_EMOJI = regex.compile(EMOJI, regex.V1)
_IS_UNSEEN = regex.compile(rf"{BROKEN}|{INVISIBLE}", regex.V1)
_SEEN = regex.compile(rf"[\S--[\x1c-\x1f{EMOJI}{BROKEN}{INVISIBLE}]]", regex.V1)
_RUN = regex.compile(rf" ?(?:[{EMOJI}{BROKEN}\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f]\u200d* ?)+", regex.V1)
_OPENS = regex.compile(r"[\p{Ps}\p{Pi}¿¡]")
_CLOSES = regex.compile(r"[\p{Pe}\p{Pf}\p{Sentence_Terminal}…,;:،؛、，；：]")


@lru_cache(_KNOWN_CHARS)
def is_emoji(char: str) -> bool:
    """Whether `char` is one, or a part of one that can be seen."""
    return _IS_EMOJI.match(char) is not None


@lru_cache(_KNOWN_CHARS)
def is_unseen(char: str) -> bool:
    """Whether `char` is invisible or broken: it neither parts words nor belongs to one."""
    return _IS_UNSEEN.match(char) is not None


def first_seen(text: str, since: int, until: int) -> int:
    """Where something begins that is neither blank nor silent; `until` if nothing does."""
    found = _SEEN.search(text, since, until)
    return found.start() if found else until


def audible(text: str) -> str:
    """`text` without emoji and broken characters; blanks are single spaces, and none is left where a sign was."""
    text = " ".join(text.split())
    return text if text.isascii() else _RUN.sub(_gap, text).strip()


def _gap(found: regex.Match[str]) -> str:
    text, begin, end = found.string, found.start(), found.end()
    if begin == 0 or end == len(text) or _OPENS.match(text[begin - 1]) or _CLOSES.match(text[end]):
        return ""
    return " " if any(char == " " or is_emoji(char) for char in found.group()) else ""
