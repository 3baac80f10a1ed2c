"""The scheduler over hundreds of virtual seconds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.machine import CPU, FRAME_S, GPU, LAG, Machine, effort, frames_of
from bench.simulation import GAP_S, arrivals, at_once
from engine.scheduler import Scheduler
from engine.strides import STEP_S
from engine.types import Batch, Costs, Job, Pace, StepKind


def machine(*, threads: int = 2, ahead_s: float = 3.0, costs: Costs = CPU, whole: bool = False) -> Machine:
    scheduler = Scheduler({"voice": effort(costs, whole=whole)}, threads=threads, ahead_s=ahead_s)
    return Machine(scheduler, threads=threads, costs=costs, whole=whole)


def talk(
    one: Machine,
    listener: int,
    lengths: Sequence[int],
    pace: Pace = Pace.REALTIME,
    group: int | str | None = None,
) -> None:
    for length in lengths:
        one.speak(listener, length, pace, group=group)


def waits(one: Machine, listeners: Sequence[int]) -> list[float]:
    return sorted(one.heard[listener].waited for listener in listeners)


def test_at_four_fifths_load_the_first_sound_comes_in_a_tenth_of_the_time_and_nobody_hears_a_gap() -> None:
    """Against sentences made whole, first come, first served; steps take up to a fifth more than was expected."""
    by_deadline, as_they_come = (arrivals(0.8, 200, first_come=first_come) for first_come in (False, True))
    assert by_deadline.first(0.95) < as_they_come.first(0.95) / 10
    assert by_deadline.first(0.95) < 0.15
    assert max(by_deadline.gaps_s, default=0.0) <= GAP_S
    assert by_deadline.refused < 0.02 * by_deadline.listeners


def test_sixteen_listeners_at_once_who_never_pause_hear_no_gap() -> None:
    made = at_once(16, 60, first_come=False)
    assert made.refused == 0
    assert made.listeners == 16
    assert max(made.gaps_s, default=0.0) <= GAP_S


def test_of_sixteen_at_once_half_hear_their_first_sound_within_a_quarter_of_a_second() -> None:
    one = machine()
    for listener in range(16):
        talk(one, listener, [60, 120, 120])
    one.run()
    assert waits(one, range(16))[7] <= 0.25


def test_listeners_who_never_pause_hear_no_gap_for_five_minutes() -> None:
    one, dice = machine(), random.Random(1)
    for listener in range(12):
        lengths = [dice.randint(20, 150) for _ in range(160)]
        one.at(dice.random() * 20, partial(talk, one, listener, lengths))
    one.run()
    assert one.now > 300
    assert [gap for heard in one.heard.values() for gap in heard.gaps] == []
    assert one.busy_s / one.now / 2 > 0.5


def test_one_alone_hears_the_first_sound_after_its_front_and_the_smallest_step() -> None:
    one = machine()
    talk(one, 1, [120, 120])
    one.run()
    voice = effort()
    assert one.heard[1].waited < voice.front_s(120) + voice.step_s(0, LAG + 8, 1000)
    assert one.heard[1].gaps == []


def test_a_listener_has_no_more_than_the_bound_and_one_step_before_it() -> None:
    one = machine(ahead_s=3.0)
    talk(one, 1, [100] * 100)
    one.run()
    assert 3.0 <= one.most_ahead_s <= 3.0 + (STEP_S / CPU.decode.each_s + LAG) * FRAME_S


def test_a_paragraph_begins_as_soon_as_its_first_sentence_alone() -> None:
    alone, whole = machine(), machine()
    talk(alone, 1, [100])
    talk(whole, 1, [100, 80, 60, 120, 90])
    alone.run()
    whole.run()
    assert whole.heard[1].first == alone.heard[1].first


def test_short_sentences_follow_each_other_without_a_gap() -> None:
    one = machine()
    for listener in range(6):
        talk(one, listener, [12] * 100)
    one.run()
    assert max((gap for heard in one.heard.values() for gap in heard.gaps), default=0.0) <= GAP_S


def test_a_new_listener_waits_for_the_running_steps_alone() -> None:
    one, dice = machine(), random.Random(2)
    for listener in range(8):
        talk(one, listener, [dice.randint(60, 150) for _ in range(200)])
    for new in range(100, 150):
        one.at(30.0 + new, partial(talk, one, new, [60]))
    one.run(until=400)
    voice = effort()
    own = voice.front_s(60) + voice.step_s(0, LAG + 12, 1000)
    assert max(waits(one, range(100, 150))) <= own + 2 * voice.step_s(900, 10, 910)


def test_sixty_sentences_of_one_do_not_delay_the_first_of_another() -> None:
    one = machine(threads=1)
    talk(one, 1, [50] * 60)
    one.at(0.001, partial(talk, one, 2, [60]))
    one.run()
    assert one.heard[2].waited < 0.2


def test_one_connection_with_fifty_lines_does_not_starve_the_others() -> None:
    crowd, alone = machine(), machine()
    for listener in range(12):
        talk(crowd, listener, [60], group="crowd")
    for one in (crowd, alone):
        for listener in range(100, 104):
            one.at(0.001, partial(talk, one, listener, [60], group=listener))
        one.run()
    assert waits(crowd, range(100, 104))[-1] < waits(alone, range(100, 104))[-1] + 0.15
    assert waits(crowd, range(100, 104))[-1] < waits(crowd, range(12))[7]


def test_forty_who_are_silent_cost_the_one_who_speaks_nothing() -> None:
    """d36"""
    crowd, alone = machine(), machine()
    for listener in range(40):
        crowd.at(listener, partial(talk, crowd, listener, [10]))
    for one in (crowd, alone):
        one.at(100.0, partial(talk, one, 99, [60]))
        one.run()
    assert crowd.heard[99].waited == alone.heard[99].waited


def test_a_slow_line_of_a_connection_does_not_block_the_other() -> None:
    """d10: one that takes nothing stops being made, and that alone."""
    scheduler = Scheduler({"voice": effort()}, threads=1)
    slow, quick = Job(1, 1, "voice", 200, Pace.REALTIME, "both"), Job(2, 2, "voice", 200, Pace.REALTIME, "both")
    scheduler.add(slow, 0.0)
    scheduler.add(quick, 0.0)
    heard, now = 0.0, 0.0
    while (batch := scheduler.next_batch(now)) is not None:
        now += 0.02
        sound_s = 5.0 if batch.kind is StepKind.FRONT else batch.frames * FRAME_S
        scheduler.done(batch, [sound_s] * len(batch.jobs), now, 0.02)
        if batch.kind is StepKind.DECODE and quick in batch.jobs:
            scheduler.taken(2, sound_s, now)
            scheduler.played(2, now)
            heard += sound_s
    assert heard >= 5.0
    assert scheduler.jobs == 1


def test_a_file_takes_only_what_listeners_leave_and_no_thread_for_longer_than_a_step() -> None:
    with_file, without = machine(threads=1), machine(threads=1)
    for one in (with_file, without):
        talk(one, 1, [60] * 200)
    talk(with_file, 2, [60] * 500, Pace.FAST)
    without.run()
    with_file.run()
    assert with_file.heard[1].gaps == without.heard[1].gaps == []
    assert len(with_file.heard[2].made) == 500
    assert with_file.heard[1].waited == without.heard[1].waited
    longest = max(batch.frames for batch in with_file.batches)
    assert longest <= max(LAG + 8, STEP_S / CPU.decode.each_s)


def test_an_overload_that_was_let_in_is_shared_and_everyone_is_served() -> None:
    scheduler = Scheduler({"voice": effort()}, threads=2, max_start_s=1000.0)
    one = Machine(scheduler)
    for listener in range(40):
        talk(one, listener, [100] * 8)
    one.run()
    assert all(len(heard.made) == 8 for heard in one.heard.values())
    ends = [heard.until for heard in one.heard.values()]
    assert max(ends) - min(ends) < 0.2 * max(ends)


def test_decodings_share_a_step_where_that_pays_and_only_there() -> None:
    rows = {}
    for name, costs in (("cpu", CPU), ("gpu", GPU)):
        one = machine(threads=1, costs=costs)
        for listener in range(4):
            talk(one, listener, [100, 100])
        one.run()
        assert all(heard.made == sorted(heard.made) for heard in one.heard.values())
        rows[name] = max(len(batch.jobs) for batch in one.batches if batch.kind is StepKind.DECODE)
    assert rows == {"cpu": 1, "gpu": 4}


def test_a_machine_on_which_batches_pay_serves_what_one_step_after_another_could_not() -> None:
    one = machine(threads=1, costs=GPU)
    for listener in range(60):
        one.at(0.05 * listener, partial(talk, one, listener, [100] * 20))
    one.run()
    served = [heard for heard in one.heard.values() if heard.made]
    assert len(served) == 60
    assert max((gap for heard in served for gap in heard.gaps), default=0.0) <= GAP_S


def test_costs_said_too_low_are_corrected_and_the_sound_holds() -> None:
    scheduler = Scheduler({"voice": effort()}, threads=2)
    one = Machine(scheduler, noise=lambda seconds: 1.5 * seconds)
    for listener in range(9):
        one.at(0.2 * listener, partial(talk, one, listener, [100] * 60))
    one.run()
    assert max((gap for heard in one.heard.values() for gap in heard.gaps), default=0.0) <= GAP_S


def test_a_voice_that_is_decoded_whole_is_served_by_deadline_too() -> None:
    one = machine(whole=True)
    for listener in range(8):
        talk(one, listener, [80] * 20)
    one.run()
    assert all(len(heard.made) == 20 for heard in one.heard.values())
    assert max(gap for heard in one.heard.values() for gap in [0.0, *heard.gaps]) < 0.3


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_happens_order_holds_and_no_work_is_lost_or_done_twice(data: st.DataObject) -> None:
    scheduler = Scheduler({"v": effort()}, threads=data.draw(st.integers(1, 3)), ahead_s=2.0)
    now, out, jobs = 0.0, list[Batch](), dict[int, Job]()
    dead, heard = set[int](), Sound()
    for number in range(1, data.draw(st.integers(1, 60)) + 1):
        match data.draw(st.sampled_from(["add", "add", "next", "next", "done", "done", "fail", "cancel", "take"])):
            case "add":
                listener = data.draw(st.integers(0, 3))
                length = data.draw(st.integers(1, 150))
                pace = Pace(["realtime", "fast"][listener % 2])
                jobs[number] = Job(number, listener, "v", length, pace, listener // 2)
                scheduler.add(jobs[number], now)
            case "next" if batch := scheduler.next_batch(now):
                assert not {job.id for job in batch.jobs} & {job.id for other in out for job in other.jobs}
                out.append(batch)
            case "done" if out:
                batch = out.pop(data.draw(st.integers(0, len(out) - 1)))
                alive = heard.bring(scheduler, batch, now)
                assert not dead & {job.id for job in alive}
            case "fail" if out:
                dead |= {job.id for job in scheduler.failed(out.pop())}
            case "cancel" if jobs:
                gone = data.draw(st.sampled_from(sorted(jobs)))
                dead |= {gone} if gone not in heard.whole else set()
                scheduler.cancel([gone])
            case "take":
                heard.take(scheduler, now)
        now += data.draw(st.sampled_from([0.0, 0.01, 1.0]))
    _finish(scheduler, out, heard, now)
    assert sorted(heard.whole) == sorted(set(jobs) - dead)
    for listener in range(4):
        mine = [id_ for id_ in heard.whole if jobs[id_].listener == listener]
        assert mine == sorted(mine)
    assert scheduler.jobs == 0


class Sound:
    """What came of the steps: frames consumed by job, jobs heard whole in order, and sound not yet taken."""

    def __init__(self) -> None:
        self.at: dict[int, int] = {}
        self.whole: list[int] = []
        self.untaken: dict[int, float] = {}

    def bring(self, scheduler: Scheduler, batch: Batch, now: float) -> tuple[Job, ...]:
        sound_s = [frames_of(job.length) * FRAME_S for job in batch.jobs]
        if batch.kind is StepKind.DECODE:
            sound_s = [batch.frames * FRAME_S] * len(batch.jobs)
        alive = scheduler.done(batch, sound_s, now, 0.03)
        for job in alive if batch.kind is StepKind.DECODE else ():
            assert self.at.get(job.id, 0) < frames_of(job.length), "decoded after its end"
            self.at[job.id] = self.at.get(job.id, 0) + batch.frames
            self.untaken[job.listener] = self.untaken.get(job.listener, 0.0) + batch.frames * FRAME_S
            if self.at[job.id] >= frames_of(job.length):
                self.whole.append(job.id)
        return alive

    def take(self, scheduler: Scheduler, now: float) -> None:
        for who, sound_s in self.untaken.items():
            scheduler.taken(who, sound_s, now)
        self.untaken.clear()


def _finish(scheduler: Scheduler, out: list[Batch], heard: Sound, now: float) -> None:
    """Bring everything home, with listeners who take all and have heard it."""
    for _ in range(5000):
        now += 1.0
        while out:
            heard.bring(scheduler, out.pop(), now)
        heard.take(scheduler, now)
        for listener in range(4):
            scheduler.played(listener, now)
        if batch := scheduler.next_batch(now):
            out.append(batch)
        elif scheduler.jobs == 0:
            break
