"""Samples as a model makes them to 16 bit; pure."""

from __future__ import annotations

import numpy as np

from engine.types import Pcm, Wave

FULL_SCALE = 32767


def wave_to_pcm(wave: Wave) -> Pcm:
    """Full scale to 16 bit: clipped, never wrapped round; what is not a number is silence."""
    clean = np.nan_to_num(wave, nan=0.0, posinf=1.0, neginf=-1.0)
    return np.rint(np.clip(clean, -1.0, 1.0) * FULL_SCALE).astype(np.int16)


def silence(ms: float, rate_hz: int) -> Pcm:
    """`ms` milliseconds of nothing, to the nearest sample."""
    return np.zeros(round(ms * rate_hz / 1000), np.int16)
