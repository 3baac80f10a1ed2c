"""Bare clients of every dialect: each has one text spoken, hears it to its end, and says when its sound began."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from bench.clients import OnsetClient, wyoming_events

_clock = time.perf_counter

Ask = Callable[[str], Awaitable[float]]
"""Have a text spoken; seconds from the last byte of it that was sent to the first byte of sound."""


@dataclass(frozen=True, slots=True)
class Where:
    """A server of ours."""

    port: int
    wyoming_port: int
    voice: str  # its default


Dialect = Callable[[Where], AbstractAsyncContextManager[Ask]]
"""A client, connected as one of this dialect keeps a connection between two texts."""


def socket(where: Where, path: str) -> connect:
    return connect(f"ws://127.0.0.1:{where.port}{path}", compression=None, max_size=None)


@asynccontextmanager
async def native(where: Where) -> AsyncIterator[Ask]:
    client = await OnsetClient.open(where.port)

    async def ask(text: str) -> float:
        return (await client.say(text)).first_s

    try:
        yield ask
    finally:
        await client.aclose()


@asynccontextmanager
async def deepgram(where: Where) -> AsyncIterator[Ask]:
    async with socket(where, "/v1/speak?encoding=linear16&sample_rate=24000") as one:
        await one.recv()  # Metadata

        async def ask(text: str) -> float:
            await _send(one, type="Speak", text=text)
            asked = _clock()
            await _send(one, type="Flush")
            return await _hear(one, asked, lambda told: isinstance(told, bytes), lambda told: _is(told, "Flushed"))

        yield ask


@asynccontextmanager
async def cartesia(where: Where) -> AsyncIterator[Ask]:
    form = {"container": "raw", "encoding": "pcm_s16le", "sample_rate": 24000}
    settings = {"model_id": "sonic", "voice": {"mode": "id", "id": where.voice}, "output_format": form}
    async with socket(where, "/tts/websocket") as one:

        async def ask(text: str) -> float:
            await _send(one, transcript=text, context_id=f"{_clock()}", **settings)
            return await _hear(one, _clock(), lambda told: _is(told, "chunk"), lambda told: _is(told, "done"))

        yield ask


@asynccontextmanager
async def elevenlabs(where: Where) -> AsyncIterator[Ask]:
    """A socket is one text of theirs; it is opened, and its settings are sent, before the text is there."""

    async def ask(text: str) -> float:
        async with socket(where, f"/v1/text-to-speech/{where.voice}/stream-input?output_format=pcm_24000") as one:
            await _send(one, text=" ")
            await _send(one, text=f"{text} ")
            asked = _clock()
            await _send(one, text="")
            return await _hear(one, asked, lambda told: _has(told, "audio"), lambda told: _has(told, "isFinal"))

    yield ask


@asynccontextmanager
async def wyoming(where: Where) -> AsyncIterator[Ask]:
    reader, writer = await asyncio.open_connection("127.0.0.1", where.wyoming_port)

    async def ask(text: str) -> float:
        writer.write(json.dumps({"type": "synthesize", "data": {"text": text}}).encode() + b"\n")
        await writer.drain()
        asked, first = _clock(), 0.0
        async for kind, data, _ in wyoming_events(reader):
            if kind == "audio-chunk":
                first = first or _clock() - asked
            elif kind == "audio-stop":
                return _came(first, data)
            elif kind == "error":
                raise RuntimeError(data["text"])
        raise RuntimeError("the connection was closed")

    async with _closing(writer):
        yield ask


def http(path: str, text_field: str, *, ogg_pages: int = 0, **body: str) -> Dialect:
    """A request on a connection of its own, opened before it counts: the server closes one that is not used.

    `{voice}` in the path is the default voice, `text_field` is where the text goes, and sound begins behind so many
    `ogg_pages`.
    """

    @asynccontextmanager
    async def client(where: Where) -> AsyncIterator[Ask]:
        head = f"POST {path.format(voice=where.voice)} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

        async def ask(text: str) -> float:
            reader, writer = await asyncio.open_connection("127.0.0.1", where.port)
            async with _closing(writer):
                data = json.dumps({**body, text_field: text}).encode()
                writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
                await writer.drain()
                return await _hear_body(reader, _clock(), ogg_pages)

        yield ask

    return client


DIALECTS: Mapping[str, Dialect] = {
    "native": native,
    "Wyoming": wyoming,
    "Deepgram": deepgram,
    "Cartesia": cartesia,
    "ElevenLabs, a socket": elevenlabs,
    "ElevenLabs, HTTP": http("/v1/text-to-speech/{voice}/stream?output_format=pcm_24000", "text"),
    "OpenAI, pcm": http("/v1/audio/speech", "input", model="tts-1", voice="alloy", response_format="pcm"),
    "OpenAI, mp3": http("/v1/audio/speech", "input", model="tts-1", voice="alloy", response_format="mp3"),
    "OpenAI, opus": http(  # its first two pages are no sound
        "/v1/audio/speech", "input", model="tts-1", voice="alloy", response_format="opus", ogg_pages=2
    ),
}


async def _send(one: ClientConnection, **fields: Any) -> None:
    await one.send(json.dumps(fields))


async def _hear(
    one: ClientConnection,
    asked: float,
    is_sound: Callable[[Any], bool],
    is_end: Callable[[Any], bool],
) -> float:
    """Messages to the end of the text. Raises RuntimeError where no sound comes, or an error does."""
    first = 0.0
    while True:
        message = await one.recv()
        told = json.loads(message) if isinstance(message, str) else message
        if isinstance(told, dict) and (told.get("type") in {"error", "Warning"} or told.get("error")):
            raise RuntimeError(str(told))
        if is_sound(told):
            first = first or _clock() - asked
        if is_end(told):
            return _came(first, told)


def _is(told: Any, kind: str) -> bool:
    return isinstance(told, dict) and told["type"] == kind


def _has(told: Any, name: str) -> bool:
    return isinstance(told, dict) and bool(told.get(name))


def _came(first: float, told: object) -> float:
    if not first:
        raise RuntimeError(f"the end came, and no sound: {told}")
    return first


async def _hear_body(reader: asyncio.StreamReader, asked: float, pages: int) -> float:
    """An answer to its end; its sound begins behind so many pages of Ogg."""
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in head.partition(b"\r\n")[0] or b"chunked" not in head.lower():
        raise RuntimeError(f"the server answered {head.decode(errors='replace')}")
    first, found = 0.0, 0
    while size := int(await reader.readline(), 16):
        found += (await reader.readexactly(size + 2)).count(b"OggS")
        if not first and found >= pages + bool(pages):
            first = _clock() - asked
    await reader.readline()
    return _came(first, "of the body")


@asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
