"""Whose text is made into phonemes next: listeners take turns; pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Turns(Generic[T]):
    """Queues of one thread, one a listener, served in turn: sixty sentences of one delay another's first by one."""

    def __init__(self) -> None:
        self._queues: dict[int, deque[T]] = {}  # by listener; the first one is next

    def add(self, listener: int, item: T) -> None:
        self._queues.setdefault(listener, deque()).append(item)

    def next(self, can_wait: Callable[[int], bool] = lambda _: False) -> T | None:
        """The oldest item of the listener whose turn it is; `can_wait` tells of whom nothing is to be taken now."""
        listener = next((one for one in self._queues if not can_wait(one)), None)
        if listener is None:
            return None
        queue = self._queues.pop(listener)
        item = queue.popleft()
        if queue:
            self._queues[listener] = queue
        return item

    def move(self, listener: int, item: T, to: int) -> None:
        """An item that waits goes to another listener, as his last; one that does not is none."""
        if item in self._queues.get(listener, ()):
            self.remove(listener, item)
            self.add(to, item)

    def remove(self, listener: int, item: T) -> None:
        """Idempotent; an item that is not there is none."""
        queue = self._queues.get(listener)
        if queue is None or item not in queue:
            return
        queue.remove(item)
        if not queue:
            del self._queues[listener]
