"""`onset cache`: what is in Redis, and taking it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gateway.exits import plain_exits
from gateway.settings import read_settings

app = typer.Typer(name="cache", help="The phrases in Redis: what there is, and taking it out.", no_args_is_help=True)

VoiceFolder = Annotated[Path | None, typer.Option("--voices", metavar="FOLDER", help="Where voices are kept.")]


@app.command()
@plain_exits()
def stats(
    *,
    voices: VoiceFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show how many phrases each voice has in Redis, what they weigh, and how long they stay."""
    settings = read_settings(voices=voices)
    from gateway.stocks import show_stocks  # noqa: PLC0415 - a cache's libraries, for who wants one

    show_stocks(settings, as_json=as_json)


@app.command()
@plain_exits()
def clear(
    *,
    voice: Annotated[
        str | None,
        typer.Option("--voice", metavar="NAME", help="Only this one's: a name, or 16 digits as `stats` shows them."),
    ] = None,
    voices: VoiceFolder = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete phrases from Redis; nothing else there is touched.

    Gateways that run keep what they have in memory until they are restarted.
    """
    settings = read_settings(voices=voices)
    from gateway.stocks import clear_stocks  # noqa: PLC0415 - a cache's libraries, for who wants one

    clear_stocks(settings, voice, ask=not yes)
