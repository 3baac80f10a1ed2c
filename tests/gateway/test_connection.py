"""What happens while the writer waits for the socket: at points of time that no real socket can be held at."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from engine.engine import Engine
from gateway.cache import PhraseCache
from gateway.connection import Connection
from gateway.dialects.native import Native
from gateway.events import Command
from gateway.parts import Parts
from gateway.session import STEP_CHARS
from gateway.settings import Settings
from gateway.sockets import Gone
from gateway.turn import TURN_S, Turn
from tests import virtual
from tests.fakes import fake_engine
from tests.wire import PATIENCE_S, Ear, Message


class Socket:
    """A client's end; with `stop_at` set, the server's send of a message of that type waits until `go`."""

    def __init__(self) -> None:
        self.ear = Ear()
        self.stop_at: str | None = None
        self.stopped, self.go = asyncio.Event(), asyncio.Event()
        self.read = 0  # messages taken from it
        self._asked: asyncio.Queue[str | None] = asyncio.Queue()
        self._told: asyncio.Queue[str | bytes] = asyncio.Queue()

    def ask(self, type_: str, **fields: Any) -> None:
        self._asked.put_nowait(json.dumps({"type": type_, **fields}))

    def leave(self) -> None:
        self._asked.put_nowait(None)

    async def until(self, kind: str, context: str | None = "default") -> Message:
        while True:
            async with asyncio.timeout(PATIENCE_S):
                told = self.ear.take(await self._told.get())
            if told["type"] == kind and told.get("context") == context:
                return told

    async def receive(self) -> str:
        message = await self._asked.get()
        if message is None:
            raise Gone("closed with 1000")
        self.read += 1
        return message

    async def send(self, message: str | bytes) -> None:
        if isinstance(message, str) and json.loads(message)["type"] == self.stop_at:
            self.stop_at = None
            self.stopped.set()
            await self.go.wait()
        self._told.put_nowait(message)

    async def close(self, code: int, reason: str) -> None:
        pass


def _connection(socket: Socket, engine: Engine, cache: PhraseCache, dialect: Native) -> Connection:
    return Connection("1", socket, Parts(engine, cache, Settings(), lambda voice: ()), dialect)


@asynccontextmanager
async def connected(dialect: Native | None = None) -> AsyncIterator[Socket]:
    """A connection of this client alone; fails where it does not end when the client leaves."""
    engine = fake_engine()
    cache = PhraseCache(max_bytes=0, ttl_s=60, timeout_ms=50)
    await engine.start()
    socket = Socket()
    running = asyncio.create_task(_connection(socket, engine, cache, dialect or Native()).run())
    try:
        yield socket
        socket.leave()
        async with asyncio.timeout(PATIENCE_S):
            await running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await engine.aclose()


SETTLED_S = 1.0
"""Of virtual time, which passes only when nothing else is left to do."""


def test_what_nobody_thought_of_costs_its_message_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    class Odd(Native):
        def decode(self, message: str | bytes) -> tuple[Command]:
            if "odd" in str(message):
                raise OverflowError("int too large")
            return super().decode(message)

    async def main() -> None:
        async with connected(Odd()) as socket:
            socket.ask("text", text="One fine day")
            socket.ask("odd")
            assert (await socket.until("error", None))["code"] == "internal"
            socket.ask("end")
            await socket.until("done")
            assert socket.ear.text() == "One fine day"

    virtual.run(main())
    assert "OverflowError" in caplog.text
    caplog.clear()  # it is meant to be there


def test_a_name_is_free_for_another_context_while_its_done_is_being_written() -> None:
    async def main() -> None:
        async with connected() as socket:
            socket.stop_at = "done"
            socket.ask("text", text="The first.")
            socket.ask("end")
            await socket.stopped.wait()
            socket.ask("cancel")
            socket.ask("text", text="The second. And more of it.")
            await asyncio.sleep(SETTLED_S)
            socket.go.set()
            assert (await socket.until("done"))["sentences"] == 1
            nothing = {"type": "cancelled", "context": "default", "sent_ms": 0, "heard_ms": 0, "text_sent": ""}
            assert await socket.until("cancelled") == nothing
            socket.ear.sound.clear()
            socket.ask("end")
            assert (await socket.until("done"))["sentences"] == 2
            assert socket.ear.text() == "The second.And more of it."

    virtual.run(main())


def test_a_client_may_leave_after_a_name_was_used_twice_while_its_done_was_being_written() -> None:
    async def main() -> None:
        async with connected() as socket:
            socket.stop_at = "done"
            socket.ask("text", text="The first.")
            socket.ask("end")
            await socket.stopped.wait()
            socket.ask("cancel")
            socket.ask("text", text="It is a long one, of much more sound than is sent ahead. " * 40)
            await asyncio.sleep(SETTLED_S)
            socket.go.set()
            await socket.until("done")

    virtual.run(main())


def test_the_done_of_an_empty_context_does_not_end_the_next_of_its_name() -> None:
    async def main() -> None:
        async with connected() as socket:
            socket.stop_at = "pong"
            socket.ask("ping")
            await socket.stopped.wait()
            socket.ask("end")  # its `done` waits behind the pong
            socket.ask("text", text="x.")  # so short that all of it waits for the writer
            socket.ask("end")
            await asyncio.sleep(SETTLED_S)
            socket.go.set()
            assert (await socket.until("done"))["sentences"] == 0
            assert (await socket.until("done"))["sentences"] == 1
            assert socket.ear.text() == "x."

    virtual.run(main())


async def turns(socket: Socket, messages: int) -> list[int]:
    """How many messages had been read at each turn of another task, until so many are."""
    read = []
    while socket.read < messages:
        await asyncio.sleep(0)
        read.append(socket.read)
    return read


def test_others_get_turns_while_messages_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr("gateway.connection.Turn", partial(Turn, lambda: next(ticks) * TURN_S / 8))

    async def main() -> None:
        async with connected() as socket:
            await socket.until("ready", None)
            for _ in range(100):
                socket.ask("played", ms=0)
            read = await turns(socket, 100)
            assert 1 < max(now - before for before, now in zip([0, *read], read, strict=False)) <= 5

    virtual.run(main())


def test_others_get_turns_while_a_long_text_is_taken() -> None:
    async def main() -> None:
        async with connected() as socket:
            await socket.until("ready", None)
            socket.ask("text", text="a. " * (10 * STEP_CHARS))
            socket.ask("ping")
            assert len(await turns(socket, 2)) >= 30
            socket.ask("cancel")
            await socket.until("cancelled")

    virtual.run(main())
