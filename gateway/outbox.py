"""What waits for one socket: a lane a context, served in turn or one after another, and replies before them."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from gateway.events import Audio, Event, SentenceStarted, Words

LANE_BYTES = 32 * 2**10
"""Of one context; 0.7 s of sound at 22,050 Hz. The socket's own buffers come on top."""

TURN_BYTES = 12 * 2**10
"""Of one context, then it is another's turn: each change of it costs a message that says so."""

REPLY_BYTES = 64 * 2**10
"""Of replies; a client that sends more without reading is not read from."""

_EVENT_BYTES = 256  # about what an event without sound or text weighs
_WORD_BYTES = 48  # and each word in it, beside its text


@dataclass(slots=True)
class _Lane:
    limit: int
    events: deque[tuple[Event, int]] = field(default_factory=deque)  # with their bytes
    held: int = 0  # bytes
    room: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.room.set()

    def add(self, event: Event) -> None:
        weight = _weight(event)
        self.events.append((event, weight))
        self.held += weight
        if self.held >= self.limit:
            self.room.clear()

    def take(self) -> tuple[Event, int]:
        taken = self.events.popleft()
        weight = taken[1]
        self.held -= weight
        if self.held < self.limit <= self.held + weight:
            self.room.set()
        return taken

    def clear(self) -> None:
        self.events.clear()
        self.held = 0
        self.room.set()


class Outbox:
    """Bounded in bytes; a full lane makes its own speaker wait and nobody else. Event-loop thread only."""

    def __init__(self, *, in_order: bool = False) -> None:
        """`in_order`: nothing of a lane is taken while one that was opened before it is there."""
        self._in_order = in_order
        self._replies = _Lane(REPLY_BYTES)
        self._lanes: dict[str, _Lane] = {}
        self._turns: deque[str] = deque()  # contexts that have something, in the order of their turns
        self._left = TURN_BYTES  # left of the turn of the first of them
        self._something = asyncio.Event()
        self._closed = self._abandoned = False

    def reply(self, event: Event) -> None:
        """Send at once, before all lanes. Never waits: the reader waits in `replies_room` before it reads on."""
        if not self._abandoned:
            self._replies.add(event)
            self._something.set()

    async def replies_room(self) -> None:
        """Returns when there is room for more replies."""
        await self._replies.room.wait()

    def open(self, context: str) -> None:
        """Make a context's lane, behind all that are there; idempotent. The first `put` does it, too."""
        if context not in self._lanes:
            self._lanes[context] = _Lane(LANE_BYTES)

    async def put(self, context: str, event: Event) -> None:
        """Add to a context's lane; waits while it is full."""
        lane = self._lanes.get(context)
        if lane is None:
            lane = self._lanes[context] = _Lane(LANE_BYTES)
        if lane.held >= lane.limit:
            await lane.room.wait()
        if not lane.events:
            self._turns.append(context)
        lane.add(event)
        self._something.set()

    def drop(self, context: str) -> int:
        """Forget what waits in a context's lane; returns how many of the voice's samples are in it."""
        lane = self._lanes.pop(context, None)
        if lane is None:
            return 0
        if lane.events:
            if self._turns[0] == context:
                self._left = TURN_BYTES
            self._turns.remove(context)
        self._something.set()  # it may be the next one's turn
        return sum(event.samples for event, _ in lane.events if isinstance(event, Audio))

    def close(self) -> None:
        """Forget all lanes; `take` gives the replies that are left, then None."""
        self._lanes.clear()
        self._turns.clear()
        self._left = TURN_BYTES
        self._closed = True
        self._something.set()

    def abandon(self) -> None:
        """Nobody takes any more: forget all, and let nobody wait for room for replies."""
        self._abandoned = True
        self.close()
        self._replies.clear()

    async def take(self) -> Event | None:
        """The next event for the socket; None when closed and empty."""
        while True:
            if self._replies.events:
                return self._replies.take()[0]
            if (context := self._turn()) is not None:
                return self._taken(context)
            if self._closed:
                return None
            self._something.clear()
            await self._something.wait()

    def _turn(self) -> str | None:
        """The context whose lane is to be taken from."""
        if not self._turns:
            return None
        first = next(iter(self._lanes)) if self._in_order else self._turns[0]
        return first if first in self._turns else None

    def _taken(self, context: str) -> Event:
        lane = self._lanes[context]
        event, weight = lane.take()
        self._left -= weight
        if not lane.events or self._left <= 0:
            self._turns.remove(context)
            self._left = TURN_BYTES
            if lane.events:
                self._turns.append(context)
        return event


def _weight(event: Event) -> int:
    match event:
        case Audio():  # most are
            return len(event.data) + _EVENT_BYTES
        case SentenceStarted():
            return 4 * len(event.text) + _EVENT_BYTES
        case Words():
            return sum(4 * len(word.text) + _WORD_BYTES for word in event.words) + _EVENT_BYTES
        case _:
            return _EVENT_BYTES
