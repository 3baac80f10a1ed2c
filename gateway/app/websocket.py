"""A WebSocket as a connection speaks through it."""

from __future__ import annotations

from starlette.websockets import WebSocket, WebSocketDisconnect

from gateway.sockets import Gone

# A RuntimeError is how the server says that it has closed the socket before us.
_GONE = WebSocketDisconnect, RuntimeError


class OverWebSocket:
    """An accepted one."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def receive(self) -> str | bytes:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise Gone(f"closed with {message.get('code', 1005)}")
        text: str | None = message.get("text")
        data: str | bytes = text if text is not None else message["bytes"]
        return data

    async def send(self, message: str | bytes) -> None:
        try:
            if isinstance(message, str):
                await self._websocket.send({"type": "websocket.send", "text": message})
            else:
                await self._websocket.send({"type": "websocket.send", "bytes": message})
        except _GONE as error:
            raise Gone("broken off") from error

    async def close(self, code: int, reason: str) -> None:
        try:
            await self._websocket.close(code, reason)
        except _GONE as error:
            raise Gone("broken off") from error
