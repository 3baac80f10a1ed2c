"""The command line: `onset serve`, `say`, `voices`, `text`, `warm`, `cache`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from engine.graph.store import GraphStore
from engine.voices import nothing_found, try_voices
from gateway import __version__
from gateway.cache_commands import app as cache_app
from gateway.exits import Code, CommandError, complain, plain_exits
from gateway.options import with_settings
from gateway.say import Wanted, check_output, choose_text, is_markdown, say_to
from gateway.settings import Settings, read_settings
from gateway.shown import TextShow
from gateway.shown import Wanted as Shown
from gateway.voice_names import described

app = typer.Typer(
    name="onset",
    help="Onset speaks text as it comes: a voice gateway, and its voices at hand in a shell.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(cache_app)

VoiceFolder = Annotated[Path | None, typer.Option("--voices", metavar="FOLDER", help="Where voices are kept.")]
VoiceName = Annotated[str | None, typer.Option("--voice", metavar="NAME", help="A voice, as `onset voices` names it.")]
LexiconFile = Annotated[
    Path | None, typer.Option("--lexicon", metavar="FILE", help="Words and how they are said: word = respelling.")
]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"onset {__version__}")
        raise typer.Exit


@app.callback()
def onset(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Onset speaks text as it comes. Every setting may also come from the environment, as ONSET_PORT=9000."""


@app.command()
@plain_exits()
@with_settings
def serve(settings: Settings) -> None:
    """Serve the page and the gateway, by default on http://127.0.0.1:8000."""
    from gateway.app import serve as run_server  # noqa: PLC0415 - a server's libraries, for who wants one

    run_server(settings)


@app.command()
@plain_exits()
def say(
    text: Annotated[list[str] | None, typer.Argument(help="What to say. Without it, --file or a pipe is read.")] = None,
    *,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read a file, UTF-8; - for standard input.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The WAV file to write; - for standard output.")
    ] = None,
    voices: VoiceFolder = None,
    voice: VoiceName = None,
    speaker: Annotated[str | None, typer.Option(help="A speaker of the voice, by name or number.")] = None,
    speed: Annotated[float, typer.Option(min=0.25, max=4, help="1 is the voice's own speed, 2 twice as fast.")] = 1.0,
    seed: Annotated[int | None, typer.Option(min=0, help="Another reading of the same text, always the same.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Samples alone: signed, 16 bit, little-endian, mono.")] = False,
    lexicon: LexiconFile = None,
    markdown: Annotated[
        bool | None,
        typer.Option(
            help="Take Markdown, tags and code out. By default, unless --file is of another kind than .md.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Speak into a file or a pipe, without a server.

    Sound is written sentence by sentence, as soon as it is made:

        onset say "Good morning." -o morning.wav

        onset say -f book.txt -o book.wav

        tail -f notes | onset say -o - | aplay
    """
    check_output(output)
    settings = read_settings(voices=voices, voice=voice, lexicon=lexicon)
    marked = is_markdown(file) if markdown is None else markdown
    wanted = Wanted(speaker=speaker, speed=speed, seed=seed, raw=raw, markdown=marked)
    say_to(output, choose_text(text, file), settings, wanted)


@app.command()
@plain_exits()
def warm(
    file: Annotated[Path, typer.Argument(help="A phrase a line, UTF-8; - for standard input.")],
    *,
    voices: VoiceFolder = None,
    voice: Annotated[
        list[str] | None, typer.Option("--voice", metavar="NAME", help="A voice; may be said several times.")
    ] = None,
    speaker: Annotated[
        list[str] | None, typer.Option(help="A speaker of the voice, by name or number; may be said several times.")
    ] = None,
    speed: Annotated[
        list[float] | None, typer.Option(min=0.25, max=4, help="1 is the voice's own; may be said several times.")
    ] = None,
    lexicon: LexiconFile = None,
) -> None:
    """Make phrases ahead, into the Redis that ONSET_REDIS_URL names, so that they begin at once for everybody.

    Blank lines and lines that begin with # are left out. What is there already is not made again, and stays for as
    long as what is new: a list that was stopped goes on where it was, and one that is warmed every day never goes.

        onset warm phrases.txt --voice en_US-joe-medium --speed 1 --speed 1.2
    """
    settings = read_settings(voices=voices, lexicon=lexicon)
    from gateway.warm import Manner, warm_from  # noqa: PLC0415 - a cache's libraries, for who wants one

    warm_from(file, settings, Manner(tuple(voice or ()), tuple(speaker or ()), tuple(speed or (1.0,))))


@app.command("voices")
@plain_exits()
def list_voices(
    *,
    voices: VoiceFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """List the voices that can speak, and those that cannot with the reason."""
    settings = read_settings(voices=voices)
    loaded, broken = try_voices(settings.voices, GraphStore(settings.graphs_folder))
    found = [v.voice for v in loaded]
    default = settings.voice or (found[0].name if found else "")
    if as_json:
        rows = [{**described(v.voice, default), "whole": v.model.whole} for v in loaded]
        typer.echo(
            json.dumps({"voices": rows, "default": default, "broken": list(map(str, broken))}, ensure_ascii=False)
        )
    else:
        heads = "voice", "language", "rate", "speakers", "", "streams"
        table = Table(*heads, box=None, pad_edge=False, header_style="bold")
        for one in loaded:
            v, reason = one.voice, one.model.whole
            mark = "default" if v.name == default else ""
            streams = f"no: {reason}" if reason else "yes"
            table.add_row(v.name, v.language, f"{v.rate_hz} Hz", str(v.speaker_count), mark, streams)
        Console(soft_wrap=True).print(table)
        for error in broken:
            typer.echo(f"left out: {error}")
    if not found:
        raise CommandError(nothing_found(settings.voices))
    if default not in {v.name for v in found}:
        raise CommandError(f"ONSET_VOICE is {default!r}, which is not among them")


@app.command("text")
@plain_exits()
def show_text(
    text: Annotated[list[str] | None, typer.Argument(help="Text to show. Without it, standard input is read.")] = None,
    *,
    offsets: Annotated[bool, typer.Option("--offsets", help="Where each sentence is in the text, too.")] = False,
    phonemes: Annotated[bool, typer.Option("--phonemes", help="The phonemes of each sentence, too.")] = False,
    voices: VoiceFolder = None,
    voice: VoiceName = None,
    language: Annotated[
        str | None, typer.Option(metavar="TAG", help="Read as in de or en-US; else as the voice does.")
    ] = None,
    lexicon: LexiconFile = None,
    markdown: Annotated[bool, typer.Option(help="Take Markdown, tags and code out.")] = True,
    early: Annotated[bool, typer.Option("--early", help="Cut the first clause early, as of a streamed text.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON on a terminal, too.")] = False,
) -> None:
    """Show what is made of a text before it is spoken.

    Reads one JSON value a line, a string or a list of tokens as a language model sends them, and writes
    {"sentences": [...], "spoken": [...]} a line, with "offsets" and "phonemes" where they are wanted. With TEXT, shows
    that text alone; on a terminal, for people.
    """
    settings = read_settings(voices=voices, voice=voice, lexicon=lexicon)
    show = TextShow(settings, Shown(language or "", markdown, early, offsets, phonemes))
    if text:
        tokens = [" ".join(text)]
        for line in show.lines(tokens) if sys.stdout.isatty() and not as_json else [show.line(tokens)]:
            typer.echo(line)
        return
    if sys.stdin is None:
        raise CommandError("there is no text: standard input is closed", Code.USAGE)
    wrong = False
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            tokens = _tokens(line)
        except ValueError as error:
            complain(f"line {number}: {error}")
            wrong = True
            continue
        print(show.line(tokens), flush=True)  # noqa: T201
    if wrong:
        raise typer.Exit(Code.FAILED)


def _tokens(line: bytes) -> list[str]:
    """A line's text in the pieces it comes in; ValueError says what is wrong with it."""
    try:
        value = json.loads(line)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.pos + 1}") from None
    tokens = [value] if isinstance(value, str) else value
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise ValueError('expected a JSON string, or a list of strings, as in ["Good ", "morning."]')
    if any("\ud800" <= character <= "\udfff" for token in tokens for character in token):
        raise ValueError("half of a surrogate pair stands alone, which is not text")
    return tokens
