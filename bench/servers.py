"""Servers to be measured, each a process of its own that is stopped at the end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
READY_S = 60.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. While another one is measured it is held, so that it takes no time from that one."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def pid(self) -> int:
        return self.process.pid

    def probe(self) -> dict[str, Any]:
        """What the probe of this server tells since it was last asked."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/bench")
            answer: dict[str, Any] = json.load(connection.getresponse())
            return answer
        finally:
            connection.close()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Stopped by the system, in the middle of whatever it does, until the end of the block."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


@contextmanager
def onset_server(*options: str) -> Iterator[Server]:
    """`onset serve` with its defaults, on a free port; ready when its voices are warm."""
    port = free_port()
    command = [sys.executable, "-m", "gateway", "serve", "--host", "127.0.0.1", "--port", str(port), *options]
    with _running(command, port, "/readyz") as server:
        yield server


@contextmanager
def piper_server(model: Path, python: Path = Path(sys.executable)) -> Iterator[Server]:
    """Piper's own HTTP server with one voice, on a free port."""
    port = free_port()
    command = [str(python), "-m", "piper.http_server", "--host", "127.0.0.1", "--port", str(port), "-m", str(model)]
    with _running(command, port, "/voices") as server:
        yield server


@contextmanager
def probed_server(*options: str) -> Iterator[Server]:
    """This server with a probe of its loop, see bench/serve.py, on a free port; ready when its voices are warm."""
    port = free_port()
    command = [sys.executable, "-m", "bench.serve", "--port", str(port), *options]
    with _running(command, port, "/readyz") as server:
        yield server


@contextmanager
def wyoming_server(python: Path, model: Path) -> Iterator[Server]:
    """wyoming-piper with one voice, on a free port."""
    port = free_port()
    where = ["--uri", f"tcp://127.0.0.1:{port}", "--data-dir", str(model.parent)]
    with _running([str(python), "-m", "wyoming_piper", "--voice", model.stem, *where], port, None) as server:
        yield server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def _running(command: Sequence[str], port: int, ready_path: str | None) -> Iterator[Server]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ONSET_")}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            if not _becomes_ready(process, port, ready_path):
                log.seek(0)
                raise RuntimeError(f"{' '.join(command)} did not start:\n{log.read().decode(errors='replace')[-4000:]}")
            yield Server(process, port)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _becomes_ready(process: subprocess.Popen[bytes], port: int, path: str | None) -> bool:
    """Whether it answers 200, or takes a connection where there is no path, within READY_S; False if it has died."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end and process.poll() is None:
        if _answers(port, path):
            return True
        time.sleep(0.05)
    return False


def _answers(port: int, path: str | None) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        if path is None:
            connection.connect()
            return True
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
