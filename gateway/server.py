"""Runs the application: the socket it listens on, the server around it, and the end of both."""

from __future__ import annotations

import logging
import socket
import sys

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from engine.errors import EngineError
from gateway.app import House, create_app
from gateway.cache import BadRedisUrl
from gateway.settings import Settings

PING_S = 20.0
"""A ping to every client so often; one who does not answer for as long again is gone."""

CLOSE_S = 5.0
"""How long a client who is gone, or who does not read, may keep a closed socket."""

_TOO_LARGE = 16
"""Times the limit of a message: up to here it gets an error, beyond it the socket is closed with 1009."""

_log = logging.getLogger(__name__)


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which really lets go of a client who does not answer pings."""

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        # A transport that is closed waits for its buffer to drain, and this client does not read.
        self.loop.call_later(CLOSE_S, self.transport.abort)


class Server(uvicorn.Server):
    """uvicorn, which tells its clients before it ends, and ends when the engine cannot start."""

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._house.failure is not None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._house.restart()
        await super().shutdown(sockets)

    @property
    def _house(self) -> House:
        app = self.config.app
        assert isinstance(app, Starlette)
        house = app.state.house
        assert isinstance(house, House)
        return house


def server(app: Starlette, settings: Settings) -> Server:
    """A server of the application, not yet running; what it listens on is given to its `serve` or `run`."""
    _quiet_log()
    return Server(
        uvicorn.Config(
            app,
            ws=Wire,
            ws_max_size=_TOO_LARGE * settings.max_message_bytes,
            ws_per_message_deflate=False,  # sound does not get smaller, and each socket would hold a window
            ws_ping_interval=PING_S,
            ws_ping_timeout=PING_S,
            timeout_graceful_shutdown=round(CLOSE_S),
            access_log=False,
            log_config=None,
            server_header=False,
        )
    )


def serve(settings: Settings) -> int:
    """Serve until told to stop; returns the exit status. What hinders the start is one line on standard error."""
    _log_to_stderr()
    try:
        listening = listen(settings.host, settings.port)
    except OSError as error:
        _log.error("cannot listen on %s port %d: %s", settings.host, settings.port, error.strerror or error)
        return 1
    with listening:
        _log.info("loading voices")
        try:
            app = create_app(settings)
        except (EngineError, BadRedisUrl) as error:
            _log.error("%s", error)
            return 1
        _log.info("listening on %s", _address(settings.host, listening))
        server(app, settings).run(sockets=[listening])
    failure = app.state.house.failure
    if failure is not None:
        _log.error("the engine did not start: %s", failure, exc_info=failure)
    return 1 if failure is not None else 0


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return socket.create_server(address[:2], family=family, backlog=2048)


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")


class _NoTraceback(logging.Filter):
    """A client's bad UTF-8 is his mistake: a line in the log, not a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[0] is UnicodeDecodeError:
            record.exc_info, record.levelno, record.levelname = None, logging.INFO, "INFO"
        return True


_NO_TRACEBACK = _NoTraceback()


def _quiet_log() -> None:
    """uvicorn's own lines for every socket are left out: a connection has one line, at its end."""
    log = logging.getLogger("uvicorn.error")
    log.setLevel(logging.WARNING)
    log.addFilter(_NO_TRACEBACK)
