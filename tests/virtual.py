"""Virtual time: an event loop whose clock jumps to the next timer when nothing else is left to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar

from tests.loops import CheckedLoop

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Never waits for a timer: it moves the clock there. It does wait for threads, which need real time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0  # calls under way in executors

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout != 0:
            if self.threads:
                return super().select(None)  # a thread's result wakes the loop; until then the clock stands
            if timeout is None:
                raise RuntimeError("nothing is left that could ever happen: the test would hang")
            self.now += max(0.0, timeout)
        return ready


class VirtualLoop(CheckedLoop):
    """Begins at 0 s. Work in executors takes no time of it."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        future = super().run_in_executor(executor, func, *args)
        self._virtual.threads += 1
        future.add_done_callback(self._thread_is_back)
        return future

    def _thread_is_back(self, _: object) -> None:
        self._virtual.threads -= 1


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run to its end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
