"""What a reader of Markdown knows of the line and the block it is in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

import regex


class Mode(Enum):
    LINE = auto()  # before the first word of a line
    TEXT = auto()  # in a line
    FENCE = auto()  # at the beginning of a line of fenced code
    CODE = auto()  # at the beginning of a line of indented code
    UNSAID = auto()  # in what nobody is to hear


@dataclass(slots=True)
class State:
    mode: Mode = Mode.LINE
    indent: int = 0  # columns before the place, in LINE
    marked: bool = False  # a marker of the list or of a quote stands before the place in this line
    numbered: bool = False  # nothing but the number of an item was said in this line
    begun: int = -1  # offset at which the text of the line began
    paragraph: bool = False  # the line before was text
    in_list: bool = False
    quoted: bool = False  # this line
    was_quoted: bool = False  # the line before
    row: bool = False  # this line is a table's
    was_row: bool = False
    ends_part: bool = False  # the line's end does: a heading, a row
    fence: str = ""  # the marks that opened it
    fence_quoted: bool = False
    skipping: bool = False  # in FENCE and CODE: to the line's end
    until: regex.Pattern[str] | None = None  # ends UNSAID
    after: Mode = Mode.TEXT  # UNSAID

    def end_line(self, *, paragraph: bool) -> None:
        """The next character begins a line."""
        self.mode, self.indent, self.marked, self.numbered, self.begun = Mode.LINE, 0, False, False, -1
        self.was_quoted, self.was_row = self.quoted, self.row
        self.quoted = self.row = self.ends_part = False
        self.paragraph = paragraph
