"""What a dialect over a WebSocket is: messages to commands, events to messages; pure, one of it a connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gateway.events import Command, Event


@dataclass(frozen=True, slots=True)
class Close:
    """The server closes the socket, after all messages before it."""

    code: int = 1000
    reason: str = ""


Message = str | bytes | Close


class Dialect(Protocol):
    """Remembers what its client has said, for many dialects say a thing once; knows no socket and no clock."""

    @property
    def idle_s(self) -> float | None:
        """Of a context that is silent for so long, while nothing of it is spoken, an Idle event is told, and it ends.

        So is a client's who has no context. None: never.
        """

    def decode(self, message: str | bytes) -> Sequence[Command]:
        """What a message asks for, in this order. Raises GatewayError; nothing of the message is done then."""

    def encode(self, event: Event) -> Sequence[Message]:
        """What is sent for an event, with nothing between; nothing where the dialect has no word for it."""
