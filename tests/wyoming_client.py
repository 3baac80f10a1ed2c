"""A client of Wyoming: the package's own, and an ear that sorts what comes by text."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from wyoming.audio import AudioChunk, AudioStart
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable
from wyoming.tts import Synthesize, SynthesizeVoice

from engine.types import Pcm
from tests.fakes import read
from tests.wire import PATIENCE_S, Gateway


@dataclass
class Heard:
    """What answered one text."""

    kinds: list[str] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    sound: bytearray = field(default_factory=bytearray)
    rate_hz: int = 0

    @property
    def pcm(self) -> Pcm:
        return np.frombuffer(bytes(self.sound), "<i2")

    @property
    def text(self) -> str:
        """What a stand-in voice's sound spells."""
        return read(self.pcm)


class Client:
    """One connection."""

    def __init__(self, client: AsyncTcpClient) -> None:
        self._client = client

    async def send(self, *events: Eventable) -> None:
        for event in events:
            await self._client.write_event(event.event())

    async def send_bytes(self, data: bytes) -> None:
        assert self._client._writer is not None
        self._client._writer.write(data)
        await self._client._writer.drain()

    def abort(self) -> None:
        """Leave without a word."""
        assert self._client._writer is not None
        self._client._writer.transport.abort()

    async def next(self) -> Event:
        async with asyncio.timeout(PATIENCE_S):
            event = await self._client.read_event()
        assert event is not None, "the server closed the connection"
        return event

    async def ends(self) -> bool:
        async with asyncio.timeout(PATIENCE_S):
            return await self._client.read_event() is None

    async def until(self, kind: str, heard: Heard | None = None) -> Heard:
        """Listen until an event of this type comes."""
        heard = heard or Heard()
        while not heard.kinds or heard.kinds[-1] != kind:
            event = await self.next()
            heard.kinds.append(event.type)
            if AudioStart.is_type(event.type):
                heard.rate_hz = AudioStart.from_event(event).rate
            elif AudioChunk.is_type(event.type):
                heard.sound += AudioChunk.from_event(event).audio
            elif Error.is_type(event.type):
                heard.errors.append(Error.from_event(event))
        return heard

    async def say(self, text: str, **voice: Any) -> Heard:
        await self.send(Synthesize(text, SynthesizeVoice(**voice) if voice else None))
        return await self.until("audio-stop")


class Narrow(AsyncTcpClient):
    """One whose own side holds no more than so many bytes that nobody has read."""

    def __init__(self, host: str, port: int, holds: int) -> None:
        super().__init__(host, port)
        self.holds = holds

    async def connect(self) -> None:
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.holds)
        one.setblocking(False)
        await asyncio.get_running_loop().sock_connect(one, (self.host, self.port))
        self._reader, self._writer = await asyncio.open_connection(sock=one, limit=self.holds)


@asynccontextmanager
async def connected(gateway: Gateway, holds: int = 0) -> AsyncIterator[Client]:
    """A client; one that `holds` little stops reading when nothing is asked of it."""
    host, port = "127.0.0.1", gateway.wyoming_port
    async with Narrow(host, port, holds) if holds else AsyncTcpClient(host, port) as client:
        yield Client(client)


def outline(heard: Heard) -> list[str]:
    """The types, each once where it comes several times in a row."""
    return [kind for kind, before in zip(heard.kinds, ["", *heard.kinds], strict=False) if kind != before]
