"""What goes wrong for a client: one class, one stable code each."""

from __future__ import annotations

from gateway.client.told import Stopped


class OnsetError(Exception):
    """`code` is stable and short, `message` says what is allowed; `retryable`: the same may succeed later."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.retryable = code, message, retryable


class Unreachable(OnsetError):
    """There is no connection: nobody listens at the address, or who listens refused."""


class SpeechFailed(OnsetError):
    """A speech ended with an error. `stopped`: how far it came; `rest`: its text from the first sentence not heard.

    Of a text that was still being written, `rest` ends with what had been written.
    """

    def __init__(self, code: str, message: str, stopped: Stopped, rest: str, *, retryable: bool = False) -> None:
        super().__init__(code, message, retryable=retryable)
        self.stopped, self.rest = stopped, rest


class ConnectionLost(SpeechFailed):
    """The connection was lost in mid-speech; the next `speak` connects again."""
