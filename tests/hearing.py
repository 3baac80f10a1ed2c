"""Hears speech: a recogniser that writes down what it understood, so that a test can look for the words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np
import numpy.typing as npt
from pocketsphinx import Decoder

from engine.types import Pcm

RATE_HZ = 16_000  # what the recogniser's acoustic model was trained on
FRAME_S = 0.010  # its clock

SENTENCES = (
    # Read by the default voice, these come back whole: common words, each clear from its neighbours.
    "The teacher asked the students to write a short story.",
    "My brother lives in a small house near the river.",
    "The doctor said that the patient needs more water and more sleep.",
)


def hear(pcm: Pcm, rate_hz: int) -> str:
    """The words that free recognition of English finds in `pcm`, lower case; "" where it finds none."""
    hypothesis = _recognised(pcm, rate_hz).hyp()
    return "" if hypothesis is None else str(hypothesis.hypstr)


def hear_times(pcm: Pcm, rate_hz: int) -> list[tuple[str, float, float]]:
    """The words that are heard, each with the seconds at which it begins and ends; to within some 30 ms."""
    found = _recognised(pcm, rate_hz).seg() or ()
    segments = [(str(segment.word), segment.start_frame, segment.end_frame) for segment in found]
    spoken = [(re.sub(r"\(\d+\)$", "", word), start, end) for word, start, end in segments if word[0] not in "<["]
    return [(word, start * FRAME_S, (end + 1) * FRAME_S) for word, start, end in spoken]


@cache  # reading its models takes as long as a sentence; it keeps nothing of what it heard
def _recogniser() -> Decoder:
    return Decoder(samprate=float(RATE_HZ), loglevel="FATAL")


def _recognised(pcm: Pcm, rate_hz: int) -> Decoder:
    decoder = _recogniser()
    decoder.start_utt()
    decoder.process_raw(resample(pcm, rate_hz, RATE_HZ).tobytes(), full_utt=True)
    decoder.end_utt()
    return decoder


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
