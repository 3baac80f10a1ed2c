"""What a dialect of a socket is: messages to commands, events to messages; pure, one of it a connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

from gateway.events import Command, Event


@dataclass(frozen=True, slots=True)
class Close:
    """The server closes the socket, after all messages before it."""

    code: int = 1000
    reason: str = ""


Message = str | bytes | Close


@dataclass(frozen=True, slots=True)
class Terms:
    """How a dialect's client is served, beside what he asks for.

    `idle_s`: of a context that is silent for so long, while nothing of it is spoken, an Idle event is told, and it
    ends; so is a client's who has no context. `in_order`: contexts sound one after another, as they began; else all at
    once. `eager`: he takes all that there is, as into a file, and may be hearing it.
    """

    idle_s: float = inf
    in_order: bool = False
    eager: bool = False


class Dialect(Protocol):
    """Remembers what its client has said, for many dialects say a thing once; knows no socket and no clock."""

    @property
    def terms(self) -> Terms: ...

    def decode(self, message: str | bytes) -> Sequence[Command]:
        """What a message asks for, in this order. Raises GatewayError; nothing of the message is done then."""

    def encode(self, event: Event) -> Sequence[Message]:
        """What is sent for an event, with nothing between; nothing where the dialect has no word for it."""
