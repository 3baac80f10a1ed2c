"""What a model thread does: one step, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.models.model import Decoding, Model, Prior
from engine.pcm import wave_to_pcm
from engine.types import Pcm, Piece

Made = Prior | tuple[Pcm, Decoding]


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


def decode(model: Model, decodings: Sequence[Decoding], frames: int) -> Result:
    began = time.perf_counter()
    made = model.decode(decodings, frames)
    if len(made) != len(decodings):
        raise RuntimeError(f"the model gave {len(made)} waves for {len(decodings)} pieces")
    for (_, after), before in zip(made, decodings, strict=True):
        if after.at != min(before.at + frames, before.prior.frames):
            raise RuntimeError(f"the model went from frame {before.at} to {after.at} in a step of {frames}")
    pcm: list[Made] = [(wave_to_pcm(wave), decoding) for wave, decoding in made]
    return Result(pcm, time.perf_counter() - began)
