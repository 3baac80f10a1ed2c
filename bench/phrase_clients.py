"""Clients and questions of the bench of the phrase cache."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from bench.clients import OnsetClient
from engine.types import Pcm

_SENTENCES = re.compile(r'^onset_sentences_total\{source="(\w+)"\} (\S+)$', re.MULTILINE)
_AT_ONCE = 16
"""Clients who ask at once."""


@dataclass(slots=True)
class Flood:
    """What came to clients who ask on and on."""

    messages: int = 0
    sound_bytes: int = 0


class NotAsMeant(RuntimeError):
    """The sound did not come from where this measure wants it to come from."""


@dataclass(frozen=True, slots=True)
class Sources:
    """How many sentences came from where, since the start of a server."""

    counts: dict[str, int]

    @classmethod
    def of(cls, port: int) -> Sources:
        found = _SENTENCES.findall(_get(port, "/metrics"))
        return cls({source: round(float(count)) for source, count in found})

    def since(self, before: Sources) -> dict[str, int]:
        return {source: count - before.counts.get(source, 0) for source, count in self.counts.items()}


def breaker(port: int) -> str:
    """As `/readyz` says it."""
    return str(json.loads(_get(port, "/readyz"))["breaker"])


def _get(port: int, path: str) -> str:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read().decode()


async def say_all(port: int, texts: Sequence[str], clients: int = 8) -> None:
    """Each once, at pace `fast`."""
    left = iter(texts)

    async def work() -> None:
        client = await OnsetClient.open(port)
        for text in left:
            await client.say(text, pace="fast")
        await client.aclose()

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(work())


async def sounds(port: int, texts: Iterable[str]) -> tuple[list[Pcm], int]:
    """The samples of each, and their rate."""
    heard: list[Pcm] = []
    rate_hz = 0
    async with connect(_url(port), compression=None, max_size=None) as socket:
        await socket.recv()  # ready
        for text in texts:
            await _ask(socket, text, "default")
            parts: list[bytes] = []
            while True:
                message = await socket.recv()
                if isinstance(message, bytes):
                    parts.append(message)
                    continue
                told = json.loads(message)
                rate_hz = told.get("sample_rate", rate_hz)
                if told["type"] == "done":
                    break
            heard.append(np.frombuffer(b"".join(parts), np.int16))
    return heard, rate_hz


async def flood(port: int, texts: Sequence[str], count: int, came: Flood) -> None:
    """So many sentences in all, of `texts` in turn, by several clients on a socket each; each hears one whole, in a
    context of its own, and then asks for the next. What comes is counted in `came`."""
    left = itertools.islice(itertools.cycle(texts), count)

    async def ask() -> None:
        async with connect(_url(port), compression=None, max_size=None) as socket:
            await socket.recv()  # ready
            for text in left:
                await _ask(socket, text, "default")
                told = ""
                while '"done"' not in told:
                    message = await socket.recv()
                    came.messages += 1
                    if isinstance(message, bytes):
                        came.sound_bytes += len(message)
                    else:
                        told = message

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(ask())


async def _ask(socket: ClientConnection, text: str, context: str) -> None:
    for message in (
        {"type": "start", "context": context, "pace": "fast"},
        {"type": "text", "context": context, "text": text},
        {"type": "end", "context": context},
    ):
        await socket.send(json.dumps(message))


def _url(port: int) -> str:
    return f"ws://127.0.0.1:{port}/ws"
