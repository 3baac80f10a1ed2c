"""Known troubles of speech servers, each measured: the first request, new lengths, rare requests, small messages."""

from __future__ import annotations

import asyncio
import time

from bench.clients import OnsetClient
from bench.heard import percentile
from bench.process import watched
from bench.programs import ONSET
from bench.rows import Row, figure
from bench.run import Run, sockets, together

NEW_LENGTHS = (7, 19, 33, 47, 61, 77, 90, 111)  # characters
PAUSE_S = 5.0
LEAST_MESSAGE_S = 0.020


async def fresh_server(run: Run) -> list[Row]:
    """The first request once a server says it is ready, and then the first ones of lengths that it has not seen.

    The first sound of the first request, to the median of the three after it: the median of several fresh servers.
    The first sound of a new length, to that of the same text once more right after it (there is no memory): the
    median of several lengths, on the first of these servers.
    """
    firsts: list[float] = []
    lengths: list[float] = []
    words = " ".join(sentence.rstrip(".") for sentence in run.sentences(4))
    for _ in range(run.sizes.starts):
        async with run.fresh() as server, sockets(server, 1) as (client,):
            first, *later = [await _first_s(client, text) for text in run.sentences(4)]
            firsts.append(first / percentile(later, 0.5))
            for length in () if lengths else NEW_LENGTHS:
                text = words[:length].strip() + "."
                lengths.append(await _first_s(client, text) / await _first_s(client, text))
    first_ratio, length_ratio = {ONSET: percentile(firsts, 0.5)}, {ONSET: percentile(lengths, 0.5)}
    return [
        Row("first request to the next", "ratio", first_ratio, figure(first_ratio, 1.5), case="f08"),
        Row("a new length to the same again", "ratio", length_ratio, figure(length_ratio, 1.25), case="f09"),
    ]


async def rare_requests(run: Run) -> list[Row]:
    """What a request pays that comes after five seconds of rest, beside those that come back to back."""
    program = run.fleet[ONSET]
    with run.fleet.alone(ONSET):
        async with sockets(program.server, 1) as (client,):
            busy = [await _first_s(client, text) for text in run.sentences(2 + 2 * run.sizes.rare)][2:]
            rare: list[float] = []
            for text in run.sentences(run.sizes.rare):
                await asyncio.sleep(PAUSE_S)
                rare.append(await _first_s(client, text))
    extra = {ONSET: 1000 * (percentile(rare, 0.5) - percentile(busy, 0.5))}
    return [Row(f"extra for a request after {PAUSE_S:.0f} s of rest", "ms", extra, figure(extra, 20.0), case="f10")]


async def small_messages(run: Run) -> list[Row]:
    """Many streams from memory, so that nothing is made: what each costs, and how short its messages are.

    The processor time of the server while they hear, over streams and seconds of sound. There is no setting for
    the size of messages: the shortest that came, the last of a sentence aside, is what the server holds to.
    """
    streams = run.sizes.streams
    text = run.speech(run.sizes.streams_s)
    async with run.fresh("--cache") as server, sockets(server, streams) as clients:
        await clients[0].say(text)
        with watched(server.pid) as watch:
            began = time.perf_counter()
            heard = await together([client.say for client in clients], [text] * streams)
            took_s = time.perf_counter() - began
    sound_s = sum(one.sound_s for one in heard)
    cost = {ONSET: 100 * watch.cpu_s / sound_s}
    shortest = {ONSET: 1000 * min(a.sound_s for one in heard for a in one.arrivals[:-1])}
    usual = {ONSET: 1000 * percentile([a.sound_s for one in heard for a in one.arrivals], 0.5)}
    run.notes.append(f"{streams} streams from memory: {took_s:.1f} s, {100 * watch.cpu_s / took_s:.0f} % of a core")
    least = figure(shortest, 999 * LEAST_MESSAGE_S, least=True)
    return [
        Row(f"a stream from memory, {streams} at once", "% of a core", cost, figure(cost, 1.0), case="f12"),
        Row("shortest message but the last", "ms", shortest, least, case="f12"),
        Row("usual message", "ms", usual, case="f12"),
    ]


async def _first_s(client: OnsetClient, text: str) -> float:
    heard = await client.say(text, to_the_end=False)
    return heard.first_s
