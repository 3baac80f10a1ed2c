"""Who is let in: the keys that a client must show, and the sites whose pages may connect."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.dialects.http import LATE_KEY, Refused, error_headers, shape_of, status_of
from gateway.errors import GatewayError
from gateway.settings import Settings, listed

_OPEN = ("/", "/healthz", "/readyz")
_OPEN_BELOW = "/static/"
_LATE = re.compile(r"/v1/text-to-speech/[^/]+/(multi-)?stream-input")
"""Sockets whose clients may show their key in the first message."""

_SCHEMES = ("bearer", "token")
_HEADERS = ("xi-api-key", "x-api-key", "api-key")
_QUERY = ("api_key", "access_token", "token", "xi-api-key", "xi_api_key")
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HERE = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"


def guards(settings: Settings, shapes: Mapping[str, Refused]) -> list[Middleware]:
    """What stands before the routes, from the outside in. `shapes`: how the paths that begin so say an error."""
    origins = listed(settings.allowed_origins)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_origin_regex=_HERE,
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=["x-onset-voice", "retry-after"],
    )
    return [cors, Middleware(Door, keys=Keys(listed(settings.api_keys)), origins=origins, shapes=shapes)]


class Keys:
    """Those that open; without any, nobody needs one."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._digests = [_digest(key) for key in keys]

    @property
    def needed(self) -> bool:
        return bool(self._digests)

    def fits(self, key: str) -> bool:
        """Whether it is one of them; takes as long for any."""
        digest = _digest(key)
        return sum(hmac.compare_digest(digest, known) for known in self._digests) > 0


class Door:
    """Refuses a request or a socket before anything is done for it."""

    def __init__(self, app: ASGIApp, *, keys: Keys, origins: Sequence[str], shapes: Mapping[str, Refused]) -> None:
        self._app, self._keys, self._origins, self._shapes = app, keys, origins, shapes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = self._refusal(HTTPConnection(scope)) if scope["type"] in {"http", "websocket"} else None
        if error is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._refused(scope["path"])(error)(scope, receive, send)
        else:
            await _deny(self._refused(scope["path"])(error), scope, receive, send)

    def _refusal(self, client: HTTPConnection) -> GatewayError | None:
        path = client.url.path
        if path in _OPEN or path.startswith(_OPEN_BELOW):
            return None
        origin = client.headers.get("origin")
        if origin is not None and not _allowed(origin, client.headers.get("host", ""), self._origins):
            what = f"pages of {origin[:200]} may not connect; an operator lets them in with ONSET_ALLOWED_ORIGINS"
            return GatewayError("forbidden", what)
        if not self._keys.needed:
            return None
        shown = list(_keys_of(client))
        if any(self._keys.fits(key) for key in shown):
            return None
        if not shown and client.scope["type"] == "websocket" and _LATE.fullmatch(path):
            client.scope[LATE_KEY] = self._keys.fits
            return None
        said = "this API key is not one of this server's" if shown else "an API key is needed"
        return GatewayError("unauthorized", f"{said}; send it as the header Authorization: Bearer KEY")

    def _refused(self, path: str) -> Refused:
        return shape_of(path, self._shapes, own_refused)


def _keys_of(client: HTTPConnection) -> Iterator[str]:
    scheme, _, key = client.headers.get("authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and key.strip():
        yield key.strip()
    yield from filter(None, (client.headers.get(name) for name in _HEADERS))
    yield from filter(None, (client.query_params.get(name) for name in _QUERY))
    # What a page can send with a socket: as subprotocols, "token" and the key.
    name, _, key = client.headers.get("sec-websocket-protocol", "").partition(",")
    if name.strip().lower() in _SCHEMES and key.strip():
        yield key.strip()


def _allowed(origin: str, host: str, origins: Sequence[str]) -> bool:
    """Whether a page of this origin may connect to a server that is called `host`."""
    if "*" in origins or origin in origins:
        return True
    try:
        site = urlsplit(origin)
        own = urlsplit(f"{site.scheme}://{host}")
        port = _PORTS.get(site.scheme)
        same = bool(site.hostname) and (site.hostname, site.port or port) == (own.hostname, own.port or port)
    except ValueError:
        return False
    return same or (site.scheme in {"http", "https"} and site.hostname in {"localhost", "127.0.0.1", "::1"})


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


def own_refused(error: GatewayError) -> Response:
    """An error in the server's own shape."""
    fields = {"error": {"code": error.code, "message": error.message}}
    return JSONResponse(fields, status_of(error), headers=dict(error_headers(error)))


async def _deny(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """A handshake is answered with a status, as any request is, where the server can do that."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008})
