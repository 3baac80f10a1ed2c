"""The parts of one server and its open connections."""

from __future__ import annotations

import asyncio
import itertools

from starlette.websockets import WebSocket

from engine.engine import Engine
from gateway.cache import PhraseCache
from gateway.connection import Connection
from gateway.counts import Counts
from gateway.settings import Settings

LAG_EVERY_S = 0.25


class House:
    """The parts of one server and its open connections. Event-loop thread only."""

    def __init__(self, settings: Settings, engine: Engine, cache: PhraseCache) -> None:
        self.settings, self.engine, self.cache = settings, engine, cache
        self.counts = Counts()
        self.failure: BaseException | None = None  # why the engine did not start
        self._connections: set[Connection] = set()
        self._ids = itertools.count(1)
        self._warm = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._restarting = False

    @property
    def healthy(self) -> bool:
        """Alive: warming up counts, a crashed engine does not."""
        return self.engine.healthy if self._warm.is_set() else True

    async def warm_up(self) -> None:
        """Start the engine; sockets that came early wait for it."""
        try:
            await self.engine.start()
        except Exception as error:  # noqa: BLE001 - at start: whoever runs the server says so and ends
            self.failure = error
        self._warm.set()

    async def feel_lag(self, every_s: float = LAG_EVERY_S) -> None:
        """Measure how late the event loop is, for ever."""
        clock = asyncio.get_running_loop().time
        while True:
            due = clock() + every_s
            await asyncio.sleep(every_s)
            self.counts.lag.add(max(0.0, clock() - due))

    async def serve(self, websocket: WebSocket) -> None:
        """One client, from its handshake to its end."""
        await self._warm.wait()
        await websocket.accept()
        connection = Connection(str(next(self._ids)), websocket, self.engine, self.cache, self.settings, self.counts)
        self._connections.add(connection)
        self.counts.connections += 1
        self.counts.connections_open += 1
        self._empty.clear()
        if self._restarting:
            connection.restart()
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self.counts.connections_open -= 1
            if not self._connections:
                self._empty.set()

    async def empty(self) -> None:
        """Returns when no socket is open."""
        await self._empty.wait()

    async def restart(self, timeout_s: float = 2.0) -> None:
        """Tell every client that the server restarts, and wait until they are gone, but not for ever."""
        self._restarting = True
        self._warm.set()  # who still waits for the voices is told, too
        for connection in self._connections:
            connection.restart()
        try:
            async with asyncio.timeout(timeout_s):
                await self.empty()
        except TimeoutError:
            return  # who does not read is cut off by the server
