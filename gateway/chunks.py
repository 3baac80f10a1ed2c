"""Sound of any size as messages of 20 to 100 ms."""

from __future__ import annotations

import numpy as np

from engine.types import Pcm

LEAST_S = 0.020
USUAL_S = 0.060


class Chunker:
    """Cuts one sentence's sound into messages of nearly equal size; their join is what was pushed.

    Up to 20 ms are held back, so that the last message is not shorter than that.
    """

    def __init__(self, rate_hz: int) -> None:
        self._least, self._usual = round(LEAST_S * rate_hz), round(USUAL_S * rate_hz)
        self._held: Pcm = np.empty(0, np.int16)

    @property
    def held(self) -> int:
        """Samples pushed and not yet given out."""
        return len(self._held)

    def push(self, pcm: Pcm) -> list[Pcm]:
        """The messages that are certain now."""
        sound = np.concatenate((self._held, pcm)) if len(self._held) else pcm
        if len(sound) < self._least:
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
        rest, self._held = self._held, np.empty(0, np.int16)
        return [rest] if len(rest) else []

    def _even(self, sound: Pcm) -> list[Pcm]:
        if not len(sound):
            return []
        return np.array_split(sound, -(-len(sound) // self._usual))
