"""One gain a voice."""

from __future__ import annotations

import numpy as np
import pytest

from engine.loudness import MOST_DB, TARGET_DB, gain_of
from engine.pcm import KNEE
from engine.types import Wave

RATE = 22050


def speech(db: float, seconds: float = 1.0) -> Wave:
    """A tone of so many dBFS, RMS."""
    tone = np.sqrt(2) * np.sin(np.arange(int(seconds * RATE)) * 0.1)
    return np.asarray(tone * 10 ** (db / 20), np.float32)


def decibels(gain: float) -> float:
    return float(20 * np.log10(gain))


@pytest.mark.parametrize("db", [-35.0, -26.0, -20.0, -14.0, -3.0])
def test_every_voice_is_as_loud_as_the_others(db: float) -> None:
    assert db + decibels(gain_of([speech(db)], RATE)) == pytest.approx(TARGET_DB, abs=0.51)


def test_pauses_make_a_voice_no_softer() -> None:
    spoken = speech(-26)
    with_pauses = np.concatenate((np.zeros(3 * RATE, np.float32), spoken, 1e-3 * spoken, spoken))
    assert gain_of([with_pauses], RATE) == gain_of([spoken], RATE)


def test_peaks_stay_under_the_limiter() -> None:
    spoken = speech(-40)
    spoken[5000] = 0.5
    assert 0.5 * gain_of([spoken], RATE) <= KNEE


def test_a_little_difference_between_machines_makes_none() -> None:
    spoken = speech(-25.3)
    assert gain_of([spoken * np.float32(1 + 1e-6)], RATE) == gain_of([spoken], RATE)


@pytest.mark.parametrize(
    "waves", [[], [np.zeros(0, np.float32)], [np.zeros(5000, np.float32)], [np.full(5000, np.nan, np.float32)]]
)
def test_a_silent_voice_stays_as_it_is(waves: list[Wave]) -> None:
    assert gain_of(waves, RATE) == 1.0


def test_what_is_no_speech_is_not_blown_up() -> None:
    assert decibels(gain_of([speech(-90)], RATE)) == pytest.approx(MOST_DB)
