"""The phrase mix of a service desk: how many listeners the machine holds with the cache off, in memory, and shared."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

from bench.cache_run import CacheRun, row
from bench.clients import OnsetClient, Refused
from bench.heard import GAP_S, Heard, longest_gap_s, percentile
from bench.phrase_clients import say_all
from bench.phrase_mix import Said, Turn, mix, most_times, phrases, turns
from bench.phrase_sound import redis
from bench.process import cpu_s
from bench.rows import Goal, Row
from bench.servers import Server, onset_server

OFF, MEMORY, BOTH = "cache off", "memory", "memory and Redis"
TIMES = 4
SENTENCE_S = 1.9
"""What a sentence of the mix lasts, about; the load that was really asked for is told."""


@dataclass(frozen=True, slots=True)
class Level:
    """What came of turns at random for so many listeners."""

    gap_s: float
    refused: int
    first_s: tuple[float, ...]
    sound_s: float
    cpu_s: float

    @property
    def held(self) -> bool:
        return self.gap_s <= GAP_S and not self.refused

    @property
    def cost(self) -> float:
        """Seconds of processor time for each second of sound."""
        return self.cpu_s / self.sound_s if self.sound_s else 0.0

    def __str__(self) -> str:
        first = 1000 * percentile(self.first_s, 0.95) if self.first_s else 0.0
        return (
            f"{len(self.first_s)} turns, {self.refused} refused, longest gap {1000 * self.gap_s:.0f} ms, "
            f"first sound p95 {first:.0f} ms, {self.cost:.3f} s of processor a second of sound"
        )


@dataclass(slots=True)
class Desk:
    """The servers of one way to run, with clients that are kept; turns go to the servers in turn."""

    servers: Sequence[Server]
    free: list[list[OnsetClient]] = field(default_factory=list)
    sound_s: float = 0.0  # of all turns so far
    cpu_s: float = 0.0

    async def take(self, planned: Sequence[Turn]) -> Level:
        """Each turn at its time, heard as it comes by one who holds nothing back. A turn that is refused stays so."""
        spent = sum(cpu_s(server.pid) for server in self.servers)
        heard: list[Heard] = []
        refused = 0

        async def one(number: int, turn: Turn) -> None:
            nonlocal refused
            await asyncio.sleep(turn.at)
            which = number % len(self.servers)
            client = self.free[which].pop() if self.free[which] else await self._open(which)
            try:
                heard.append(await client.say(turn.text))
            except Refused:
                refused += 1
            self.free[which].append(client)

        async with asyncio.TaskGroup() as group:
            for number, turn in enumerate(planned):
                group.create_task(one(number, turn))
        spent = sum(cpu_s(server.pid) for server in self.servers) - spent
        sound_s = sum(each.sound_s for each in heard)
        self.sound_s += sound_s
        self.cpu_s += spent
        return Level(longest_gap_s(heard), refused, tuple(each.first_s for each in heard), sound_s, spent)

    async def _open(self, which: int) -> OnsetClient:
        return await OnsetClient.open(self.servers[which].port)


async def listeners(run: CacheRun) -> list[Row]:
    """Turns of one to three sentences of the mix arrive at random, so many that on average `level` listeners are being
    spoken to; more and more of them, until one is refused or hears a gap. A level that fails is tried again with other
    turns. The list is known before where anything is remembered: the desk has been open for a while. What is
    unique is new in every turn."""
    said = mix(phrases(), 3)
    held: dict[str, int] = {}
    equal: dict[str, Level] = {}
    costs: dict[str, float] = {}
    for name, levels in ((OFF, run.sizes.level_of_none), (MEMORY, run.sizes.levels), (BOTH, run.sizes.levels)):
        async with _desk(name) as desk:
            equal[name] = await desk.take(_plan(run, said, run.sizes.level_of_none[0], 0))
            run.tell(f"{name}, {run.sizes.level_of_none[0]} listeners: {equal[name]}")
            held[name] = await _highest(run, name, desk, levels, said)
            costs[name] = desk.cpu_s / desk.sound_s
    rows = [
        row(f"mix, {name}: listeners held, no gap over 40 ms and none refused", "listeners", count, *_goals(held, name))
        for name, count in held.items()
    ]
    run.tell(
        f"A cache that costs nothing lets the machine make {most_times(itertools.islice(said, 5000)):.1f} times less"
    )
    load = run.sizes.level_of_none[0]
    for name, level in equal.items():
        first_ms = 1000 * percentile(level.first_s, 0.95)
        rows.append(row(f"mix, {name}: first audio at {load} listeners, p95", "ms", first_ms))
    for name, cost in costs.items():
        rows.append(row(f"mix, {name}: processor time a second of sound, all levels", "ms", 1000 * cost))
        if name != OFF:
            less = costs[OFF] / cost
            rows.append(row(f"mix, {name}: less of it than without", "times", less, Goal(less, TIMES, least=True)))
    return rows


def _goals(held: dict[str, int], name: str) -> list[Goal]:
    if name == OFF or not held[OFF]:
        return []
    return [Goal(held[name] / held[OFF], TIMES, "those without", least=True)]


def _plan(run: CacheRun, said: Iterator[Said], level: int, seed: int) -> list[Turn]:
    return turns(said, run.sizes.listen_s, level, SENTENCE_S, seed)


async def _highest(run: CacheRun, name: str, desk: Desk, levels: Sequence[int], said: Iterator[Said]) -> int:
    highest = 0
    for level in levels:
        for seed in range(run.sizes.tries):
            tried = await desk.take(_plan(run, said, level, seed))
            run.tell(f"{name}, {level} listeners: {tried}")
            if tried.held:
                break
        else:
            break
        highest = level
    return highest


@asynccontextmanager
async def _desk(name: str) -> AsyncIterator[Desk]:
    with _servers(name) as servers:
        await asyncio.gather(*(say_all(server.port, phrases()[:8]) for server in servers))
        if name != OFF:
            for server in servers:
                await say_all(server.port, phrases() * 2)  # what is asked for twice goes to Redis
        desk = Desk(servers, [[] for _ in servers])
        yield desk
        with suppress(ConnectionError):
            await asyncio.gather(*(client.aclose() for client in itertools.chain(*desk.free)))


@contextmanager
def _servers(name: str) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        if name == OFF:
            yield [stack.enter_context(onset_server("--cache-bytes", "0"))]
        elif name == MEMORY:
            yield [stack.enter_context(onset_server())]
        else:
            options = "--redis-url", stack.enter_context(redis()).url
            yield [stack.enter_context(onset_server(*options)) for _ in range(2)]
