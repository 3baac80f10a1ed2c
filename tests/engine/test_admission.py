from __future__ import annotations

import math

import pytest

from bench.machine import FRAME_S, effort
from engine.admission import FULL, Demand, excess_s, holds, refusal, rest_s
from engine.errors import Overloaded
from engine.scheduler import FAST_WAIT_S, Scheduler
from engine.types import Job, Pace


def scheduler(threads: int = 2) -> Scheduler:
    return Scheduler({"voice": effort()}, threads=threads)


def admitted(one: Scheduler, chars: int, now: float = 0.0, *, most: int = 1000, first: int = 1) -> int:
    """Listeners that are let in, one after another."""
    for number in range(most):
        try:
            one.admit(first + number, "voice", chars, now, pace=Pace.REALTIME, group=None)
        except Overloaded:
            return number
    return most


@pytest.mark.parametrize(
    ("demands", "excess"),
    [
        ([], 0.0),
        ([Demand(0.0, 0.0, 10.0, 0.9)], 0.0),
        ([Demand(0.0, 0.0, 10.0, 2.0)], 10.0 - 5 * FULL),  # due after 5 s, and one thread does 5 * FULL until then
        ([Demand(0.0, 1.0, 0.0, 1.0)], 1.0),  # at once, and nothing was done before
        ([Demand(2.0, 1.0, 0.0, 1.0)], 0.0),
        ([Demand(0.0, 0.0, math.inf, 0.5)], 0.0),
        ([Demand(0.0, 0.0, math.inf, 0.5), Demand(9.0, 0.0, math.inf, 0.5)], math.inf),
        ([Demand(0.0, 0.0, 100.0, 0.9), Demand(9.0, 0.0, 1.0, 0.5)], 0.9 * 11 + 1 - 11 * FULL),
    ],
)
def test_the_excess_is_what_is_due_before_it_can_be_done(demands: list[Demand], excess: float) -> None:
    assert excess_s(demands, 1) == pytest.approx(excess)


def test_who_has_spoken_long_will_go_on_for_as_long() -> None:
    assert rest_s(0.0, 5.0, 1.0) == 4.0
    assert rest_s(0.0, 5.0, 9.0) == 4.5
    assert rest_s(20.0, 5.0, 9.0) == 20.0
    assert rest_s(0.0, 5.0, 60.0) == math.inf


def test_about_as_many_are_let_in_as_the_threads_serve_and_a_few_who_may_wait() -> None:
    capacity = holds(effort().second_s(), 2)
    assert 15 <= capacity <= 18
    assert capacity <= admitted(scheduler(), 60) <= 1.6 * capacity
    assert admitted(scheduler(threads=4), 60) > 1.8 * admitted(scheduler(), 60)


def test_who_never_stops_takes_his_place_for_good() -> None:
    one = scheduler()
    for listener in range(1, 17):
        one.admit(listener, "voice", 60, 0.0, pace=Pace.REALTIME, group=None)
        one.add(Job(listener, listener, "voice", 100, Pace.REALTIME), 0.0)
        _let_hear(one, listener, 30.0)
    assert admitted(one, 60, 30.0, first=100) <= 2


def test_who_is_let_in_is_not_refused_in_the_same_turn_and_is_in_a_later_one() -> None:
    one = scheduler()
    inside = admitted(one, 60)
    for listener in range(1, inside + 1):
        one.add(Job(listener, listener, "voice", 100, Pace.REALTIME), 0.0)
        one.admit(listener, "voice", 400, 0.1, pace=Pace.REALTIME, group=None)
    for listener in (1, 2):
        one.forget(listener)
    for listener in range(2000, 2000 + admitted(one, 60, 0.1, first=2000)):
        one.add(Job(listener, listener, "voice", 100, Pace.REALTIME), 0.1)
    with pytest.raises(Overloaded):
        one.admit(1, "voice", 60, 0.1, pace=Pace.REALTIME, group=None)


def test_short_turns_make_room_for_more() -> None:
    one, used = scheduler(), scheduler()
    for listener in range(200):
        used.admit(listener, "voice", 10, 10.0 * listener, pace=Pace.REALTIME, group=None)
        _let_hear(used, listener, 1.0)
        used.forget(listener)
    assert admitted(used, 10, 5000.0, first=1000) > 1.5 * admitted(one, 10)


def test_a_turn_that_is_over_takes_no_place() -> None:
    one = scheduler()
    most = admitted(one, 60)
    assert admitted(one, 60, 1.0, first=1000) == most, "no work came of the others, and they are silent"


def test_the_refusal_says_how_busy_it_is_and_when_to_come_back() -> None:
    one = scheduler()
    inside = admitted(one, 60)
    with pytest.raises(
        Overloaded, match=rf"^{inside} listeners speak, the machine holds about \d+; try again in \d+ s"
    ):
        one.admit(5000, "voice", 60, 0.0, pace=Pace.REALTIME, group=None)
    assert refusal(1, 3, 0.2 + 1) == "1 listener speaks, the machine holds about 3; try again in 2 s"


def test_work_at_no_pace_waits_long_and_not_for_ever_and_keeps_nobody_out() -> None:
    one = scheduler(threads=1)
    with pytest.raises(Overloaded, match="s of work is waiting already"):
        for listener in range(5000):
            one.admit(listener, "voice", 400, 0.0, pace=Pace.FAST, group=None)
            one.add(Job(listener, listener, "voice", 600, Pace.FAST), 0.0)
    waiting_s = one.jobs * effort().frames(600) * FRAME_S * effort().second_s()
    assert FAST_WAIT_S <= waiting_s <= 1.1 * FAST_WAIT_S
    one.admit(10_000, "voice", 60, 0.0, pace=Pace.REALTIME, group=None)


def _let_hear(one: Scheduler, listener: int, seconds: float) -> None:
    """As if so much sound had been made for a listener and heard."""
    one._lines[listener].heard(seconds)
    one.taken(listener, seconds, 0.0)
