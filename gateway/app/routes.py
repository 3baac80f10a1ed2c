"""Settings become parts, parts get routes; the lifespan starts and closes all."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from engine.engine import Engine
from engine.graph.store import GraphStore
from engine.memory import hold_little
from engine.scheduler import Scheduler
from engine.voices import load_voices
from gateway.app.doors import guards, own_refused
from gateway.app.house import House
from gateway.app.streams import wyoming_served
from gateway.cache import PhraseCache
from gateway.dialects.http import FAILED, SHAPES, cartesia, deepgram, elevenlabs, openai, shape_of
from gateway.dialects.native import Native
from gateway.errors import GatewayError
from gateway.lexicons import Lexicons
from gateway.metrics import Metrics
from gateway.settings import Settings
from gateway.voice_names import described

_CODES = {404: "not_found", 405: "method_not_allowed", 426: "upgrade_required"}
_SHOWN = 200  # characters of a path

_PACKAGE = Path(__file__).resolve().parent.parent


class _Page(StaticFiles):
    """Files of the page; a browser asks whether they changed, so that an upgrade is seen at once."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


def create_engine(settings: Settings, scheduler: type[Scheduler] = Scheduler) -> Engine:
    """The engine of these settings, not yet started; takes a second or so. Raises EngineError.

    The memory of the process is set for it, see engine/memory.py.
    """
    hold_little()
    return Engine(
        load_voices(settings.voices, GraphStore(settings.graphs_folder)),
        default=settings.voice,
        threads=settings.threads,
        ahead_s=settings.ahead_s,
        max_queue=settings.max_queue,
        max_start_s=settings.max_start_s,
        scheduler=scheduler,
    )


def create_app(
    settings: Settings, engine: Engine | None = None, *, for_wyoming: socket.socket | None = None
) -> Starlette:
    """The application; raises EngineError, GatewayError or BadRedisUrl where the settings cannot be served.

    `for_wyoming` is what Wyoming's clients connect to, where they are served: they come and go with the application.
    """
    engine = engine or create_engine(settings)
    house = House(
        settings,
        engine,
        PhraseCache(
            max_bytes=settings.cache_bytes,
            redis_url=settings.redis_url,
            ttl_s=settings.cache_ttl_s,
            timeout_ms=settings.redis_timeout_ms,
            policy=settings.cache_redis,
        ),
        Lexicons(settings.voices, engine.voices, settings.lexicon_file),
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await house.cache.start()
        warming = asyncio.create_task(house.warm_up())
        watching = asyncio.create_task(house.lexicons.watch())
        feeling = asyncio.create_task(house.feel_lag())
        try:
            async with wyoming_served(house, for_wyoming):
                try:
                    yield
                finally:
                    await house.restart()
        finally:
            warming.cancel()
            watching.cancel()
            feeling.cancel()
            await asyncio.gather(warming, watching, feeling, return_exceptions=True)
            await house.engine.aclose()
            await house.cache.aclose()

    app = Starlette(
        routes=_routes(house),
        lifespan=lifespan,
        exception_handlers={HTTPException: _error, 500: _error},
        middleware=guards(settings, SHAPES),
    )
    app.state.house = house
    return app


def static_folder() -> Path:
    """The page's files: in the package where it was installed from a wheel, else beside it in the repository."""
    packaged = _PACKAGE / "static"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "static"


def _routes(house: House) -> list[BaseRoute]:
    folder = static_folder()
    index = folder / "index.html"
    shown = Metrics(house.engine, house.cache, house.counts)

    async def page(request: Request) -> Response:
        if not index.is_file():
            raise HTTPException(404, "the page is not installed")
        return FileResponse(index, headers={"cache-control": "no-cache"})

    async def healthz(request: Request) -> Response:
        healthy = house.healthy
        return JSONResponse({"status": "ok" if healthy else "unhealthy"}, 200 if healthy else 503)

    async def readyz(request: Request) -> Response:
        ready = house.engine.ready
        cache = {"redis": house.cache.redis_state, "breaker": house.cache.breaker}
        state = {"ready": ready, "voices": list(house.engine.voices), **cache}
        return JSONResponse(state, 200 if ready else 503)

    async def metrics(request: Request) -> Response:
        content, kind = shown.exposition(request.headers.get("accept", ""))
        return Response(content, headers={"content-type": kind, "cache-control": "no-store"})

    async def voices(request: Request) -> Response:
        default = house.engine.default_voice.name
        known = [described(voice, default) for voice in house.engine.voices.values()]
        return JSONResponse({"voices": known, "default": default})

    async def native(websocket: WebSocket) -> None:
        await house.serve(websocket, Native())

    async def upgrade(request: Request) -> Response:
        raise HTTPException(426, "this is a WebSocket; connect with ws:// or wss://", {"upgrade": "websocket"})

    return [
        *elevenlabs.routes(house),
        Route("/", page),
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
        Route("/v1/voices", voices),
        WebSocketRoute("/ws", native),
        Route("/ws", upgrade),
        *openai.routes(house),
        *deepgram.routes(house),
        *cartesia.routes(house),
        Mount("/static", _Page(directory=folder)),
    ]


async def _error(request: Request, error: Exception) -> Response:
    """In the shape of the dialect whose path it is: its clients read no other."""
    refused = shape_of(request.url.path, SHAPES, own_refused)
    if not isinstance(error, HTTPException):
        return refused(GatewayError("internal", FAILED))
    message = f"{request.method} {request.url.path[:_SHOWN]}: {error.detail}"
    if error.status_code not in _CODES:
        return JSONResponse({"error": {"code": "http_error", "message": message}}, error.status_code)
    response = refused(GatewayError(_CODES[error.status_code], message))
    response.headers.update(error.headers or {})
    return response
