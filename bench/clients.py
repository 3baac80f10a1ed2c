"""Clients that measure: seconds from the last character sent to the first byte of sound."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection, connect

WAV_HEADER_BYTES = 44


@dataclass(frozen=True, slots=True)
class OnsetClient:
    """One open WebSocket, as a chatbot keeps it."""

    socket: ClientConnection

    @classmethod
    async def open(cls, port: int) -> OnsetClient:
        socket = await connect(f"ws://127.0.0.1:{port}/ws", compression=None, max_size=None)
        await socket.recv()  # ready
        return cls(socket)

    async def first_audio_s(self, text: str, *, seed: int | None = None, to_the_end: bool = True) -> float:
        """Speak, and time the first sound. `to_the_end` hears all of it before it returns, else breaks off there."""
        if seed is not None:
            await self._send({"type": "start", "seed": seed})
        await self._send({"type": "text", "text": text})
        sent = time.perf_counter()
        await self._send({"type": "end"})
        first = await self._until_audio() - sent
        if not to_the_end:
            await self._send({"type": "cancel"})
        await self._until("done" if to_the_end else "cancelled")
        return first

    async def aclose(self) -> None:
        await self.socket.close()

    async def _send(self, message: dict[str, object]) -> None:
        await self.socket.send(json.dumps(message))

    async def _until_audio(self) -> float:
        while not isinstance(message := await self.socket.recv(), bytes):
            _check(message)
        return time.perf_counter()

    async def _until(self, last: str) -> None:
        while isinstance(message := await self.socket.recv(), bytes) or _check(message) != last:
            pass


def _check(message: str) -> str:
    fields = json.loads(message)
    if fields["type"] == "error":
        raise RuntimeError(f"{fields['code']}: {fields['message']}")
    return str(fields["type"])


async def piper_first_audio_s(port: int, text: str) -> float:
    """One request to Piper's server on a connection that is open already; all of its sound is read."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"text": text}).encode()
    head = (
        f"POST /synthesize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()
    sent = time.perf_counter()
    answer = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in answer.partition(b"\r\n")[0]:
        raise RuntimeError(f"Piper answered {answer.decode(errors='replace')}")
    await reader.readexactly(WAV_HEADER_BYTES + 2)
    first = time.perf_counter() - sent
    await reader.read()
    writer.close()
    await writer.wait_closed()
    return first
