"""Looks into Redis: each has a bound for who waits, and leaves nothing behind for anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

from gateway.cache.leases import Elsewhere
from gateway.cache.phrase import Phrase
from gateway.cache.redis_link import TROUBLE

Answer = Phrase | Elsewhere | None
"""What is known under a key: its sound, or that another replica makes it."""

Looking = Coroutine[Any, Any, Answer]


@dataclass(eq=False, slots=True)
class _Look:
    task: asyncio.Task[Answer]
    failed: bool = False  # and that is told


class Lookups:
    """A look is a task of its own, so that a caller who is cancelled or waits no more leaves no reply behind in a
    connection that another caller will read from. `answered` is called for each that is answered within `timeout_s`,
    `failed` once for each that is not, with the error, or None where none came; `waited` with the seconds of each who
    waited. Event-loop thread only.
    """

    def __init__(
        self,
        timeout_s: float,
        answered: Callable[[], None],
        failed: Callable[[BaseException | None], None],
        waited: Callable[[float], None],
    ) -> None:
        self._timeout_s, self._answered, self._failed = timeout_s, answered, failed
        self._waited = waited
        self._tasks: set[asyncio.Task[Answer]] = set()
        self._shared: dict[Hashable, _Look] = {}

    async def one(self, looking: Looking) -> Answer:
        """Its answer; None where it fails."""
        return await self._answer(self._begin(looking))

    async def shared(self, name: Hashable, look: Callable[[], Looking]) -> Answer:
        """As `one`, for all who ask for `name` while one look is under way and within its time."""
        under_way = self._shared.get(name)
        if under_way is None:
            under_way = self._shared[name] = self._begin(look())
            under_way.task.add_done_callback(partial(self._forget, name))
        answer = await self._answer(under_way)
        self._forget(name, under_way.task)  # which may go on, and is waited for no more
        return answer

    async def aclose(self) -> None:
        """Who waits gets None."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _begin(self, looking: Looking) -> _Look:
        task = asyncio.create_task(looking, name="redis lookup")
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return _Look(task)

    def _forget(self, name: Hashable, task: asyncio.Task[Answer]) -> None:
        if name in self._shared and self._shared[name].task is task:
            del self._shared[name]

    def _ended(self, task: asyncio.Task[Answer]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen: whoever waited has it already, or waits no more

    async def _answer(self, look: _Look) -> Answer:
        clock = asyncio.get_running_loop().time
        asked_at = clock()
        await asyncio.wait({look.task}, timeout=self._timeout_s)
        self._waited(clock() - asked_at)
        if not look.task.done():
            self._fails(look, None)
            return None
        if look.task.cancelled():  # by aclose
            return None
        try:
            answer = look.task.result()
        except TROUBLE as error:
            self._fails(look, error)
            return None
        self._answered()
        return answer

    def _fails(self, look: _Look, error: BaseException | None) -> None:
        if not look.failed:
            look.failed = True
            self._failed(error)
