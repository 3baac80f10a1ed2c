"""The sentences that are being made, by their keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from engine.types import Pace
from gateway.cache.making import Making, Reader, Source, Speak
from gateway.cache.phrase import Phrase
from gateway.cache.stats import CacheStats


class Makings:
    """Whoever asks for a sentence that is being made joins, where `joins`. Each is given to `begun` when it is begun
    and to `keep` when it is whole, and is gone from here at any end. Event-loop thread only."""

    def __init__(
        self,
        keep: Callable[[bytes, Phrase], None],
        stats: CacheStats,
        *,
        joins: bool,
        joined: Callable[[bytes], None] = lambda key: None,
        begun: Callable[[bytes, Making], None] = lambda key, making: None,
    ) -> None:
        self._keep, self._stats, self._joins = keep, stats, joins
        self._joined, self._begun = joined, begun
        self._open: dict[bytes, Making] = {}

    def __len__(self) -> int:
        return len(self._open)

    def of(self, key: bytes) -> Making | None:
        """What others may join under `key`."""
        return self._open.get(key)

    def join(self, key: bytes, pace: Pace, speak: Speak) -> Reader | None:
        """A seat at what is being made under `key`; None: nothing is, or in no time that a listener could wait."""
        making = self._open.get(key)
        if making is None or (making.pace is Pace.FAST and pace is Pace.REALTIME):
            return None
        self._stats.joins += 1
        self._joined(key)
        return making.join(speak)

    def begin(self, key: bytes, pace: Pace, rate_hz: int, source: Source, speak: Speak, *, own: bool = True) -> Reader:
        """A seat at a new making, which others may join from now on; `own` as for Making.begin."""
        making = Making(pace, rate_hz, partial(self._over, key))
        if self._joins:
            self._open[key] = making  # in the place of one at no pace, perhaps, which goes on for those who hear it
        reader = making.begin(source, speak, own=own)
        self._begun(key, making)
        return reader

    def _over(self, key: bytes, making: Making) -> None:
        if self._open.get(key) is making:
            del self._open[key]
        if making.finished and making.samples:
            pcm = np.concatenate(making.chunks).astype("<i2", copy=False).tobytes()
            self._keep(key, Phrase(making.rate_hz, pcm, making.words))
