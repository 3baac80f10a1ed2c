"""Clients that measure: each speaks a text to one kind of server and notes when its sound came."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.heard import Arrival, Heard

WAV_HEADER_BYTES = 44
AGAIN_S = 0.1
_SAMPLE_BYTES = 2
_clock = time.perf_counter

Say = Callable[[str], Awaitable[Heard]]
"""Speak a text and hear all of it."""


class Refused(RuntimeError):
    """The server did not take the text, and says that it may later."""


@dataclass(slots=True)
class OnsetClient:
    """One open WebSocket, as a chatbot keeps it."""

    socket: ClientConnection
    rate_hz: int = 0

    @classmethod
    async def open(cls, port: int) -> OnsetClient:
        socket = await connect(f"ws://127.0.0.1:{port}/ws", compression=None, max_size=None)
        await socket.recv()  # ready
        return cls(socket)

    async def say(
        self, text: str, *, pace: str = "realtime", seed: int | None = None, to_the_end: bool = True
    ) -> Heard:
        """Speak. `to_the_end` hears all of it before it returns, else it breaks off at the first sound.

        Raises Refused, and can be asked again then.
        """
        start: dict[str, object] = {"type": "start", "pace": pace} | ({} if seed is None else {"seed": seed})
        await self._send(start)
        await self._send({"type": "text", "text": text})
        heard = Heard(_clock())
        await self._send({"type": "end"})
        try:
            while not heard.arrivals:
                await self._hear(heard)
            if not to_the_end:
                await self._send({"type": "cancel"})  # answered even where all was done already
            while await self._hear(heard) != ("done" if to_the_end else "cancelled"):
                pass
        except Refused:
            await self._break_off()
            raise
        return heard

    async def _break_off(self) -> None:
        """Let go of what there is of the text, so that the next one finds nothing of it."""
        await self._send({"type": "cancel"})
        while isinstance(message := await self.socket.recv(), bytes) or json.loads(message)["type"] != "cancelled":
            pass

    async def aclose(self) -> None:
        await self.socket.close()

    async def _send(self, message: dict[str, object]) -> None:
        await self.socket.send(json.dumps(message))

    async def _hear(self, heard: Heard) -> str:
        """The next message: its sound goes to `heard`, its type is returned. Raises Refused or RuntimeError."""
        message = await self.socket.recv()
        if isinstance(message, bytes):
            heard.arrivals.append(Arrival(_clock(), len(message) / _SAMPLE_BYTES / self.rate_hz))
            return ""
        fields: dict[str, Any] = json.loads(message)
        match fields["type"]:
            case "error":
                kind = Refused if fields.get("retryable") else RuntimeError
                raise kind(f"{fields['code']}: {fields['message']}")
            case "audio":
                self.rate_hz = int(fields["sample_rate"])
            case "done" | "cancelled" if not heard.arrivals:
                raise RuntimeError(f"{fields['type']} came, and no sound")
        return str(fields["type"])


@dataclass(slots=True)
class Patient:
    """One who asks again when he is refused; his sound counts from when he asked first. `refused` says how often."""

    say: Say
    refused: int = 0

    async def __call__(self, text: str) -> Heard:
        asked = _clock()
        while True:
            try:
                heard = await self.say(text)
            except Refused:
                self.refused += 1
                await asyncio.sleep(AGAIN_S)
            else:
                return heard if not self.refused else Heard(asked, heard.arrivals)


async def piper_say(port: int, text: str) -> Heard:
    """One request to Piper's server on a connection that is open already."""
    body = json.dumps({"text": text}).encode()
    head = (
        f"POST /synthesize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    async with _connection(port) as (reader, writer):
        writer.write(head.encode() + body)
        await writer.drain()
        heard = Heard(_clock())
        answer = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in answer.partition(b"\r\n")[0]:
            raise RuntimeError(f"Piper answered {answer.decode(errors='replace')}")
        header = await reader.readexactly(WAV_HEADER_BYTES)
        bytes_a_second = int.from_bytes(header[28:32], "little")
        while data := await reader.read(2**16):
            heard.arrivals.append(Arrival(_clock(), len(data) / bytes_a_second))
    return heard


async def wyoming_say(port: int, text: str) -> Heard:
    """One `synthesize` to a Wyoming server on a connection that is open already."""
    async with _connection(port) as (reader, writer):
        writer.write(json.dumps({"type": "synthesize", "data": {"text": text}}).encode() + b"\n")
        await writer.drain()
        heard = Heard(_clock())
        bytes_a_second = 0
        async for kind, data, payload in wyoming_events(reader):
            match kind:
                case "audio-start":
                    bytes_a_second = data["rate"] * data["width"] * data["channels"]
                case "audio-chunk":
                    heard.arrivals.append(Arrival(_clock(), len(payload) / bytes_a_second))
                case "audio-stop":
                    return heard
                case "error":
                    raise RuntimeError(f"wyoming-piper answered {data}")
    raise RuntimeError("the connection was closed")


async def wyoming_events(reader: asyncio.StreamReader) -> AsyncIterator[tuple[str, dict[str, Any], bytes]]:
    """Type, data and payload of each event that comes."""
    while line := await reader.readline():
        event: dict[str, Any] = json.loads(line)
        data: dict[str, Any] = event.get("data") or {}
        if length := event.get("data_length"):
            data |= json.loads(await reader.readexactly(length))
        yield event["type"], data, await reader.readexactly(event.get("payload_length") or 0)


@asynccontextmanager
async def _connection(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
