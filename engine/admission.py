"""Whether one more listener fits: the work that is due by any time against what the threads do until then; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.lines import Line, Turn
from engine.strides import FIRST_FRAMES

FULL = 0.95
"""Of the threads' time, so much can be planned."""

_LONGEST_WAIT_S = 10.0
_USUAL_IDS = 60  # of a first sentence not yet read
_ENDLESS_S = 20.0  # who was spoken to for so long counts as one who never stops


@dataclass(frozen=True, slots=True)
class Demand:
    """What a listener wants: nothing until `from_s` from now, then `begin_s` of work at once, and from there on work
    at `rate` (seconds of work a second) until `work_s` is done."""

    from_s: float
    begin_s: float
    work_s: float
    rate: float

    @property
    def until_s(self) -> float:
        """When all its work is due."""
        return self.from_s + (self.work_s / self.rate if self.rate > 0 else 0.0)


def demand(turn: Turn, known_s: float, lead_s: float | None, waited_s: float, max_start_s: float) -> Demand:
    """What a listener in a turn wants. `lead_s`: sound before him; None for one who hears nothing yet and has waited
    `waited_s`: he may be made to wait until `max_start_s`."""
    rate = turn.effort.second_s()
    work_s = rest_s(known_s, turn.expected_s, turn.made_s) * rate
    if lead_s is not None:
        return Demand(lead_s, 0.0, work_s, rate)
    begin_s = turn.effort.begin_s(_USUAL_IDS, FIRST_FRAMES)
    return Demand(max(0.0, max_start_s - waited_s), begin_s, max(0.0, work_s - begin_s), rate)


def demand_of(line: Line, turn: Turn, now: float, max_start_s: float) -> Demand:
    """The same for a listener who is there."""
    begun = line.first_due is None and (turn.made_s > 0 or line.lead_s(now) > 0)
    return demand(turn, line.left_s(), line.lead_s(now) if begun else None, now - turn.since, max_start_s)


def rest_s(known_s: float, expected_s: float, made_s: float) -> float:
    """Sound that a turn still wants: what is known, what was expected, and at least half as much again as it
    had already: who has spoken long will go on for long."""
    if made_s >= _ENDLESS_S:
        return math.inf
    return max(known_s, expected_s - made_s, made_s / 2)


def excess_s(demands: Sequence[Demand], threads: int) -> float:
    """Seconds of work by which the demands are ahead of the threads at the worst time; 0 where all fits."""
    power = threads * FULL
    # The demand bends only where one begins or ends: work due so far is followed from bend to bend.
    bends = sorted(
        [(d.from_s, d.begin_s, d.rate) for d in demands] + [(d.until_s, 0.0, -d.rate) for d in demands],
    )
    due, rate, before, worst = 0.0, 0.0, 0.0, 0.0
    for at, jump, change in bends:
        if math.isinf(at):
            break
        due += rate * (at - before) + jump
        rate, before = rate + change, at
        worst = max(worst, due - power * at)
    return math.inf if rate > power + 1e-9 else worst


def holds(rate: float, threads: int) -> int:
    """Listeners who never pause that so many threads serve."""
    return max(1, int(threads * FULL / rate)) if rate > 0 else 10**6


def wait_s(demands: Sequence[Demand], threads: int) -> float:
    """When somebody who does not fit may try again: the work is done that is too much, or a listener stops."""
    stops = min((d.until_s for d in demands), default=0.0)
    return min(_LONGEST_WAIT_S, max(1.0, min(excess_s(demands, threads) / threads, stops)))


def refusal(speaking: int, capacity: int, wait_s: float) -> str:
    """What somebody who does not fit is told."""
    listeners = "1 listener speaks" if speaking == 1 else f"{speaking} listeners speak"
    return f"{listeners}, the machine holds about {capacity}; try again in {math.ceil(wait_s)} s"
