"""`onset warm`: a list of phrases into the Redis that gateways share."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.engine import Engine
from engine.errors import UnknownVoice
from engine.graph.store import GraphStore
from engine.types import Voice
from engine.voices import LoadedVoice, find_voices, load_voice, load_voices
from gateway.cache import BadRedisUrl, Shelf
from gateway.errors import GatewayError
from gateway.events import Start
from gateway.exits import Code, CommandError, complain
from gateway.lexicons import Lexicons
from gateway.parts import new_session
from gateway.settings import Settings
from gateway.warming import Asked, Warming, read_phrases, sentences

STANDARD = Path("-")


@dataclass(frozen=True, slots=True)
class Manner:
    """How the phrases are to be spoken: in each voice, by each speaker, at each speed."""

    voices: tuple[str, ...] = ()  # none: the default voice
    speakers: tuple[str, ...] = ()  # names or numbers; none: the first
    speeds: tuple[float, ...] = (1.0,)

    def starts(self, voices: Iterable[Voice]) -> list[Start]:
        """The settings of a context for each."""
        return [
            Start("warm", voice=voice.name, speaker=_speaker(voice, speaker), speed=speed)
            for voice in voices
            for speaker in self.speakers or (None,)
            for speed in self.speeds
        ]


def warm_from(file: Path, settings: Settings, manner: Manner) -> None:
    """Make and store every phrase of a file, or of standard input; ends with what a shell is to know."""
    phrases = read_phrases(_read(file))
    if not phrases:
        raise CommandError(f"{_name(file)} has no phrase: write one a line", Code.USAGE)
    with redis_needed(settings):
        stopped = asyncio.run(_warm(phrases, settings, manner))
    if stopped:
        raise SystemExit(Code.SIGNALLED + stopped)


NO_REDIS = (
    "ONSET_REDIS_URL is not set: set it to the Redis that the gateways use, as in redis://127.0.0.1:6379/0. "
    "A gateway without Redis keeps phrases in its own memory, which nobody else can fill: start it with "
    "ONSET_WARM=phrases.txt"
)


@contextmanager
def redis_needed(settings: Settings) -> Iterator[None]:
    """Says what to do where no Redis is set, or none that can be."""
    if not settings.redis_url:
        raise CommandError(NO_REDIS, Code.USAGE)
    try:
        yield
    except BadRedisUrl as error:
        raise CommandError(str(error), Code.USAGE) from None


async def _warm(phrases: list[tuple[int, str]], settings: Settings, manner: Manner) -> int:
    """The number of the signal that stopped it, or 0."""
    began = time.monotonic()
    async with Shelf.at(settings.redis_url, settings.cache_ttl_s) as shelf:  # before the voices: they take seconds
        engine = Engine(_load(settings, manner.voices), threads=settings.threads)
        asked = _sentences(phrases, engine, settings, manner)
        warming = Warming(engine, shelf, asked, _complain)
        try:
            await engine.start(measure=False)
            with _heeding(warming) as stopped:
                try:
                    with _shown(warming):
                        await warming.run()
                finally:
                    _report(warming, shelf.place, time.monotonic() - began)
        finally:
            await engine.aclose()
    if warming.progress.failed and not stopped:
        raise CommandError(f"{warming.progress.failed} of {warming.progress.total} sentences could not be made")
    return stopped[0] if stopped else 0


def _sentences(phrases: list[tuple[int, str]], engine: Engine, settings: Settings, manner: Manner) -> list[Asked]:
    try:
        starts = manner.starts(engine.voices.values())
        lexicons = Lexicons(settings.voices, engine.voices, settings.lexicon_file)
        return sentences(phrases, starts, partial(new_session, engine, settings, lexicons.of))
    except GatewayError as error:
        raise CommandError(str(error), Code.USAGE) from None


def _load(settings: Settings, names: tuple[str, ...]) -> list[LoadedVoice]:
    """Those that are wanted, and no other: each takes a second."""
    store = GraphStore(settings.graphs_folder)
    names = names or ((settings.voice,) if settings.voice else ())
    if not names:
        return load_voices(settings.voices, store)[:1]
    found = {files.name: files for files in find_voices(settings.voices)[0]}
    for name in names:
        if name not in found:
            raise CommandError(str(UnknownVoice(name, tuple(found))), Code.USAGE)
    return [load_voice(found[name], store) for name in dict.fromkeys(names)]


def _speaker(voice: Voice, asked: str | None) -> str | int | None:
    """Names first: some voices call their speakers by numbers."""
    return int(asked) if asked is not None and asked not in voice.speakers and asked.isdecimal() else asked


# ---- what it reads, shows and heeds


def _read(file: Path) -> str:
    if file == STANDARD and sys.stdin is None:
        raise CommandError("there are no phrases: standard input is closed", Code.USAGE)
    data = sys.stdin.buffer.read() if file == STANDARD else file.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(f"{_name(file)}, line {line}: not UTF-8: {error.reason}", Code.USAGE) from None


def _name(file: Path) -> str:
    return "standard input" if file == STANDARD else str(file)


def _complain(asked: Asked, why: str) -> None:
    complain(f"line {asked.line}, voice {asked.utterance.voice.name}: {why}")


def _report(warming: Warming, place: str, took_s: float) -> None:
    did = warming.progress
    new = f"{did.new} new ({did.size / 1e6:.1f} MB, {did.sound_s:.1f} s of sound)"
    rest = f", {did.total - did.done} not begun" if did.done < did.total else ""
    print(f"{place}: {new}, {did.known} there already, {did.failed} failed{rest}; {took_s:.1f} s")  # noqa: T201


@contextmanager
def _heeding(warming: Warming) -> Iterator[list[int]]:
    """The first signal to end lets what is being made be finished, the second does not; it is noted in the list."""
    stopped: list[int] = []
    loop = asyncio.get_running_loop()
    heeded = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]

    def end(number: int) -> None:
        stopped.append(number)
        warming.stop()
        for one in heeded:
            loop.remove_signal_handler(one)

    for number in heeded:
        loop.add_signal_handler(number, end, number)
    try:
        yield stopped
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)


@contextmanager
def _shown(warming: Warming) -> Iterator[None]:
    """A progress bar on stderr where that is a terminal."""
    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=warming.progress.total)

        def show() -> None:
            did = warming.progress
            what = f"{did.new} new, {did.known} there already, {did.failed} failed"
            bar.update(task, completed=did.done, description=what)

        show()
        warming.moved = show
        yield
