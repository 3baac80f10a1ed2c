"""What a client is told when something is wrong; one class, one stable code each."""

from __future__ import annotations

import json


class GatewayError(Exception):
    """An error with a stable `code`, for one context where `context` is set, else for the connection."""

    def __init__(self, code: str, message: str, *, context: str | None = None, retryable: bool = False) -> None:
        super().__init__(message)
        self.code, self.message, self.context, self.retryable = code, message, context, retryable


class StartRefused(GatewayError):
    """A `start` that was not taken; its context stays silent until a right one, lest a wrong voice speaks its text."""


def shown(value: object) -> str:
    """A client's value in a message: as JSON has it, a string in single quotes; cut short."""
    if isinstance(value, str):
        text = repr(value)
    elif isinstance(value, dict | list | int | float | None):
        text = json.dumps(value, default=str)
    else:
        text = str(value)
    return text if len(text) <= 48 else text[:45] + "..."
