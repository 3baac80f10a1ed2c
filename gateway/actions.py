"""What is to be done after a command, in this order; made by a session, done by its connection."""

from __future__ import annotations

from dataclasses import dataclass

from engine.text.normalize import Spoken
from engine.types import Pace, Sentence, Utterance
from gateway.events import Event, Format


@dataclass(frozen=True, slots=True)
class Begin:
    """The first text of a context has come."""

    context: str
    pace: Pace
    rate_hz: int
    words: bool = False  # that their times are told
    format: Format = "pcm_s16le"
    sample_rate: int | None = None  # None: the voice's own
    kbps: int | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Speak a sentence of a context that has begun; `chars` go back to Session.spoken when it is dealt with."""

    context: str
    sentence: Sentence  # as written
    spoken: Spoken  # what the utterance says, and which part of it says what
    utterance: Utterance

    @property
    def chars(self) -> int:
        return self.sentence.end - self.sentence.start


@dataclass(frozen=True, slots=True)
class FlushMark:
    """Tell when everything before it has been sent; costs one char, so that marks are bounded as text is."""

    context: str
    chars: int = 1


@dataclass(frozen=True, slots=True)
class Finish:
    """No more sentences; the context is done when all before it has been sent."""

    context: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End a context that has begun, now."""

    context: str


@dataclass(frozen=True, slots=True)
class Heard:
    """The listener of a context that has begun has heard so much of its sound."""

    context: str
    ms: float


@dataclass(frozen=True, slots=True)
class Reply:
    """Tell the client at once."""

    event: Event


Action = Begin | Say | FlushMark | Finish | Stop | Heard | Reply
