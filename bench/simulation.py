"""The scheduler in virtual time against sentences first come, first served: `python -m bench.simulation`."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bench.first_come import FirstCome
from bench.machine import CPU, Decides, Machine, effort, frames_of
from engine.errors import Overloaded
from engine.scheduler import Scheduler

THREADS = 2
GAP_S = 0.040
"""A silence where sound was due that is heard as one."""


@dataclass(frozen=True)
class Figures:
    """What the listeners of one run heard."""

    listeners: int
    refused: int
    first_s: Sequence[float]  # sorted
    gaps_s: Sequence[float]
    busy: float

    def first(self, part: float) -> float:
        return self.first_s[min(len(self.first_s) - 1, int(part * len(self.first_s)))]

    @property
    def audible(self) -> int:
        """Gaps that are heard."""
        return sum(gap > GAP_S for gap in self.gaps_s)


def figures(machine: Machine, refused: int) -> Figures:
    heard = list(machine.heard.values())
    gaps = [gap for one in heard for gap in one.gaps]
    return Figures(
        len(heard), refused, sorted(one.waited for one in heard), gaps, machine.busy_s / machine.now / THREADS
    )


def machine(first_come: bool, seed: int) -> Machine:
    """Steps take up to a fifth more or less than they were said to."""
    dice = random.Random(seed)
    scheduler: Decides = FirstCome() if first_come else Scheduler({"voice": effort()}, threads=THREADS)
    return Machine(scheduler, threads=THREADS, noise=lambda seconds: seconds * dice.uniform(0.8, 1.2))


def arrivals(load: float, seconds: float, *, first_come: bool, seed: int = 1) -> Figures:
    """Turns of one to four sentences arrive at random and keep the threads busy for a part `load` of the time."""
    dice, one = random.Random(seed), machine(first_come, seed + 1)
    turn = [[dice.randint(40, 180) for _ in range(dice.randint(1, 4))] for _ in range(2000)]
    work_s = sum(map(_work_s, (length for lengths in turn for length in lengths))) / len(turn)
    now, listener, refused = 0.0, 0, list[int]()
    while (now := now + dice.expovariate(load * THREADS / work_s)) < seconds:
        listener += 1
        one.at(now, partial(_talk, one, listener, dice.choice(turn), refused))
    one.run()
    return figures(one, len(refused))


def at_once(listeners: int, seconds: float, *, first_come: bool, seed: int = 1) -> Figures:
    """Listeners who begin together and never pause."""
    dice, one = random.Random(seed), machine(first_come, seed + 1)
    refused = list[int]()
    for _ in range(int(seconds / 2)):  # more sentences than can be heard, those of all in turn
        for listener in range(listeners):
            _talk(one, listener, [dice.randint(40, 180)], refused)
    one.run(until=seconds)
    return figures(one, len(refused))


def _talk(one: Machine, listener: int, lengths: Sequence[int], refused: list[int]) -> None:
    try:
        for length in lengths:
            one.speak(listener, length)
    except Overloaded:
        refused.append(listener)


def _work_s(length: int) -> float:
    voice, total = effort(CPU), frames_of(length)
    return voice.front_s(length) + voice.step_s(0, total, total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1200.0, help="virtual seconds of each run (%(default)s)")
    seconds = parser.parse_args().seconds
    print(f"{THREADS} threads, virtual time, {seconds:.0f} s; a gap is over {GAP_S * 1000:.0f} ms\n")
    print("| listeners | order | first sound p50 / p95 / most, ms | refused | gaps | longest gap, ms | busy |")
    print("|---|---|---|---|---|---|---|")
    for load in (0.5, 0.8, 0.9):
        for first_come in (True, False):
            _row(f"arriving, {load:.0%} load", first_come, arrivals(load, seconds, first_come=first_come))
    for listeners in (12, 16):
        for first_come in (True, False):
            _row(f"{listeners} at once", first_come, at_once(listeners, seconds, first_come=first_come))


def _row(what: str, first_come: bool, made: Figures) -> None:
    first = " / ".join(f"{made.first(part) * 1000:.0f}" for part in (0.5, 0.95, 1.0))
    order = "sentences as they come" if first_come else "steps by deadline"
    longest = max(made.gaps_s, default=0.0) * 1000
    refused = f"{made.refused} of {made.refused + made.listeners}"
    print(f"| {what} | {order} | {first} | {refused} | {made.audible} | {longest:.0f} | {made.busy:.0%} |")


if __name__ == "__main__":
    main()
