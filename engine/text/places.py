"""Where in the source the characters of a plain text stand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable


class Places:
    """The source offsets of a text that grows at its end and is forgotten at its beginning.

    Runs are pairs (index in the text, source offset), from which on both go in step until the next run begins.
    """

    def __init__(self) -> None:
        self._indices: list[int] = []
        self._offsets: list[int] = []
        self._step = 0  # from the text to the source, in the last run
        self.size = 0  # of the text

    def add(self, size: int, runs: Iterable[tuple[int, int]]) -> None:
        """The text grows by `size` characters; indices of `runs` count from where it grows."""
        before = self.size
        for index, offset in runs:
            if offset - before - index != self._step or not self._indices:
                self._step = offset - before - index
                self._indices.append(before + index)
                self._offsets.append(offset)
        self.size = before + size

    def __len__(self) -> int:
        """How many runs are kept."""
        return len(self._indices)

    def start(self, index: int) -> int:
        """Source offset of the character at `index`."""
        run = bisect_right(self._indices, index) - 1
        return self._within(run, self._offsets[run] + index - self._indices[run])

    def end(self, index: int) -> int:
        """Source offset behind the character before `index`."""
        run = bisect_right(self._indices, index - 1) - 1
        return self._within(run, self._offsets[run] + index - self._indices[run])

    def forget(self, index: int) -> None:
        """Nothing before `index` will be asked for."""
        runs = bisect_right(self._indices, index) - 1
        if runs > 0:
            del self._indices[:runs]
            del self._offsets[:runs]

    def _within(self, run: int, offset: int) -> int:
        # What stands for something shorter than itself does not reach into what comes behind it.
        return min(offset, self._offsets[run + 1]) if run + 1 < len(self._offsets) else offset
