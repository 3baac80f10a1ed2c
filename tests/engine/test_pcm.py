from __future__ import annotations

import numpy as np
import pytest

from engine.pcm import silence, wave_to_pcm


def test_full_scale_is_clipped_and_never_wraps_round() -> None:
    """c16"""
    wave = np.array([1.0, -1.0, 1.3, -1.3, np.nan, np.inf, -np.inf, 0.0], np.float32)
    pcm = wave_to_pcm(wave)
    assert pcm.dtype == np.int16
    assert pcm.tolist() == [32767, -32767, 32767, -32767, 0, 32767, -32767, 0]


def test_levels_are_rounded_to_the_nearest() -> None:
    assert wave_to_pcm(np.array([0.4, 0.6, -0.6]).astype(np.float32) / np.float32(32767)).tolist() == [0, 1, -1]


def test_no_samples_stay_no_samples() -> None:
    assert len(wave_to_pcm(np.zeros(0, np.float32))) == 0


@pytest.mark.parametrize(("ms", "samples"), [(0, 0), (100, 2205), (0.01, 0)])
def test_silence_has_its_length(ms: float, samples: int) -> None:
    assert silence(ms, 22050).tolist() == [0] * samples
