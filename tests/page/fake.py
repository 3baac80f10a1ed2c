"""A gateway of tones: the page and the protocol on a real socket, and what is spoken is a sine that can be checked."""

from __future__ import annotations

import asyncio
import json
import mimetypes
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

STATIC = Path(__file__).resolve().parents[2] / "static"
AMPLITUDE = 0.5
TONE_HZ = 440.0

Message = dict[str, Any]


@dataclass
class FakeGateway:
    """Speaks every sentence as a tone; it stops after `pause_after_ms` of a context until it is told to `proceed`.

    While `doors` is clear, who connects is not greeted.
    """

    rate_hz: int = 22_050
    sentence_ms: int = 600
    chunk_ms: int = 50
    pause_after_ms: int | None = None
    error: Message | None = None  # sent before the first sentence of a context
    told_as: Callable[[str], str] = str  # a sentence as it is told, from what was sent
    voices: list[Message] = field(default_factory=lambda: [{"name": "en_US-joe-medium", "language": "en-US"}])
    received: list[Message] = field(default_factory=list)
    connections: int = 0
    doors: asyncio.Event = field(default_factory=asyncio.Event)
    spoken: set[str] = field(default_factory=set)
    port: int = 0  # any that is free
    _go: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _texts: dict[str, str] = field(default_factory=dict)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _server: Server | None = None

    async def up(self) -> None:
        self.doors.set()
        self._server = await serve(
            self._connection, "127.0.0.1", self.port, process_request=self._http, compression=None
        )
        self.port = next(iter(self._server.sockets)).getsockname()[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def down(self) -> None:
        """Drops every connection and takes no more; `up` comes back on the same port."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks.values():
            task.cancel()
        await self._server.wait_closed()

    async def restart(self) -> None:
        """Tells every client that the server restarts, and drops it; who comes back is served once `doors` is set."""
        assert self._server is not None
        self.doors.clear()
        for socket in list(self._server.connections):
            await send(socket, type="error", code="restarting", message="the server restarts", retryable=True)
            await socket.close(1012)

    async def until(self, holds: Callable[[list[Message]], bool]) -> None:
        """Waits until what has been received is as wanted."""
        async with self._news:
            await self._news.wait_for(lambda: holds(self.received))

    def proceed(self, pause_after_ms: int | None = None) -> None:
        """Goes on speaking, to the next pause or to the end."""
        self.pause_after_ms = pause_after_ms
        self._go.set()
        self._go.clear()

    def of_type(self, kind: str) -> list[Message]:
        return [message for message in self.received if message["type"] == kind]

    async def _connection(self, socket: ServerConnection) -> None:
        self.connections += 1
        await self.doors.wait()
        names = [voice["name"] for voice in self.voices]
        await send(socket, type="ready", protocol=1, voices=names, default_voice=names[0], limits={})
        async for raw in socket:
            message = json.loads(raw)
            await self._take(socket, message)
            async with self._news:
                self.received.append(message)
                self._news.notify_all()

    async def _take(self, socket: ServerConnection, message: Message) -> None:
        context = message.get("context", "")
        match message["type"]:
            case "text":
                self._texts[context] = self._texts.get(context, "") + message["text"]
            case "end":
                self._tasks[context] = asyncio.create_task(self._speak(socket, context))
            case "cancel":
                if task := self._tasks.pop(context, None):
                    task.cancel()
                await send(socket, type="cancelled", context=context, sent_ms=0, heard_ms=0, text_sent="")
            case "ping":
                await send(socket, type="pong")

    async def _speak(self, socket: ServerConnection, context: str) -> None:
        found = list(re.finditer(r"\S.*?(?:(?<=[.!?])(?=\s)|\s*$)", self._texts.pop(context, ""), re.DOTALL))
        sentences = [self.told_as(each[0].strip()) for each in found]
        if self.error is not None:
            await send(socket, type="error", context=context, **self.error)
        await send(socket, type="audio", context=context, format="pcm_s16le", sample_rate=self.rate_hz, channels=1)
        cached = [each in self.spoken for each in sentences]
        sent_ms = 0
        for index, text in enumerate(sentences):
            hit = "memory" if cached[index] else False
            about = {"index": index, "text": text, "start_ms": sent_ms, "cached": hit}
            place = {"start": found[index].start(), "end": found[index].start() + len(found[index][0].strip())}
            await send(socket, type="sentence", context=context, **about, **place)
            end_ms = sent_ms + self.sentence_ms
            while sent_ms < end_ms:
                if sent_ms == self.pause_after_ms:
                    await self._go.wait()
                size_ms = min(self.chunk_ms, end_ms - sent_ms)
                await socket.send(self.tone(sent_ms, sent_ms + size_ms).tobytes())
                sent_ms += size_ms
            self.spoken.add(text)
        done = {"audio_ms": sent_ms, "sentences": len(sentences), "cached": sum(cached)}
        await send(socket, type="done", context=context, first_audio_ms=1, underruns=0, **done)

    def tone(self, from_ms: int, to_ms: int) -> npt.NDArray[np.int16]:
        """A piece of the one sine of a context; its pieces fit together."""
        at = np.arange(from_ms * self.rate_hz // 1000, to_ms * self.rate_hz // 1000)
        return np.round(32767 * AMPLITUDE * np.sin(2 * np.pi * TONE_HZ * at / self.rate_hz)).astype("<i2")

    def _http(self, _socket: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path == "/ws":
            return None
        if path == "/v1/voices":
            body = json.dumps({"voices": self.voices, "default": self.voices[0]["name"]}).encode()
            return answer(200, "application/json", body)
        file = STATIC / ("index.html" if path == "/" else path.removeprefix("/static/"))
        if not file.is_file():
            return answer(404, "text/plain", b"not found")
        return answer(200, mimetypes.guess_type(file.name)[0] or "application/octet-stream", file.read_bytes())


def answer(status: int, kind: str, body: bytes) -> Response:
    headers = Headers({"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(status, "", headers, body)


async def send(socket: ServerConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


@asynccontextmanager
async def fake_gateway(**settings: Any) -> AsyncIterator[FakeGateway]:
    gateway = FakeGateway(**settings)
    await gateway.up()
    try:
        yield gateway
    finally:
        await gateway.down()
