"""Pieces to try and to warm a model with."""

from __future__ import annotations

import numpy as np

from engine.models.model import Prior
from engine.types import Piece

TRIAL_LENGTHS = (16, 48, 96, 160)
"""Phoneme ids: a word, a short, a usual and a long sentence."""

_BOS, _PAD, _EOS = 1, 0, 2  # the first ids of every Piper voice


def trial_piece(length: int) -> Piece:
    """So many ids that every Piper voice has."""
    ids = (_BOS, *(_PAD if i % 2 else _EOS + i % 8 for i in range(length - 2)), _EOS)
    return Piece(ids, speaker=0, length_scale=1.0, noise_scale=0.0, noise_w=0.0, seed=0)


def trial_prior(channels: int, frames: int) -> Prior:
    """A piece that says nothing, but takes as long to decode as one that does."""
    z_p = np.random.Generator(np.random.PCG64(0)).standard_normal((channels, frames), np.float32)
    return Prior(z_p, np.array([frames], np.int64), 0)
