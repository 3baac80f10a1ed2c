"""Runs the application: the socket it listens on, the server around it, and the end of both."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys

import uvicorn
from starlette.applications import Starlette

from gateway.app.house import House
from gateway.app.listening import listen, listen_wyoming
from gateway.app.routes import create_app
from gateway.app.wire import Wire
from gateway.cache import BadRedisUrl
from gateway.errors import GatewayError
from gateway.settings import Settings
from gateway.sockets import CLOSE_S

PING_S = 20.0
"""A ping to every client so often; one who does not answer for as long again is gone."""

_TOO_LARGE = 16
"""Times the limit of a message: up to here it gets an error, beyond it the socket is closed with 1009."""

_log = logging.getLogger(__name__)


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


def create_server(app: Starlette, settings: Settings) -> Server:
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
            timeout_graceful_shutdown=round(2 * CLOSE_S),
            access_log=False,
            log_config=None,
            server_header=False,
        )
    )


def serve(settings: Settings) -> None:
    """Serve until told to stop. Raises EngineError or GatewayError, of one line, where that is not possible."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    with listen(settings.host, settings.port) as listening, listen_wyoming(settings) as for_wyoming:
        try:
            app = create_app(settings, for_wyoming=for_wyoming)
        except BadRedisUrl as error:
            raise GatewayError("bad_redis_url", str(error)) from error
        _log.info("listening on %s", _address("http", settings.host, listening))
        if for_wyoming is not None:
            _log.info("for Wyoming on %s", _address("tcp", settings.host, for_wyoming))
        # uvicorn passes on the signal that ended it, once all is closed.
        with contextlib.suppress(KeyboardInterrupt):
            create_server(app, settings).run(sockets=[listening])
    failure = app.state.house.failure
    if failure is not None:
        raise GatewayError("engine_failed", f"the engine did not start: {failure}") from failure


def _address(scheme: str, host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


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
