"""The engine beside others: Piper's server, wyoming-piper, streaming-vits, and itself with whole sentences in turn.

    python -m bench.engine [--quick] [--only NAME]... [--json | --markdown]

The others are installed by package name, each into an environment of its own under .bench/. All speak with the same
voice and the same version of ONNX Runtime. They are measured one after another within each round, and while
one is measured the others are held by the system. This process makes the load.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import uvloop
from rich.console import Console

from bench import cases, first_sound, listeners, memory, saturated
from bench.first_audio import machine
from bench.programs import FIRST_COME, NAMES, ONSET, OURS, fleet
from bench.rows import Row, table
from bench.run import FULL, QUICK, Run

Measure = Callable[[Run], Awaitable[list[Row]]]

MEASURES: Mapping[str, Measure] = {
    "one": first_sound.one_client,
    "crowd": first_sound.crowd,
    "saturated": saturated.saturated,
    "listeners": listeners.listeners,
    "turns": listeners.turns,
    "memory": memory.memory,
    "fresh": cases.fresh_server,
    "rest": cases.rare_requests,
    "messages": cases.small_messages,
}
_OF_OURS = {"listeners", "turns"}
_OF_ONE = {"memory", "fresh", "rest", "messages"}


def needed(measures: Sequence[str]) -> Sequence[str]:
    """The programs that these measures compare."""
    if set(measures) <= _OF_ONE:
        return (ONSET,)
    return OURS if set(measures) <= _OF_ONE | _OF_OURS else NAMES


async def measure(run: Run, names: Sequence[str]) -> list[Row]:
    """One after another; each tells when it begins."""
    rows: list[Row] = []
    for name in names:
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr)
        try:
            rows += await MEASURES[name](run)
        except Exception as error:  # noqa: BLE001 - what the others found is not lost with it
            run.notes.append(f"{name} failed: {error!r}")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engine", description="The engine beside others.")
    parser.add_argument("--quick", action="store_true", help="under three minutes in place of ten; figures less sure")
    parser.add_argument("--only", action="append", choices=MEASURES, metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--markdown", action="store_true", help="the table as a README takes it")
    options = parser.parse_args()
    names = [name for name in MEASURES if name in (options.only or MEASURES)]
    with fleet(needed(names)) as programs, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        began, cpu = time.perf_counter(), time.process_time()
        run = Run(programs, QUICK if options.quick else FULL)
        rows = runner.run(measure(run, names))
        took_s, spent_s = time.perf_counter() - began, time.process_time() - cpu
    run.notes += [f"{name} was not measured: {reason}" for name, reason in programs.missing.items()]
    run.notes.append(f"It took {took_s:.0f} s; this process, the clients, {100 * spent_s / took_s:.0f} % of a core")
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [row.json() for row in rows], "notes": run.notes}, indent=2))
        return
    console = Console(width=160)
    console.print(table(rows, markdown=options.markdown))
    for note in run.notes:
        console.print(note)
    console.print(f"{FIRST_COME}: the same server, whole sentences, first come first served")
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
