"""Two gateways, each a process of its own, and one Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.redis_server import RedisServer
from tests.replica import Replica, replica
from tests.wire import Client

EACH = 25
STEADY_MS = 4000  # who makes it does not change, on a loaded machine either
QUICK_MS = 500  # who is killed is missed after two seconds
FIRST = "All who call in the morning hear this long sentence, and it is new to every one of them, wherever they call."
SECOND = "Another one that is just as long, and as new, is told to them in the evening, when they have called again."


Clients = Sequence[Client]


async def begin(clients: Clients, text: str, context: str, **settings: str) -> None:
    for client in clients:
        await client.send("start", context=context, **settings)
        await client.send("text", text=text, context=context)
        await client.send("end", context=context)


async def heard(clients: Clients, text: str, context: str) -> None:
    """All hear the whole of it, and the same."""
    await asyncio.gather(*(client.until("done", context) for client in clients))
    assert {client.ear.text(context) for client in clients} == {text}
    assert {bytes(client.ear.sound[context]) for client in clients} == {bytes(clients[0].ear.sound[context])}
    assert not any(client.ear.of("error", context) for client in clients)


async def clients_of(one: Replica, stack: AsyncExitStack) -> list[Client]:
    return [await stack.enter_async_context(one.client()) for _ in range(EACH)]


@asynccontextmanager
async def two_replicas(redis: RedisServer, timeout_ms: int) -> AsyncIterator[tuple[Replica, Replica, Clients, Clients]]:
    """Both, and the clients of each."""
    async with (
        replica(redis.url, timeout_ms) as one,
        replica(redis.url, timeout_ms) as two,
        AsyncExitStack() as stack,
    ):
        yield one, two, await clients_of(one, stack), await clients_of(two, stack)


async def test_fifty_on_two_replicas_ask_at_once_and_hear_one_synthesis(tmp_path: Path) -> None:
    """e12"""
    with RedisServer(tmp_path) as redis:
        async with two_replicas(redis, STEADY_MS) as (one, two, here, there):
            await asyncio.gather(*(begin(clients, FIRST, "first", pace="fast") for clients in (here, there)))
            await heard([*here, *there], FIRST, "first")
            assert [*one.made, *two.made] == [FIRST]
            cached = [client.ear.of("sentence", "first")[0]["cached"] for client in (*here, *there)]
            assert cached.count(False) == 1
            assert {*cached} <= {False, "joined", "memory", "redis"}


async def test_those_who_hear_it_elsewhere_outlive_the_process_that_makes_it(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis:
        async with two_replicas(redis, QUICK_MS) as (one, two, here, there):
            await begin(here, SECOND, "second")
            await here[0].until("sound", "second")
            await begin(there, SECOND, "second")
            await there[0].until("sound", "second")
            assert (one.made, two.made) == ([SECOND], [])
            one.kill()
            await heard(there, SECOND, "second")
            assert two.made == [SECOND], "the maker was killed in mid-sentence, and replaced once"
            assert {client.ear.of("sentence", "second")[0]["cached"] for client in there} == {"joined"}
