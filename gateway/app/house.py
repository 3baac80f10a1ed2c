"""The parts of one server and those it serves."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from starlette.websockets import WebSocket

from engine.engine import Engine
from engine.errors import EngineError
from gateway.app.websocket import OverWebSocket
from gateway.cache import PhraseCache
from gateway.connection import Connection
from gateway.counts import Counts
from gateway.dialects.dialect import Dialect
from gateway.errors import GatewayError
from gateway.events import Start
from gateway.lexicons import Lexicons
from gateway.parts import Parts
from gateway.recital import Recital
from gateway.settings import Settings
from gateway.sockets import Socket
from gateway.warming import Asked, CacheStore, Warming, read_phrases, sentences

LAG_EVERY_S = 0.25

_log = logging.getLogger(__name__)


class House:
    """The parts of one server, its open connections and the requests that it answers. Event-loop thread only."""

    def __init__(self, settings: Settings, engine: Engine, cache: PhraseCache, lexicons: Lexicons) -> None:
        self.settings, self.engine, self.cache, self.lexicons = settings, engine, cache, lexicons
        self.counts = Counts()
        self.failure: BaseException | None = None  # why the engine did not start
        self._clients: set[Connection | Recital] = set()
        self._ids = itertools.count(1)
        self._warm = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._restarting = False

    @property
    def parts(self) -> Parts:
        return Parts(self.engine, self.cache, self.settings, self.lexicons.of, self.counts)

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
        if self.failure is None and self.settings.warm:
            await self._make_phrases(Path(self.settings.warm))

    async def _make_phrases(self, file: Path) -> None:
        """What the operator listed, in the default voice; listeners go before it. It is nobody's error if it fails."""
        try:
            text = await asyncio.to_thread(file.read_text, encoding="utf-8-sig")
            asked = sentences(read_phrases(text), [Start("warm")], self.parts.session)
            warming = Warming(self.engine, CacheStore(self.cache), asked, _lost)
            await warming.run()
        except (OSError, ValueError, EngineError, GatewayError) as error:
            _log.warning("phrases of %s are not ready: %s", file, error)
            return
        did = warming.progress
        _log.info("phrases of %s: %d made, %d known, %d failed", file, did.new, did.known, did.failed)

    async def feel_lag(self, every_s: float = LAG_EVERY_S) -> None:
        """Measure how late the event loop is, for ever."""
        clock = asyncio.get_running_loop().time
        while True:
            due = clock() + every_s
            await asyncio.sleep(every_s)
            self.counts.lag.add(max(0.0, clock() - due))

    async def serve(self, websocket: WebSocket, dialect: Dialect) -> None:
        """One client of a WebSocket, from its handshake to its end."""
        await self._warm.wait()
        await websocket.accept()
        await self.converse(OverWebSocket(websocket), dialect)

    async def converse(self, socket: Socket, dialect: Dialect) -> None:
        """One client of a socket that is open, to its end; who came early waits for the voices."""
        await self._warm.wait()
        connection = Connection(str(next(self._ids)), socket, self.parts, dialect)
        with self._serving(connection):
            await connection.run()

    @asynccontextmanager
    async def recite(self, start: Start, text: str) -> AsyncIterator[Recital]:
        """One text that is spoken as the answer to a request; requests that came early wait for the voices."""
        await self._warm.wait()
        async with Recital(str(next(self._ids)), self.parts, start, text) as recital:
            with self._serving(recital):
                yield recital

    @contextmanager
    def _serving(self, client: Connection | Recital) -> Iterator[None]:
        self._clients.add(client)
        self.counts.connections += 1
        self.counts.connections_open += 1
        self._empty.clear()
        if self._restarting:
            client.restart()
        try:
            yield
        finally:
            self._clients.discard(client)
            self.counts.connections_open -= 1
            if not self._clients:
                self._empty.set()

    async def empty(self) -> None:
        """Returns when nobody is served."""
        await self._empty.wait()

    async def restart(self, timeout_s: float = 2.0) -> None:
        """Tell every client that the server restarts, and wait until they are gone, but not for ever.

        Once: the server says so before it closes its sockets, and the application where another one serves it.
        """
        if self._restarting:
            return
        self._restarting = True
        self._warm.set()  # who still waits for the voices is told, too
        for client in self._clients:
            client.restart()
        try:
            async with asyncio.timeout(timeout_s):
                await self.empty()
        except TimeoutError:
            return  # who does not read is cut off by the server


def _lost(asked: Asked, why: str) -> None:
    _log.warning("the phrase in line %d is not ready: %s", asked.line, why)
