"""Wyoming's framing: a line of JSON, which says how many bytes of more JSON and of payload come behind it; pure."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

from wyoming.event import Event, write_event

from gateway.dialects.fields import json_object
from gateway.errors import GatewayError, shown

FAR = 16
"""Times the limit of a message: what says that it is longer is not read to its end."""

_REQUEST = re.compile(rb"[A-Z]+ \S+ HTTP/\d")


class Unreadable(GatewayError):
    """It is no use to read on; once it is told the connection is closed."""

    CODES = "stream_lost", "not_wyoming"


class Frames:
    """Cuts a stream into messages, each the line of an event and the JSON behind it. Payloads are dropped as they come.

    No more than `most_bytes` of a line or of JSON are kept: what is longer is dropped, and leaves the line alone. Of a
    line that does not end, or that says more than FAR times as much, nothing comes any more.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._buffer = bytearray()
        self._searched = 0  # bytes of the buffer in which there is no end of a line
        self._line: bytes | None = None  # whose JSON is not there yet
        self._data = self._drop = 0  # bytes to come: of JSON, and to be dropped behind it
        self._over = False

    def push(self, data: bytes) -> list[bytes]:
        """The messages that are complete with these bytes."""
        self._buffer += data
        messages: list[bytes] = []
        while not self._over and (message := self._next()) is not None:
            messages.append(message)
        if self._over:
            self._buffer.clear()
        return messages

    def _next(self) -> bytes | None:
        if self._line is None:
            self._drop -= len(self._taken(self._drop))
            if self._drop or (line := self._take_line()) is None:
                return None
            self._line = line
            self._data, self._drop = self._behind(line)
        if len(self._buffer) < self._data:
            return None
        line, self._line = self._line, None
        return line + self._taken(self._data)

    def _take_line(self) -> bytes | None:
        end = self._buffer.find(b"\n", self._searched)
        self._searched = 0 if end >= 0 else len(self._buffer)
        if max(end, self._searched) > self._most:
            self._over = True
            return self._taken(self._most + 1)  # enough to see that it is too long
        return None if end < 0 else self._taken(end + 1)

    def _behind(self, line: bytes) -> tuple[int, int]:
        """What comes behind a line: bytes of JSON that are kept, and bytes to be dropped."""
        try:
            data, payload = _lengths(_header(line, self._most), self._most)
        except Unreadable:
            self._over = True
            return 0, 0
        except GatewayError:
            return 0, 0
        return (0, data + payload) if data > self._most else (data, payload)

    def _taken(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


def read_event(message: bytes, most_bytes: int) -> tuple[str, Mapping[str, Any]]:
    """The type of an event and what it says, of a message as it was cut. Raises GatewayError."""
    line, _, data = message.partition(b"\n")
    header = _header(line, most_bytes)
    size, _ = _lengths(header, most_bytes)
    if size > most_bytes:
        what = f"'data_length' is {size}; allowed: {most_bytes}. Send a long text in several synthesize-chunk events"
        raise GatewayError("message_too_large", what)
    kind, said = header.get("type"), header.get("data") or {}
    if not isinstance(kind, str):
        what = "no type" if kind is None else f"'type' is {shown(kind)}"
        raise GatewayError("unknown_type", f'{what}; allowed: a string, as in {{"type": "describe"}}')
    if not isinstance(said, dict):
        raise GatewayError("bad_value", f"'data' is {shown(said)}; allowed: an object")
    return kind, {**said, **(json_object(data) if data else {})}


def _header(line: bytes, most_bytes: int) -> Mapping[str, Any]:
    if len(line) > most_bytes:
        what = f"a line of more than the {most_bytes} bytes allowed; the connection is closed"
        raise Unreadable("stream_lost", what)
    if _REQUEST.match(line):
        what = "a request over HTTP on the port of Wyoming; that of HTTP is another one, ONSET_PORT"
        raise Unreadable("not_wyoming", what)
    return json_object(line)


def _lengths(header: Mapping[str, Any], most_bytes: int) -> tuple[int, int]:
    """How many bytes of JSON and of payload come behind a line."""
    data, payload = (_length(header, name, most_bytes) for name in ("data_length", "payload_length"))
    return data, payload


def _length(header: Mapping[str, Any], name: str, most_bytes: int) -> int:
    size = header.get(name) or 0
    if not isinstance(size, int) or size < 0:
        raise GatewayError("bad_value", f"{name!r} is {shown(size)}; allowed: a number of bytes")
    if size > FAR * most_bytes:
        what = f"{name!r} is {size}; allowed: {most_bytes}. The connection is closed"
        raise Unreadable("stream_lost", what)
    return size


def framed(event: Event) -> bytes:
    """An event as it is sent."""
    out = io.BytesIO()
    write_event(event, out)
    return out.getvalue()
