"""An answer that is speech: begun with its first sound, and given up when the client leaves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from gateway.dialects.answer import Body
from gateway.dialects.dialect import Dialect
from gateway.dialects.http.requests import FAILED, Refused
from gateway.errors import GatewayError
from gateway.events import Failed, Start
from gateway.parts import Parts
from gateway.recital import Recital

_log = logging.getLogger(__name__)


class Hall(Protocol):
    """Where requests are spoken, and sockets served."""

    @property
    def parts(self) -> Parts: ...

    async def serve(self, websocket: WebSocket, dialect: Dialect) -> None:
        """One client of a socket, from its handshake to its end."""
        ...

    def recite(self, start: Start, text: str) -> AbstractAsyncContextManager[Recital]:
        """A recital that has begun; waits while the server warms up."""
        ...


class Spoken(Response):
    """Speaks a text as the answer to a request.

    What fails before the first byte is the dialect's error, with its status. What fails later breaks the body off, so
    that it is not taken for complete. `whole`: sent when all of it was made, with its length.
    """

    def __init__(
        self,
        hall: Hall,
        start: Start,
        text: str,
        body: Body,
        refused: Refused,
        *,
        headers: Mapping[str, str] | None = None,
        whole: bool = False,
    ) -> None:
        self._hall, self._start, self._text = hall, start, text
        self._body, self._refused, self._whole = body, refused, whole
        # A voice may be named in any letters, a header not.
        self._extra = {k: v.encode("ascii", "backslashreplace").decode() for k, v in (headers or {}).items()}
        self._begun = False
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _while_there(receive, self._answer(scope, receive, send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._speak(scope, receive, send)
        except GatewayError as error:
            await self._fail(error, scope, receive, send)
        except Exception:  # noqa: BLE001 - one request's fault is no other's
            _log.exception("a request for speech failed")
            await self._fail(GatewayError("internal", FAILED), scope, receive, send)

    async def _speak(self, scope: Scope, receive: Receive, send: Send) -> None:
        kept = bytearray()
        async with self._hall.recite(self._start, self._text) as recital:
            async for event in recital.events():
                data = self._body.encode(event)
                if self._whole:
                    kept += data
                elif data and (self._begun or not isinstance(event, Failed)):
                    await self._send(send, data)
                if isinstance(event, Failed):
                    raise GatewayError(event.code, event.message, retryable=event.retryable)
        if self._whole:
            answer = Response(bytes(kept), headers=self._extra, media_type=self._body.content_type)
            await answer(scope, receive, send)
        else:
            await self._send(send, b"", more=False)

    async def _send(self, send: Send, data: bytes, *, more: bool = True) -> None:
        """Waits while the client is slow."""
        if not self._begun:
            self._begun = True
            headers = {"content-type": self._body.content_type, "cache-control": "no-store", **self._extra}
            raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": 200, "headers": raw})
        await send({"type": "http.response.body", "body": data, "more_body": more})

    async def _fail(self, error: GatewayError, scope: Scope, receive: Receive, send: Send) -> None:
        if self._begun:
            # The end of the body is not sent: the server closes the connection, and the client sees that some is
            # missing.
            _log.warning("an answer was broken off: %s", error.code)
        else:
            await self._refused(error)(scope, receive, send)


async def _while_there(receive: Receive, work: Coroutine[None, None, None]) -> None:
    """Work for a client, which is cancelled when he leaves. His whole request must have been read."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        tasks = {working, leaving}
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    if not working.cancelled():
        working.result()


async def _gone(receive: Receive) -> None:
    message: Message = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()
