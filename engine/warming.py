"""What is measured of a voice before it speaks for anybody."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.loudness import gain_of
from engine.models.model import Decoding, Model, Prior
from engine.pcm import Shape
from engine.types import Piece, Wave
from engine.voices import LoadedVoice

_FRAMES = 32  # of a step


def shape_of(loaded: LoadedVoice, pieces: Sequence[Piece]) -> Shape:
    """The shape of a voice, from how loud it speaks `pieces`; its own where it has one. Model thread only."""
    if loaded.shape is not None:
        return loaded.shape
    priors = [loaded.model.front([piece])[0] for piece in pieces]
    return Shape(gain_of([_whole(loaded.model, prior) for prior in priors], loaded.voice.rate_hz))


def _whole(model: Model, prior: Prior) -> Wave:
    """In steps as they are made for listeners: what one takes to work in is kept."""
    waves, decoding = list[Wave](), Decoding(prior)
    while not decoding.done:
        frames = _FRAMES if decoding.at else model.lag + _FRAMES
        wave, decoding = model.decode([decoding], frames)[0]
        waves.append(wave)
    return np.concatenate(waves)
