"""The words of a sentence as written, from those of its spoken form; pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.text.normalize import Span, Spoken
from engine.text.words import split_words
from engine.types import WordTime


@dataclass(slots=True)
class _Group:
    """Words as written that are said in one, and where they are in the spoken text."""

    start: int
    end: int
    spoken_start: int
    spoken_end: int


class WrittenWords:
    """Tells when the words of one sentence as written sound, as it is told that of its spoken words, in order.

    What is said in one is one word: "$4.7 billion". A word that is not said belongs to the one before it.
    """

    def __init__(self, text: str, spoken: Spoken) -> None:
        self._text, self._spoken = text, spoken.text
        self._same = spoken.text == text
        self._groups = [] if self._same else _groups(text, spoken)
        self._starts = [group.spoken_start for group in self._groups]
        self._at = 0  # in the spoken text, behind the words that were told
        self._told = 0  # groups

    def tell(self, words: Iterable[WordTime]) -> list[WordTime]:
        """The words that these are."""
        if self._same:
            return list(words)
        told: list[WordTime] = []
        for word in words:
            end = self._find(word.text)
            until = bisect_left(self._starts, end)
            if until > self._told:
                text = self._text[self._groups[self._told].start : self._groups[until - 1].end]
                told.append(WordTime(text, word.start_s, word.end_s))
                self._told = until
            elif told:
                told[-1] = replace(told[-1], end_s=word.end_s)
        return told

    def _find(self, word: str) -> int:
        """Where it ends in the spoken text."""
        self._at = max(self._spoken.find(word, self._at), self._at) + len(word)
        return self._at


def _groups(text: str, spoken: Spoken) -> list[_Group]:
    groups: list[_Group] = []
    places = _Places(spoken.spans)
    for start, end in split_words(text):
        group = _Group(start, end, *places.said(start, end))
        before = groups[-1] if groups else None
        silent = not spoken.text[group.spoken_start : group.spoken_end].strip()
        if before and (silent or group.spoken_start < before.spoken_end or _is_silent(before, spoken)):
            before.end, before.spoken_end = end, max(group.spoken_end, before.spoken_end)
        else:
            groups.append(group)
    return groups


def _is_silent(group: _Group, spoken: Spoken) -> bool:
    return not spoken.text[group.spoken_start : group.spoken_end].strip()


class _Places:
    """Where the words of a text are in its spoken form; asked from left to right."""

    def __init__(self, spans: tuple[Span, ...]) -> None:
        self._spans = spans
        self._next = 0  # the first span that does not end before the word
        self._shift = 0  # of the spoken text behind the spans before that

    def said(self, start: int, end: int) -> tuple[int, int]:
        """The stretch that says `text[start:end]`, with all that is said in one with a part of it."""
        while self._next < len(self._spans) and self._spans[self._next].end <= start:
            self._shift = self._spans[self._next].spoken_end - self._spans[self._next].end
            self._next += 1
        at, shift = self._next, self._shift
        spoken_start, spoken_end = start + shift, end + shift
        while at < len(self._spans) and self._spans[at].start < end:
            span = self._spans[at]
            if span.start <= start:
                spoken_start = span.spoken_start
            spoken_end = span.spoken_end + max(end - span.end, 0)
            at += 1
        return spoken_start, spoken_end
