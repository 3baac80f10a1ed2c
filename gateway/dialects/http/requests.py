"""Reading a request, and answering one that cannot be taken, in the shape of its dialect."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.errors import GatewayError, shown

Refused = Callable[[GatewayError], Response]
"""A dialect's answer to a request that gets no speech; the error says why."""

LATE_KEY = "onset.fits"
"""In the scope of a socket that is open to whoever shows a key in his first message: whether it is one."""

_STATUS = {
    "unauthorized": 401,
    "forbidden": 403,
    "unknown_voice": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "message_too_large": 413,
    "not_json_type": 415,
    "overloaded": 503,
    "restarting": 503,
    "synthesis_failed": 500,
    "encoding_failed": 500,
    "engine_error": 500,
    "internal": 500,
    "upgrade_required": 426,
}
_RETRY_AFTER_S = 2

FAILED = "the server failed on this request"

_log = logging.getLogger(__name__)


def status_of(error: GatewayError) -> int:
    """The HTTP status of an error; a dialect may know better."""
    return _STATUS.get(error.code, 400)


def error_headers(error: GatewayError) -> Mapping[str, str]:
    """What goes with the status: when to try again, how to show who one is."""
    headers: dict[str, str] = {}
    if status_of(error) == 503:
        headers["retry-after"] = str(_RETRY_AFTER_S)
    if error.code == "unauthorized":
        headers["www-authenticate"] = "Bearer"
    return headers


def route(
    path: str, handler: Callable[[Request], Awaitable[Response]], refused: Refused, methods: Sequence[str]
) -> Route:
    """A route whose handler may raise GatewayError."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except GatewayError as error:
            return refused(error)
        except Exception:  # noqa: BLE001 - one request's fault is no other's, and is told in its dialect
            _log.exception("a request for %s failed", path)
            return refused(GatewayError("internal", FAILED))

    return Route(path, endpoint, methods=methods)


async def json_body(request: Request, most_bytes: int) -> dict[str, Any]:
    """The JSON object in a request. Raises GatewayError where there is none, or a larger body than is allowed."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and kind != "application/json" and not kind.endswith("+json"):
        raise GatewayError("not_json_type", f"content-type is {shown(kind)}; send application/json")
    try:
        fields = msgspec.json.decode(await _body(request, most_bytes))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise GatewayError("not_json", f"the body is not JSON: {error}; send one JSON object") from None
    if not isinstance(fields, dict):
        raise GatewayError("not_json", f"the body is {shown(fields)}; send a JSON object")
    return fields


async def _body(request: Request, most_bytes: int) -> bytes:
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most_bytes:
                raise GatewayError("message_too_large", f"the body has more than the {most_bytes} bytes allowed")
    except ClientDisconnect:
        raise GatewayError("gone", "the client left while it sent its request") from None
    return bytes(body)
