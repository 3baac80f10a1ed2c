"""What is in Redis of each voice, shown and taken out, as `onset cache` does it."""

from __future__ import annotations

import asyncio
import json
import sys

import typer
from rich.console import Console
from rich.table import Table

from engine.voices import find_voices, fingerprint_of
from gateway.cache import Shelf, Stock, voice_mark
from gateway.exits import Code, CommandError
from gateway.settings import Settings
from gateway.warm import redis_needed


def show_stocks(settings: Settings, *, as_json: bool) -> None:
    """How many phrases each voice has, what they weigh, and how long they stay."""
    with redis_needed(settings):
        place, found = asyncio.run(_stocks(settings))
    names = _names(settings)
    rows = sorted(((names.get(mark, mark.hex()), stock) for mark, stock in found.items()), key=lambda row: row[0])
    if as_json:
        kinds = [{"voice": name, "installed": _is_installed(name, names), **_fields(stock)} for name, stock in rows]
        entries, size = sum(stock.entries for _, stock in rows), sum(stock.size for _, stock in rows)
        typer.echo(json.dumps({"redis": place, "entries": entries, "bytes": size, "voices": kinds}))
        return
    if not rows:
        typer.echo(f"{place}: no phrases")
        return
    table = Table("voice", "phrases", "MB", "the first goes in", "the last in", box=None, header_style="bold")
    for name, stock in rows:
        shown = name if _is_installed(name, names) else f"{name} (not installed here)"
        table.add_row(shown, str(stock.entries), f"{stock.size / 1e6:.1f}", *map(_span, _ttls(stock)))
    typer.echo(place)
    Console(soft_wrap=True).print(table)


def clear_stocks(settings: Settings, voice: str | None, *, ask: bool) -> None:
    """Delete the phrases of one voice, by its name or its mark, or of all."""
    with redis_needed(settings):
        mark = _mark(voice, settings) if voice is not None else None
        place, found = asyncio.run(_stocks(settings))
        count = sum(stock.entries for known, stock in found.items() if mark in (None, known))
        whose = f" of {voice}" if voice is not None else ""
        if ask:
            _ask(f"Delete {count} phrases{whose} at {place}?")
        deleted = asyncio.run(_clear(settings, mark))
    typer.echo(f"{place}: {deleted} phrases{whose} deleted; gateways that run keep what they have in memory")


async def _stocks(settings: Settings) -> tuple[str, dict[bytes, Stock]]:
    async with Shelf.at(settings.redis_url, settings.cache_ttl_s) as shelf:
        return shelf.place, await shelf.stocks()


async def _clear(settings: Settings, mark: bytes | None) -> int:
    async with Shelf.at(settings.redis_url, settings.cache_ttl_s) as shelf:
        return await shelf.clear(mark)


def _ask(question: str) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        raise CommandError("nobody is there to be asked: say --yes", Code.USAGE)
    if not typer.confirm(question):
        raise CommandError("nothing was deleted")


def _names(settings: Settings) -> dict[bytes, str]:
    """Mark -> name, of the voices that are installed."""
    return {voice_mark(fingerprint_of(files)): files.name for files in find_voices(settings.voices)[0]}


def _mark(voice: str, settings: Settings) -> bytes:
    marks = {name: mark for mark, name in _names(settings).items()}
    if voice in marks:
        return marks[voice]
    try:
        mark = bytes.fromhex(voice)
    except ValueError:
        mark = b""
    if len(mark) != len(voice_mark("")):
        known = ", ".join(marks)
        what = f"no voice {voice!r}; installed: {known}. Of one that is not, give the 16 digits in `onset cache stats`"
        raise CommandError(what, Code.USAGE)
    return mark


def _is_installed(name: str, names: dict[bytes, str]) -> bool:
    return name in names.values()


def _fields(stock: Stock) -> dict[str, int | float | None]:
    first, last = _ttls(stock)
    return {"entries": stock.entries, "bytes": stock.size, "first_ttl_s": first, "last_ttl_s": last}


def _ttls(stock: Stock) -> tuple[float | None, float | None]:
    """When the first and the last of them go; None: never."""
    return stock.first_ttl_s, None if stock.endless else stock.last_ttl_s


def _span(seconds: float | None) -> str:
    if seconds is None:
        return "never"
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
