"""Listeners who hear without pause: how many the machine carries, and how soon a newcomer is heard among them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bench.clients import OnsetClient, Patient, Refused
from bench.heard import GAP_S, Heard, gaps, longest_gap_s, percentile
from bench.programs import FIRST_COME, ONSET, OURS, Program
from bench.rows import Row, figure, ratio
from bench.run import SENTENCE_S, Run

SPREAD_S = 2.0
"""Listeners of one level begin at random within this time."""

LOAD = 0.8
TRIES = 2


async def listeners(run: Run) -> list[Row]:
    """The most listeners at once of whom none hears a gap of more than 40 ms.

    Each sends a long text at once, hears it at the pace of speech from its first sound on and holds nothing back; a
    gap is the time between the end of all the sound that came and the next. More and more of them, a level at
    a time; where one of them is refused or hears a gap the level has failed. It is tried once more, since the machine
    has other work too, and then ends the measure.
    """
    carried: dict[str, float] = {}
    worst: dict[str, float] = {}
    levels = {ONSET: run.sizes.levels, FIRST_COME: run.sizes.first_come_levels}
    for program in run.fleet.of(OURS):
        carried[program.name] = 0
        for level in levels[program.name]:
            tried = await _level(run, program, level)
            run.notes.append(f"{program.name}, {level} listeners: {tried}")
            if not tried.carried:
                worst[program.name] = 1000 * tried.gap_s
                break
            carried[program.name] = level
    if found := int(carried.get(ONSET, 0)):
        run.capacity = found
    return [
        Row("listeners without pause, no gap over 40 ms", "listeners", carried, figure(carried, 16, least=True)),
        Row("longest gap, one level more", "ms", worst),
    ]


@dataclass(frozen=True, slots=True)
class Try:
    """What came of so many listeners at once."""

    gap_s: float  # the longest
    refused: int

    @property
    def carried(self) -> bool:
        return self.gap_s <= GAP_S and not self.refused

    def __str__(self) -> str:
        refused = f", {self.refused} refused" if self.refused else ""
        return f"the longest gap {1000 * self.gap_s:.0f} ms{refused}"


async def _level(run: Run, program: Program, level: int) -> Try:
    """The first try that carried all, else the last."""
    with run.fleet.alone(program.name):
        for _ in range(TRIES):
            texts = [run.speech(run.sizes.listen_s) for _ in range(level)]
            tried = await _listen(program, texts, run.dice)
            if tried.carried:
                break
    return tried


async def _listen(program: Program, texts: Sequence[str], dice: random.Random) -> Try:
    starts = [dice.uniform(0, SPREAD_S) for _ in texts]
    async with program.clients(len(texts)) as clients:

        async def one(number: int) -> Heard | None:
            await asyncio.sleep(starts[number])
            with suppress(Refused):
                return await clients[number](texts[number])
            return None

        came = await asyncio.gather(*map(one, range(len(texts))))
    heard = [one for one in came if one is not None]
    return Try(longest_gap_s(heard), len(came) - len(heard))


@dataclass(slots=True)
class Turns:
    """What came of turns that arrived at random."""

    heard: list[Heard] = field(default_factory=list)
    refused: int = 0


async def turns(run: Run) -> list[Row]:
    """How soon the first sound of a turn comes, p95, at LOAD of what `listeners` found, turns arriving at random.

    A turn is one to three sentences that come at once; the time between two is exponential (a Poisson stream), from
    a seed, so that both programs get the same. The load is their sound over the time: 0.8 * 16 listeners are
    12.8 s of sound a second. A turn that finds no free connection opens one before its clock runs; one that is
    refused asks again every tenth of a second, and its clock goes on.
    """
    rate = LOAD * run.capacity / (2 * SENTENCE_S)
    plan: list[tuple[float, str]] = []
    at = run.dice.expovariate(rate)
    while at < run.sizes.turns_s:
        plan.append((at, " ".join(run.sentences(run.dice.randint(1, 3)))))
        at += run.dice.expovariate(rate)
    came: dict[str, Turns] = {}
    for program in run.fleet.of(OURS):
        with run.fleet.alone(program.name):
            came[program.name] = await _take_turns(program, plan)
    first = {name: [1000 * heard.first_s for heard in turns.heard] for name, turns in came.items()}
    p50, p95 = ({name: percentile(ms, share) for name, ms in first.items()} for share in (0.5, 0.95))
    longest = {name: 1000 * longest_gap_s(turns.heard) for name, turns in came.items()}
    with_gap = {
        name: float(sum(max(gaps(heard.arrivals), default=0.0) > GAP_S for heard in turns.heard))
        for name, turns in came.items()
    }
    refused = {name: float(turns.refused) for name, turns in came.items()}
    at_load = f"at {LOAD:.0%} of {run.capacity} listeners, {len(plan)} turns at random"
    return [
        Row(f"first sound {at_load}, p50", "ms", p50),
        Row(f"first sound {at_load}, p95", "ms", p95, [*figure(p95, 150), *ratio(p95, FIRST_COME, 0.1)]),
        Row("turns with a gap over 40 ms", "turns", with_gap),
        Row("their longest gap", "ms", longest, figure(longest, 40)),
        Row("turns refused at first", "turns", refused, figure(refused, 0)),
    ]


async def _take_turns(program: Program, plan: Sequence[tuple[float, str]]) -> Turns:
    came, free = Turns(), list[OnsetClient]()

    async def turn(at: float, text: str) -> None:
        await asyncio.sleep(at)
        client = free.pop() if free else await OnsetClient.open(program.server.port)
        asking = Patient(client.say)
        came.heard.append(await asking(text))
        came.refused += asking.refused > 0
        free.append(client)

    async with asyncio.TaskGroup() as group:
        for at, text in plan:
            group.create_task(turn(at, text))
    await asyncio.gather(*(client.aclose() for client in free))
    return came
