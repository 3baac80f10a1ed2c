"""The scheduler over thousands of virtual seconds."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.scheduler import Scheduler
from engine.types import Batch, Job, Pace, StepKind
from tests.engine.simulation import SECONDS_AN_ID, Machine


def talk(machine: Machine, listener: int, lengths: list[int], pace: Pace = Pace.REALTIME) -> None:
    for length in lengths:
        machine.speak(listener, length, pace)


def test_listeners_who_never_pause_hear_no_gap_for_an_hour() -> None:
    machine = Machine()
    dice = random.Random(1)
    for listener in range(12):
        lengths = [dice.randint(20, 150) for _ in range(1400)]
        machine.at(dice.random() * 20, lambda who=listener, lengths=lengths: talk(machine, who, lengths))  # type: ignore[misc]
    machine.run()
    assert machine.now > 3000
    assert [gap for heard in machine.heard.values() for gap in heard.gaps] == []
    assert machine.busy_s / machine.now / 2 > 0.5


def test_a_listener_has_no_more_than_the_bound_and_one_sentence_before_it() -> None:
    machine = Machine(ahead_s=3.0)
    talk(machine, 1, [100] * 500)
    machine.run()
    assert 3.0 <= machine.most_ahead_s <= 3.0 + 100 * SECONDS_AN_ID


def test_a_paragraph_begins_as_soon_as_its_first_sentence_alone() -> None:
    alone, whole = Machine(), Machine()
    talk(alone, 1, [100])
    talk(whole, 1, [100, 80, 60, 120, 90])
    alone.run()
    whole.run()
    assert whole.heard[1].first == alone.heard[1].first


def test_a_new_listener_waits_for_the_running_steps_alone() -> None:
    machine = Machine()
    dice = random.Random(2)
    for listener in range(8):
        talk(machine, listener, [dice.randint(60, 150) for _ in range(200)])
    for new in range(100, 150):
        machine.at(30.0 + new, lambda new=new: talk(machine, new, [60]))  # type: ignore[misc]
    machine.run(until=400)
    longest_step = 150 * SECONDS_AN_ID * 0.09
    own = 0.010 + 60 * 0.0002 + 60 * SECONDS_AN_ID * 0.09
    waits = [h.first - h.asked for who, h in machine.heard.items() if who >= 100 and h.first is not None]
    assert len(waits) == 50
    assert max(waits) <= own + 2 * longest_step


def test_sixty_sentences_of_one_do_not_delay_the_first_of_another() -> None:
    machine = Machine(threads=1)
    talk(machine, 1, [50] * 60)
    machine.at(0.001, lambda: talk(machine, 2, [60]))
    machine.run()
    first = machine.heard[2].first
    assert first is not None
    assert first < 0.5


def test_a_file_takes_only_what_listeners_leave() -> None:
    with_file, without = Machine(threads=1), Machine(threads=1)
    for machine in (with_file, without):
        talk(machine, 1, [60] * 200)
    talk(with_file, 2, [60] * 500, Pace.FAST)
    without.run()
    with_file.run()
    assert with_file.heard[1].gaps == without.heard[1].gaps == []
    assert with_file.heard[2].until > 0
    assert len(with_file.heard[2].made) == 500


def test_an_overload_is_shared_and_everyone_is_served() -> None:
    machine = Machine()
    for listener in range(60):
        talk(machine, listener, [100] * 20)
    machine.run()
    assert all(len(heard.made) == 20 for heard in machine.heard.values())
    ends = [heard.until for heard in machine.heard.values()]
    assert max(ends) - min(ends) < 0.2 * max(ends)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_happens_order_holds_and_no_work_is_lost_or_done_twice(data: st.DataObject) -> None:
    scheduler = Scheduler(ahead_s=2.0)
    now, out, jobs = 0.0, list[Batch](), dict[int, Job]()
    dead, decoded, untaken = set[int](), list[Job](), dict[int, float]()
    for number in range(1, data.draw(st.integers(1, 60)) + 1):
        match data.draw(st.sampled_from(["add", "add", "next", "next", "done", "done", "fail", "cancel", "take"])):
            case "add":
                listener = data.draw(st.integers(0, 3))
                jobs[number] = Job(
                    number, listener, "v", data.draw(st.integers(1, 150)), Pace(["realtime", "fast"][listener % 2])
                )
                scheduler.add(jobs[number], now)
            case "next" if batch := scheduler.next_batch(now):
                out.append(batch)
            case "done" if out:
                batch = out.pop(data.draw(st.integers(0, len(out) - 1)))
                alive = scheduler.done(batch, [0.5] * len(batch.jobs), now)
                assert not dead & {job.id for job in alive}
                if batch.kind is StepKind.DECODE:
                    decoded += alive
                    for job in alive:
                        untaken[job.listener] = untaken.get(job.listener, 0.0) + 0.5
            case "fail" if out:
                dead |= {job.id for job in scheduler.failed(out.pop())}
            case "cancel" if jobs:
                dead.add(gone := data.draw(st.sampled_from(sorted(jobs))))
                scheduler.cancel([gone])
            case "take":
                for who, sound_s in untaken.items():
                    scheduler.taken(who, sound_s, now)
                untaken.clear()
        now += data.draw(st.sampled_from([0.0, 0.01, 1.0]))
    decoded += _finish(scheduler, out, now)
    lost = dead - {job.id for job in decoded}
    assert sorted(job.id for job in decoded) == sorted(set(jobs) - lost)
    for listener in range(4):
        mine = [job.id for job in decoded if job.listener == listener]
        assert mine == sorted(mine)
    assert scheduler.jobs == 0


def _finish(scheduler: Scheduler, out: list[Batch], now: float) -> list[Job]:
    """Bring everything home, with listeners who take all."""
    decoded: list[Job] = []
    for _ in range(1000):
        now += 1.0
        while out:
            batch = out.pop()
            alive = scheduler.done(batch, [0.5] * len(batch.jobs), now)
            decoded += alive if batch.kind is StepKind.DECODE else ()
        for listener in range(4):
            scheduler.taken(listener, 100.0, now - 200.0)
            scheduler.played(listener, now)
        if batch_ := scheduler.next_batch(now):
            out.append(batch_)
        elif scheduler.jobs == 0:
            break
    return decoded
