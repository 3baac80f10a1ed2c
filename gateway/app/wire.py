"""The WebSocket protocol of the server: uvicorn's, over a transport that writes once a turn."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from gateway.sockets import CLOSE_S


class Wire(WebSocketsSansIOProtocol):
    """It really lets go of a client who does not read or does not answer pings.

    A transport that is closed waits for its buffer to drain, and with such a client that is never.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(Gathering(cast(asyncio.Transport, transport), self.loop))

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._let_go()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._let_go()

    def _let_go(self) -> None:
        self.loop.call_later(CLOSE_S, self.transport.abort)


class Gathering(asyncio.Transport):
    """A transport that hands on at once all that is written in one turn of the loop, in its order.

    The system is called once for several messages, and a client woken once. What a protocol needs is there, no more.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport, self._loop = transport, loop
        self._waiting: list[bytes | bytearray | memoryview] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        """What was written before still goes out."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        self._waiting.clear()
        self._transport.abort()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def _flush(self) -> None:
        data = b"".join(self._waiting)
        self._waiting.clear()
        if data and not self._transport.is_closing():
            self._transport.write(data)
