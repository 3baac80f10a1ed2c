"""A place where a unit may end, while what follows it is read."""

from __future__ import annotations

from engine.text.abbreviations import Follow
from engine.text.silent import is_emoji, is_unseen
from engine.text.stops import (
    DOTS,
    LINES,
    LONGEST_WORD,
    SPACED,
    ends_before,
    ends_before_word,
    follow_of_point,
    is_closer,
    is_ideograph,
    is_opener,
    is_stop,
)

_LONGEST_NOTE = 8  # "[12, 13]" behind a stop
_NOTE_SIGNS = frozenset("0123456789,–- ")
_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")


class Ending:
    """A stop or a line's end in the text that is held: reads on until it is certain whether the
    unit ends there. Indices are into that text.
    """

    __slots__ = (
        "_begin",
        "_closed",
        "_follow",
        "_guillemet",
        "_line_breaks",
        "_marks",
        "_max",
        "_note",
        "_parted",
        "_strong",
        "_wide",
        "_wrapped",
        "end",
        "line",
        "word",
    )

    def __init__(self, begin: int, max_chars: int, *, line: bool, wrapped: bool) -> None:
        """A line's end, or a stop; `wrapped`: on a line so full that it hardly ends for its meaning."""
        self.end = begin  # behind its last stop or closing quote: the unit's end if it ends here
        self.line = -1  # where the last line begins that was read, if any
        self._begin = begin
        self._max = max_chars
        self._wrapped = wrapped
        self._follow: Follow | None = None  # None while stops and closing quotes still come
        if line:
            self._follow = Follow.WRAPPED if wrapped else Follow.LINE
        self._marks = 0
        self._strong = False  # other than points
        self._wide = False  # needs no space behind it
        self._closed = False  # a quote or bracket closes
        self._parted = False  # by an emoji, as by a space
        self._note = -1  # where a note's number begins, "[1]"
        self._guillemet = False  # "« Oui. »" may close behind a space
        self._line_breaks = 0  # behind it
        self.word = -1  # where the next word begins, if it decides: there the text is to be looked at again

    def shift(self, dropped: int) -> None:
        """The held text has lost its first characters."""
        self._begin -= dropped
        self.end -= dropped
        self.line -= dropped if self.line >= 0 else 0
        self._note -= dropped if self._note >= 0 else 0
        self.word -= dropped if self.word >= 0 else 0

    def read(self, text: str, start: int, at: int, limit: int) -> bool | None:
        """Reads the character at `at`. Whether the unit that began at `start` ends, or None to go on with the next."""
        if self._follow is None:
            return self._read_stop(text, start, at, limit)
        if self.word < 0:
            return self._read_space(self._follow, text, start, at, limit)
        char = text[at]
        if at - self.word < LONGEST_WORD and (char.isalpha() or (self._follow is Follow.WRAPPED and _of_figure(char))):
            return None
        return ends_before_word(self._follow, text[self.word : at], char)

    def at_the_end(self, text: str) -> bool:
        """Whether the unit ends there if no more text comes, but the rest is a unit of its own."""
        return self._follow is not None and self.word >= 0 and ends_before_word(self._follow, text[self.word :], "")

    def _read_stop(self, text: str, start: int, at: int, limit: int) -> bool | None:
        """Stops and what closes behind them: `?!`, `."`, `...)`, `.[1]`."""
        char = text[at]
        if char.isspace() and self._note < 0:
            return self._begin_space(text, start, at, limit)
        if at >= limit:
            return False
        if self._note >= 0:
            return self._read_note(at, char)
        if at == self._begin or is_stop(char):
            self._marks += 1
            self._strong |= char not in DOTS
            self._wide |= char not in SPACED
            self.end = at + 1
        elif is_closer(char, not self._wide, text, start, at):
            self._closed = True
            self.end = at + 1
        elif char in _SUPERSCRIPTS:
            self.end = at + 1
        elif char == "[" and at == self.end:
            self._note = at
        elif is_emoji(char):
            self._parted = True
        elif self._parted:
            return self._begin_space(text, start, at, limit)
        elif not is_unseen(char):
            return self._wide or (is_ideograph(char) and self._ends_between_ideographs(text, start))
        return None

    def _read_note(self, at: int, char: str) -> bool | None:
        if char == "]" and at > self._note + 1:
            self._note, self.end = -1, at + 1
        elif char not in _NOTE_SIGNS or at - self._note >= _LONGEST_NOTE:
            return False
        return None

    def _ends_between_ideographs(self, text: str, start: int) -> bool:
        return self._strong or (self._begin > start and is_ideograph(text[self._begin - 1]))

    def _begin_space(self, text: str, start: int, at: int, limit: int) -> bool | None:
        follow = self._follow = self._what_follows(text, start)
        if follow is Follow.ENDS:
            self._guillemet = text.count("«", start, self._begin) > text.count("»", start, self._begin)
            if not self._guillemet:
                return True
        return self._read_space(follow, text, start, at, limit)

    def _what_follows(self, text: str, start: int) -> Follow:
        if self._closed and not self._wide:
            return Follow.CASE  # "Stop!" he said.
        if self._strong:
            return Follow.ENDS
        if self._marks > 1 or text[self._begin] != ".":
            return Follow.CASE
        return follow_of_point(text, start, self._begin)

    def _read_space(self, follow: Follow, text: str, start: int, at: int, limit: int) -> bool | None:
        """The space behind a stop or at a line's end, and quotes that open behind it."""
        char = text[at]
        if at - self.end >= self._max:
            return True
        if char.isspace():
            return self._read_blank(text, at, char)
        if self._guillemet and char == "»":
            self._follow, self._guillemet, self.end = Follow.CASE, False, at + 1
        elif char in DOTS and not self._line_breaks:
            self._follow, self._marks = None, self._marks + 1  # ". . ."
            return self._read_stop(text, start, at, limit)
        elif not (is_opener(char) or is_emoji(char) or is_unseen(char)):
            if self._line_breaks and not self._wrapped and follow not in (Follow.GOES_ON, Follow.LINE):
                follow = self._follow = Follow.CASE
            ends = ends_before(follow, char)
            self.word = at if ends is None else -1
            return ends
        return None

    def _read_blank(self, text: str, at: int, char: str) -> bool | None:
        if char in LINES:
            self.line = at + 1
            if char != "\n" or text[at - 1] != "\r":
                self._line_breaks += 2 if char == "\u2029" else 1
        return True if self._line_breaks > 1 else None


def _of_figure(char: str) -> bool:
    return char.isdecimal() or char == "."
