"""Two gateways, each a process of its own, and one Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from tests.redis_server import RedisServer
from tests.replica import Replica, replica
from tests.wire import Client

EACH = 25
FIRST = "".join(f"first{n:02} " for n in range(20)).strip() + "."
SECOND = "".join(f"other{n:02} " for n in range(20)).strip() + "."


async def begin(clients: Sequence[Client], text: str, context: str, **settings: str) -> None:
    for client in clients:
        await client.send("start", context=context, **settings)
        await client.send("text", text=text, context=context)
        await client.send("end", context=context)


async def heard(clients: Sequence[Client], text: str, context: str) -> None:
    """All hear the whole of it, and the same."""
    await asyncio.gather(*(client.until("done", context) for client in clients))
    assert {client.ear.text(context) for client in clients} == {text}
    assert {bytes(client.ear.sound[context]) for client in clients} == {bytes(clients[0].ear.sound[context])}
    assert not any(client.ear.of("error", context) for client in clients)


async def clients_of(one: Replica, stack: AsyncExitStack) -> list[Client]:
    return [await stack.enter_async_context(one.client()) for _ in range(EACH)]


async def test_fifty_hear_one_synthesis_and_outlive_its_process(tmp_path: Path) -> None:
    """e12"""
    with RedisServer(tmp_path) as redis:
        async with replica(redis.url) as one, replica(redis.url) as two, AsyncExitStack() as stack:
            here, there = await clients_of(one, stack), await clients_of(two, stack)

            await asyncio.gather(begin(here, FIRST, "first", pace="fast"), begin(there, FIRST, "first", pace="fast"))
            await heard([*here, *there], FIRST, "first")
            assert [*one.made, *two.made] == [FIRST]
            cached = [client.ear.of("sentence", "first")[0]["cached"] for client in (*here, *there)]
            assert cached.count(False) == 1
            assert {*cached} <= {False, "joined", "memory", "redis"}

            await begin(here, SECOND, "second")
            await here[0].until("sound", "second")
            assert SECOND in one.made
            await begin(there, SECOND, "second")
            await there[0].until("sound", "second")
            assert SECOND not in two.made
            one.kill()
            await heard(there, SECOND, "second")
            assert two.made.count(SECOND) == 1, "the maker was killed in mid-sentence"
            assert {client.ear.of("sentence", "second")[0]["cached"] for client in there} == {"joined"}
