"""Redis of every kind: behind TLS, named by sentinels, a cluster; and which phrases are written there."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway.cache import PhraseCache
from gateway.cache.policy import Kind
from gateway.cache.redis_link import MAX_CONNECTIONS, link
from tests.gateway.redis_faults import slow_road
from tests.gateway.test_cache_redis import LONG_MS, TTL_S, Probes, cache, fill, key, phrase, state, until
from tests.redis_server import HOST, RedisServer, cluster, sentinel

TLS = Path(__file__).resolve().parent.parent / "tls"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


async def finds_what_another_wrote(url: str, count: int = 60) -> None:
    """More phrases than connections, written by one and found by another."""
    await fill(url, range(count))
    async with cache(url) as asked:
        assert state(asked) == "ok"
        found = await asyncio.gather(*(asked.get(key(number)) for number in range(count)))
        assert found == [(phrase(number), "redis") for number in range(count)]
        assert await asked.get(key(count)) is None


# ---- TLS


@asynccontextmanager
async def tls(port: int) -> AsyncIterator[int]:
    """A way to `port` that speaks TLS."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(TLS / "cert.pem", TLS / "key.pem")
    async with slow_road(port, lambda: 0, context) as secure:
        yield secure


async def test_tls_is_spoken_and_the_certificate_is_checked(server: RedisServer) -> None:
    server.command("CONFIG", "SET", "requirepass", "geheim")
    async with tls(server.port) as port:
        await finds_what_another_wrote(f"rediss://:geheim@{HOST}:{port}/0?ssl_ca_certs={TLS / 'cert.pem'}", 5)
        async with cache(f"rediss://:geheim@{HOST}:{port}/0") as stranger:
            assert state(stranger) == "down"
        async with cache(f"redis://:geheim@{HOST}:{port}/0", timeout_ms=100) as plain:
            assert state(plain) == "down"


# ---- sentinels


async def test_sentinels_name_the_redis_and_name_another_when_it_is_gone(tmp_path: Path) -> None:
    with ExitStack() as running:
        for name in ("one", "two", "watch"):
            (tmp_path / name).mkdir()
        first = running.enter_context(RedisServer(tmp_path / "one"))
        second = running.enter_context(RedisServer(tmp_path / "two"))
        for one in (first, second):
            assert one.command("CONFIG", "SET", "requirepass", "geheim") == "+OK"
        watch = running.enter_context(sentinel(tmp_path / "watch", "phrases", first.port, "geheim"))
        # The first of them is gone; the next is asked.
        url = f"redis+sentinel://:geheim@{HOST}:1,{HOST}:{watch.port}/phrases/0?decode_responses=true"
        await finds_what_another_wrote(url)
        probes = Probes()
        async with cache(url, probes=probes) as asked:
            assert await asked.get(key(1)) == (phrase(1), "redis")
            assert watch.command("SENTINEL", "REMOVE", "phrases") == "+OK"
            assert watch.command("SENTINEL", "MONITOR", "phrases", HOST, str(second.port), "1") == "+OK"
            assert watch.command("SENTINEL", "SET", "phrases", "auth-pass", "geheim") == "+OK"
            first.kill()
            for _ in range(5):
                assert await asked.get(key(1)) is None
            while state(asked) == "down":
                await probes.next()
            asked.put(key(1), phrase(2))
            await until(lambda: asked.stats.redis_writes == 1)
            assert await asked.get(key(1)) == (phrase(2), "redis")


# ---- clusters


async def test_a_cluster_is_a_redis_too(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        url = f"redis+cluster://{HOST}:1,{HOST}:{nodes[1].port}?decode_responses=true"
        await finds_what_another_wrote(url)
        sizes = [int(node.command("DBSIZE").removeprefix(":")) for node in nodes]
        assert sum(sizes) == 60
        assert min(sizes) > 10, "each node has its part"


async def test_a_node_that_died_is_missed_and_found_again(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        probes = Probes()
        async with cache(f"redis+cluster://{HOST}:{nodes[0].port}", probes=probes) as asked:
            for number in range(20):
                asked.put(key(number), phrase(number))
            await until(lambda: asked.stats.redis_writes == 20)
            for node in nodes:
                node.kill()
            for number in range(20):
                assert await asked.get(key(number)) is None
            assert state(asked) == "down"
            for node in nodes:
                node.start()
            while state(asked) == "down":
                await probes.next()
            asked.put(key(1), phrase(1))
            await until(lambda: asked.stats.redis_writes == 21)
            assert await asked.get(key(1)) == (phrase(1), "redis")


# ---- URLs


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://user:geheim@far/3", "far:6379"),
        ("rediss://far:1", "far:1"),
        ("redis://[::1]:7", "[::1]:7"),
        ("unix:///run/redis.sock", "/run/redis.sock"),
        ("redis+sentinel://:geheim@a,b:2/main", "a:26379,b:2/main"),
        ("rediss+sentinel://a/main/4?sentinel_password=geheim", "a:26379/main"),
        ("redis+cluster://user:geheim@a:1,b", "a:1,b:6379"),
        ("rediss+cluster://a:1?ssl_cert_reqs=none", "a:1"),
    ],
)
async def test_where_a_url_leads_is_told_without_its_password(url: str, place: str) -> None:
    way = link(url)
    assert way.place == place
    await way.aclose()


async def test_options_cannot_unbind_what_is_bounded() -> None:
    way = link("redis+cluster://a:1?max_connections=100000&socket_timeout=1000")
    kwargs: dict[str, Any] = way.redis.get_connection_kwargs()
    assert kwargs["max_connections"] == MAX_CONNECTIONS
    assert kwargs["socket_timeout"] < 1
    await way.aclose()


# ---- which phrases


@asynccontextmanager
async def remembering(url: str, policy: Kind, now: list[float]) -> AsyncIterator[PhraseCache]:
    """A cache whose clock stands where the list says."""
    probes = Probes()
    made = PhraseCache(
        max_bytes=10**7,
        redis_url=url,
        ttl_s=TTL_S,
        timeout_ms=LONG_MS,
        policy=policy,
        pause=probes,
        clock=lambda: now[0],
    )
    await made.start()
    try:
        yield made
    finally:
        await made.aclose()


async def ask(asked: PhraseCache, number: int) -> None:
    """As a sentence does: looked up, and made and kept where it was not there."""
    if asked.peek(key(number)) is None and await asked.get(key(number)) is None:
        asked.put(key(number), phrase(number))


async def test_the_second_asking_puts_a_phrase_into_redis_from_memory_too(server: RedisServer) -> None:
    now = [0.0]
    async with remembering(server.url, "second", now) as asked:
        await ask(asked, 1)
        await ask(asked, 2)
        await ask(asked, 2)
        await until(lambda: asked.stats.redis_writes == 1)
        for _ in range(10):
            await ask(asked, 2)
        assert asked.stats.memory_hits == 11
        now[0] = TTL_S / 2
        await ask(asked, 2)
        await until(lambda: asked.stats.redis_writes == 2)
    assert server.command("DBSIZE") == ":1"
    assert (asked.stats.redis_writes, asked.stats.redis_dropped) == (2, 0)


async def test_a_list_keeps_all_else_out_of_redis(server: RedisServer) -> None:
    async with remembering(server.url, "listed", [0.0]) as asked:
        for _ in range(3):
            await ask(asked, 1)
        asked.put(key(2), phrase(2), listed=True)
        await until(lambda: asked.stats.redis_writes == 1)
    async with cache(server.url) as other:
        assert await other.get(key(1)) is None
        assert await other.get(key(2)) == (phrase(2), "redis")


async def test_what_redis_lost_is_given_to_it_again_when_it_is_asked_for(server: RedisServer) -> None:
    now = [0.0]
    async with remembering(server.url, "second", now) as asked:
        await ask(asked, 1)
        await ask(asked, 1)
        await until(lambda: asked.stats.redis_writes == 1)
        server.restart()
        await ask(asked, 1)
        assert asked.stats.redis_writes == 1, "it is there, for all that is known"
        await ask(asked, 2)  # on a connection that is dead
        await ask(asked, 1)
        await until(lambda: asked.stats.redis_writes == 2)
    assert server.command("DBSIZE") == ":1"
