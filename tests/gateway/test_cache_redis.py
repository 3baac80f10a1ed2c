"""The Redis tier against a real Redis: what is kept, what is refused, and that no trouble with it is an error."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from gateway.cache import BadRedisUrl, Phrase, PhraseCache
from gateway.cache.breaker import FAILURES
from gateway.cache.phrase import KEY_BYTES, MAX_PCM_BYTES, encode_entry
from gateway.cache.redis_tier import redis_name
from tests.gateway.redis_faults import peer, slow_road
from tests.redis_server import HOST, RedisServer, free_port

TTL_S = 1000
LONG_MS = 20_000  # a limit that a loaded machine keeps too: what is tested is not the limit
SHORT_MS = 50


class Probes:
    """The waits between probes, as long as the test wants them to be."""

    def __init__(self) -> None:
        self.waits: asyncio.Queue[float] = asyncio.Queue()
        self._go: asyncio.Queue[None] = asyncio.Queue()

    async def __call__(self, seconds: float) -> None:
        self.waits.put_nowait(seconds)
        await self._go.get()

    async def next(self) -> float:
        """Let the next probe be made; when it is over, the wait that is asked for after it."""
        self._go.put_nowait(None)
        return await self.waits.get()


@asynccontextmanager
async def cache(url: str, *, timeout_ms: int = LONG_MS, probes: Probes | None = None) -> AsyncIterator[PhraseCache]:
    """A started cache whose memory holds nothing, so that every lookup goes to Redis."""
    probes = probes or Probes()
    made = PhraseCache(max_bytes=0, redis_url=url, ttl_s=TTL_S, timeout_ms=timeout_ms, pause=probes)
    await made.start()
    try:
        await probes.waits.get()
        yield made
    finally:
        await made.aclose()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


def key(number: int) -> bytes:
    return number.to_bytes(KEY_BYTES, "big")


def name(number: int) -> bytes:
    return redis_name(key(number))


def phrase(number: int, samples: int = 1000) -> Phrase:
    return Phrase(22050, number.to_bytes(2, "little") * samples)


def state(asked: PhraseCache) -> str:
    return asked.redis_state


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.levelname for record in caplog.records if record.name.startswith("gateway.cache")]


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until `condition` holds; for what the cache does off the path and tells nobody."""
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0)


async def fill(url: str, numbers: range) -> None:
    """Have phrases in Redis, as another replica would."""
    async with cache(url) as other:
        for number in numbers:
            other.put(key(number), phrase(number))
        await until(lambda: other.stats.redis_writes == len(numbers))


# ---- while Redis is well


async def test_what_one_replica_spoke_another_finds(server: RedisServer) -> None:
    async with cache(server.url) as one:
        assert state(one) == "ok"
        assert await one.get(key(1)) is None
        one.put(key(1), phrase(1))
    async with cache(server.url) as other:
        assert await other.get(key(1)) == (phrase(1), "redis")
        assert await other.get(key(2)) is None
        assert (other.stats.redis_hits, other.stats.misses, other.stats.redis_errors) == (1, 1, 0)


async def test_a_phrase_found_in_redis_is_in_memory_from_then_on(server: RedisServer) -> None:
    await fill(server.url, range(1))
    warm = PhraseCache(max_bytes=10**6, redis_url=server.url, ttl_s=TTL_S, timeout_ms=LONG_MS)
    await warm.start()
    assert await warm.get(key(0)) == (phrase(0), "redis")
    assert await warm.get(key(0)) == (phrase(0), "memory")
    await warm.aclose()
    assert warm.peek(key(0)) == phrase(0)
    assert await warm.get(key(1)) is None


async def test_every_entry_has_a_time_to_live_and_the_one_prefix(server: RedisServer) -> None:
    """e21"""
    await fill(server.url, range(20))
    async with Redis.from_url(server.url) as redis:
        assert sorted(await redis.keys("*")) == sorted(name(number) for number in range(20))
        assert name(1).startswith(b"onset:phrase:")
        lives = [await redis.ttl(name(number)) for number in range(20)]
    assert all(0 < left <= TTL_S for left in lives)


async def test_options_of_the_url_cannot_turn_samples_into_text(server: RedisServer) -> None:
    url = server.url + "?decode_responses=true&protocol=3&socket_timeout=0.000001&max_connections=1&timeout=0"
    await fill(url, range(1))
    async with cache(url) as asked:
        found = await asyncio.gather(*(asked.get(key(0)) for _ in range(40)))
    assert found == [(phrase(0), "redis")] * 40


async def test_a_unix_socket_does_as_well(tmp_path: Path) -> None:
    socket = tmp_path / "s"
    with RedisServer(tmp_path, "--unixsocket", str(socket)):
        await fill(f"unix://{socket}?db=1", range(1))
        async with cache(f"unix://{socket}?db=1") as asked:
            assert await asked.get(key(0)) == (phrase(0), "redis")


async def test_a_password_is_given(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:
        server.command("CONFIG", "SET", "requirepass", "a b/c")
        await fill(f"redis://:a%20b%2Fc@{HOST}:{server.port}", range(1))
        async with cache(server.url) as shut_out:
            assert state(shut_out) == "down"


async def test_more_lookups_than_connections_are_all_answered(server: RedisServer) -> None:
    await fill(server.url, range(200))
    async with cache(server.url) as asked:
        found = await asyncio.gather(*(asked.get(key(number)) for number in range(200)))
    assert found == [(phrase(number), "redis") for number in range(200)]


# ---- entries that are not what they should be


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"\x93" * 5000,
        encode_entry(key(7), phrase(7))[:-100],
        b"OLD1" + encode_entry(key(7), phrase(7))[4:],
        encode_entry(key(8), phrase(8)),
        encode_entry(key(7), Phrase(22050, b"")),
    ],
    ids=["empty", "random", "cut short", "old format", "of another key", "no sound"],
)
async def test_a_wrong_entry_is_a_miss_is_deleted_and_is_counted(server: RedisServer, entry: bytes) -> None:
    """e08, e11"""
    async with Redis.from_url(server.url) as redis:
        await redis.set(name(7), entry)
        async with cache(server.url) as asked:
            assert await asked.get(key(7)) is None
        assert not await redis.exists(name(7))
    assert (asked.stats.redis_refused, asked.stats.misses, asked.stats.redis_errors) == (1, 1, 0)


async def test_another_kind_of_value_under_a_name_is_a_wrong_entry_too(server: RedisServer) -> None:
    """e11"""
    server.command("RPUSH", name(7).decode(), "x")
    async with cache(server.url) as asked:
        assert await asked.get(key(7)) is None
        assert state(asked) == "ok"
        asked.put(key(7), phrase(7))
    async with cache(server.url) as again:
        assert await again.get(key(7)) == (phrase(7), "redis")
    assert asked.stats.redis_refused == 1


async def test_silence_and_speeches_are_not_written(server: RedisServer) -> None:
    """e08, e21"""
    async with cache(server.url) as asked:
        asked.put(key(1), Phrase(22050, b""))
        asked.put(key(2), Phrase(22050, bytes(MAX_PCM_BYTES + 2)))
        asked.put(key(3), Phrase(22050, bytes(MAX_PCM_BYTES)))
    assert server.command("DBSIZE") == ":1"
    assert asked.stats.not_stored == 2


# ---- callers who leave


async def test_callers_who_leave_never_leave_their_answer_to_others(server: RedisServer) -> None:
    """e14"""
    await fill(server.url, range(400))
    chance = random.Random(14)
    loop = asyncio.get_running_loop()
    async with (
        slow_road(server.port, lambda: chance.uniform(0, 0.01)) as port,
        cache(f"redis://{HOST}:{port}") as asked,
    ):
        leaving = [asyncio.create_task(asked.get(key(number))) for number in range(200)]
        staying = [asyncio.create_task(asked.get(key(number))) for number in range(200, 400)]
        for task in leaving:
            loop.call_later(chance.uniform(0, 0.05), task.cancel)
        ends = await asyncio.gather(*leaving, return_exceptions=True)
        assert await asyncio.gather(*staying) == [(phrase(number), "redis") for number in range(200, 400)]
        assert await asked.get(key(0)) == (phrase(0), "redis")
        assert state(asked) == "ok"
    left = [number for number, end in enumerate(ends) if isinstance(end, asyncio.CancelledError)]
    assert left
    assert all(ends[number] == (phrase(number), "redis") for number in set(range(200)) - set(left))
    assert asked.stats.redis_refused == 0


async def test_callers_who_wait_no_more_leave_nothing_either(server: RedisServer) -> None:
    """e14"""
    await fill(server.url, range(50))
    held = asyncio.Event()
    probes = Probes()
    async with (
        slow_road(server.port, lambda: 0.2 if held.is_set() else 0) as port,
        cache(f"redis://{HOST}:{port}", timeout_ms=100, probes=probes) as asked,
    ):
        held.set()
        assert await asyncio.gather(*(asked.get(key(number)) for number in range(25))) == [None] * 25
        held.clear()
        await probes.next()
        while state(asked) == "down":
            await probes.next()
        for number in range(50):
            found = await asked.get(key(number))
            assert found is None or found == (phrase(number), "redis")
    assert asked.stats.redis_refused == 0
    assert asked.stats.redis_timeouts >= 25


# ---- when Redis is away


async def test_it_starts_without_redis_and_finds_it_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """e16"""
    caplog.set_level(logging.INFO, "gateway.cache")
    late = RedisServer(tmp_path)
    probes = Probes()
    async with cache(late.url, probes=probes) as asked:
        assert state(asked) == "down"
        asked.put(key(1), phrase(1))
        assert await asked.get(key(1)) is None
        for _ in range(5):
            await probes.next()
        with late:
            await probes.next()
            assert state(asked) == "ok"
            asked.put(key(2), phrase(2))
            await until(lambda: asked.stats.redis_writes == 1)
            assert await asked.get(key(2)) == (phrase(2), "redis")
    assert asked.stats.redis_dropped == 1
    assert told(caplog) == ["WARNING", "INFO"]
    assert f"Redis at {HOST}:{late.port} is not there" in caplog.text


async def test_a_redis_killed_in_use_is_a_miss_is_told_once_and_is_found_again(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """e17"""
    await fill(server.url, range(20))
    caplog.set_level(logging.INFO, "gateway.cache")
    probes = Probes()
    async with cache(server.url, probes=probes) as asked:
        caplog.clear()
        assert None not in await asyncio.gather(*(asked.get(key(number)) for number in range(20)))
        server.pause()
        under_way = [asyncio.create_task(asked.get(key(number))) for number in range(20)]
        await asyncio.sleep(0)  # they ask
        server.kill()
        assert await asyncio.gather(*under_way) == [None] * 20
        for number in range(20):
            assert await asked.get(key(number)) is None
            asked.put(key(number), phrase(number))
        assert state(asked) == "down"
        await probes.next()
        server.start()
        await probes.next()
        assert state(asked) == "ok"
        asked.put(key(1), phrase(1))
        await until(lambda: asked.stats.redis_writes == 1)
        assert await asked.get(key(1)) == (phrase(1), "redis")
    assert told(caplog) == ["WARNING", "INFO"]
    assert asked.stats.redis_dropped == 20


async def test_what_waits_for_a_redis_that_died_is_let_go_without_asking_for_each(server: RedisServer) -> None:
    """e23"""
    async with cache(server.url) as asked:
        assert await asked.get(key(0)) is None
        server.kill()
        for number in range(50):
            asked.put(key(number), phrase(number))
        await until(lambda: asked.stats.redis_dropped == 50)
        assert state(asked) == "down"
    assert asked.stats.redis_errors == FAILURES


async def test_a_lookup_that_fails_when_its_caller_has_left_troubles_nobody(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """e17"""
    async with cache(server.url) as asked:
        server.pause()
        left = asyncio.create_task(asked.get(key(1)))
        await asyncio.sleep(0)  # it asks
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        server.kill()
        for _ in range(10):
            assert await asked.get(key(2)) is None  # by the time of these answers, that lookup has failed
    gc.collect()
    assert "never retrieved" not in caplog.text


async def test_connections_that_died_quietly_are_replaced(server: RedisServer) -> None:
    """e19"""
    await fill(server.url, range(20))
    async with cache(server.url) as asked:
        assert None not in await asyncio.gather(*(asked.get(key(number)) for number in range(20)))
        server.restart()
        await fill(server.url, range(20))
        found = [await asked.get(key(number)) for number in range(20)]
        assert found == [(phrase(number), "redis") for number in range(20)]
        assert state(asked) == "ok"


async def test_a_redis_that_froze_costs_a_few_lookups_their_limit_and_the_rest_nothing(server: RedisServer) -> None:
    """e15, e23"""
    await fill(server.url, range(1))
    probes = Probes()
    async with cache(server.url, timeout_ms=SHORT_MS, probes=probes) as asked:
        while state(asked) == "down":
            await probes.next()  # the limit is short enough for a loaded machine to miss it
        server.pause()
        for _ in range(100):
            assert await asked.get(key(0)) is None
        assert state(asked) == "down"
        assert 1 <= asked.stats.redis_timeouts <= FAILURES
        assert asked.stats.misses == 100
        first, second = await probes.next(), await probes.next()
        assert second == 2 * first
        server.resume()
        while state(asked) == "down":
            await probes.next()
    assert asked.stats.redis_refused == 0


async def test_one_probe_at_a_time_is_all_that_a_dead_redis_is_asked() -> None:
    """e23"""
    asked_for = 0

    def silent(request: bytes) -> bytes:
        nonlocal asked_for
        asked_for += 1
        return b""

    probes = Probes()
    async with peer(silent) as port, cache(f"redis://{HOST}:{port}", timeout_ms=SHORT_MS, probes=probes) as asked:
        assert state(asked) == "down"
        assert asked_for == 1
        assert await asyncio.gather(*(asked.get(key(number)) for number in range(100))) == [None] * 100
        assert asked_for == 1
        await probes.next()
        assert asked_for == 2
        assert (asked.stats.redis_timeouts, asked.stats.misses) == (0, 100)


async def test_a_quiet_gateway_knows_that_redis_went(server: RedisServer) -> None:
    probes = Probes()
    async with cache(server.url, probes=probes) as asked:
        await probes.next()
        assert state(asked) == "ok"
        server.kill()
        await probes.next()
        assert state(asked) == "down"


async def test_a_redis_slower_than_the_limit_is_not_used(server: RedisServer) -> None:
    async with (
        slow_road(server.port, lambda: 0.06) as port,
        cache(f"redis://{HOST}:{port}", timeout_ms=30) as asked,
    ):
        assert state(asked) == "down"


async def test_a_slow_way_to_connect_does_not_keep_a_quick_redis_out(server: RedisServer) -> None:
    await fill(server.url, range(1))
    first_replies = iter([0.6])
    async with (
        slow_road(server.port, lambda: next(first_replies, 0)) as port,
        cache(f"redis://{HOST}:{port}", timeout_ms=400) as asked,
    ):
        assert state(asked) == "ok"
        assert await asked.get(key(0)) == (phrase(0), "redis")


# ---- when it answers, but not as it should


async def test_a_full_redis_refuses_writes_and_all_else_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """e21"""
    with RedisServer(tmp_path, "--maxmemory", "5mb", "--maxmemory-policy", "noeviction") as server:
        async with cache(server.url) as asked:
            for number in range(100):
                asked.put(key(number), phrase(number, 50_000))
            await until(lambda: asked.stats.redis_writes + asked.stats.redis_dropped == 100)
            assert state(asked) == "ok"
            assert asked.stats.redis_errors == asked.stats.redis_dropped > 0
            assert await asked.get(key(0)) == (phrase(0, 50_000), "redis")
            taken = asked.stats.redis_writes
            server.command("FLUSHALL")
            asked.put(key(0), phrase(0))
            await until(lambda: asked.stats.redis_writes == taken + 1)
    assert caplog.text.count("takes no new phrases") == 1


async def test_a_read_only_replica_is_read(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:
        await fill(server.url, range(1))
        server.command("CONFIG", "SET", "replica-serve-stale-data", "yes")
        server.command("REPLICAOF", HOST, str(free_port()))
        async with cache(server.url) as asked:
            asked.put(key(1), phrase(1))
            assert await asked.get(key(0)) == (phrase(0), "redis")
            assert state(asked) == "ok"
    assert asked.stats.redis_dropped == asked.stats.redis_errors == 1


WELL_THEN: dict[str, Callable[[bytes], bytes | None]] = {
    "loading": lambda request: b"-LOADING Redis is loading the dataset in memory\r\n",
    "no permission": lambda request: b"-NOPERM this user has no permissions\r\n",
    "an error of no name": lambda request: b"-ERR\r\n",
    "reset": lambda request: None,
    "http": lambda request: b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "no number": lambda request: b"$many\r\n",
    "noise": lambda request: b"\x00\xff" * 50_000,
    "nested without end": lambda request: b"*1\r\n" * 10_000,
    "a reply without its end": lambda request: b"$100\r\nhalf",
}


@pytest.mark.parametrize("trouble", WELL_THEN)
async def test_whatever_it_answers_is_a_miss(trouble: str) -> None:
    well = True

    def respond(request: bytes) -> bytes | None:
        if well:
            return b"$-1\r\n" if b"GET" in request else b"+OK\r\n" * request.count(b"CLIENT")
        return WELL_THEN[trouble](request)

    probes = Probes()
    async with peer(respond) as port, cache(f"redis://{HOST}:{port}", timeout_ms=500, probes=probes) as asked:
        assert state(asked) == "ok"
        well = False
        for _ in range(10):
            assert await asked.get(key(1)) is None
        assert state(asked) == "down"
        assert 1 <= asked.stats.redis_errors + asked.stats.redis_timeouts <= FAILURES
        await probes.next()
        assert state(asked) == "down"
        well = True
        await probes.next()
        assert state(asked) == "ok"


async def test_a_failure_now_and_then_does_not_close_the_way() -> None:
    lookups = -1  # the first is answered

    def respond(request: bytes) -> bytes:
        nonlocal lookups
        if b"CLIENT" in request:
            return b"+OK\r\n" * request.count(b"CLIENT")
        lookups += b"probe" not in request
        return b"$-1\r\n" if lookups == -1 or lookups % FAILURES == 0 else b"-ERR no luck\r\n"

    async with peer(respond) as port, cache(f"redis://{HOST}:{port}") as asked:
        for _ in range(5 * FAILURES):
            await asked.get(key(1))
        assert state(asked) == "ok"
    assert asked.stats.redis_errors == 5 * (FAILURES - 1)


@pytest.mark.parametrize("reply", [b":5\r\n", b"+OK\r\n", b"*2\r\n:1\r\n:2\r\n", b"$3\r\nabc\r\n"])
async def test_a_reply_of_another_kind_is_a_wrong_entry(reply: bytes) -> None:
    def respond(request: bytes) -> bytes:
        if b"CLIENT" in request:
            return b"+OK\r\n" * request.count(b"CLIENT")
        return b"$-1\r\n" if b"probe" in request else reply

    async with peer(respond) as port, cache(f"redis://{HOST}:{port}") as asked:
        assert await asked.get(key(1)) is None
    assert asked.stats.redis_refused == 1


# ---- the end


async def test_what_waits_is_written_before_the_end(server: RedisServer) -> None:
    async with cache(server.url) as asked:
        for number in range(50):
            asked.put(key(number), phrase(number))
    assert server.command("DBSIZE") == ":50"


async def test_a_frozen_redis_does_not_hold_the_end_up(server: RedisServer) -> None:
    async with cache(server.url) as asked:
        server.pause()
        for number in range(8):
            asked.put(key(number), phrase(number, 2_000_000))
        lookup = asyncio.create_task(asked.get(key(1)))
        await asyncio.sleep(0)
    assert await lookup is None
    assert state(asked) == "down"
    assert (asked.stats.redis_writes, asked.stats.redis_dropped) == (0, 8)
    asked.put(key(1), phrase(1))
    assert await asked.get(key(1)) is None


# ---- the URL


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "http://localhost",
        "redis://",
        "redis:localhost",
        "redis://localhost:port",
        "redis://localhost:99999",
        "redis://localhost/first",
        "redis://localhost?db=first",
        "redis://localhost?sokcet_timeout=1",
        "rediss://localhost?ssl_cert_reqs=maybe",
        "redis://:hunter#2@localhost",
        "redis://hunter:#2@localhost",
        "redis://:hunter/2@localhost",
        "unix://",
    ],
)
def test_a_url_that_no_redis_has_is_a_clear_error_without_its_password(url: str) -> None:
    with pytest.raises(BadRedisUrl, match=r"ONSET_REDIS_URL .*redis://\[user:password@\]host") as caught:
        PhraseCache(max_bytes=0, redis_url=url, ttl_s=1, timeout_ms=1)
    assert "hunter" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
