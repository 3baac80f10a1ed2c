"""The composition root: settings become parts, parts get routes; the lifespan starts and closes all."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping
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
from engine.types import Voice
from engine.voices import load_voices
from gateway.cache import PhraseCache
from gateway.connection import Connection
from gateway.settings import Settings

_HERE = Path(__file__).resolve().parent


class House:
    """The parts of one server and its open connections. Event-loop thread only."""

    def __init__(self, settings: Settings, engine: Engine, cache: PhraseCache) -> None:
        self.settings, self.engine, self.cache = settings, engine, cache
        self.failure: BaseException | None = None  # why the engine did not start
        self._connections: set[Connection] = set()
        self._ids = itertools.count(1)
        self._warm = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._restarting = False

    @property
    def healthy(self) -> bool:
        """Alive: warming up counts, a crashed engine does not."""
        return self.engine.healthy if self._warm.is_set() else True

    async def warm_up(self) -> None:
        """Start the engine; sockets that came early wait for it."""
        try:
            await self.engine.start()
        except Exception as error:  # noqa: BLE001 - at start: whoever runs the server says so and ends
            self.failure = error
        self._warm.set()

    async def serve(self, websocket: WebSocket) -> None:
        """One client, from its handshake to its end."""
        await self._warm.wait()
        await websocket.accept()
        connection = Connection(str(next(self._ids)), websocket, self.engine, self.cache, self.settings)
        self._connections.add(connection)
        self._empty.clear()
        if self._restarting:
            connection.restart()
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            if not self._connections:
                self._empty.set()

    async def restart(self, timeout_s: float = 2.0) -> None:
        """Tell every client that the server restarts, and wait until they are gone, but not for ever."""
        self._restarting = True
        for connection in self._connections:
            connection.restart()
        try:
            async with asyncio.timeout(timeout_s):
                await self._empty.wait()
        except TimeoutError:
            return  # who does not read is cut off by the server


class _Page(StaticFiles):
    """Files of the page; a browser asks whether they changed, so that an upgrade is seen at once."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


def create_engine(settings: Settings) -> Engine:
    """The engine of these settings, not yet started; takes a second or so. Raises EngineError."""
    return Engine(
        load_voices(settings.voices),
        default=settings.voice,
        threads=settings.threads,
        ahead_s=settings.ahead_s,
        max_queue=settings.max_queue,
    )


def create_app(settings: Settings, engine: Engine | None = None) -> Starlette:
    """The application; raises EngineError or BadRedisUrl where the settings cannot be served."""
    house = House(
        settings,
        engine or create_engine(settings),
        PhraseCache(
            max_bytes=settings.cache_bytes,
            redis_url=settings.redis_url,
            ttl_s=settings.cache_ttl_s,
            timeout_ms=settings.redis_timeout_ms,
        ),
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await house.cache.start()
        warming = asyncio.create_task(house.warm_up())
        try:
            yield
        finally:
            await house.restart()
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await house.engine.aclose()
            await house.cache.aclose()

    app = Starlette(routes=_routes(house), lifespan=lifespan, exception_handlers={HTTPException: _error, 500: _error})
    app.state.house = house
    return app


def static_folder() -> Path:
    """The page's files: in the package where it was installed from a wheel, else beside it in the repository."""
    packaged = _HERE / "static"
    return packaged if packaged.is_dir() else _HERE.parent / "static"


def _routes(house: House) -> list[BaseRoute]:
    folder = static_folder()

    async def page(request: Request) -> Response:
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})

    async def healthz(request: Request) -> Response:
        healthy = house.healthy
        return JSONResponse({"status": "ok" if healthy else "unhealthy"}, 200 if healthy else 503)

    async def readyz(request: Request) -> Response:
        ready = house.engine.ready
        state = {"ready": ready, "voices": list(house.engine.voices), "redis": house.cache.redis_state}
        return JSONResponse(state, 200 if ready else 503)

    async def voices(request: Request) -> Response:
        default = house.engine.default_voice.name
        known = [described(voice, default) for voice in house.engine.voices.values()]
        return JSONResponse({"voices": known, "default": default})

    return [
        Route("/", page),
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/v1/voices", voices),
        WebSocketRoute("/ws", house.serve),
        Mount("/static", _Page(directory=folder)),
    ]


def described(voice: Voice, default: str) -> Mapping[str, object]:
    """A voice as `/v1/voices` and `onset voices --json` show it."""
    return {
        "name": voice.name,
        "language": voice.language,
        "sample_rate": voice.rate_hz,
        "speakers": list(voice.speakers),
        "speaker_count": voice.speaker_count,
        "fingerprint": voice.fingerprint,
        "default": voice.name == default,
    }


async def _error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return JSONResponse({"error": {"code": "internal", "message": "the server failed on this request"}}, 500)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    message = f"{request.method} {request.url.path}: {error.detail}"
    return JSONResponse({"error": {"code": code, "message": message}}, error.status_code, headers=error.headers)
