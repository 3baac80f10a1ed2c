"""What is to be done for a piece of a speech, and what a model thread does of it: one step."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.models.model import Decoding, Model, Prior
from engine.pcm import Shaper
from engine.speech import Speech
from engine.types import Pcm, Piece
from engine.words import word_times

Made = Prior | tuple[Pcm, Decoding]


@dataclass(slots=True)
class Work:
    """What a job stands for: a piece of a speech, how far its decoding is once the front has run, and its shaping.

    It goes with its job: what a decoder carries is free as soon as nobody wants the sound.
    """

    speech: Speech
    piece: Piece
    last: bool  # of its speech
    shaper: Shaper
    decoding: Decoding | None = None
    told: bool = False  # its words

    def give(self, pcm: Pcm, decoding: Decoding) -> None:
        """Hand a step's sound on, and before the first the words of the piece. Event-loop thread only."""
        self.decoding = decoding
        if len(pcm) and not self.told:
            self.told = True
            voice, durations = self.speech.utterance.voice, decoding.prior.durations
            place = {"dropped": self.shaper.dropped, "before": self.speech.samples}
            self.speech.tell(word_times(self.piece.words, durations, hop=voice.hop, rate_hz=voice.rate_hz, **place))
        self.speech.give(pcm)


@dataclass(frozen=True, slots=True)
class Result:
    """What a thread gives back: of each job, and the seconds it took."""

    made: list[Made]
    took_s: float


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
        (shaper.push(wave, last=after.done), after) for shaper, (wave, after) in zip(shapers, made, strict=True)
    ]
    return Result(shaped, time.perf_counter() - began)
