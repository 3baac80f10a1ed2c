"""Text that waits for the end of its sentence, and no longer than its context says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping


class Holds:
    """The times of one connection: `settle` is called with the name of a context whose text has waited long enough.

    Never between `pause` and the next `look`. Event-loop thread only.
    """

    def __init__(self, settle: Callable[[str], None]) -> None:
        self._settle = settle
        self._loop = asyncio.get_running_loop()
        self._due: dict[str, tuple[int, float]] = {}  # context -> its sentence, and when that has waited enough
        self._timer: asyncio.TimerHandle | None = None

    def pause(self) -> None:
        """More text is being taken, or none is wanted any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def look(self, waiting: Mapping[str, tuple[float, int]]) -> None:
        """All contexts whose text waits: how many seconds it may, and for the end of which sentence."""
        now = self._loop.time()
        before = self._due
        self._due = {}
        for name, (hold_s, sentence) in waiting.items():
            known = before.get(name)
            self._due[name] = known if known and known[0] == sentence else (sentence, now + hold_s)
        self._set()

    def _set(self) -> None:
        self.pause()
        if self._due:
            self._timer = self._loop.call_at(min(due for _, due in self._due.values()), self._ring)

    def _ring(self) -> None:
        now = self._loop.time()
        for name in [name for name, (_, due) in self._due.items() if due <= now]:
            del self._due[name]
            self._settle(name)
        self._set()
