"""The text as written, held as long as it is not read, with a little of what was read before it."""

from __future__ import annotations

import regex

_HISTORY = 400  # characters behind the place; no question looks further back
_TRIM = 800

_BLANK_LINE = regex.compile(r"\n[ \t\r]*+\n")


class NeedMore(Exception):
    """What stands at the place can be read only with more of the text; raised before anything is changed."""


class Source:
    """A window of a text with a place in it. Offsets count from the beginning of all text added."""

    def __init__(self, base: int = 0) -> None:
        self.text = ""
        self.at = 0  # the place, an index into `text`
        self.base = base  # offset of `text[0]`
        self.last = False  # no more text comes: nothing is worth waiting for

    @property
    def offset(self) -> int:
        """Of the place."""
        return self.base + self.at

    @property
    def left(self) -> int:
        """Characters not yet read."""
        return len(self.text) - self.at

    def add(self, text: str) -> None:
        if self.at > _TRIM:
            dropped = self.at - _HISTORY
            self.text = self.text[dropped:]
            self.base += dropped
            self.at -= dropped
        self.text += text

    def pass_over(self, text: str) -> int:
        """Adds text and reads it; gives its offset."""
        offset = self.base + self.at
        self.add(text)
        self.at = len(self.text)
        return offset

    def before(self) -> str:
        """The character before the place; a line break at the beginning of all text."""
        return self.text[self.at - 1] if self.at else "\n"

    def peek(self, ahead: int) -> str:
        """The character so many further on; a line break behind the last one. Raises NeedMore."""
        at = self.at + ahead
        if at < len(self.text):
            return self.text[at]
        if self.last:
            return "\n"
        raise NeedMore

    def take(self, count: int) -> tuple[str, int]:
        """Reads so many characters; gives them and their offset."""
        start = self.at
        self.at += count
        return self.text[start : self.at], self.base + start

    def match(self, pattern: regex.Pattern[str], window: int, ahead: int = 0) -> regex.Match[str] | None:
        """`pattern` at the place, within so many characters. Raises NeedMore while more text could make it match."""
        end = self.at + window
        found = pattern.match(self.text, self.at + ahead, end, partial=True)
        if found is None or not found.partial:
            return found
        if self.last or len(self.text) >= end:
            return None
        raise NeedMore

    def find(self, mark: str, ahead: int, window: int) -> int:
        """Index of `mark` in this paragraph, from `ahead` on and within so many characters, or -1. Raises NeedMore."""
        start, end = self.at + ahead, self.at + window
        until = self.paragraph_end(start, end)
        found = self.text.find(mark, start, until)
        if found < 0 and until == len(self.text) < end and not self.last:
            raise NeedMore
        return found

    def paragraph_end(self, start: int, end: int) -> int:
        """Where the paragraph ends between two indices, or the text, if that is nearer than `end`."""
        end = min(end, len(self.text))
        blank = _BLANK_LINE.search(self.text, start, end)
        return blank.start() if blank else end

    def since(self, offset: int) -> str:
        """What was read from `offset` on, as far as it is still held."""
        return self.text[max(0, offset - self.base) : self.at]

    def char_at(self, offset: int) -> str:
        """The character at `offset`, read and still held; a line break before the beginning of all text."""
        return self.text[offset - self.base] if offset >= self.base else "\n"

    def word(self) -> str:
        """What was read since the last space."""
        read = self.text[max(0, self.at - _HISTORY) : self.at]
        return "" if not read or read[-1].isspace() else read.rsplit(None, 1)[-1]
