"""Replicas that share a Redis: a new sentence is made by one of them, and heard by all while it is made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis

from engine.types import Pace
from gateway.cache import PhraseCache, phrase_key
from gateway.cache.leases import FIELD, MOST_PIECES, PREFIX
from gateway.cache.phrase import KEY_BYTES
from gateway.cache.piece import Piece, Rest, encode_piece
from gateway.cache.policy import Kind
from gateway.cache.redis_tier import PREFIX as PHRASES
from gateway.events import Audio, Failed
from tests.fakes import POISON, RATE_HZ, STUMBLE, FakeModel, Gate, fake_engine, fake_voice, say, seconds
from tests.gateway.redis_faults import slow_road
from tests.gateway.test_joining import AHEAD_S, LONG, Client, Room
from tests.redis_server import HOST, RedisServer, cluster, free_port

PATIENCE_S = 20.0
STEADY_MS = 2000  # a loaded machine keeps it: who makes it does not change
QUICK_MS = 250  # who dies is missed after a second


class Well(FakeModel):
    """One that does not stumble, whatever the text."""

    def _stumble(self, frames: object) -> None:
        pass


@asynccontextmanager
async def replica(
    url: str, *, timeout_ms: int = STEADY_MS, policy: Kind = "all", model: FakeModel | None = None
) -> AsyncIterator[Room]:
    """A process, but for its memory."""
    model = model or FakeModel(lag=4)
    engine = fake_engine(fake_voice(model), ahead_s=AHEAD_S, threads=1)
    await engine.start()
    cache = PhraseCache(max_bytes=10**8, redis_url=url, ttl_s=60, timeout_ms=timeout_ms, policy=policy)
    await cache.start()
    one = Room(engine, cache, model)
    try:
        yield one
    finally:
        for client in one.clients:
            client.leave()
        if model.gate:
            model.gate.open()
        await asyncio.gather(*(client.running for client in one.clients), return_exceptions=True)
        await cache.aclose()
        await engine.aclose()
        assert len(cache.makings) == 0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


@pytest.fixture
async def redis(server: RedisServer) -> AsyncIterator[Redis]:
    """A look at what is there; nothing is there for ever."""
    async with Redis.from_url(server.url) as client:
        yield client
        try:
            lives = {name: await client.pttl(name) for name in await client.keys("*")}
        except OSError:
            return
        assert all(left > 0 or left == -2 for left in lives.values()), lives


async def names(redis: Redis, pattern: bytes) -> list[bytes]:
    return [name for name in await redis.keys(pattern) if isinstance(name, bytes)]


def gated() -> FakeModel:
    return FakeModel(lag=4, gate=Gate())


def let(room: Room, steps: int) -> None:
    assert room.model.gate is not None
    room.model.gate.let(steps)


def go_on(room: Room) -> None:
    assert room.model.gate is not None
    room.model.gate.open()


def ask(room: Room, text: str = LONG, pace: Pace = Pace.FAST, *, words: bool = False) -> Client:
    return room.client(pace, words=words).say(text).listen()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def heard(*clients: Client) -> None:
    """All of them are at their end, and heard the same, whole."""
    async with asyncio.timeout(PATIENCE_S):
        for client in clients:
            await client.done()
    assert {client.text for client in clients} == {LONG}
    assert {client.sound for client in clients} == {clients[0].sound}
    assert not any(client.of(Failed) for client in clients)


def key_of(room: Room, text: str = LONG) -> bytes:
    return phrase_key(say(room.engine, text))


def makers(*rooms: Room) -> int:
    return sum(len(texts) for room in rooms for texts in room.model.fronts)


async def following(one: Room, other: Room, pace: Pace = Pace.FAST) -> tuple[Client, Client]:
    """The first makes the sentence and is stopped in it; the second hears what there is."""
    maker = ask(one, pace=pace)
    let(one, 3)  # the front, and two steps
    await until(lambda: maker.of(Audio))
    follower = ask(other, pace=pace)
    await until(lambda: follower.of(Audio))
    assert follower.cached == ["joined"]
    assert other.model.fronts == []
    return maker, follower


# ---- while all is well


async def test_a_follower_begins_with_the_first_sound_that_is_made_and_hears_all_of_it(
    server: RedisServer, redis: Redis
) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url) as other:
        maker, follower = await following(one, other)
        go_on(one)
        await heard(maker, follower)
        assert makers(one, other) == 1
        assert other.cache.stats.joins == 1
        assert maker.cached == [False]
        found = other.cache.peek(key_of(other))
        assert found is not None
        assert [word.text for word in found.words] == LONG.split()
        assert found == one.cache.peek(key_of(one))


async def test_fifty_who_ask_at_once_on_two_replicas_hear_one_synthesis(server: RedisServer, redis: Redis) -> None:
    """e12"""
    async with replica(server.url) as one, replica(server.url) as other:
        clients = [ask(room, words=True) for _ in range(25) for room in (one, other)]
        await heard(*clients)
        assert makers(one, other) == 1
        assert [client.cached for client in clients].count([False]) == 1
        assert all(client.cached in ([False], ["joined"], ["memory"]) for client in clients)
        assert {len(client.of(Audio)) > 0 for client in clients} == {True}


async def test_a_sentence_that_was_just_made_is_heard_though_no_phrase_of_it_is_kept(
    server: RedisServer, redis: Redis
) -> None:
    async with replica(server.url) as one, replica(server.url) as other:
        await heard(ask(one))
        await until(lambda: one.cache.stats.redis_writes)
        await redis.delete(*await names(redis, PHRASES + b"*"))
        late = ask(other)
        await heard(late)
        assert late.cached == ["joined"]
        assert other.model.fronts == []


async def test_a_phrase_that_is_there_is_not_announced(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url) as one:
        await heard(ask(one))
        await until(lambda: one.cache.stats.redis_writes)
    await redis.delete(*await names(redis, PREFIX + b"*"))
    async with replica(server.url) as other:
        client = ask(other)
        await heard(client)
        assert client.cached == ["redis"]
        assert await names(redis, PREFIX + b"*") == []


async def test_a_maker_whose_own_listener_has_enough_goes_on_for_those_who_hear_it_elsewhere(
    server: RedisServer, redis: Redis
) -> None:
    async with replica(server.url) as one, replica(server.url) as other:
        maker = one.client(Pace.REALTIME).say(LONG.upper(), LONG)  # and takes nothing at all
        await until(lambda: one.model.decodes == [LONG.upper()] and one.engine.queued == 1)
        follower = ask(other, pace=Pace.REALTIME)
        await heard(follower)
        assert one.model.decodes == [LONG.upper(), LONG]
        assert other.model.fronts == []
        assert (await follower.done()).underruns == 0
        maker.leave()


async def test_a_listener_who_is_spoken_to_does_not_follow_what_is_made_at_no_pace(
    server: RedisServer, redis: Redis
) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url) as other, replica(server.url) as third:
        maker = ask(one, pace=Pace.FAST)
        let(one, 3)
        await until(lambda: maker.of(Audio))
        spoken_to = ask(other, pace=Pace.REALTIME)
        await until(lambda: spoken_to.of(Audio))
        assert spoken_to.cached == [False]
        follower = ask(third, pace=Pace.REALTIME)
        await until(lambda: follower.of(Audio))
        assert follower.cached == ["joined"]
        go_on(one)
        await heard(maker, spoken_to, follower)
        assert third.model.fronts == []


async def test_the_lease_of_one_who_left_at_once_is_given_back(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, timeout_ms=QUICK_MS) as one, replica(server.url) as other:
        key = key_of(one)
        asking = asyncio.create_task(one.cache.ask(key, Pace.FAST))
        await asyncio.sleep(0)  # it asks
        asking.cancel()
        await until(asking.done)
        async with asyncio.timeout(PATIENCE_S):
            while await names(redis, PREFIX + b"*"):
                pass
        client = ask(other)
        await heard(client)
        assert client.cached == [False]


async def test_a_cluster_is_a_redis_too(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        url = "redis+cluster://" + ",".join(f"{HOST}:{node.port}" for node in nodes)
        async with replica(url, model=gated()) as one, replica(url) as other:
            texts = [f"{LONG} {letter}" for letter in "abcd"]  # in several slots
            clients = [ask(room, text) for text in texts for room in (one, other)]
            await until(lambda: other.cache.stats.joins + one.cache.stats.joins == len(texts))
            go_on(one)
            for client in clients:
                await client.done()
            assert [client.text for client in clients] == [text for text in texts for _ in range(2)]
            assert makers(one, other) == len(texts)


async def test_where_only_listed_phrases_go_to_redis_nothing_is_shared(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, policy="listed") as one, replica(server.url, policy="listed") as other:
        await heard(*(ask(room) for room in (one, other)))
        assert makers(one, other) == 2
        assert await names(redis, b"*") == []


# ---- makers who are lost


async def test_a_maker_whose_listener_leaves_is_followed_by_one_other(server: RedisServer, redis: Redis) -> None:
    async with (
        replica(server.url, model=gated()) as one,
        replica(server.url) as other,
        replica(server.url) as third,
    ):
        maker, follower = await following(one, other)
        also = ask(third)
        await until(lambda: also.of(Audio))
        maker.leave()
        await heard(follower, also)
        assert makers(other, third) == 1
        assert {*follower.cached, *also.cached} == {"joined"}


async def test_a_maker_whose_work_fails_is_followed_by_one_other(server: RedisServer, redis: Redis) -> None:
    text = LONG[:-20] + STUMBLE + LONG[-20:]
    async with (
        replica(server.url) as one,
        replica(server.url, model=Well(lag=4)) as other,
        replica(server.url, model=Well(lag=4)) as third,
    ):
        maker = ask(one, text)
        clients = [ask(room, text) for room in (other, third)]
        async with asyncio.timeout(PATIENCE_S):
            for client in (maker, *clients):
                await client.done()
        assert len(maker.of(Failed)) == 1
        assert [client.text for client in clients] == [text] * 2
        assert makers(other, third) == 1


async def test_a_text_that_fails_everywhere_fails_for_all_and_is_kept_by_nobody(
    server: RedisServer, redis: Redis
) -> None:
    async with replica(server.url) as one, replica(server.url) as other:
        clients = [ask(room, f"This is {POISON}.") for room in (one, other)]
        async with asyncio.timeout(PATIENCE_S):
            for client in clients:
                await client.done()
        assert [[failed.code for failed in client.of(Failed)] for client in clients] == [["synthesis_failed"]] * 2
        assert await names(redis, PHRASES + b"*") == []


async def test_a_maker_that_is_cut_off_is_followed_by_one_other_when_its_lease_is_over(
    server: RedisServer, redis: Redis
) -> None:
    async with AsyncExitStack() as road, AsyncExitStack() as stack:
        port = await road.enter_async_context(slow_road(server.port, lambda: 0))
        one = await stack.enter_async_context(
            replica(f"redis://{HOST}:{port}", timeout_ms=QUICK_MS, model=gated()),
        )
        other = await stack.enter_async_context(replica(server.url))
        third = await stack.enter_async_context(replica(server.url))
        maker, follower = await following(one, other)
        also = ask(third)
        await until(lambda: also.of(Audio))
        await road.aclose()
        await heard(follower, also)
        assert makers(other, third) == 1
        assert not maker.of(Failed)
        go_on(one)
        await heard(maker, follower)


async def test_a_maker_that_is_silent_when_it_is_needed_is_not_waited_for(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url, timeout_ms=QUICK_MS) as other:
        maker, follower = await following(one, other)
        await heard(follower)
        assert makers(other) == 1
        go_on(one)
        await heard(maker, follower)


async def test_a_maker_that_has_made_nothing_is_waited_for_no_longer(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url, timeout_ms=QUICK_MS) as other:
        maker = ask(one)
        await until(lambda: one.engine.queued)
        follower = ask(other)
        await heard(follower)
        assert follower.cached == ["joined"]
        assert makers(other) == 1
        go_on(one)
        await heard(maker, follower)


async def test_a_maker_that_closes_says_so(server: RedisServer, redis: Redis) -> None:
    async with AsyncExitStack() as closing, replica(server.url) as other:
        one = await closing.enter_async_context(replica(server.url, model=gated()))
        _, follower = await following(one, other)
        await closing.aclose()
        await heard(follower)
        assert makers(other) == 1


# ---- when Redis is ill


@pytest.mark.parametrize("kill", [RedisServer.kill, RedisServer.pause, RedisServer.restart])
async def test_when_redis_dies_in_mid_sentence_each_makes_the_rest(
    server: RedisServer, kill: Callable[[RedisServer], None]
) -> None:
    """e15, e17"""
    async with (
        replica(server.url, timeout_ms=QUICK_MS, model=gated()) as one,
        replica(server.url, timeout_ms=QUICK_MS) as other,
    ):
        maker, follower = await following(one, other)
        kill(server)
        await heard(follower)
        assert makers(other) == 1
        go_on(one)
        await heard(maker, follower)


async def test_a_connection_that_is_cut_is_replaced(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url) as other:
        maker, follower = await following(one, other)
        await redis.client_kill_filter(_type="normal", skipme=True)
        go_on(one)
        await heard(maker, follower)


async def test_where_nothing_can_be_written_each_makes_its_own(tmp_path: Path) -> None:
    """e21"""
    with RedisServer(tmp_path) as server:
        server.command("CONFIG", "SET", "replica-serve-stale-data", "yes")
        server.command("REPLICAOF", HOST, str(free_port()))
        async with replica(server.url) as one, replica(server.url) as other:
            await heard(*(ask(room) for room in (one, other)))
            assert makers(one, other) == 2
            assert one.cache.redis_state == "ok"


async def test_a_full_redis_is_no_trouble(tmp_path: Path) -> None:
    """e21"""
    with RedisServer(tmp_path, "--maxmemory", "3mb", "--maxmemory-policy", "noeviction") as server:
        async with replica(server.url, model=gated()) as one, replica(server.url) as other:
            maker, follower = await following(one, other)
            server.command("CONFIG", "SET", "maxmemory", "1")
            go_on(one)
            await heard(maker, follower)
            late = [ask(room, "Another one.") for room in (one, other)]
            for client in late:
                await client.done()
            assert [client.text for client in late] == ["Another one."] * 2
            assert one.cache.redis_state == other.cache.redis_state == "ok"


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"\x93" * 500,
        encode_piece(b"k" * KEY_BYTES, Piece(RATE_HZ, 0, b"\1\1" * 500, 0, (), Rest.NOTHING)),
    ],
    ids=["empty", "random", "of another key"],
)
async def test_what_is_not_a_piece_is_refused(server: RedisServer, redis: Redis, entry: bytes) -> None:
    """e11"""
    async with replica(server.url, model=gated()) as one, replica(server.url) as other:
        maker, follower = await following(one, other)
        (stream,) = await names(redis, PREFIX + b"*}:*")
        await redis.xadd(stream, {FIELD: entry})
        await heard(follower)
        assert makers(other) == 1
        go_on(one)
        await heard(maker, follower)


async def test_a_piece_that_was_lost_is_missed(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url) as other:
        maker, follower = await following(one, other)
        (stream,) = await names(redis, PREFIX + b"*}:*")
        far = encode_piece(key_of(one), Piece(RATE_HZ, 10**6, b"\1\1" * 500, 0, (), Rest.NOTHING))
        await redis.xadd(stream, {FIELD: far})
        await heard(follower)
        go_on(one)
        await heard(maker, follower)


async def test_the_stream_of_a_generation_that_is_over_is_not_read(server: RedisServer, redis: Redis) -> None:
    async with replica(server.url, model=gated()) as one, replica(server.url) as other:
        maker = ask(one)
        let(one, 3)
        await until(lambda: maker.of(Audio))
        async with asyncio.timeout(PATIENCE_S):
            while not (streams := await names(redis, PREFIX + b"*}:*")):
                pass
        old = streams[0][:-16] + b"0123456789abcdef"
        noise = encode_piece(key_of(one), Piece(RATE_HZ, 0, b"\1\1" * 500, 0, (), Rest.NOTHING))
        await redis.xadd(old, {FIELD: noise}, maxlen=MOST_PIECES)
        await redis.expire(old, 100)
        maker.leave()
        follower = ask(other)
        await heard(follower)


async def test_another_kind_of_value_under_the_name_of_a_lease_is_no_lease(server: RedisServer, redis: Redis) -> None:
    """e11"""
    async with replica(server.url, model=gated()) as one, replica(server.url) as other:
        maker, _ = await following(one, other)
        (name,) = [name for name in await names(redis, PREFIX + b"*") if name.endswith(b"}")]
        maker.leave()
        await redis.set(name, "x", ex=100)
        client = ask(other)
        await heard(client)


async def test_a_phrase_that_is_longer_than_any_is_made_by_each(
    server: RedisServer, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.cache.publisher.MAX_PCM_BYTES", round(seconds(LONG) * RATE_HZ))
    async with replica(server.url) as one, replica(server.url) as other:
        await heard(*(ask(room) for room in (one, other)))


# ---- who asks at once


async def test_who_asks_while_others_ask_waits_with_them_and_one_who_leaves_takes_nothing_along(
    server: RedisServer, redis: Redis
) -> None:
    """e14"""
    async with (
        slow_road(server.port, lambda: 0.05) as port,
        replica(f"redis://{HOST}:{port}") as one,
        replica(server.url, model=gated()) as other,
    ):
        key = key_of(one)
        asking = [asyncio.create_task(one.cache.ask(key, Pace.FAST)) for _ in range(20)]
        await asyncio.sleep(0)  # they ask
        for task in asking[::2]:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        assert [task.result() for task in asking[1::2]] == [None] * 10
        assert int((await redis.info("commandstats"))["cmdstat_eval"]["calls"]) == 1
        follower = ask(other)
        await until(lambda: follower.running.done() or other.engine.queued or other.cache.stats.joins)
        assert other.cache.stats.joins == 1, "the lease is the first replica's, until it is given back"
        go_on(other)
        await heard(follower)
