"""How much louder a voice must be to sound as loud as every other; pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.pcm import KNEE
from engine.types import Wave

SAMPLE_TEXT = "1 2 3 4 5 6 7 8 9 10."
"""Speech in any language, for espeak-ng reads numbers in each."""

TARGET_DB = -20.0  # dBFS of speech, RMS
MOST_DB = 20.0  # up or down: what is further off is no speech
_BLOCK_S = 0.020
_GATE_DB = -25.0  # blocks softer than the loudest by more are pauses
_STEP_DB = 0.5  # coarse, so that machines whose arithmetic differs in the last bit find the same gain


def gain_of(waves: Sequence[Wave], rate_hz: int) -> float:
    """The one gain of a voice that speaks like `waves`: its speech at TARGET_DB, its peaks not in the limiter's knee.

    1.0 for a voice that is silent.
    """
    block = max(1, round(_BLOCK_S * rate_hz))
    clean = [np.nan_to_num(w[: len(w) // block * block], nan=0.0, posinf=1.0, neginf=-1.0) for w in waves]
    blocks = np.concatenate([np.zeros((0, block)), *(w.reshape(-1, block) for w in clean)])
    if not blocks.any():
        return 1.0
    power = np.square(blocks).mean(axis=1)
    speech = power[power >= power.max() * 10 ** (_GATE_DB / 10)].mean()
    db = min(TARGET_DB - 10 * np.log10(speech), 20 * np.log10(KNEE / np.abs(blocks).max()))
    db = np.floor(np.clip(db, -MOST_DB, MOST_DB) / _STEP_DB) * _STEP_DB
    return float(10 ** (db / 20))
