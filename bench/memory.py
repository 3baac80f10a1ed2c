"""What a stream weighs, and whether memory stays where it is."""

from __future__ import annotations

import random
from functools import partial

from bench.clients import Patient, Say
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
MOST_WORDS = 9


async def memory(run: Run) -> list[Row]:
    """Of a server that has just started.

    For each further stream: resident memory while 4, 10 and then 16 listeners hear (the median of the second half
    of each), and the straight line through the three; four more before that take what is taken once. Then
    sentences of random lengths, one to nine words and more short ones than long, by 16 clients in turn: what the
    second half of them adds to the resident memory. One that grows without end adds as much as the first half did;
    an allocator that has found its size adds next to nothing. Last one sentence as long as may be, and many short
    ones: what the long one takes, and what is left of it after them.
    """
    half = run.sizes.sentences // 2
    async with run.fresh() as server:
        await _while_heard(run, server, STREAMS[0])
        points = [(float(streams), await _while_heard(run, server, streams)) for streams in STREAMS]
        async with sockets(server, CROWD) as clients:
            says: list[Say] = [partial(client.say, pace="fast") for client in clients]
            sizes: list[float] = []
            for _ in range(2):
                await in_turn(says, [_some_words(run, _random_length(run.dice)) for _ in range(half)])
                sizes.append(memory_bytes(server.pid) / MB)
            with watched(server.pid) as watch:
                await says[0](_longest(run))
            most = max(watch.memory) / MB
            await in_turn(says, [_some_words(run, 3) for _ in range(run.sizes.short)])
            left = memory_bytes(server.pid) / MB
    each, grown = {ONSET: slope(points) / MB}, {ONSET: sizes[1] - sizes[0]}
    more, after = {ONSET: most - sizes[1]}, {ONSET: left - sizes[1]}
    return [
        Row("memory, each further stream", "MB", each, figure(each, 1.0)),
        Row(f"memory, grown over the second {half:,} sentences of random lengths", "MB", grown, figure(grown, 10.0)),
        Row("memory, in all, after them", "MB", {ONSET: sizes[1]}),
        Row(f"memory, one sentence of {MAX_CHARS} characters more", "MB", more, case="f07"),
        Row(f"memory, left of that after {run.sizes.short} short ones", "MB", after, figure(after, 20.0), case="f07"),
    ]


async def _while_heard(run: Run, server: Server, streams: int) -> float:
    async with sockets(server, streams) as clients:
        with watched(server.pid) as watch:
            texts = [run.speech(run.sizes.memory_s + 3.0) for _ in clients]  # 3 s are sent ahead
            await together([Patient(client.say) for client in clients], texts)
    return watch.memory_bytes


def _longest(run: Run) -> str:
    """One sentence that is not cut."""
    return " and ".join(sentence.rstrip(".") for sentence in run.sentences(12))[: MAX_CHARS - 1] + "."


def _random_length(dice: random.Random) -> int:
    return dice.randint(1, dice.randint(1, MOST_WORDS))


def _some_words(run: Run, count: int) -> str:
    return " ".join(run.sentences(1)[0].rstrip(".").split()[:count]) + "."
