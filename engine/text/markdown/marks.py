"""Whether a run of `*`, `_` or `~` may begin or end emphasis, from what stands beside it; pure."""

from __future__ import annotations

from functools import lru_cache

import regex

_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_NO_START = regex.compile(r"[\s.,;:!?)\]}%/=\p{Pe}\p{Pf}。，、；：！？]")
_NO_END = regex.compile(r"[\s(\[{\p{Ps}\p{Pi}]")
_BEFORE_UNDERSCORE = regex.compile(r"[\s\p{Ps}\p{Pi}\"'*~—–|>¿¡]")
_DUNDER = regex.compile(r"__[a-z0-9_]++")
_SPACE = regex.compile(r"\s")

_KNOWN_CHARS = 1024


@lru_cache(_KNOWN_CHARS)
def _is_wordy(char: str) -> bool:
    """A letter or digit of a script with spaces between words: beside it, a mark is inside a word."""
    return char.isalnum() and not _UNSPACED.match(char)


def may_open(char: str, count: int, before: str, after: str) -> bool:
    """No space behind it, and not inside of `snake_case`, `3*4`, `x**2` or `f(x)*g(x)`; but `Hyper**T**ext` is one."""
    if _NO_START.match(after) or (char == "~" and count != 2):
        return False
    if char == "_":
        return _BEFORE_UNDERSCORE.match(before) is not None
    if before in ")]}":
        return False
    return not _is_wordy(before) or (count > 1 and before.isalpha() and after.isalpha())


def may_close(char: str, count: int, before: str, after: str) -> bool:
    """No space before it, and not inside of a word unless it is a long run: `**T**ext`."""
    if _NO_END.match(before):
        return False
    if char == "~":
        return count == 2
    if char == "*" and count > 1:
        return not (before.isdigit() and after.isdigit())
    return not _is_wordy(after)


def encloses(written: str, char: str, count: int, before: str) -> bool:
    """Whether opener and content, `written`, are emphasis behind `before`: neither `__init__` nor `a**b + c**d` is."""
    if char == "_" and count == 2 and _DUNDER.fullmatch(written):
        return False
    return not _is_wordy(before) or _SPACE.search(written) is None
