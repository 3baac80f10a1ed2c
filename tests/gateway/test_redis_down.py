"""Redis dies under live streams, and comes back: every listener hears his text, and nothing is restarted."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from tests.redis_server import RedisServer
from tests.wire import PATIENCE_S, Client, Gateway, running

STREAMS = 20
LIMIT_MS = 1000  # that a loaded machine keeps too
KNOWN = "Everybody says this."


async def told_of_redis(gateway: Gateway) -> str:
    async with httpx.AsyncClient() as client:
        reply = await client.get(f"{gateway.http}/readyz")
    assert reply.status_code == 200, "speech does not need Redis"
    return str(reply.json()["redis"])


async def heard_of(gateway: Gateway, text: str) -> tuple[str, object]:
    """What a new client hears of one sentence, and where it came from."""
    async with gateway.client() as client:
        await client.speak(text, pace="fast")
        return client.ear.text(), client.ear.of("sentence")[0]["cached"]


def name(number: int) -> str:
    """Said as it is written."""
    return "x" + "abcdefghijklmnopqrstuvwxyz"[number]


def parts(number: int) -> list[str]:
    return [
        f"{KNOWN} Stream {name(number)} begins.",
        f" Redis froze under {name(number)}. It still speaks.",
        f" Redis died under {name(number)}. {KNOWN}",
        f" Stream {name(number)} ends",
    ]


def spoken(number: int) -> str:
    return (
        f"{KNOWN}Stream {name(number)} begins.Redis froze under {name(number)}.It still speaks."
        f"Redis died under {name(number)}.{KNOWN}Stream {name(number)} ends"
    )


async def send(clients: list[Client], part: int) -> None:
    for number, client in enumerate(clients):
        await client.send("text", text=parts(number)[part])


async def test_live_streams_outlive_redis_and_it_is_found_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """e16, e17"""
    caplog.set_level("INFO", "gateway.cache")
    monkeypatch.setattr("gateway.cache.breaker.FIRST_WAIT_S", 0.05)
    with RedisServer(tmp_path) as redis:
        async with running(redis_url=redis.url, redis_timeout_ms=LIMIT_MS, cache_redis="all") as before:
            assert await heard_of(before, KNOWN) == (KNOWN, False)
        caplog.clear()
        async with (
            running(redis_url=redis.url, redis_timeout_ms=LIMIT_MS, cache_redis="all") as gateway,
            AsyncExitStack() as open_clients,
        ):
            clients = [await open_clients.enter_async_context(gateway.client()) for _ in range(STREAMS)]
            assert await told_of_redis(gateway) == "ok"
            for client in clients:
                await client.send("start", pace="fast")
            await send(clients, 0)
            for client in clients:
                await client.until("sound")
            assert clients[0].ear.of("sentence")[0]["cached"] == "redis"

            redis.pause()
            await send(clients, 1)
            redis.kill()
            await send(clients, 2)
            await send(clients, 3)
            for client in clients:
                await client.send("end")
            done = [await client.until("done") for client in clients]
            assert [client.ear.text() for client in clients] == [spoken(number) for number in range(STREAMS)]
            assert [told["sentences"] for told in done] == [7] * STREAMS
            assert not any(client.ear.of("error") for client in clients)
            assert await told_of_redis(gateway) == "down"
            assert await heard_of(gateway, "A new one comes.") == ("A new one comes.", False)

            await asyncio.to_thread(redis.start)
            async with asyncio.timeout(PATIENCE_S):
                while await told_of_redis(gateway) != "ok":
                    pass
            assert await heard_of(gateway, "It is back.") == ("It is back.", False)
        said = [record.getMessage() for record in caplog.records if record.name.startswith("gateway.cache")]
        assert ["is gone" in line for line in said] == [False, True, False]
        assert not [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}]
        async with running(redis_url=redis.url, redis_timeout_ms=LIMIT_MS, cache_redis="all") as after:
            assert await heard_of(after, "It is back.") == ("It is back.", "redis")


async def test_a_gateway_that_starts_before_its_redis_speaks_and_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """e16"""
    monkeypatch.setattr("gateway.cache.breaker.FIRST_WAIT_S", 0.05)
    redis = RedisServer(tmp_path)
    async with running(redis_url=redis.url, redis_timeout_ms=LIMIT_MS, cache_redis="all") as gateway:
        assert await heard_of(gateway, KNOWN) == (KNOWN, False)
        assert await told_of_redis(gateway) == "down"
        with redis:
            async with asyncio.timeout(PATIENCE_S):
                while await told_of_redis(gateway) != "ok":
                    pass
