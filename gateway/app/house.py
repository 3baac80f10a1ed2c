"""The parts of one server and its open connections."""

from __future__ import annotations

import asyncio
import itertools

from starlette.websockets import WebSocket

from engine.engine import Engine
from engine.text.normalize import prepare
from gateway.cache import PhraseCache
from gateway.connection import Connection
from gateway.dialects.dialect import Dialect
from gateway.lexicons import Lexicons
from gateway.settings import Settings


class House:
    """The parts of one server and its open connections. Event-loop thread only."""

    def __init__(self, settings: Settings, engine: Engine, cache: PhraseCache, lexicons: Lexicons) -> None:
        self.settings, self.engine, self.cache, self.lexicons = settings, engine, cache, lexicons
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
        """Load the rules of the voices' languages and start the engine; sockets that came early wait for it."""
        languages = {voice.language for voice in self.engine.voices.values()}
        try:
            await asyncio.gather(*(asyncio.to_thread(prepare, language) for language in languages))
            await self.engine.start()
        except Exception as error:  # noqa: BLE001 - at start: whoever runs the server says so and ends
            self.failure = error
        self._warm.set()

    async def serve(self, websocket: WebSocket, dialect: Dialect) -> None:
        """One client, from its handshake to its end."""
        await self._warm.wait()
        await websocket.accept()
        parts = self.engine, self.cache, self.settings
        connection = Connection(str(next(self._ids)), websocket, *parts, dialect=dialect, lexicons=self.lexicons.of)
        self._connections.add(connection)
        self._empty.clear()
        if self._restarting:
            connection.restart()
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
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
