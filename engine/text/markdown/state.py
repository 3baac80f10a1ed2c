"""What a reader of Markdown knows of the line and the block it is in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import regex


class Mode(IntEnum):
    """Where the place is, and so who reads on."""

    LINE = 0  # before the first word of a line
    TEXT = 1  # in a line
    FENCE = 2  # in fenced code
    CODE = 3  # in indented code
    UNSAID = 4  # in what nobody is to hear


@dataclass(slots=True)
class State:
    """Of one text."""

    note: str = ""  # said in place of code
    mode: Mode = Mode.LINE
    indent: int = 0  # columns before the place, in LINE and CODE
    marked: bool = False  # a marker of a list or of a quote stands before the place in this line
    numbered: bool = False  # so far this line says the number of an item
    begun: int = -1  # offset at which the text of this line began
    paragraph: bool = False  # the line before was text
    in_list: bool = False
    quoted: bool = False  # this line
    was_quoted: bool = False  # the line before
    row: bool = False  # this line is one of a table
    was_row: bool = False
    ends_part: bool = False  # this line is a part by itself: a heading, a row
    fence: str = ""  # the marks that began it
    fence_quoted: bool = False
    wrapped: str = ""  # the marks of the fence around Markdown that it is in
    skipping: bool = False  # to the line's end, in FENCE and CODE
    until: regex.Pattern[str] | None = None  # ends UNSAID
    after: Mode = Mode.TEXT  # UNSAID

    def end_line(self, *, paragraph: bool) -> None:
        """The next character begins a line."""
        self.mode, self.indent, self.marked, self.numbered, self.begun = Mode.LINE, 0, False, False, -1
        self.was_quoted, self.was_row = self.quoted, self.row
        self.quoted = self.row = self.ends_part = False
        self.paragraph = paragraph

    def leave_out(self, until: regex.Pattern[str], offset: int) -> None:
        """What begins at `offset` and ends with `until` is not said; the line goes on as if it were not there."""
        self.mode, self.until = Mode.UNSAID, until
        self.after = Mode.LINE if self.begun == offset and not self.ends_part else Mode.TEXT
