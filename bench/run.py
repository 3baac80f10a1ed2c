"""What the measures of one run share: the programs, the texts, how much is measured, and what was found so far."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bench.clients import OnsetClient, Say
from bench.heard import Heard
from bench.programs import Fleet
from bench.servers import Server, probed_server
from bench.texts import sentences

SENTENCE_S = 3.45
"""What a sentence of bench/texts.py sounds for, about."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured. `FULL` takes some ten minutes, `QUICK` under three."""

    rounds: int = 15  # of one client
    crowds: int = 2
    work: tuple[tuple[int, int], ...] = ((1, 3), (2, 2), (4, 2), (8, 1), (16, 1))  # clients, sentences of each
    work_rounds: int = 2
    levels: tuple[int, ...] = (8, 12, 14, 16, 18, 20)  # listeners at once
    first_come_levels: tuple[int, ...] = (4, 8)
    listen_s: float = 20.0
    turns_s: float = 30.0
    memory_s: float = 7.0
    sentences: int = 2000
    short: int = 500
    starts: int = 2  # of fresh servers
    rare: int = 3
    streams: int = 100
    streams_s: float = 9.0


FULL = Sizes()
QUICK = Sizes(
    rounds=3,
    crowds=1,
    work=((1, 2), (4, 1), (16, 1)),
    work_rounds=1,
    levels=(8, 16),
    first_come_levels=(4,),
    listen_s=7.0,
    turns_s=7.0,
    memory_s=3.5,
    sentences=200,
    short=60,
    starts=1,
    rare=2,
    streams=40,
    streams_s=6.0,
)


@dataclass(slots=True)
class Run:
    """One run of the bench."""

    fleet: Fleet
    sizes: Sizes
    dice: random.Random = field(default_factory=lambda: random.Random(3))
    texts: itertools.cycle[str] = field(default_factory=lambda: itertools.cycle(sentences()))
    capacity: int = 16  # listeners; what is aimed at, until it was measured
    busy_sound_s: float = 0.0  # seconds of sound a second that Onset made when it was full
    notes: list[str] = field(default_factory=list)

    def sentences(self, count: int) -> list[str]:
        """The next ones; no memory is on, so that one which comes again is made again."""
        return list(itertools.islice(self.texts, count))

    def speech(self, seconds: float) -> str:
        """A text that takes about so long to say."""
        return " ".join(self.sentences(max(1, round(seconds / SENTENCE_S))))

    @asynccontextmanager
    async def fresh(self, *options: str) -> AsyncIterator[Server]:
        """One more server of ours, just started, while all others are held."""
        with self.fleet.alone(), probed_server(*options) as server:
            yield server


async def together(clients: Sequence[Say], texts: Sequence[str]) -> list[Heard]:
    """All clients speak at once, each its text."""
    return await asyncio.gather(*(say(text) for say, text in zip(clients, texts, strict=True)))


async def in_turn(clients: Sequence[Say], texts: Sequence[str]) -> list[Heard]:
    """Each client takes the next text as soon as it has heard its last one to the end."""
    left, heard = iter(texts), list[Heard]()

    async def work(say: Say) -> None:
        for text in left:
            heard.append(await say(text))

    async with asyncio.TaskGroup() as group:
        for say in clients:
            group.create_task(work(say))
    return heard


@asynccontextmanager
async def sockets(server: Server, count: int) -> AsyncIterator[list[OnsetClient]]:
    """So many open sockets of a server of ours."""
    opened = [await OnsetClient.open(server.port) for _ in range(count)]
    try:
        yield opened
    finally:
        await asyncio.gather(*(client.aclose() for client in opened))
