"""The phrase cache: how soon, how cheap, what it carries, and what its choices rest on.

    python -m bench.cache [--quick] [--only NAME]... [--json | --markdown]

Servers and Redis are started by it and stopped at the end. This process makes the load.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import math
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import uvloop
from rich.console import Console

from bench import desk, phrase_sound
from bench.cache_run import FULL, MEASURED, QUICK, CacheRun, row
from bench.first_audio import machine
from bench.phrase_clients import sounds
from bench.phrase_mix import mix, phrases
from bench.policies import simulate
from bench.rows import Row, shown, table
from bench.servers import onset_server
from bench.stored import FORMS, cost
from gateway.cache.policy import Kind

Measure = Callable[[CacheRun], Awaitable[list[Row]]]

POLICIES: tuple[Kind, ...] = ("all", "second", "listed")


async def policies(run: CacheRun) -> list[Row]:
    """Four gateways and one Redis, one of the gateways begins anew eight times in the run; `listed` was warmed with the
    list."""
    rows: list[Row] = []
    count = run.sizes.policy_sentences
    for kind in POLICIES:
        said = itertools.islice(mix(phrases(), 5), count)
        came = simulate(kind, said, restart_every=count // 8, listed=phrases() if kind == "listed" else ())
        rows += [
            row(f"policy {kind}, made of all sentences", "%", 100 * came.made / count),
            row(f"policy {kind}, found in Redis of all sentences", "%", 100 * came.in_redis / count),
            row(f"policy {kind}, writes of {count:,} sentences", "writes", came.writes),
            row(f"policy {kind}, held by Redis", "MB", came.bytes_held / 1e6),
        ]
    return rows


async def forms(run: CacheRun) -> list[Row]:
    """Sentences of the list, as the server makes them, in each form and back."""
    every = phrases()
    with onset_server() as server:
        heard, rate_hz = await sounds(server.port, every[:: len(every) // run.sizes.sounds])
    rows: list[Row] = []
    for form in FORMS:
        costs = cost(form, heard, rate_hz)
        rows += [
            row(f"stored as {form}, bytes a second of sound", "kB", costs.size / 1000),
            row(f"stored as {form}, one sentence encoded", "ms", costs.encode_ms),
            row(f"stored as {form}, one sentence decoded", "ms", costs.decode_ms),
        ]
        if math.isfinite(costs.snr_db):  # else nothing is lost
            rows.append(row(f"stored as {form}, signal to noise", "dB", costs.snr_db))
    return rows


MEASURES: Mapping[str, Measure] = {
    "first": phrase_sound.first_audio,
    "hits": phrase_sound.hit_path,
    "dead": phrase_sound.dead_redis,
    "mix": desk.listeners,
    "policies": policies,
    "forms": forms,
}


async def measure(run: CacheRun, names: Sequence[str]) -> list[Row]:
    """One after another; each tells when it begins and what it found."""
    rows: list[Row] = []
    for name in names:
        print(f"{time.strftime('%H:%M:%S')} {name}", file=sys.stderr)
        try:
            found = await MEASURES[name](run)
            print(
                *(f"  {one.what}: {shown(one.values[MEASURED])} {one.unit}" for one in found), sep="\n", file=sys.stderr
            )
            rows += found
        except Exception as error:  # noqa: BLE001 - what the others found is not lost with it
            run.notes.append(f"{name} failed: {error!r}")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cache", description="The phrase cache.")
    parser.add_argument("--quick", action="store_true", help="half of the time; figures less sure")
    parser.add_argument("--only", action="append", choices=MEASURES, metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--markdown", action="store_true", help="the table as a README takes it")
    options = parser.parse_args()
    run = CacheRun(QUICK if options.quick else FULL)
    names = [name for name in MEASURES if name in (options.only or MEASURES)]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        began, cpu = time.perf_counter(), time.process_time()
        rows = runner.run(measure(run, names))
        took_s, spent_s = time.perf_counter() - began, time.process_time() - cpu
    run.notes.append(f"It took {took_s:.0f} s; this process, the clients, {100 * spent_s / took_s:.0f} % of a core")
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [one.json() for one in rows], "notes": run.notes}, indent=2))
        return
    console = Console(width=160)
    console.print(table(rows, (MEASURED,), markdown=options.markdown))
    for note in run.notes:
        console.print(note)
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
