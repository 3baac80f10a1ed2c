"""What can stand where a Redis should: a slow road to one, a peer that is silent, one that answers wrongly."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import cast

from tests.redis_server import HOST

Respond = Callable[[bytes], bytes | None]
"""From the bytes of a request to those of the reply; empty: silence; None: the connection is reset."""


class _Peer(asyncio.Protocol):
    def __init__(self, respond: Respond, wires: set[asyncio.Transport]) -> None:
        self._respond, self._wires = respond, wires

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._wire = cast(asyncio.Transport, transport)
        self._wires.add(self._wire)

    def data_received(self, data: bytes) -> None:
        reply = self._respond(data)
        if reply is None:
            self._wire.abort()
        else:
            self._wire.write(reply)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wires.discard(self._wire)


@asynccontextmanager
async def peer(respond: Respond) -> AsyncIterator[int]:
    """A server, on the port that it gives, which answers as `respond` says."""
    wires: set[asyncio.Transport] = set()
    server = await asyncio.get_running_loop().create_server(lambda: _Peer(respond, wires), HOST, 0)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for wire in list(wires):
            wire.abort()
        await server.wait_closed()


@asynccontextmanager
async def slow_road(port: int, delay_s: Callable[[], float], tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A way to `port` on which every reply is late, by as much as `delay_s` gives anew each time; begun in TLS where
    `tls` is given."""
    travellers: set[asyncio.Task[None]] = set()

    async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter, late: bool) -> None:
        try:
            while data := await source.read(65536):
                if late:
                    await asyncio.sleep(delay_s())
                sink.write(data)
                await sink.drain()
        finally:
            sink.transport.abort()

    async def travel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(HOST, port)
        with suppress(ConnectionError):
            await asyncio.gather(carry(reader, there_writer, False), carry(there_reader, writer, True))

    def arrived(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(travel(reader, writer))
        travellers.add(task)
        task.add_done_callback(travellers.discard)

    server = await asyncio.start_server(arrived, HOST, 0, ssl=tls)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        left = list(travellers)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await server.wait_closed()
