"""Sound of any size as messages of 20 to 100 ms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engine.types import Pcm

LEAST_S = 0.020
FIRST_S = 0.040
"""Of a sound that begins: it is soon there whole, even where the way to the listener is slow."""

MOST_S = 0.100


class Chunker:
    """Cuts one sentence's sound into messages of nearly equal size; their join is what was pushed.

    Up to 20 ms are held back, so that the last message is not shorter than that. `begins`: nothing was sent to its
    listener before it.
    """

    def __init__(self, rate_hz: int, *, begins: bool = False) -> None:
        self._least, self._most = round(LEAST_S * rate_hz), round(MOST_S * rate_hz)
        self._first = round(FIRST_S * rate_hz) if begins else 0  # 0: it is given out
        self._held: Pcm = np.empty(0, np.int16)

    @property
    def held(self) -> int:
        """Samples pushed and not yet given out."""
        return len(self._held)

    def push(self, pcm: Pcm, *, last: bool = False) -> list[Pcm]:
        """The messages that are certain now: all where it is the last that is pushed."""
        sound = np.concatenate((self._held, pcm)) if len(self._held) else pcm
        if last:
            keep = 0
        elif len(sound) < self._least:
            keep = len(sound)
        elif len(sound) < 2 * self._least:
            keep = 0
        else:
            keep = self._least
        cut = len(sound) - keep
        self._held = sound[cut:]
        return self._even(sound[:cut])

    def end(self) -> list[Pcm]:
        """The rest; under 20 ms only where no more sound came after a message."""
        return self.push(self._held[:0], last=True)

    def _even(self, sound: Pcm) -> list[Pcm]:
        size = len(sound)
        if not size:
            return []
        begin = self._first if size >= self._first + self._least else 0
        self._first = 0
        count = -(-(size - begin) // self._most)
        bounds = [begin + (size - begin) * part // count for part in range(count + 1)]
        parts = [sound[at:to] for at, to in pairwise(bounds)]
        return [sound[:begin], *parts] if begin else parts
