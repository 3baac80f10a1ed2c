"""When the words of a piece sound, from the durations of its phonemes; pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.types import WordIds, WordTime


def word_times(
    words: Sequence[WordIds],
    durations: npt.NDArray[np.int64],
    *,
    hop: int,
    rate_hz: int,
    dropped: int = 0,
    before: int = 0,
) -> tuple[WordTime, ...]:
    """In the order of `words`, without overlap, never before the piece's own sound.

    `durations`: int64 [ids], frames of each phoneme id. `dropped`: samples left out at the piece's front. `before`:
    samples of the utterance that were given before this piece. All times are whole samples.
    """
    ends = np.concatenate(([0], np.cumsum(durations))) * hop - dropped
    samples = np.maximum(ends, 0) + before
    return tuple(
        WordTime(word.text, float(samples[word.start] / rate_hz), float(samples[word.end] / rate_hz)) for word in words
    )
