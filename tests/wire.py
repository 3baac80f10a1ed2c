"""A real uvicorn on loopback, a real client, and an ear that sorts what comes by context."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import websockets
from websockets.asyncio.client import ClientConnection

from engine.engine import Engine
from engine.types import Pcm
from gateway.app import House, create_app, create_server, listen
from gateway.settings import Settings
from tests.fakes import fake_engine, read

PATIENCE_S = 30.0
"""A message that has not come by then never comes."""

Message = dict[str, Any]


class Ear:
    """What a client was told. Fails on sound without an `audio` message before it, or after the end of its context."""

    def __init__(self) -> None:
        self.messages: dict[str | None, list[Message]] = defaultdict(list)  # by context; {"type": "sound"} for binary
        self.sound: dict[str, bytearray] = defaultdict(bytearray)
        self.sizes: list[int] = []  # of binary messages, in bytes
        self._audio: Message | None = None

    def take(self, message: str | bytes) -> Message:
        if isinstance(message, bytes):
            assert self._audio is not None, "sound without an audio message before it"
            context = self._audio["context"]
            assert self.last(context) not in {"done", "cancelled"}, "sound after the end of its context"
            self.sound[context] += message
            self.sizes.append(len(message))
            told: Message = {"type": "sound", "context": context, "bytes": len(message)}
        else:
            told = json.loads(message)
            if told["type"] == "audio":
                self._audio = told
            elif self._audio is not None and told["type"] in {"done", "cancelled"}:
                self._audio = None if self._audio["context"] == told["context"] else self._audio
        self.messages[told.get("context")].append(told)
        return told

    def last(self, context: str | None = "default") -> str | None:
        told = self.messages[context]
        return str(told[-1]["type"]) if told else None

    def of(self, kind: str, context: str | None = "default") -> list[Message]:
        """The messages of a kind and context, in order."""
        return [message for message in self.messages[context] if message["type"] == kind]

    def pcm(self, context: str = "default") -> Pcm:
        return np.frombuffer(self.sound[context], dtype="<i2")

    def text(self, context: str = "default") -> str:
        """What a FakeModel's sound spells."""
        return read(self.pcm(context))


class Client:
    """One socket and the ear at it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.ear = socket, Ear()

    async def send(self, type_: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": type_, **fields}))

    async def next(self) -> Message:
        async with asyncio.timeout(PATIENCE_S):
            return self.ear.take(await self.socket.recv())

    async def until(self, kind: str, context: str | None = "default") -> Message:
        """Listen until a message of this kind and context comes."""
        while True:
            told = await self.next()
            if told["type"] == kind and told.get("context") == context:
                return told

    async def speak(self, *texts: str, context: str = "default", **settings: Any) -> Message:
        """Say a whole text and listen until it is done."""
        if settings:
            await self.send("start", context=context, **settings)
        for text in texts:
            await self.send("text", text=text, context=context)
        await self.send("end", context=context)
        return await self.until("done", context)


@dataclass(frozen=True)
class Gateway:
    """A server that runs."""

    host: str
    house: House
    stop: Callable[[], None]
    stopped: asyncio.Event
    wyoming_port: int = 0

    @property
    def http(self) -> str:
        return f"http://{self.host}"

    def client(self, **options: Any) -> AbstractAsyncContextManager[Client]:
        return connected(self.host, **options)


@asynccontextmanager
async def connected(host: str, **options: Any) -> AsyncIterator[Client]:
    """A client that has had its `ready`; one that leaves with much unread waits little for an answer."""
    waits = {"open_timeout": PATIENCE_S, "close_timeout": 0.1}  # a server that is warming up lets nobody in
    options = {"proxy": None, "compression": None, **waits, **options}
    async with websockets.connect(f"ws://{host}/ws", **options) as socket:
        client = Client(socket)
        assert (await client.next())["type"] == "ready"
        yield client


@asynccontextmanager
async def running(engine: Engine | None = None, *, wyoming: bool = False, **settings: Any) -> AsyncIterator[Gateway]:
    """A gateway of these settings; a stand-in engine speaks where none is given. `wyoming`: on a port of its own."""
    checked = Settings(**{"host": "127.0.0.1", "port": 0, **settings})
    listening, for_wyoming = listen(checked.host, checked.port), listen(checked.host, 0) if wyoming else None
    app = create_app(checked, engine or fake_engine(ahead_s=checked.ahead_s), for_wyoming=for_wyoming)
    uvicorn = create_server(app, checked)

    def stop() -> None:
        uvicorn.should_exit = True

    async def serve() -> None:
        await uvicorn.serve(sockets=[listening])
        stopped.set()

    stopped = asyncio.Event()
    serving = asyncio.create_task(serve())
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    try:
        wyoming_port = for_wyoming.getsockname()[1] if for_wyoming is not None else 0
        yield Gateway(host, app.state.house, stop, stopped, wyoming_port)
    finally:
        stop()
        await serving
        listening.close()
