"""The event loop of the tests: it refuses calls from other threads, as asyncio's debug mode does.

That mode also writes down the whole stack of every future and handle, which takes more than half of the time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextvars import Context
from typing import Any


class CheckedLoop(asyncio.SelectorEventLoop):
    """Raises RuntimeError where something that is not thread-safe is called from a thread that is not its own."""

    _thread: int | None = None  # the one that it runs in

    def run_forever(self) -> None:
        self._thread = threading.get_ident()
        try:
            super().run_forever()
        finally:
            self._thread = None

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        self._check()
        return super().call_soon(callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        self._check()
        return super().call_at(when, callback, *args, context=context)

    def _check(self) -> None:
        if self._thread not in (None, threading.get_ident()):
            raise RuntimeError("the event loop is called from another thread, and not by call_soon_threadsafe")
