"""What a dialect costs: time to its first sound, beside that of the native protocol in the same run.

    python -m bench.dialects [--quick] [--json] [--markdown]

One server with its defaults, but for its memory, which is off: in every round each dialect has the same text spoken,
and it is made anew for each. Their order is another one in every round; a text is heard to its end before the next.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from http.client import HTTPConnection

import numpy as np
from rich.console import Console

from bench.dialect_clients import DIALECTS, Where
from bench.first_audio import machine
from bench.rows import Goal, Row, table
from bench.servers import free_port, onset_server
from bench.texts import sentences

BOUND_MS = 15
NAMES = ("p50", "p95", "over native")


async def measure(where: Where, rounds: int) -> Mapping[str, list[float]]:
    """Seconds to the first sound, of each dialect in each round."""
    texts, dice = sentences(), random.Random(6)
    found: dict[str, list[float]] = {name: [] for name in DIALECTS}
    async with AsyncExitStack() as stack:
        clients = {name: await stack.enter_async_context(dialect(where)) for name, dialect in DIALECTS.items()}
        for ask in clients.values():
            await ask(next(texts))  # for the first time
        for _ in range(rounds):
            text = next(texts)
            for name in dice.sample(list(clients), len(clients)):
                found[name].append(await clients[name](text))
    return found


def rows(found: Mapping[str, Sequence[float]]) -> list[Row]:
    """Milliseconds; `over native` is the median of what a dialect took longer for the same text."""
    native = np.array(found["native"])
    out: list[Row] = []
    for name, seconds in found.items():
        p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95])
        over = float(np.median(np.array(seconds) - native)) * 1000
        values = {"p50": float(p50), "p95": float(p95)}
        goals = [Goal(over, BOUND_MS)] if name != "native" else []
        out.append(Row(name, "ms", {**values, "over native": over} if goals else values, goals))
    return out


def default_voice(port: int) -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/v1/voices")
        return str(json.load(connection.getresponse())["default"])
    finally:
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.dialects", description="First sound of every dialect.")
    parser.add_argument("--quick", action="store_true", help="a sixth of the rounds")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    parser.add_argument("--markdown", action="store_true", help="the table as a README takes it")
    options = parser.parse_args()
    wyoming_port = free_port()
    with onset_server("--cache-bytes", "0", "--wyoming-port", str(wyoming_port)) as server:
        where = Where(server.port, wyoming_port, default_voice(server.port))
        found = rows(asyncio.run(measure(where, 5 if options.quick else 30)))
    if options.json:
        print(json.dumps({"machine": machine(), "rows": [row.json() for row in found]}, indent=2))
        return
    console = Console(width=120)
    console.print(table(found, NAMES, markdown=options.markdown))
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))


if __name__ == "__main__":
    main()
