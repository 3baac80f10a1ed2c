"""What an operator does with the phrases in Redis."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from gateway.cache import BadRedisUrl, Phrase, RedisTrouble, Shelf
from gateway.cache.phrase import MARK_BYTES, encode_entry
from gateway.cache.redis_tier import redis_name
from tests.redis_server import HOST, RedisServer, cluster, free_port

ANN, BOB = b"a" * MARK_BYTES, b"b" * MARK_BYTES
TTL_S = 1000
SOUND = Phrase(22050, bytes(2000))


def key(mark: bytes, number: int) -> bytes:
    return mark + number.to_bytes(32, "big")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


async def fill(shelf: Shelf, ann: int, bob: int) -> None:
    for number in range(ann):
        await shelf.put(key(ANN, number), SOUND)
    for number in range(bob):
        await shelf.put(key(BOB, number), SOUND)


async def test_what_is_there_is_told_by_voice(server: RedisServer) -> None:
    async with Shelf.at(server.url, TTL_S) as shelf:
        assert await shelf.stocks() == {}
        await fill(shelf, 3, 1)
        async with Redis.from_url(server.url) as redis:
            await redis.expire(redis_name(key(ANN, 1)), 10)
            await redis.persist(redis_name(key(BOB, 0)))
        stocks = await shelf.stocks()
    size = len(encode_entry(key(ANN, 0), SOUND))
    ann, bob = stocks[ANN], stocks[BOB]
    assert (ann.entries, ann.size, ann.endless) == (3, 3 * size, 0)
    assert ann.first_ttl_s is not None and 0 < ann.first_ttl_s <= 10
    assert ann.last_ttl_s is not None and 10 < ann.last_ttl_s <= TTL_S
    assert (bob.entries, bob.endless, bob.first_ttl_s) == (1, 1, None)


async def test_one_voice_or_all_are_cleared_and_nothing_else(server: RedisServer) -> None:
    server.command("SET", "another", "program's")
    server.command("SET", "onset:other", "thing")
    server.command("SET", "onset:phrase:" + 64 * "0", "of an earlier version")
    async with Shelf.at(server.url, TTL_S) as shelf:
        await fill(shelf, 1200, 2)  # more than a batch
        assert await shelf.clear(ANN) == 1200
        assert list(await shelf.stocks()) == [BOB]
        assert await shelf.clear() == 3
        assert await shelf.stocks() == {}
    assert server.command("DBSIZE") == ":2"


async def test_a_cluster_is_counted_and_cleared_on_every_node(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        async with Shelf.at(f"redis+cluster://{HOST}:{nodes[0].port}", TTL_S) as shelf:
            await fill(shelf, 40, 20)
            assert {mark: stock.entries for mark, stock in (await shelf.stocks()).items()} == {ANN: 40, BOB: 20}
            assert await shelf.clear(BOB) == 20
            assert await shelf.clear() == 40
        assert [node.command("DBSIZE") for node in nodes] == [":0", ":0"]


async def test_a_phrase_that_is_there_begins_its_time_anew(server: RedisServer) -> None:
    async with Shelf.at(server.url, TTL_S) as shelf, Redis.from_url(server.url) as redis:
        assert not await shelf.renew(key(ANN, 1))
        await shelf.put(key(ANN, 1), SOUND)
        await redis.expire(redis_name(key(ANN, 1)), 10)
        assert await shelf.renew(key(ANN, 1))
        assert await redis.ttl(redis_name(key(ANN, 1))) > TTL_S - 60


async def test_trouble_is_told(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = free_port()
    with pytest.raises(RedisTrouble, match=f"Redis at {HOST}:{nowhere} is not there"):
        async with Shelf.at(f"redis://:geheim@{HOST}:{nowhere}", TTL_S):
            pass
    with pytest.raises(BadRedisUrl):
        async with Shelf.at("http://there", TTL_S):
            pass
    async with Shelf.at(server.url, TTL_S) as shelf:
        server.command("CONFIG", "SET", "maxmemory", "1")
        with pytest.raises(RedisTrouble, match=r"refused: .*maxmemory"):
            await shelf.put(key(ANN, 1), SOUND)
        monkeypatch.setattr("gateway.cache.shelf.PATIENCE_S", 0.05)
        server.pause()
        began = time.monotonic()
        with pytest.raises(RedisTrouble, match="did not answer within"):
            await shelf.stocks()
    assert time.monotonic() - began < 20, "nor does the end wait for it"
