"""The server that is measured: the gateway itself, with a probe of its loop."""

from __future__ import annotations

import asyncio
import contextlib

import httpx

from bench.serve import PROBE_S, Lag, probed
from gateway.app import create_app
from gateway.settings import Settings
from tests.fakes import fake_engine


async def test_the_probe_tells_how_late_the_loop_was_since_it_was_last_asked() -> None:
    now = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds + late.pop(0)
        if not late:
            raise asyncio.CancelledError  # as when the server ends

    late = [0.001] * 98 + [0.010, 0.030, 9.0]  # the last one ends the probe before it is written down
    lag = Lag(clock=lambda: now, sleep=sleep)
    with contextlib.suppress(asyncio.CancelledError):
        await lag.watch()
    told = lag.take()
    assert (round(told["p50"], 6), round(told["worst"], 6)) == (1.0, 30.0)
    assert 10.0 < told["p99"] < 30.0
    assert lag.take()["worst"] == 0.0


async def test_the_probed_server_is_the_gateway() -> None:
    app = probed(create_app(Settings(), fake_engine(threads=2)))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway") as client,
    ):
        await asyncio.sleep(2 * PROBE_S)
        told = (await client.get("/bench")).json()
        assert (told["threads"], set(told["lag_ms"])) == (2, {"p50", "p95", "p99", "worst"})
        assert (await client.get("/v1/voices")).json()["default"] == "fake"
