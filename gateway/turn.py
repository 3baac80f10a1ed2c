"""How long one task works before others on the event loop have their turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import TracebackType

TURN_S = 0.0005
"""Less than anybody notices, and many times what it costs to let others have a turn."""


class Turn:
    """Of a task that works in steps at which it need not wait: `with` it around the work, `await others()` after each
    step. Work goes on counting over several blocks until others had their turn."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._began = self._worked_s = 0.0

    def __enter__(self) -> Turn:
        self._began = self._clock() - self._worked_s
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worked_s = self._clock() - self._began

    async def others(self) -> None:
        """They have their turn, if this one has lasted long enough."""
        if self._clock() - self._began >= TURN_S:
            await asyncio.sleep(0)
            self._began = self._clock()
