"""How soon the first sound comes: to one client, and to many at once."""

from __future__ import annotations

from bench.clients import Patient
from bench.heard import percentile
from bench.programs import LIBRARY, NAMES, PIPER, SERVERS, WYOMING
from bench.rows import Row, ratio
from bench.run import Run, together

CROWD = 16
_UNIT = "ms"


async def one_client(run: Run) -> list[Row]:
    """From the last character sent to the first sample that came, a sentence of about 60 characters, one client.

    Every round takes one sentence to every program in turn; each hears it to its end before the next begins. The
    library has no server around it: its own clock, from the text it is given to its first chunk, on one thread.
    """
    first: dict[str, list[float]] = {}
    for number in range(run.sizes.rounds + 1):
        text = run.sentences(1)
        for program in run.fleet.of(NAMES):
            with run.fleet.alone(program.name):
                async with program.clients(1) as clients:
                    (heard,) = await together(clients, text)
            if number:  # the first round is to wake them
                first.setdefault(program.name, []).append(1000 * heard.first_s)
    p50, p95 = ({name: percentile(ms, share) for name, ms in first.items()} for share in (0.5, 0.95))
    goals = [*ratio(p50, PIPER, 0.25), *ratio(p50, LIBRARY, 1.0)]
    return [
        Row("first sound, one client, p50", _UNIT, p50, goals),
        Row("first sound, one client, p95", _UNIT, p95),
    ]


async def crowd(run: Run) -> list[Row]:
    """The same for CROWD clients who all send at the same moment, each a sentence of its own, with open connections.

    A server may refuse some for now; they ask again every tenth of a second, and their time goes on.
    """
    first: dict[str, list[float]] = {}
    last: dict[str, list[float]] = {}
    refused: dict[str, float] = {}
    for _ in range(run.sizes.crowds):
        texts = run.sentences(CROWD)
        for program in run.fleet.of(SERVERS):
            with run.fleet.alone(program.name):
                async with program.clients(CROWD) as clients:
                    asking = [Patient(say) for say in clients]
                    ms = [1000 * heard.first_s for heard in await together(asking, texts)]
            turned_away = sum(one.refused > 0 for one in asking) / run.sizes.crowds
            refused[program.name] = refused.get(program.name, 0.0) + turned_away
            first.setdefault(program.name, []).extend(ms)
            last.setdefault(program.name, []).append(max(ms))
    p50, p95 = ({name: percentile(ms, share) for name, ms in first.items()} for share in (0.5, 0.95))
    goals = [*ratio(p50, PIPER, 0.05), *ratio(p50, WYOMING, 0.125)]
    return [
        Row(f"first sound, {CROWD} clients at once, p50", _UNIT, p50, goals),
        Row(f"first sound, {CROWD} clients at once, p95", _UNIT, p95),
        Row(
            f"first sound, {CROWD} clients at once, the last",
            _UNIT,
            {name: percentile(ms, 0.5) for name, ms in last.items()},
        ),
        Row(f"of {CROWD} at once, refused at first", "clients", refused),
    ]
