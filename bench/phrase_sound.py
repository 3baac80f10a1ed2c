"""How soon the sound of a phrase comes from each place, what a hit costs, and what a dead Redis costs."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.cache_run import CacheRun, row
from bench.clients import OnsetClient
from bench.heard import percentile
from bench.phrase_clients import Flood, NotAsMeant, Sources, breaker, flood, say_all
from bench.phrase_mix import phrases, unique_sentences
from bench.process import cpu_s
from bench.rows import Goal, Row
from bench.servers import Server, onset_server
from tests.redis_server import RedisServer

MEMORY_MS, REDIS_MS = 3.0, 6.0
HITS_A_SECOND = 1000
DEAD_RATIO = 1.05
"""What two equal servers differ by in such a run."""
_HOLD_S = 0.25
_PARTS = 10
_LONG = (
    "Here is what I found, {0}: the parcel left the warehouse on Monday evening, went through the sorting center on "
    "Tuesday, was scanned at the harbor on Wednesday, and should reach your neighbor at the corner on Friday."
)


@contextmanager
def redis() -> Iterator[RedisServer]:
    """A Redis server of this run's own, empty."""
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder)) as server:
        yield server


async def first_audio(run: CacheRun) -> list[Row]:
    """One client: from the text sent to the first byte of sound. Two gateways share a Redis; what the first one made
    the second finds there, and then in its memory. Whether each sound came from where it should is asked of it."""
    rounds = run.sizes.rounds
    known = phrases()[:rounds]
    with redis() as shared:
        options = "--redis-url", shared.url, "--cache-redis", "all"
        with onset_server(*options) as first:
            await say_all(first.port, known)
        with onset_server(*options) as second:
            client = await OnsetClient.open(second.port)
            new = unique_sentences(7)
            await client.say(next(new))
            missed = await _ms(second, client, [next(new) for _ in range(rounds)], "made")
            in_redis = await _ms(second, client, known, "redis")
            in_memory = await _ms(second, client, known, "memory")
            joined = await _joined(second, max(5, rounds // 4))
            await client.aclose()
    places = {"memory hit": in_memory, "Redis hit": in_redis, "joined": joined, "miss": missed}
    goals = {"memory hit": MEMORY_MS, "Redis hit": REDIS_MS}
    rows: list[Row] = []
    for name, ms in places.items():
        bound = [Goal(percentile(ms, 0.5), goals[name])] if name in goals else []
        rows.append(row(f"first audio, {name}, p50", "ms", percentile(ms, 0.5), *bound))
        rows.append(row(f"first audio, {name}, p95", "ms", percentile(ms, 0.95)))
    return rows


async def _ms(server: Server, client: OnsetClient, texts: Sequence[str], source: str) -> list[float]:
    before = Sources.of(server.port)
    heard = [(await client.say(text, pace="fast")).first_s * 1000 for text in texts]
    _check(server, before, {source: len(texts)})
    return heard


async def _joined(server: Server, rounds: int) -> list[float]:
    """Somebody hears a long sentence already when a second one asks for it; then both leave."""
    follower = await OnsetClient.open(server.port)
    before = Sources.of(server.port)
    ms: list[float] = []
    for number in range(rounds):
        text = _LONG.format(f"number {number}")
        maker = await OnsetClient.open(server.port)
        making = asyncio.create_task(maker.say(text))
        await asyncio.sleep(_HOLD_S)
        ms.append((await follower.say(text, to_the_end=False)).first_s * 1000)
        making.cancel()
        await asyncio.wait({making})
        await maker.aclose()
    _check(server, before, {"made": rounds, "joined": rounds})
    await follower.aclose()
    return ms


def _check(server: Server, before: Sources, wanted: dict[str, int]) -> None:
    came = {source: count for source, count in Sources.of(server.port).since(before).items() if count}
    if came != wanted:
        raise NotAsMeant(f"the sound came from {came}, not {wanted}")


async def hit_path(run: CacheRun) -> list[Row]:
    """16 clients ask for phrases that are in memory, one after another, at pace `fast`, and hear each whole: sentences
    for each second of the server's processor time, which is all of its threads' on whichever core. Each is a context of
    its own, from its start to its done. The best tenth tells of a machine whose cores others use, too: the same work
    takes up to twice the time there."""
    known, part = phrases()[: run.sizes.rounds], run.sizes.hits // _PARTS
    came, spent_s = Flood(), list[float]()
    with onset_server() as server:
        await say_all(server.port, known)
        before, began = Sources.of(server.port), time.perf_counter()
        for _ in range(_PARTS):
            cpu = cpu_s(server.pid)
            await flood(server.port, known, part, came)
            spent_s.append(cpu_s(server.pid) - cpu)
        took_s = time.perf_counter() - began
        _check(server, before, {"memory": _PARTS * part})
    hits = _PARTS * part
    a_core = hits / sum(spent_s)
    return [
        row("hit path, sentences a second of one core", "sentences", a_core, Goal(a_core, HITS_A_SECOND, least=True)),
        row("hit path, the same in the best tenth", "sentences", part / min(spent_s)),
        row("hit path, sentences a second as it went", "sentences", hits / took_s),
        row("hit path, messages a sentence", "messages", came.messages / hits),
        row("hit path, sound a sentence", "kB", came.sound_bytes / hits / 1000),
    ]


async def dead_redis(run: CacheRun) -> list[Row]:
    """A Redis that takes connections and never answers, once the breaker is open, against no Redis at all: first audio
    of new sentences, the same ones to both, in turn."""
    with redis() as shared, onset_server("--redis-url", shared.url) as cut_off, onset_server() as without:
        clients = [await OnsetClient.open(server.port) for server in (cut_off, without)]
        new = unique_sentences(11)
        shared.pause()
        try:
            while breaker(cut_off.port) != "open":
                await clients[0].say(next(new), to_the_end=False)
            await clients[1].say(next(new))
            ms: tuple[list[float], list[float]] = ([], [])
            for number in range(run.sizes.dead_rounds):
                text = next(new)
                for which in (0, 1) if number % 2 else (1, 0):
                    ms[which].append((await clients[which].say(text, pace="fast")).first_s * 1000)
            if breaker(cut_off.port) != "open":
                raise NotAsMeant("the breaker closed")
        finally:
            shared.resume()
        await asyncio.gather(*(client.aclose() for client in clients))
    dead, none = (percentile(each, 0.5) for each in ms)
    return [
        row("first audio, Redis dead, breaker open, p50", "ms", dead, Goal(dead / none, DEAD_RATIO, "that without")),
        row("first audio, no Redis, p50", "ms", none),
    ]
