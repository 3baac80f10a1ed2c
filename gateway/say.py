"""`onset say`: where its text comes from, who speaks it, and where the sound goes."""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from engine.engine import Engine
from engine.errors import BrokenVoice, UnknownVoice
from engine.graph.store import GraphStore
from engine.types import Pcm, Voice
from engine.voices import LoadedVoice, find_voices, load_voice, load_voices
from gateway.events import Start
from gateway.exits import Code, CommandError
from gateway.lexicons import Lexicons
from gateway.reading import Reading
from gateway.settings import Settings
from gateway.voicing import voicing
from gateway.wav import WavWriter

STANDARD = Path("-")
OTHER_FORMATS = {".aac", ".flac", ".m4a", ".mp3", ".ogg", ".opus", ".webm"}

_READ_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Wanted:
    """How it is to sound."""

    speaker: str | None = None  # a name, or a number
    speed: float = 1.0
    seed: int | None = None
    raw: bool = False
    markdown: bool = True


def say_to(output: Path | None, text: str | None, settings: Settings, wanted: Wanted) -> None:
    """Speak `text`, or standard input as it comes where `text` is None, to a file or standard output."""
    if text is not None and not text.strip():
        raise CommandError("there is nothing to say: the text is blank")
    signals: list[int] = []
    saying = _say(output, whole(text) if text is not None else piped(sys.stdin.buffer), settings, wanted)
    try:
        asyncio.run(_heeding(signals, saying) if _is_kept(output) else saying)
    except asyncio.CancelledError:
        raise SystemExit(Code.SIGNALLED + signals[0]) from None


async def _heeding(signals: list[int], saying: Coroutine[None, None, None]) -> None:
    """`saying`, cancelled by a signal to end, so that its file is put right; the signal is noted in `signals`."""
    task = asyncio.current_task()
    assert task is not None

    def end(number: int) -> None:
        signals.append(number)
        task.cancel()

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
            asyncio.get_running_loop().add_signal_handler(number, end, number)
    await saying


async def _say(output: Path | None, text: AsyncIterator[str], settings: Settings, wanted: Wanted) -> None:
    loaded = _load(settings)
    engine = Engine([loaded], threads=settings.threads)
    speaker = _speaker(loaded.voice, wanted.speaker)
    start = Start("say", speaker=speaker, speed=wanted.speed, seed=wanted.seed, markdown=wanted.markdown)
    reading = Reading(
        engine,
        voicing(start, engine.voices, engine.default_voice),
        max_chars=settings.max_sentence_chars,
        pause_ms=settings.pause_ms,
        code=settings.code,
        lexicons=Lexicons(settings.voices, [loaded.voice.name], settings.lexicon_file).of(loaded.voice.name),
    )
    try:
        await engine.start(measure=False)
        with _sink(output, loaded.voice.rate_hz, raw=wanted.raw) as wav, _shown(reading, wav) as show:

            def write(pcm: Pcm) -> None:
                wav.write(pcm)
                show()

            await reading.speak(text, write)
    finally:
        await engine.aclose()
    if not wav.samples:
        raise CommandError("nothing was said: there is no word in the text")
    if reading.progress.failed:
        raise CommandError(f"{reading.progress.failed} of {reading.progress.sentences} sentences were left out")


# ---- who speaks


def _load(settings: Settings) -> LoadedVoice:
    """The one voice that is wanted, and no other: each takes a second."""
    found = {files.name: files for files in find_voices(settings.voices)[0]}
    store = GraphStore(settings.graphs_folder)
    if settings.voice:
        if settings.voice not in found:
            raise UnknownVoice(settings.voice, tuple(found))
        return load_voice(found[settings.voice], store)
    for files in found.values():
        with suppress(BrokenVoice):
            return load_voice(files, store)
    return load_voices(settings.voices, store)[0]  # raises NoVoices, with every reason


def _speaker(voice: Voice, asked: str | None) -> str | int | None:
    """Names first: some voices call their speakers by numbers."""
    return int(asked) if asked is not None and asked not in voice.speakers and asked.isdecimal() else asked


# ---- what is said


def is_markdown(file: Path | None) -> bool:
    """Whether a text is read as Markdown where nobody says: all but what is in a file of another kind, as a book is."""
    return file in (None, STANDARD) or file.suffix.lower() in {".md", ".markdown"}


def choose_text(words: list[str] | None, file: Path | None) -> str | None:
    """The text to say; None: it comes in a pipe, bit by bit. CommandError where none or two were given."""
    if words and file:
        raise CommandError("give either TEXT or --file, not both", Code.USAGE)
    if words and words != ["-"]:
        return " ".join(words)
    if file and file != STANDARD:
        return _decode(file.read_bytes(), str(file))
    if sys.stdin is None or (sys.stdin.isatty() and not (words or file)):
        raise CommandError('say what? Give TEXT, --file, or a pipe: onset say "Hello." -o hello.wav', Code.USAGE)
    return None if _is_pipe(sys.stdin.buffer) else _decode(sys.stdin.buffer.read(), "standard input")


async def whole(text: str) -> AsyncIterator[str]:
    """A text that is there already."""
    yield text


async def piped(file: BinaryIO) -> AsyncIterator[str]:
    """UTF-8 text as it arrives in a pipe or socket, so that speech begins before the writer is done."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        while data := await reader.read(_READ_BYTES):
            yield _decode(data, "standard input", decoder)
        yield _decode(b"", "standard input", decoder, final=True)
    finally:
        transport.close()


def _is_pipe(file: BinaryIO) -> bool:
    """Whether what `file` gives may come later, and can be waited for."""
    mode = os.fstat(file.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _decode(data: bytes, name: str, decoder: codecs.IncrementalDecoder | None = None, *, final: bool = False) -> str:
    """UTF-8 with or without a byte order mark; CommandError names where it came from."""
    try:
        return data.decode("utf-8-sig") if decoder is None else decoder.decode(data, final)
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from None


# ---- where it goes


def check_output(output: Path | None) -> None:
    """Refuse what could not be written to, before any work."""
    if output is not None and output.suffix.lower() in OTHER_FORMATS:
        player = f"onset say ... -o - | ffmpeg -i - {output.name}"
        raise CommandError(f"{output}: only WAV is written; for other formats: {player}", Code.USAGE)
    if output not in (None, STANDARD):
        _check_file(output)
    elif sys.stdout is None:
        raise CommandError("standard output is closed: write a file with -o out.wav", Code.USAGE)
    elif sys.stdout.isatty():
        raise CommandError("a terminal plays no sound: write a file with -o out.wav, or pipe into a player", Code.USAGE)


def _check_file(output: Path) -> None:
    if not output.parent.is_dir():
        raise CommandError(f"{output}: there is no folder {output.parent}")
    if output.is_dir():
        raise CommandError(f"{output} is a folder")
    if not os.access(output if output.exists() else output.parent, os.W_OK):
        raise CommandError(f"{output} may not be written")


def _is_kept(output: Path | None) -> bool:
    """Whether the sound goes where its sizes can be put right, and where no write waits for a reader."""
    if output in (None, STANDARD):
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    return output.is_file() or not output.exists()


@contextmanager
def _sink(output: Path | None, rate_hz: int, *, raw: bool) -> Iterator[WavWriter]:
    """The file, made when there is sound, or standard output; what is there when it ends can be played."""
    with ExitStack() as files:

        def opened() -> BinaryIO:
            return sys.stdout.buffer if output in (None, STANDARD) else files.enter_context(output.open("wb"))

        wav = WavWriter(opened, rate_hz, raw=raw)
        try:
            yield wav
        finally:
            wav.close()


@contextmanager
def _shown(reading: Reading, wav: WavWriter) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr where that is a terminal; what it gives is to be called after each write."""
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def show() -> None:
            progress = reading.progress
            of = f" of {progress.found}" if progress.complete else ""
            what = f"sentence {progress.sentences + 1}{of}, {wav.seconds:.1f} s of sound"
            total = progress.found if progress.complete else None
            bar.update(task, completed=progress.sentences, total=total, description=what)

        yield show
