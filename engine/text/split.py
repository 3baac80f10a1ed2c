"""Streamed text to sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.text.abbreviations import Follow
from engine.text.cut import cut_before
from engine.text.early import FirstClause
from engine.text.silent import audible, first_seen, is_emoji, is_unseen
from engine.text.stops import (
    DENSE,
    DOTS,
    LINES,
    LONGEST_WORD,
    SPACED,
    STOP_OR_LINE,
    ends_before,
    ends_before_word,
    follow_of_point,
    is_closer,
    is_ideograph,
    is_opener,
    is_stop,
)
from engine.types import Sentence

_SHORTEST_LIMIT = 16  # no grapheme cluster of any language is longer
_SYLLABLE_CHARS = 3  # a sign that is a syllable has the phonemes of three letters

# Letters, figures and signs at which nothing is decided; not all there are, but nearly all of an alphabet's prose.
_DECIDES = re.compile(r"[^ 0-9A-Za-z,;:()'’\"\-\u00c0-\u0588]")
_WORD = re.compile(r"[^\W_]")


@dataclass(slots=True)
class _Stop:
    """A place where the unit may end, while what follows is read. Indices are into the held text."""

    begin: int
    end: int  # behind its last stop or closing quote: the unit's end if it ends here
    follow: Follow | None = None  # None while stops and closing quotes still come
    marks: int = 0
    strong: bool = False  # other than points
    wide: bool = False  # needs no space behind it
    closed: bool = False  # a quote or bracket closes
    lines: int = 0  # line breaks behind it
    word: int = -1  # where the next word begins, if it decides

    def shift(self, dropped: int) -> None:
        self.begin -= dropped
        self.end -= dropped
        self.word -= dropped if self.word >= 0 else 0


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
        self._text = ""  # held: from the unit's start on, with what was looked at behind its end
        self._dropped = 0  # characters before the held text
        self._start = 0  # the unit's first visible character, an index as all below
        self._at = 0  # the next character to look at; each is looked at once
        self._weighed = 0  # up to here it is known how long the unit is for the limit...
        self._limit = max_chars  # ...before which it ends
        self._stop: _Stop | None = None
        self._ready: list[Sentence] = []
        self._ended = False

    @property
    def buffered(self) -> int:
        """Characters held."""
        return len(self._text) - self._start

    def push(self, text: str) -> list[Sentence]:
        """Adds text; gives the sentences whose end is certain now. Raises RuntimeError after `end`."""
        if self._ended:
            raise RuntimeError("the text has ended; nothing can be added")
        if self._text:
            if self._stop is None and self._clause is None and not _DECIDES.search(text):
                self._text += text
                if len(self._text) <= self._limit:
                    self._at = len(self._text)
                    return []
                text = ""
        else:
            visible = text.lstrip()
            self._dropped += len(text) - len(visible)
            text = visible
        self._text += text
        self._scan()
        return self._take()

    def flush(self) -> list[Sentence]:
        """Gives all that is held, as it stands; offsets go on."""
        stop = self._stop
        if stop is not None and stop.follow is not None and stop.word >= 0:
            self._resolve(ends_before_word(stop.follow, self._text[stop.word :], ""))
        self._weigh(len(self._text))
        while len(self._text) > self._limit:
            self._cut()
            self._weigh(len(self._text))
        self._emit(len(self._text))
        self._start = self._at = len(self._text)
        self._stop = None
        self._clause = FirstClause() if self._early else None
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
        if self._stop is not None:
            self._stop.shift(dropped)

    def _scan(self) -> None:
        while self._at < len(self._text):
            stop = self._stop
            if stop is None:
                self._seek()
            elif stop.follow is None:
                self._read_stop(stop, self._text[self._at])
            elif stop.word < 0:
                self._read_space(stop, stop.follow, self._text[self._at])
            else:
                self._read_word(stop, stop.follow, self._text[self._at])

    def _seek(self) -> None:
        """To the next stop, the limit, or the end of what is held."""
        if self._at == self._start:
            self._begin(first_seen(self._text, self._at, len(self._text)))
            self._at = self._start
        found = STOP_OR_LINE.search(self._text, self._at, self._limit)
        until = found.start() if found else min(len(self._text), self._limit)
        self._weigh(until)
        if self._clause is not None and self._ends_early(self._clause, min(until, self._limit)):
            return
        if found and until < self._limit:
            self._at = until
            self._stop = _Stop(until, until, Follow.CASE if found.group() in LINES else None)
        elif len(self._text) > self._limit:
            self._cut()
        else:
            self._at = len(self._text)

    def _weigh(self, until: int) -> None:
        """Moves the limit nearer for every syllable sign before `until`."""
        part = self._text[self._weighed : until]
        if not part.isascii():
            for found in DENSE.finditer(self._text, self._weighed, until):
                if found.end() > self._limit:
                    break
                self._limit = max(found.end(), self._limit - _SYLLABLE_CHARS + 1)
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

    def _read_stop(self, stop: _Stop, char: str) -> None:
        """Stops and what closes behind them: `?!`, `."`, `...)`."""
        if char.isspace() or is_emoji(char):
            stop.follow = self._follow(stop)
            if stop.follow is Follow.ENDS:
                self._resolve(True)
        elif self._at >= self._limit:
            self._resolve(False)
        elif is_stop(char):
            stop.marks += 1
            stop.strong |= char not in DOTS
            stop.wide |= char not in SPACED
            self._extend(stop)
        elif is_closer(char, not stop.wide, self._text, self._start, self._at):
            stop.closed = True
            self._extend(stop)
        elif is_unseen(char):
            self._at += 1
        else:
            self._resolve(stop.wide or (is_ideograph(char) and self._ends_between_ideographs(stop)))

    def _extend(self, stop: _Stop) -> None:
        self._at += 1
        stop.end = self._at

    def _ends_between_ideographs(self, stop: _Stop) -> bool:
        return stop.strong or (stop.begin > self._start and is_ideograph(self._text[stop.begin - 1]))

    def _follow(self, stop: _Stop) -> Follow:
        if stop.closed and not stop.wide:
            return Follow.CASE  # "Stop!" he said.
        if stop.strong:
            return Follow.ENDS
        if stop.marks > 1 or self._text[stop.begin] != ".":
            return Follow.CASE
        return follow_of_point(self._text, self._start, stop.begin)

    def _read_space(self, stop: _Stop, follow: Follow, char: str) -> None:
        """The space behind a stop or at a line's end, and quotes that open behind it."""
        if self._at - stop.end >= self._max:
            self._resolve(True)
        elif char.isspace():
            stop.lines += self._line_breaks(char)
            self._at += 1
            if stop.lines > 1:
                self._resolve(True)
        elif char in DOTS and not stop.lines:
            stop.follow, stop.marks = None, stop.marks + 1  # ". . ."
        elif is_opener(char) or is_emoji(char) or is_unseen(char):
            self._at += 1
        else:
            self._judge(stop, Follow.CASE if stop.lines and follow is not Follow.GOES_ON else follow, char)

    def _line_breaks(self, char: str) -> int:
        if char not in LINES or (char == "\n" and self._text[self._at - 1] == "\r"):
            return 0
        return 2 if char == "\u2029" else 1

    def _judge(self, stop: _Stop, follow: Follow, char: str) -> None:
        ends = ends_before(follow, char)
        if ends is None:
            stop.word = self._at
            self._at += 1
        else:
            self._resolve(ends)

    def _read_word(self, stop: _Stop, follow: Follow, char: str) -> None:
        if char.isalpha() and self._at - stop.word < LONGEST_WORD:
            self._at += 1
        else:
            self._resolve(ends_before_word(follow, self._text[stop.word : self._at], char))

    def _resolve(self, ends: bool) -> None:
        """The pending stop ends the unit or was none; what was read behind it holds no other stop."""
        stop, self._stop = self._stop, None
        if ends and stop is not None:
            self._emit(stop.end)

    def _cut(self) -> None:
        limit = self._start + self._max
        self._at = max(self._at, limit)
        self._emit(cut_before(self._text, self._start, limit))

    def _emit(self, end: int) -> None:
        """Gives out the unit up to `end`, if there is a word in it, and begins the next."""
        unit = self._text[self._start : end].rstrip()
        if _WORD.search(unit):
            begin = self._dropped + self._start
            self._ready.append(Sentence(audible(unit), begin, begin + len(unit)))
            self._clause = None
        elif self._clause is not None:
            self._clause = FirstClause()
        self._begin(first_seen(self._text, end, self._at))

    def _begin(self, start: int) -> None:
        self._start = self._weighed = start
        self._limit = start + self._max
