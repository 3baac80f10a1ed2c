"""What a client is told of a speech. Times are milliseconds of the speech's own sound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence whose sound begins at `start_ms`, to the sample; `start`, `end` are characters of the text given."""

    index: int
    text: str
    start_ms: float
    cached: Literal["memory", "redis", "joined", False]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it stands in the sentence of this index, and when it sounds."""

    text: str
    start_ms: int
    end_ms: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Done:
    """A speech came to its end. `first_audio_ms`: from its first text to its first sound, None where unknown."""

    audio_ms: int
    sentences: int
    cached: int
    first_audio_ms: int | None
    underruns: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """How far a speech came: what of it was sent, and what the listener heard of that.

    `text_heard` is None where nobody knows: the server tells it to those who say what was `played`.
    """

    sent_ms: int
    heard_ms: int
    text_sent: str
    text_heard: str | None
