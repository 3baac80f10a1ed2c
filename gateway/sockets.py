"""What a connection speaks through: a WebSocket, or a stream that is cut into messages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

READ_BYTES = 64 * 2**10
"""Of a stream, at once."""

CLOSE_S = 5.0
"""How long a client who is gone, or who does not read, may keep a closed socket."""


class Gone(Exception):
    """The client is not there any more, or takes nothing more; says how that came about."""


class Socket(Protocol):
    """One client's. One task receives and another sends; each method raises Gone when there is no client."""

    async def receive(self) -> str | bytes:
        """The next whole message."""
        ...

    async def send(self, message: str | bytes) -> None:
        """Waits while the client is slow."""
        ...

    async def close(self, code: int, reason: str) -> None:
        """What was sent before still reaches a client who reads. `code` is one of WebSocket's."""
        ...


class OverStream:
    """A TCP stream; `cut` is given its bytes as they come, and gives the messages that are complete."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: Callable[[bytes], list[bytes]]
    ) -> None:
        self._reader, self._writer, self._cut = reader, writer, cut
        self._messages: deque[bytes] = deque()

    async def receive(self) -> bytes:
        while not self._messages:
            try:
                data = await self._reader.read(READ_BYTES)
            except OSError as error:
                raise Gone("broken off") from error
            if not data:
                raise Gone("closed")
            self._messages.extend(self._cut(data))
        return self._messages.popleft()

    async def send(self, message: str | bytes) -> None:
        try:
            self._writer.write(message.encode() if isinstance(message, str) else message)
            await self._writer.drain()
        except (OSError, RuntimeError) as error:
            raise Gone("broken off") from error

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Idempotent."""
        if not self._writer.is_closing():
            self._writer.close()
            # A transport that is closed waits for its buffer to drain: with a client who does not read, for ever.
            asyncio.get_running_loop().call_later(CLOSE_S, self._writer.transport.abort)
