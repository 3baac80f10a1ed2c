"""Clients who speak Wyoming, over TCP on a port of their own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gateway.app.house import House
from gateway.app.listening import BACKLOG
from gateway.dialects.wyoming import Frames, Wyoming, info
from gateway.sockets import OverStream


@asynccontextmanager
async def wyoming_served(house: House, listening: socket.socket | None) -> AsyncIterator[None]:
    """Served while the block runs; nothing of it is left afterwards. Where nobody listens, nothing is done."""
    if listening is None:
        yield
        return
    port = _Port(house)
    server = await asyncio.start_server(port.serve, sock=listening, backlog=BACKLOG)
    try:
        yield
    finally:
        server.close()
        await port.aclose()


class _Port:
    def __init__(self, house: House) -> None:
        self._house, self._info = house, info(house.engine.voices.values())
        self._clients: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client, from the moment he is let in to his end."""
        task = asyncio.current_task()
        assert task is not None, "a server makes one for each client"
        self._clients[writer] = task
        engine, most_bytes = self._house.engine, self._house.settings.max_message_bytes
        stream = OverStream(reader, writer, Frames(most_bytes).push)
        try:
            dialect = Wyoming(engine.voices, engine.default_voice, self._info, most_bytes)
            await self._house.converse(stream, dialect)
        finally:
            await stream.close()
            del self._clients[writer]

    async def aclose(self) -> None:
        """Let go of those who are still there."""
        for writer in self._clients:
            writer.transport.abort()
        if self._clients:
            await asyncio.wait(self._clients.values())
