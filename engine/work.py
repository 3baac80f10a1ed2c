"""What a job stands for, and what a model thread does for it: one step, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.models.model import Decoding, Model, Prior
from engine.pcm import Shaper
from engine.speech import Speech
from engine.types import Pcm, Piece, WordTime
from engine.words import word_times

Made = Prior | tuple[Pcm, Decoding]


@dataclass(frozen=True, slots=True)
class Result:
    """What a thread gives back: of each job, and the seconds it took."""

    made: list[Made]
    took_s: float


@dataclass(slots=True)
class Work:
    """What a job stands for: a piece of a speech, and how far its decoding is once the front has run.

    It goes with its job: what a decoder carries is free as soon as nobody wants the sound.
    """

    speech: Speech
    piece: Piece
    last: bool
    shaper: Shaper
    decoding: Decoding | None = None
    begun: bool = False  # some of its sound was given

    def words(self) -> tuple[WordTime, ...]:
        """When they sound; certain once the first sound of the piece is there, which is given next."""
        if self.decoding is None:
            return ()
        return word_times(
            self.piece.words,
            self.decoding.prior.durations,
            hop=self.speech.utterance.voice.hop,
            rate_hz=self.speech.utterance.voice.rate_hz,
            dropped=self.shaper.dropped,
            before=self.speech.samples,
        )


def samples(made: Made, hop: int) -> int:
    """What a front found that its piece will sound, or a decoding made, trimmed or not."""
    return made.frames * hop if isinstance(made, Prior) else len(made[0])


def front(model: Model, pieces: Sequence[Piece]) -> Result:
    began = time.perf_counter()
    priors = model.front(pieces)
    if len(priors) != len(pieces):
        raise RuntimeError(f"the model gave {len(priors)} priors for {len(pieces)} pieces")
    return Result([*priors], time.perf_counter() - began)


def decode(model: Model, decodings: Sequence[Decoding], shapers: Sequence[Shaper], frames: int) -> Result:
    began = time.perf_counter()
    made = model.decode(decodings, frames)
    if len(made) != len(decodings):
        raise RuntimeError(f"the model gave {len(made)} waves for {len(decodings)} pieces")
    for (_, after), before in zip(made, decodings, strict=True):
        if after.at != min(before.at + frames, before.prior.frames):
            raise RuntimeError(f"the model went from frame {before.at} to {after.at} in a step of {frames}")
    # Only now, when nothing can fail any more: a step that failed is run again, and a shaper remembers.
    shaped: list[Made] = [
        (shaper.push(wave, last=decoding.done), decoding)
        for shaper, (wave, decoding) in zip(shapers, made, strict=True)
    ]
    return Result(shaped, time.perf_counter() - began)
