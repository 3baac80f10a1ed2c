"""A phrase in each form, and back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.stored import FORMS, cost, restored, snr_db, stored
from tests.decoding import noise

RATE = 22_050


@pytest.mark.parametrize("form", ["raw", "flac"])
def test_these_forms_lose_nothing(form: str) -> None:
    pcm = noise(1.0, RATE)
    assert np.array_equal(restored(form, stored(form, pcm, RATE), RATE), pcm)  # type: ignore[arg-type]


def test_opus_weighs_least_and_loses() -> None:
    costs = {form: cost(form, [noise(1.0, RATE)], RATE) for form in FORMS}
    assert costs["opus"].size < costs["flac"].size < costs["raw"].size == 2 * RATE
    assert 0 < costs["opus"].snr_db < 60
    assert costs["raw"].snr_db == costs["flac"].snr_db == math.inf


@pytest.mark.parametrize("shift", [0, 37, -37])
def test_a_shift_is_no_noise(shift: int) -> None:
    pcm = noise(1.0, RATE)
    back = np.roll(pcm, shift)
    cut = slice(100, -100)
    assert snr_db(pcm[cut], back[cut]) == math.inf or snr_db(pcm[cut], back[cut]) > 100


def test_noise_of_a_tenth_is_twenty_decibels() -> None:
    pcm = noise(1.0, RATE)
    other = noise(1.0, RATE, seed=1).astype(np.float64)
    other *= 0.1 * np.linalg.norm(pcm.astype(np.float64)) / np.linalg.norm(other)
    assert snr_db(pcm, (pcm + other).astype(np.int16)) == pytest.approx(20, abs=0.3)
