"""Plain text under way: what was said, and marks that may still turn out to be none."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass

LONGEST_HELD = 300  # characters: what has not closed by then is no mark, however the text goes on

_PAUSES = frozenset(".,;:!?…。，、；：！？")
_PIECE = re.compile(r"[ \t\r]+|[^ \t\r]+")


@dataclass(frozen=True, slots=True)
class Plain:
    """Text without marks. `places` are pairs (index in `text`, offset in the source), from which on both go in step.

    What stands in the text and not in the source, as a comma between cells, is at the place that it stands for.
    """

    text: str = ""
    places: tuple[tuple[int, int], ...] = ()


NOTHING = Plain()


@dataclass(slots=True, eq=False)
class Mark:
    """An opener: `text` is what it says if nothing closes it."""

    char: str
    count: int
    text: str
    offset: int
    is_open: bool = True


class Draft:
    """Collects plain text with its places; holds back what stands behind an open mark."""

    def __init__(self) -> None:
        self.newlines = 2  # line breaks since the last word; two end any sentence
        self.lazy = False  # spaces wait for what follows: the end of a heading or a cell wants none before it
        self._last = ""  # character said
        self._space: int | None = None  # offset of a space that waits
        self._gap: int | None = None  # offset of a cell's end, which is a pause if another cell follows
        self._texts: list[str] = []
        self._places: list[tuple[int, int]] = []
        self._length = 0
        self._next = -1  # the offset that would go on in step
        self._held: deque[Mark | tuple[str, int]] = deque()  # begins with an open mark, if there is any
        self._stacks: dict[str, deque[Mark]] = {"*": deque(), "_": deque(), "~": deque(), "[": deque()}
        self._open: Counter[tuple[str, int]] = Counter()
        self._owed = False  # a long bold passage was begun

    @property
    def holds(self) -> bool:
        return bool(self._held)

    @property
    def held(self) -> int:
        """Characters said and not given out."""
        return sum(len(piece.text if isinstance(piece, Mark) else piece[0]) for piece in self._held)

    @property
    def begun(self) -> bool:
        """Whether anything was said."""
        return self._last != ""

    # ---- saying

    @property
    def is_plain(self) -> bool:
        """Whether text without signs would be given out as it is."""
        return not (self._held or self.lazy or self._gap is not None or self._texts)

    def pass_on(self, text: str, offset: int) -> Plain:
        """Says text without signs and gives it out, where `is_plain`."""
        if not text:
            return NOTHING
        self._last, self.newlines = text[-1], 0
        return Plain(text, ((0, offset),))

    def say(self, text: str, offset: int) -> None:
        """Text that stands at `offset` in the source, without line breaks where it is in a heading or a row."""
        if self.lazy:
            for found in _PIECE.finditer(text):
                if found.group()[0] not in " \t\r":
                    self._say(found.group(), offset + found.start())
                elif self._space is None:
                    self._space = offset + found.start()
        elif text:
            self._say(text, offset)

    def _say(self, text: str, offset: int) -> None:
        self._lead()
        self._last = text[-1]
        self.newlines = 0
        self._put(text, offset)

    def newline(self, offset: int) -> None:
        """A line break; more than two in a row say nothing."""
        self._space = None
        if self.newlines < 2:
            self.newlines += 1
            self._put("\n", offset)

    def part(self, offset: int) -> None:
        """Ends the paragraph, heading, item or row, and every sentence in it; no mark goes past this."""
        self.settle()
        self.lazy, self._gap, self._space = False, None, None
        while self.newlines < 2:
            self.newline(offset)

    def gap(self, offset: int) -> None:
        """The end of a cell."""
        self._space = None
        if self.newlines == 0:
            self._gap = offset

    def take(self) -> Plain:
        """What can be given out now."""
        if not self._texts:
            return NOTHING
        plain = Plain("".join(self._texts), tuple(self._places))
        self._texts, self._places, self._length, self._next = [], [], 0, -1
        return plain

    def _lead(self) -> None:
        """Says the pause or the space that waited for what comes now."""
        gap, space, self._gap, self._space = self._gap, self._space, None, None
        if gap is not None:
            self._put(" " if self._last in _PAUSES else ", ", gap)
        elif space is not None and self.newlines == 0:
            self._put(" ", space)

    def _put(self, text: str, offset: int) -> None:
        if self._held:
            self._held.append((text, offset))
        else:
            self._write(text, offset)

    def _write(self, text: str, offset: int) -> None:
        if offset != self._next:
            self._places.append((self._length, offset))
        self._texts.append(text)
        self._length += len(text)
        self._next = offset + len(text)

    # ---- marks

    def open(self, char: str, count: int, text: str, offset: int) -> None:
        """`text` may open something; what follows is held until that is known."""
        self._lead()
        mark = Mark(char, count, text, offset)
        self._stacks[char].append(mark)
        self._open[char, count] += 1
        self._held.append(mark)
        self.newlines = 0

    def opened(self, char: str, count: int) -> Mark | None:
        """The last mark of this kind that is open."""
        if not self._open[char, count]:
            return None
        return next(mark for mark in reversed(self._stacks[char]) if mark.count == count)

    def bracket(self) -> Mark | None:
        """The last bracket that is open."""
        stack = self._stacks["["]
        return stack[-1] if stack else None

    def close(self, mark: Mark) -> None:
        """`mark` is closed and says nothing. What opened after it and did not close is text."""
        for stack in self._stacks.values():
            while stack and stack[-1].offset > mark.offset:
                self._forget(stack.pop())
        mark.text = ""
        self.give_up(mark)

    def shorten(self, mark: Mark, count: int) -> None:
        """A part of `mark` is closed; the rest is still open."""
        self._open[mark.char, mark.count] -= 1
        mark.count -= count
        mark.text = mark.text[count:]
        self._open[mark.char, mark.count] += 1

    def give_up(self, mark: Mark) -> None:
        """`mark` is text."""
        stack = self._stacks[mark.char]
        while mark.is_open:
            self._forget(stack.pop())
        self._release()

    def settle(self) -> None:
        """Every open mark is text."""
        for stack in self._stacks.values():
            while stack:
                self._forget(stack.pop())
        self._owed = False
        self._release()

    def expire(self, offset: int) -> None:
        """Marks that opened too long before `offset` are text; but bold is taken for begun, its end will come."""
        while self._held and isinstance(mark := self._held[0], Mark) and offset - mark.offset > LONGEST_HELD:
            self._forget(self._stacks[mark.char].popleft())
            if mark.char == "*" and mark.count == 2:
                mark.text, self._owed = "", True
            self._release()

    def owes(self) -> bool:
        """Whether the end of a long bold passage is still to come; it has come now."""
        owed, self._owed = self._owed, False
        return owed

    def _forget(self, mark: Mark) -> None:
        mark.is_open = False
        self._open[mark.char, mark.count] -= 1

    def _release(self) -> None:
        held = self._held
        while held:
            piece = held[0]
            if not isinstance(piece, Mark):
                self._write(*piece)
            elif piece.is_open:
                return
            elif piece.text:
                self._write(piece.text, piece.offset)
            held.popleft()
