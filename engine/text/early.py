"""Where the first clause of a text ends, while the rest of its sentence is still being written."""

from __future__ import annotations

from functools import lru_cache

import regex

from engine.text.stops import is_ideograph

_LEAST_CHARS = 20  # a shorter piece sounds like a slip, and is over before the next is made
_LEAST_WORDS = 4
_WORDS_LEFT = 3  # seen behind the mark, so that no shorter piece is left

_WORD, _SYLLABLE = 2, 1  # a sign that is a syllable is half a word...
_SYLLABLE_CHARS = 3  # ...and takes as long as three letters

_WIDE = frozenset("，、；：")  # no space follows
_WEAK = frozenset(",،፣，、")
_LONG_DASHES = frozenset("—⸺")  # with spaces or without
_DASHES = frozenset("–-")  # only between spaces
_MARKS = _WEAK | _WIDE | _LONG_DASHES | _DASHES | frozenset(";:؛፤")

_OPENER = regex.compile(r"[\p{Ps}\p{Pi}]")
_CLOSER = regex.compile(r"[\p{Pe}\p{Pf}]")
_APOSTROPHES = frozenset("'’")


class FirstClause:
    """Reads a unit from its first character on, each once, and finds the clause mark at which it may end.

    That is a mark with `_LEAST_WORDS` words before it, outside of quotes and brackets, and with `_WORDS_LEFT` words but
    no other mark, stop or line break behind it. A comma does not count before a capital or a figure: it may stand in a
    name or a date. All this hangs on the characters alone, not on how they come.
    """

    def __init__(self) -> None:
        self._at = 0  # the next character to read, an index into the unit, as is the mark
        self._words = self._chars = 0  # read so far; words in halves
        self._gap = True  # a word may begin here
        self._digit = False  # the last character of a word
        self._nested = 0  # brackets and quotes open
        self._quoted = False  # in "straight" or ‘single’ ones: the end of the latter is no other than an apostrophe
        self._single = False
        self._entity = False  # "&amp;"
        self._mark = 0  # the end of the mark that is pending, 0 for none
        self._kind = ""  # the mark
        self._left = 0  # words behind it, in halves
        self._figure = False  # a figure before it
        self._initial = False  # a capital "I" behind it: the next character decides whether it is a word

    def read(self, text: str, start: int, until: int) -> tuple[int, int] | None:
        """Reads on in the unit that began at `start`, up to `until`. Where the unit ends and up to which character
        that hangs on, or None as long as nothing is certain."""
        for at in range(start + self._at, until):
            self._at += 1
            if self._is_certain(text[at], text[at - 1] if at > start else " "):
                return start + self._mark, at
        return None

    def stopped(self) -> None:
        """A stop or a line's end is next: what is left behind the mark may be too short."""
        self._mark = 0

    def _is_certain(self, char: str, before: str) -> bool:
        if self._mark and not self._may_follow(char, before):
            self._mark = 0
        self._chars += 1
        if char.isspace():
            self._gap, self._entity = True, False
        elif char.isalnum():
            self._count(char)
            return self._mark > 0 and self._left >= _WORDS_LEFT * _WORD
        else:
            self._read_sign(char, before)
        return False

    def _count(self, char: str) -> None:
        dense, self._digit = is_ideograph(char), char.isdigit()
        words = _SYLLABLE if dense else _WORD if self._gap else 0
        self._gap = False
        self._chars += _SYLLABLE_CHARS - 1 if dense else 0
        self._words += words
        self._left += words

    def _may_follow(self, char: str, before: str) -> bool:
        """Whether the mark that is pending may end the unit, as far as `char` tells."""
        if self._initial:
            self._initial = False
            return char.isspace() or char in _APOSTROPHES
        if self._left or char.isspace():
            return True
        if not char.isalnum() or not (before.isspace() or self._kind in _WIDE or self._kind in _LONG_DASHES):
            return False
        weak = self._kind in _WEAK
        if char.isdigit():
            return not weak and not self._figure
        self._initial = weak and char == "I"
        return not weak or self._initial or not char.isupper()

    def _read_sign(self, char: str, before: str) -> None:
        if char in _DASHES and not before.isspace():
            return  # "well-known"
        if char in _MARKS:
            self._gap = True
            self._mark = self._at if self._may_end(char, before) else 0
            self._kind, self._left, self._figure = char, 0, self._digit
        elif change := _nesting(char):
            self._mark, self._nested = 0, max(0, self._nested + change)
            self._single |= char == "‘"
        elif char == '"':
            self._mark, self._quoted = 0, not self._quoted
        elif char == "&":
            self._entity = True

    def _may_end(self, char: str, before: str) -> bool:
        outside = not (self._nested or self._quoted or self._single or (self._entity and char == ";"))
        apart = char in _DASHES or char in _LONG_DASHES or not (before.isspace() or before == ".")  # "e.g., this"
        return outside and apart and self._words >= _LEAST_WORDS * _WORD and self._chars >= _LEAST_CHARS


@lru_cache(1024)
def _nesting(char: str) -> int:
    """What a bracket or quote adds to the depth; nothing for the one that is an apostrophe, too."""
    if char == "’":
        return 0
    return bool(_OPENER.match(char)) - bool(_CLOSER.match(char))
