"""What a client is told when something is wrong; one class, one stable code each."""

from __future__ import annotations


class GatewayError(Exception):
    """An error with a stable `code`, for one context where `context` is set, else for the connection."""

    def __init__(self, code: str, message: str, *, context: str | None = None, retryable: bool = False) -> None:
        super().__init__(message)
        self.code, self.message, self.context, self.retryable = code, message, context, retryable


class StartRefused(GatewayError):
    """A `start` that was not taken; its context stays silent until a right one, lest a wrong voice speaks its text."""
