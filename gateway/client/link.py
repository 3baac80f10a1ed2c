"""One socket to the server, whose messages go to the speech that they are about."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from gateway.client.errors import OnsetError, Unreachable

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_MOST_BYTES_A_CHARACTER = 12  # of JSON in ASCII
_AROUND_TEXT_BYTES = 256


class Hearer(Protocol):
    """Who is told of one context."""

    def told(self, message: dict[str, Any]) -> None: ...
    def sound(self, data: bytes) -> None: ...
    def lost(self, link: Link, error: OnsetError) -> None: ...


def address(url: str) -> str:
    """The WebSocket's address of a server: http or ws, with its path or without."""
    parts = urlsplit(url if "://" in url else f"ws://{url}")
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise ValueError(f"{url!r} is no address of a server; one is ws://127.0.0.1:8000")
    path = parts.path if parts.path.strip("/") else "/ws"
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, path, parts.query, ""))


class Link:
    """A socket that has had its `ready`; `read` is to be run by a task of its own until it returns."""

    def __init__(self, socket: ClientConnection, ready: dict[str, Any]) -> None:
        self._socket = socket
        self.voices: tuple[str, ...] = tuple(ready["voices"])
        self.default_voice = str(ready["default_voice"])
        most = int(ready["limits"]["max_message_bytes"])
        self.max_text_chars = max(1, (most - _AROUND_TEXT_BYTES) // _MOST_BYTES_A_CHARACTER)
        self.hearers: dict[str, Hearer] = {}
        self.is_lost = False

    @classmethod
    async def open(cls, url: str, *, api_key: str | None, proxy: str | None, timeout_s: float) -> Link:
        """Connect; raises Unreachable."""
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        try:
            async with asyncio.timeout(timeout_s):
                socket = await connect(
                    url, additional_headers=headers, proxy=proxy, compression=None, open_timeout=None, close_timeout=1
                )
                return cls(socket, await _ready(socket, url))
        except InvalidStatus as error:
            raise _refused(error, url) from error
        except (OSError, InvalidHandshake, ConnectionClosed) as error:  # a timeout is an OSError
            why = str(error) or f"no answer within {timeout_s:g} s"
            raise Unreachable("unreachable", f"cannot connect to {url}: {why}", retryable=True) from error
        except InvalidURI as error:
            raise Unreachable("bad_address", str(error)) from error

    async def send(self, type_: str, context: str, **fields: Any) -> None:
        """Waits while the server is slow. Where the socket is lost nothing happens: `read` tells of that."""
        with suppress(ConnectionClosed):
            await self._socket.send(json.dumps({"type": type_, "context": context, **fields}))

    async def read(self) -> None:
        """Tell the hearers, until the socket is lost, and then each of them that."""
        error = OnsetError("lost", "the connection was closed", retryable=True)
        try:
            current: Hearer | None = None
            async for message in self._socket:
                if isinstance(message, bytes):
                    if current is not None:
                        current.sound(message)
                    continue
                told = json.loads(message)
                hearer = self.hearers.get(told.get("context"))
                if told["type"] == "audio":
                    current = hearer
                if hearer is not None:
                    hearer.told(told)
                elif told["type"] == "error" and told.get("context") is None:
                    error = OnsetError(told["code"], told["message"], retryable=told["retryable"])
        except ConnectionClosed as closed:
            if error.code == "lost":
                error = OnsetError("lost", f"the connection was lost: {closed}", retryable=True)
        except (ValueError, KeyError, TypeError) as odd:
            error = OnsetError("not_onset", f"the server said what this client does not understand: {odd!r}")
            self._socket.transport.abort()
        finally:
            self.is_lost = True
            for hearer in [*self.hearers.values()]:
                hearer.lost(self, error)
            self.hearers.clear()

    async def close(self) -> None:
        """Close the socket; `read` returns then."""
        await self._socket.close()


async def _ready(socket: ClientConnection, url: str) -> dict[str, Any]:
    try:
        ready = json.loads(await socket.recv())
        if ready["type"] == "ready" and ready["protocol"] == 1:
            return dict(ready)
    except (ValueError, TypeError, KeyError):
        pass
    except BaseException:
        socket.transport.abort()
        raise
    socket.transport.abort()
    raise Unreachable("not_onset", f"what answers at {url} does not speak this client's protocol")


def _refused(error: InvalidStatus, url: str) -> Unreachable:
    """As the server put it where it did."""
    status = error.response.status_code
    code, message = f"http_{status}", f"{url} refused the connection with HTTP {status}"
    with suppress(ValueError, TypeError, KeyError):
        said = json.loads(error.response.body or b"")["error"]
        code, message = str(said["code"]), str(said["message"])
    return Unreachable(code, message, retryable=status in {429, 502, 503, 504})
