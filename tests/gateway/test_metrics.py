"""What a server counts, as Prometheus would read it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from gateway.counts import Spread
from tests.fakes import POISON, FakeModel, Gate, fake_engine, fake_voice
from tests.redis_server import RedisServer
from tests.wire import PATIENCE_S, Gateway, running

LIMIT_MS = 1000  # that a loaded machine keeps too


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


async def scraped(gateway: Gateway) -> dict[str, float]:
    """Every sample, named as Prometheus writes it."""
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False, timeout=10) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    samples: dict[str, float] = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            samples[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return samples


def test_a_spread_counts_what_is_no_more_than_each_bound() -> None:
    spread = Spread((0.1, 0.2, 0.5))
    for seconds in (0.05, 0.1, 0.15, 0.3, 7):
        spread.add(seconds)
    assert spread.up_to() == [2, 3, 4, 5]
    assert spread.count == 5
    assert spread.total_s == pytest.approx(7.6)


async def test_what_is_spoken_is_counted(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak("Hello there. Hello there.", pace="fast")
        await client.send("text", text=f"Bad {POISON}.", context="two")
        await client.send("end", context="two")
        await client.until("done", "two")
        await client.send("text", text="Open. ", context="three")
        await client.until("sound", "three")
        told = await scraped(gateway)
        assert (told["onset_connections_open"], told["onset_connections_total"]) == (1, 1)
        assert (told["onset_contexts_open"], told["onset_contexts_total"]) == (1, 3)
        assert told['onset_sentences_total{source="made"}'] + told['onset_sentences_total{source="memory"}'] >= 2
        assert told['onset_errors_total{code="synthesis_failed"}'] == 1
        assert told['onset_errors_total{code="overloaded"}'] == 0
        assert told['onset_first_audio_seconds_count{pace="fast"}'] == 1
        assert told['onset_first_audio_seconds_count{pace="realtime"}'] == 1
        assert told["onset_audio_seconds_total"] > 0
        assert told["onset_cache_misses_total"] >= 2
        assert 0 < told["onset_cache_memory_bytes"] <= told["onset_cache_memory_limit_bytes"]
        assert told["onset_ready"] == 1
        await client.send("cancel", context="three")
        await client.until("cancelled", "three")
    async with asyncio.timeout(PATIENCE_S):
        while (told := await scraped(gateway))["onset_connections_open"]:
            pass
    assert (told["onset_contexts_open"], told["onset_contexts_total"]) == (0, 3)
    assert not any(name.startswith("onset_redis") for name in told), "none is set"
    assert told["process_resident_memory_bytes"] > 0


async def test_a_server_that_is_left_by_everybody_has_nothing_open(gateway: Gateway) -> None:
    for _ in range(3):
        async with gateway.client() as client:
            for name in ("a", "b"):
                await client.send("text", text="Hello. ", context=name)
            await client.until("sound", "b")
    async with asyncio.timeout(PATIENCE_S):
        while (told := await scraped(gateway))["onset_connections_open"]:
            pass
    assert (told["onset_contexts_open"], told["onset_contexts_total"]) == (0, 6)


async def test_redis_and_its_breaker_are_told(server: RedisServer) -> None:
    options: dict[str, Any] = {"redis_url": server.url, "redis_timeout_ms": LIMIT_MS, "cache_redis": "all"}
    async with running(**options) as gateway:
        async with gateway.client() as client:
            await client.speak("Known to all.", pace="fast")
        async with asyncio.timeout(PATIENCE_S):
            while (told := await scraped(gateway))["onset_redis_writes_total"] < 1:
                pass
        assert (told["onset_redis_up"], told["onset_redis_breaker_open"]) == (1, 0)
        assert told["onset_redis_lookup_seconds_count"] == 1
    async with running(**options) as other:
        async with other.client() as client:
            await client.speak("Known to all.", pace="fast")
        told = await scraped(other)
        assert told['onset_cache_hits_total{tier="redis"}'] == told['onset_sentences_total{source="redis"}'] == 1
        server.kill()
        async with other.client() as client:
            await client.speak("One. Two. Three. Four. Five.", pace="fast")
        told = await scraped(other)
        assert (told["onset_redis_up"], told["onset_redis_breaker_open"]) == (0, 1)
        assert told["onset_redis_errors_total"] >= 1
        async with httpx.AsyncClient(base_url=other.http, trust_env=False) as client_:
            ready = (await client_.get("/readyz")).json()
        assert (ready["redis"], ready["breaker"]) == ("down", "open")


async def test_a_sentence_that_two_want_at_once_was_asked_for_twice(server: RedisServer) -> None:
    gate = Gate()
    engine = fake_engine(fake_voice(FakeModel(gate=gate)))
    async with (
        running(engine, redis_url=server.url, redis_timeout_ms=LIMIT_MS) as gateway,
        gateway.client() as one,
        gateway.client() as two,
    ):
        stats = gateway.house.cache.stats
        await one.send("text", text="Everybody wants this.")
        await one.send("end")
        await gate.arrival()
        await two.send("text", text="Everybody wants this.")
        await two.send("end")
        async with asyncio.timeout(PATIENCE_S):
            while not stats.joins:  # noqa: ASYNC110
                await asyncio.sleep(0)
            gate.open()
            await one.until("done")
            await two.until("done")
            while not stats.redis_writes:  # noqa: ASYNC110
                await asyncio.sleep(0)
        told = await scraped(gateway)
    assert told["onset_cache_joins_total"] == told['onset_sentences_total{source="joined"}'] == 1
    assert told['onset_sentences_total{source="made"}'] == 1


async def test_the_format_is_the_one_that_is_asked_for(gateway: Gateway) -> None:
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False) as client:
        answer = await client.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.rstrip().endswith("# EOF")


async def test_the_lag_of_the_loop_is_felt(gateway: Gateway) -> None:
    lag = gateway.house.counts.lag
    async with asyncio.timeout(PATIENCE_S):
        while lag.count < 2:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert (await scraped(gateway))["onset_loop_lag_seconds_count"] >= 2
