"""What the server listens on, opened before anything else is done: a port that is taken is known at once."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from gateway.errors import GatewayError
from gateway.settings import Settings

BACKLOG = 2048
"""Clients who may wait to be let in, as when all come back after a restart."""

QUIET_S = 20
"""A client of a bare stream who has said nothing for so long is asked by the system whether he is there."""

_ASKED = 4  # times, 5 s apart; then he is gone


def listen(host: str, port: int, setting: str = "ONSET_PORT") -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises GatewayError, which says why it cannot be.

    `setting` is what sets the port.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        taken = f"; is another server running there? {setting} sets another port"
        hint = taken if error.errno == errno.EADDRINUSE else ""
        known = error.errno in errno.errorcode  # whose own text would name the address again
        why = os.strerror(error.errno) if error.errno is not None and known else error.strerror or error
        what = f"cannot listen on {host} port {port}: {why}{hint}"
        raise GatewayError("cannot_listen", what) from error


@contextmanager
def listen_wyoming(settings: Settings) -> Iterator[socket.socket | None]:
    """The same for Wyoming's clients; None where they are not served."""
    if not settings.wyoming_port:
        yield None
        return
    with listen(settings.host, settings.wyoming_port, "ONSET_WYOMING_PORT") as listening:
        _notice_lost(listening)
        yield listening


def _notice_lost(listening: socket.socket) -> None:
    """Its clients have no ping of their own: the system finds those who vanished without a word."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", QUIET_S), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", _ASKED)):
        if hasattr(socket, option):  # a system without one has its own
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
