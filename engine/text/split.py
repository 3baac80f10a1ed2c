"""Streamed text to sentences."""

from __future__ import annotations

import re

from engine.text.cut import cut_before
from engine.text.early import FirstClause
from engine.text.ending import Ending
from engine.text.silent import audible, first_seen
from engine.text.stops import DENSE, LAST_LINE, LINES, STOP_OR_LINE, is_wrapped
from engine.types import Sentence

_SHORTEST_LIMIT = 16  # no grapheme cluster of any language is longer
_SYLLABLE_CHARS = 3  # a sign that is a syllable has the phonemes of three letters

# Letters, figures and signs at which nothing is decided; not all there are, but nearly all of an alphabet's prose.
_DECIDES = re.compile(r"[^ 0-9A-Za-z,:()'’\"\-\u00c0-\u037d\u037f-\u0588]")
_WORD = re.compile(r"[^\W_]")


class Splitter:
    """Cuts one context's text into sentences as it streams in; pure, and linear in the text.

    A sentence is given out as soon as no further text can change its end, and the sentences are the same however
    the text is cut into pushes. None is longer than `max_chars` (at least 16), has no letter or digit, or is lost;
    a sign that is a syllable, as of Chinese, counts as three, so that the limit is one of phonemes, roughly. Emoji and
    broken characters are left out; offsets are into the text as it was pushed. With `early`, the first unit of all,
    and after each flush, may end at a clause mark.
    """

    def __init__(self, max_chars: int = 400, *, early: bool = False) -> None:
        if max_chars < _SHORTEST_LIMIT:
            raise ValueError(f"max_chars is {max_chars}, must be {_SHORTEST_LIMIT} or more")
        self._max = max_chars
        self._early = early
        self._clause = FirstClause() if early else None  # while the first unit is read
        self._given = False  # the first unit
        self._text = ""  # held: from the unit's start on, with what was looked at behind its end
        self._dropped = 0  # characters before the held text
        self._start = 0  # the unit's first visible character, an index as all below
        self._at = 0  # the next character to look at; each is looked at once
        self._weighed = 0  # up to here it is known how long the unit is for the limit...
        self._limit = max_chars  # ...before which it ends
        self._line = 0  # where the line begins, an offset into all text
        self._ending: Ending | None = None
        self._ready: list[Sentence] = []
        self._ended = False

    @property
    def early(self) -> bool:
        return self._early

    @early.setter
    def early(self, early: bool) -> None:
        """It may turn out while text comes that more is being written: then the next push sees the whole first unit."""
        self._early = early
        if not early or self._given:
            self._clause = None
        elif self._clause is None:
            self._clause = FirstClause()

    @property
    def buffered(self) -> int:
        """Characters held."""
        return len(self._text) - self._start

    def push(self, text: str) -> list[Sentence]:
        """Adds text; gives the sentences whose end is certain now. Raises RuntimeError after `end`."""
        if self._ended:
            raise RuntimeError("the text has ended; nothing can be added")
        if self._text:
            if self._ending is None and self._clause is None and not _DECIDES.search(text):
                self._text += text
                if len(self._text) <= self._limit:
                    self._at = len(self._text)
                    return []
                text = ""
        else:
            text = self._skip_blanks(text)
        self._text += text
        self._scan()
        return self._take()

    def flush(self) -> list[Sentence]:
        """Gives all that is held, as it stands; offsets go on."""
        if self._ending is not None and self._ending.at_the_end(self._text):
            self._emit(self._ending.end)
        self._weigh(len(self._text))
        while len(self._text) > self._limit:
            self._cut()
            self._weigh(len(self._text))
        self._emit(len(self._text))
        self._pass_lines(self._text, 0, len(self._text))
        self._start = self._at = len(self._text)
        self._ending = None
        self._clause = FirstClause() if self._early else None
        self._given = False
        return self._take()

    def end(self) -> list[Sentence]:
        """As `flush`; nothing can be pushed afterwards."""
        self._ended = True
        return self.flush()

    def _take(self) -> list[Sentence]:
        if self._start:
            self._drop(self._start)
        ready, self._ready = self._ready, []
        return ready

    def _drop(self, dropped: int) -> None:
        self._text = self._text[dropped:]
        self._dropped += dropped
        self._start = 0
        self._at -= dropped
        self._weighed -= dropped
        self._limit -= dropped
        if self._ending is not None:
            self._ending.shift(dropped)

    def _scan(self) -> None:
        while self._at < len(self._text):
            ending = self._ending
            if ending is None:
                self._seek()
                continue
            ends = ending.read(self._text, self._start, self._at, self._limit)
            if ends is None:
                self._at += 1
            else:
                self._resolve(ending, ends)

    def _seek(self) -> None:
        """To the next stop, the limit, or the end of what is held."""
        if self._at == self._start:
            self._begin(self._at, len(self._text))
            self._at = self._start
        found = STOP_OR_LINE.search(self._text, self._at, self._limit)
        until = found.start() if found else min(len(self._text), self._limit)
        self._weigh(until)
        if self._clause is not None and self._ends_early(self._clause, min(until, self._limit)):
            return
        if found and until < self._limit:
            self._at = until
            self._ending = self._ending_at(until)
        elif len(self._text) > self._limit:
            self._cut()
        else:
            self._at = len(self._text)

    def _weigh(self, until: int) -> None:
        """Moves the limit nearer for every syllable sign before `until`."""
        part = self._text[self._weighed : until]
        if not part.isascii():
            for found in DENSE.finditer(self._text, self._weighed, until):
                if found.start() + _SYLLABLE_CHARS > self._limit:
                    self._limit = min(self._limit, found.start())
                    break
                self._limit -= _SYLLABLE_CHARS - 1
        self._weighed = max(self._weighed, until)

    def _ends_early(self, clause: FirstClause, until: int) -> bool:
        found = clause.read(self._text, self._start, until)
        if found is None:
            if until < len(self._text):
                clause.stopped()
            return False
        end, self._at = found
        self._emit(end)
        return True

    def _ending_at(self, at: int) -> Ending:
        column = self._dropped + at - self._line
        line = self._text[at] in LINES
        return Ending(at, self._max, line=line, wrapped=is_wrapped(self._text, self._start, at, column))

    def _resolve(self, ending: Ending, ends: bool) -> None:
        """The unit ends there or not; what was read behind it holds no other stop, up to the word that decided."""
        self._ending = None
        if ending.line >= 0:
            self._line = self._dropped + ending.line
        if ending.word >= 0:
            self._at = ending.word
        if ends:
            self._emit(ending.end)

    def _cut(self) -> None:
        self._at = max(self._at, self._limit)
        self._emit(cut_before(self._text, self._start, self._limit))

    def _emit(self, end: int) -> None:
        """Gives out the unit up to `end`, if there is a word in it, and begins the next."""
        unit = self._text[self._start : end].rstrip()
        if _WORD.search(unit):
            begin = self._dropped + self._start
            self._ready.append(Sentence(audible(unit), begin, begin + len(unit)))
            self._given, self._clause = True, None
        elif self._clause is not None:
            self._clause = FirstClause()
        self._begin(end, self._at)

    def _begin(self, since: int, until: int) -> None:
        """The next unit begins with the first seen character of a part of the text that is held."""
        start = self._start = self._weighed = first_seen(self._text, since, until)
        self._limit = start + self._max
        if start > since:
            self._pass_lines(self._text, since, start)

    def _skip_blanks(self, text: str) -> str:
        """`text`, before which nothing is held, without the blanks it begins with."""
        seen = text.lstrip()
        if skipped := len(text) - len(seen):
            self._pass_lines(text, 0, skipped)
            self._dropped += skipped
        return seen

    def _pass_lines(self, text: str, since: int, until: int) -> None:
        if found := LAST_LINE.search(text, since, until):
            self._line = self._dropped + found.end()
