"""What a client is told when something is wrong; one class, one stable code each."""

from __future__ import annotations

import json

_SHOWN = 48  # characters of a client's value


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
        text = repr(value[:_SHOWN])  # which is longer, with its quotes
    elif isinstance(value, dict | list | int | float | None):
        text = _as_json(value)
    else:
        text = str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _as_json(value: object) -> str:
    try:
        return json.dumps(value, default=str)
    except (RecursionError, ValueError):  # a nesting that could just be read, digits that Python will not write
        return "an object" if isinstance(value, dict) else "an array" if isinstance(value, list) else "a number"
