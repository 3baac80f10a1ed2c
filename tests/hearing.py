"""Hears speech: a recogniser that writes down what it understood, so that a test can look for the words."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import numpy.typing as npt
from pocketsphinx import Decoder

from engine.types import Pcm

RATE_HZ = 16_000  # what the recogniser's acoustic model was trained on

SENTENCES = (
    # Read by the default voice, these come back whole: common words, each clear from its neighbours.
    "The teacher asked the students to write a short story.",
    "My brother lives in a small house near the river.",
    "The doctor said that the patient needs more water and more sleep.",
)


def hear(pcm: Pcm, rate_hz: int) -> str:
    """The words that free recognition of English finds in `pcm`, lower case; "" where it finds none."""
    decoder = Decoder(samprate=float(RATE_HZ), loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(resample(pcm, rate_hz, RATE_HZ).tobytes(), full_utt=True)
    decoder.end_utt()
    hypothesis = decoder.hyp()
    return "" if hypothesis is None else str(hypothesis.hypstr)


def words_heard(expected: str, heard: str) -> float:
    """The share, 0 to 1, of the words of `expected` that are in `heard`, each counted as often as it stands there."""
    wanted, got = Counter(words(expected)), Counter(words(heard))
    return (wanted & got).total() / wanted.total()


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


def resample(pcm: Pcm, from_hz: int, to_hz: int) -> Pcm:
    """`pcm` at another rate: a windowed sinc takes away what the new rate cannot hold, then linear steps between.

    Good enough for a recogniser whose features end at 6.8 kHz; not for ears.
    """
    wave: npt.NDArray[np.float64] = pcm.astype(np.float64)
    if to_hz < from_hz:
        taps = np.arange(-64, 65)
        cutoff = 0.45 * to_hz / from_hz  # cycles a sample
        kernel = 2 * cutoff * np.sinc(2 * cutoff * taps) * np.hamming(taps.size)
        wave = np.convolve(wave, kernel)[64 : 64 + pcm.size]
    at = np.arange(pcm.size * to_hz // from_hz) * (from_hz / to_hz)
    resampled: npt.NDArray[np.float64] = np.interp(at, np.arange(pcm.size), wave)
    return resampled.clip(-32768, 32767).astype(np.int16)
