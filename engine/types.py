"""What the engine is asked and what it gives: plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Pcm = npt.NDArray[np.int16]
"""Mono samples of 16 bit, shape [samples], at the voice's own rate."""

Wave = npt.NDArray[np.float32]
"""Mono samples as a model makes them, shape [samples], full scale -1 to 1, not yet clipped."""


class Pace(StrEnum):
    """How a listener takes its sound."""

    REALTIME = "realtime"  # somebody hears it as it comes: deadlines hold
    FAST = "fast"  # a file, a warm-up: made in what is left


@dataclass(frozen=True, slots=True)
class Sentence:
    """One unit of speech as cut from a context's text; `start` and `end` are offsets into all text pushed."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Voice:
    """What is known of a voice without loading it; `fingerprint` is a hash of model and config."""

    name: str
    fingerprint: str
    rate_hz: int
    language: str  # BCP 47 with a hyphen, as in "en-US"
    noise_scale: float
    length_scale: float
    noise_w: float
    hop: int = 256  # samples a frame
    speakers: Mapping[str, int] = field(default_factory=dict)  # empty: one speaker
    speaker_count: int = 1


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence to be spoken, and everything that shapes its sound, frozen when it is queued."""

    text: str  # as spoken: one sentence, not blank
    voice: Voice
    speaker: int = 0
    speed: float = 1.0
    seed: int | None = None  # None: derived from the text, so the same text has the same sound
    lexicon: str = ""  # version of what changed the text


@dataclass(frozen=True, slots=True)
class WordIds:
    """A word of a text, as it stands there with its signs, and the range of the phoneme ids that are its sound."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Spelling:
    """One espeak sentence: its phoneme ids, and the words they are, in order and without overlap."""

    ids: tuple[int, ...]
    words: tuple[WordIds, ...] = ()


@dataclass(frozen=True, slots=True)
class WordTime:
    """A word of an utterance and when it sounds, in seconds of the utterance's own sound as given out."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Piece:
    """What a model takes: one espeak sentence of an utterance as phoneme ids, with the scales of its sound."""

    ids: tuple[int, ...]
    speaker: int | None  # None for a voice of one speaker
    length_scale: float
    noise_scale: float
    noise_w: float
    seed: int
    words: tuple[WordIds, ...] = ()


class StepKind(StrEnum):
    """A kind of work of a model thread. Steps of one batch are of one kind and one voice."""

    FRONT = "front"  # ids -> durations and prior; several pieces in one padded batch
    DECODE = "decode"  # the next frames of a piece -> samples


@dataclass(frozen=True, slots=True)
class Job:
    """One piece as the scheduler sees it: no samples, no ids, only what decides its order."""

    id: int
    listener: int
    voice: str
    length: int  # phoneme ids
    pace: Pace
    group: int | str | None = None  # whose it is: groups take turns, so that nobody gets more by opening more lines
    eager: bool = False  # at a realtime pace: what is far ahead of the listener is made too, in what is left


@dataclass(frozen=True, slots=True)
class Batch:
    """Steps to run together on one model thread; `jobs` is never empty."""

    kind: StepKind
    voice: str
    jobs: tuple[Job, ...]
    frames: int = 0  # a decoding: frames that each job consumes now


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step takes on one thread: base_s + row_s * rows + each_s * n seconds."""

    base_s: float
    each_s: float
    row_s: float = 0.0  # what batching cannot save; 0 where more rows cost no more than their n

    def of(self, n: int, rows: int = 1) -> float:
        """Seconds of a step over `n` units in all its rows."""
        return self.base_s + self.row_s * rows + self.each_s * n


@dataclass(frozen=True, slots=True)
class Costs:
    """What the steps of a voice take. A step over several rows counts the units of all of them."""

    front: Cost  # n: phoneme ids, padding and all
    first: Cost  # n: frames of sound from the first step of a piece, which fills the decoder's lag besides
    decode: Cost  # n: frames of sound from a later step; the last one gives what the decoder held back too
