"""What is said for a sentence as written: the words of its language, and those of lexicons; pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.text.blocks import without_marks
from engine.text.lexicon import Lexicon
from engine.text.normalize import Parts, Span, Spoken, at_once, normalizing
from engine.text.normalize.spoken import joined


@dataclass(frozen=True, slots=True)
class Saying:
    """The spoken form of a sentence; `lexicon` is the version of what changed it, "" where nothing did."""

    spoken: Spoken
    lexicon: str = ""

    @property
    def silent(self) -> bool:
        """There is no word in it."""
        return not any(map(str.isalnum, self.spoken.text))


Rules = Callable[[str, str], Parts[Spoken]]


def saying(text: str, language: str, lexicons: Sequence[Lexicon] = (), *, rules: Rules = normalizing) -> Saying:
    """What a voice of `language` says for a sentence; the first lexicon that has a word is meant.

    No text can bring phonemes of its own. `rules` may be a faster way to what `normalizing` gives.
    """
    return at_once(saying_in_parts(text, language, lexicons, rules=rules))


def saying_in_parts(
    text: str, language: str, lexicons: Sequence[Lexicon] = (), *, rules: Rules = normalizing
) -> Parts[Saying]:
    """As `saying`, in parts."""
    text = without_marks(text)
    spoken = yield from rules(text, language)
    return pronounced(text, spoken, lexicons)


@dataclass(frozen=True, slots=True, order=True)
class _Entry:
    """A stretch of the spoken text, and what is said instead."""

    start: int
    end: int
    said: str


def pronounced(text: str, spoken: Spoken, lexicons: Sequence[Lexicon]) -> Saying:
    """`spoken`, which says `text`, with the words of lexicons said as these want it.

    A word is looked for as it is written, for that is how people write entries, then as it is spoken. What one lexicon
    says, no other one changes.
    """
    entries: list[_Entry] = []
    used: list[str] = []
    for lexicon in lexicons:
        before = len(entries)
        for entry in _as_written(text, spoken, lexicon):
            _take(entry, entries)
        if spoken.spans:
            for entry in list(_as_spoken(spoken, lexicon, entries)):
                _take(entry, entries)
        if len(entries) > before:
            used.append(lexicon.version)
    return Saying(joined(spoken, _replaced(spoken.text, entries)), "+".join(used)) if entries else Saying(spoken)


def _as_written(text: str, spoken: Spoken, lexicon: Lexicon) -> Iterator[_Entry]:
    places = _Places(text, spoken)
    for start, end, said in lexicon.find(text, 0, len(text)):
        if stretch := places.said(start, end):
            yield _Entry(*stretch, said)


def _as_spoken(spoken: Spoken, lexicon: Lexicon, taken: Sequence[_Entry]) -> Iterator[_Entry]:
    """Between what lexicons say already."""
    at = 0
    for entry in taken:
        yield from (_Entry(*found) for found in lexicon.find(spoken.text, at, entry.start))
        at = entry.end
    yield from (_Entry(*found) for found in lexicon.find(spoken.text, at, len(spoken.text)))


def _take(entry: _Entry, entries: list[_Entry]) -> None:
    """Into its place in the order, if nothing is in its way."""
    at = bisect_left(entries, entry)
    free = (at == 0 or entries[at - 1].end <= entry.start) and (at == len(entries) or entry.end <= entries[at].start)
    if free:
        entries.insert(at, entry)


def _replaced(text: str, entries: Sequence[_Entry]) -> Spoken:
    parts: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for entry in entries:
        parts += text[at : entry.start], entry.said
        begin = length + entry.start - at
        length = begin + len(entry.said)
        at = entry.end
        spans.append(Span(begin, length, entry.start, entry.end))
    return Spoken("".join([*parts, text[at:]]), tuple(spans))


class _Places:
    """Where a text as written is in its spoken form."""

    def __init__(self, text: str, spoken: Spoken) -> None:
        self._text, self._spoken, self._spans = text, spoken.text, spoken.spans
        self._starts = [span.start for span in spoken.spans]
        self._ends = [span.end for span in spoken.spans]

    def said(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch that says `text[start:end]`; None where a rule said more than that in one, or it is silent.

        What a rule left as it was does not count: of "SQL's" it may have said "S Q L's".
        """
        first, after = bisect_right(self._ends, start), bisect_left(self._starts, end)
        begin, stop = start + self._shift(first), end + self._shift(after)
        if first < after and (before := start - self._starts[first]) > 0:
            span = self._spans[first]
            begin = span.spoken_start + before
            if not self._same(span.start, span.spoken_start, before):
                return None
        if first < after and (behind := self._ends[after - 1] - end) > 0:
            span = self._spans[after - 1]
            stop = span.spoken_end - behind
            if not self._same(end, stop, behind):
                return None
        return (begin, stop) if begin < stop else None

    def _same(self, at: int, spoken_at: int, size: int) -> bool:
        written = self._text[at : at + size].replace("’", "'")
        return written == self._spoken[spoken_at : spoken_at + size]

    def _shift(self, spans: int) -> int:
        """How much further the spoken text is behind so many spans."""
        last = self._spans[spans - 1] if spans else None
        return last.spoken_end - last.end if last else 0
