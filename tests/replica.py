"""A gateway as a process of its own, with a voice that works as long as a real one and says on stdout what it makes.

    python -m tests.replica REDIS_URL TIMEOUT_MS

Its first line is where it listens; each further one is a text whose making began.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from engine.models.model import Prior
from engine.types import Piece
from tests.fakes import FakeModel, fake_engine, fake_voice, spell
from tests.wire import PATIENCE_S, Client, connected, running

COST_S = 0.1  # a second of sound, and as much before its first

ROOT = Path(__file__).resolve().parent.parent


class _Telling(FakeModel):
    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        for piece in pieces:
            sys.stdout.write(spell(piece.ids) + "\n")
            sys.stdout.flush()
        return super().front(pieces)


class Replica:
    """One that runs. `made` are the texts that it began to make."""

    def __init__(self, host: str, process: asyncio.subprocess.Process) -> None:
        self.host, self.made = host, list[str]()
        self._process = process

    def kill(self) -> None:
        """At once, and nothing is said."""
        if self._process.returncode is None:
            self._process.kill()

    def client(self) -> AbstractAsyncContextManager[Client]:
        return connected(self.host)

    async def listen(self) -> None:
        """Hear what it makes, to its end."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.made.append(line.decode().rstrip())


@asynccontextmanager
async def replica(redis_url: str, timeout_ms: int) -> AsyncIterator[Replica]:
    """Runs inside the block."""
    command = sys.executable, "-m", "tests.replica", redis_url, str(timeout_ms)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            host = (await process.stdout.readline()).decode().strip()
        one = Replica(host, process)
        async with asyncio.TaskGroup() as listening:
            listening.create_task(one.listen())
            yield one
            one.kill()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def main(redis_url: str, timeout_ms: int) -> None:
    engine = fake_engine(fake_voice(_Telling(lag=4, cost_s=COST_S)))
    async with running(engine, redis_url=redis_url, redis_timeout_ms=timeout_ms) as gateway:
        sys.stdout.write(gateway.host + "\n")
        sys.stdout.flush()
        await gateway.stopped.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
