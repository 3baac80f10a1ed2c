"""How a command ends: one line that says what is wrong, and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from engine.errors import EngineError
from gateway.errors import GatewayError
from gateway.settings import BadSettings


class Code(IntEnum):
    """Exit codes of `onset`, the shell's own customs."""

    FAILED = 1
    USAGE = 2
    SIGNALLED = 128  # and the signal's number
    INTERRUPTED = 130  # 128 + SIGINT
    PIPE_CLOSED = 141  # 128 + SIGPIPE


class CommandError(Exception):
    """A command cannot do what was asked; the message is for its user."""

    def __init__(self, message: str, code: Code = Code.FAILED) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def plain_exits() -> Iterator[None]:
    """What goes wrong inside becomes a line on stderr and an exit code, never a traceback.

    Errors of the program itself are not caught: their traceback is wanted.
    """
    try:
        yield
    except BrokenPipeError:
        # Whoever read our output has enough. Python would complain once more when it flushes stdout at exit.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(Code.PIPE_CLOSED) from None
    except KeyboardInterrupt:
        raise SystemExit(Code.INTERRUPTED) from None
    except CommandError as error:
        raise SystemExit(complain(str(error), error.code)) from None
    except BadSettings as error:
        raise SystemExit(complain(str(error), Code.USAGE)) from None
    except (EngineError, GatewayError) as error:
        raise SystemExit(complain(str(error))) from None
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        raise SystemExit(complain(f"{named}{error.strerror or error}")) from None


def complain(message: str, code: Code = Code.FAILED) -> Code:
    """Write an error to stderr; returns its exit code."""
    if sys.stderr is not None:  # closed; print would take stdout, which may be the sound
        print(f"onset: {message}", file=sys.stderr)  # noqa: T201
    return code
