"""A text as it is said, and which part of it says which part of the text as written."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

Parts = Generator[None, None, T]
"""Work in parts, so that others get a turn between them; it returns what comes of it."""


def at_once(parts: Parts[T]) -> T:
    while True:
        try:
            next(parts)
        except StopIteration as end:
            value: T = end.value
            return value


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the spoken text, and the stretch of the written one that it says. Either may be empty."""

    spoken_start: int
    spoken_end: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said. `spans` in order, without overlap; between two of them both texts are the same."""

    text: str
    spans: tuple[Span, ...] = ()


def joined(first: Spoken, second: Spoken) -> Spoken:
    """`second` says `first.text`; what of it says what `first` said. Stretches that overlap become one."""
    if not first.spans:
        return second
    spans: list[Span] = []
    below, above = list(first.spans), list(second.spans)
    i = j = written = said = 0  # `written` and `said`: how far both texts are from the one in the middle
    while i < len(below) or j < len(above):
        begin = end = min([span.spoken_start for span in below[i : i + 1]] + [span.start for span in above[j : j + 1]])
        start, spoken_start = begin + written, begin + said
        while True:
            fresh = begin == end
            if i < len(below) and (below[i].spoken_start < end or (fresh and below[i].spoken_start == begin)):
                end = max(end, below[i].spoken_end)
                written = below[i].end - below[i].spoken_end
                i += 1
                if below[i - 1].spoken_start == below[i - 1].spoken_end == begin:
                    break  # nothing is left of it to say, so it is joined with nothing
            elif j < len(above) and (above[j].start < end or (fresh and above[j].start == begin)):
                end = max(end, above[j].end)
                said = above[j].spoken_end - above[j].end
                j += 1
            else:
                break
        spans.append(Span(spoken_start, end + said, start, end + written))
    return Spoken(second.text, tuple(spans))
