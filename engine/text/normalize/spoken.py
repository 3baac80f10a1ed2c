"""A text as it is said, and which part of it says which part of the text as written."""

from __future__ import annotations

from dataclasses import dataclass


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
