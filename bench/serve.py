"""The server to be measured: the gateway as it is, with a probe of its event loop.

    python -m bench.serve --port PORT [--first-come] [--cache]

`GET /bench` tells how late the loop was since it was last asked. Without --cache nothing is remembered, so that every
sentence is made.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bench.first_come import FirstCome
from bench.heard import percentile
from engine.scheduler import Scheduler
from gateway.app import create_app, create_engine, create_server, listen
from gateway.settings import read_settings

PROBE_S = 0.005


class Lag:
    """How much later than asked the event loop wakes a task that sleeps, time after time."""

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,  # uvloop's own counts whole milliseconds
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self._late: list[float] = []

    async def watch(self) -> None:
        """Never ends."""
        while True:
            due = self._clock() + PROBE_S
            await self._sleep(PROBE_S)
            self._late.append(self._clock() - due)

    def take(self) -> dict[str, float]:
        """Milliseconds since the last call."""
        late, self._late = self._late or [0.0], []
        shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "worst": 1.0}
        return {name: 1000 * percentile(late, share) for name, share in shares.items()}


def probed(app: Starlette) -> Starlette:
    """The same application, with the probe and the way to ask for it."""
    lag, inside = Lag(), app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Any]:
        async with inside(app) as state:
            watching = asyncio.create_task(lag.watch())
            yield state
            watching.cancel()

    async def bench(request: Request) -> JSONResponse:
        return JSONResponse({"lag_ms": lag.take(), "threads": app.state.house.engine.threads})

    app.router.lifespan_context = lifespan
    app.router.routes.insert(0, Route("/bench", bench))
    return app


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description="The server to be measured.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--first-come", action="store_true", help="whole sentences, first come first served")
    parser.add_argument("--cache", action="store_true", help="remember what was spoken")
    options = parser.parse_args()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO)
    settings = read_settings(port=options.port, cache_bytes=None if options.cache else 0)
    engine = create_engine(settings, FirstCome if options.first_come else Scheduler)
    with listen(settings.host, settings.port) as listening, contextlib.suppress(KeyboardInterrupt):
        create_server(probed(create_app(settings, engine)), settings).run(sockets=[listening])


if __name__ == "__main__":
    main()
