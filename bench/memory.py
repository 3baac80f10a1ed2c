"""What a stream weighs, and whether memory stays where it is."""

from __future__ import annotations

import asyncio

from bench.clients import Say
from bench.heard import slope
from bench.process import memory_bytes, watched
from bench.programs import ONSET
from bench.rows import Row, figure
from bench.run import Run, in_turn, sockets, together
from bench.servers import Server

MB = 1e6
STREAMS = (4, 10, 16)
CROWD = 16
MAX_CHARS = 400  # of one sentence, by default; then it is cut
_MOST_WORDS = 9


async def memory(run: Run) -> list[Row]:
    """Of a server that has just started.

    For each further stream: resident memory while 4, 10 and then 16 listeners hear (the median of the second half
    of each), and the straight line through the three. Then sentences of random lengths, one to nine words, by 16
    clients in turn: what the second half of them adds to the resident memory. One that grows without end adds
    as much as the first half did; an allocator that has found its size adds next to nothing.
    """
    async with run.fresh() as server:
        points = [(float(streams), await _while_heard(run, server, streams)) for streams in STREAMS]
        each = {ONSET: slope(points) / MB}
        async with sockets(server, CROWD) as clients:
            says: list[Say] = [lambda text, c=client: c.say(text, pace="fast") for client in clients]  # type: ignore[misc]
            half = run.sizes.sentences // 2
            await in_turn(says, [_some_words(run) for _ in range(half)])
            before = memory_bytes(server.pid)
            await in_turn(says, [_some_words(run) for _ in range(half)])
            after = memory_bytes(server.pid)
    grown, size = {ONSET: (after - before) / MB}, {ONSET: after / MB}
    return [
        Row("memory, each further stream", "MB", each, figure(each, 1.0)),
        Row(f"memory, grown over the second {half:,} sentences of random lengths", "MB", grown, figure(grown, 10.0)),
        Row("memory, in all, after them", "MB", size),
    ]


async def _while_heard(run: Run, server: Server, streams: int) -> float:
    async with sockets(server, streams) as clients:
        with watched(server.pid) as watch:
            texts = [run.speech(run.sizes.memory_s + 3.0) for _ in clients]  # 3 s are sent ahead
            await together([client.say for client in clients], texts)
    return watch.memory_bytes


def _some_words(run: Run) -> str:
    words = " ".join(run.sentences(1)).rstrip(".").split()
    return " ".join(words[: run.dice.randint(1, _MOST_WORDS)]) + "."


async def long_then_short(run: Run) -> list[Row]:
    """One sentence as long as may be, then many short ones: what the long one leaves of its memory (a fresh server)."""
    longest = " and ".join(sentence.rstrip(".") for sentence in run.sentences(12))[: MAX_CHARS - 1]
    async with run.fresh() as server, sockets(server, CROWD) as clients:
        says: list[Say] = [lambda text, c=client: c.say(text, pace="fast") for client in clients]  # type: ignore[misc]
        await in_turn(says, [_short(run) for _ in range(2 * CROWD)])
        before = memory_bytes(server.pid)
        with watched(server.pid) as watch:
            await clients[0].say(longest, pace="fast")
        await in_turn(says, [_short(run) for _ in range(run.sizes.short)])
        await asyncio.sleep(0.5)
        left = {ONSET: (memory_bytes(server.pid) - before) / MB}
    most = {ONSET: (max(watch.memory) - before) / MB}
    return [
        Row(f"memory, one sentence of {MAX_CHARS} characters", "MB", most, case="f07"),
        Row(f"left of it after {run.sizes.short} short ones", "MB", left, figure(left, 20.0), case="f07"),
    ]


def _short(run: Run) -> str:
    return " ".join(run.sentences(1)[0].rstrip(".").split()[:3]) + "."
