from __future__ import annotations

from itertools import count

import pytest

from bench.machine import FRAME_S, effort
from engine.scheduler import FIRST_S, Scheduler
from engine.steps import BATCH_S, MAX_ROWS, PATIENCE_S
from engine.types import Batch, Job, Pace, StepKind

AHEAD_S = 3.0
_ids = count(1)


def job(listener: int, length: int = 50, *, pace: Pace = Pace.REALTIME, voice: str = "joe") -> Job:
    return Job(next(_ids), listener, voice, length, pace)


def scheduler(*jobs: Job, now: float = 0.0) -> Scheduler:
    made = Scheduler({voice: effort(whole=True) for voice in ("joe", "amy")}, ahead_s=AHEAD_S)
    for one in jobs:
        made.add(one, now)
    return made


def take(s: Scheduler, now: float = 0.0) -> Batch:
    batch = s.next_batch(now)
    assert batch is not None
    return batch


def run(s: Scheduler, now: float = 0.0, *, sound_s: float = 1.0) -> Batch:
    """Take the next batch and bring it back at once."""
    batch = take(s, now)
    s.done(batch, [sound_s] * len(batch.jobs), now)
    return batch


def begun(listener: int, s: Scheduler, *, sound_s: float, now: float = 0.0) -> None:
    """Let a listener hear `sound_s` of sound from now on."""
    s.add(job(listener), now)
    run(s, now, sound_s=sound_s)
    run(s, now, sound_s=sound_s)
    s.taken(listener, sound_s, now)


def test_a_job_passes_its_front_then_its_decoding_and_is_gone() -> None:
    one = job(1)
    s = scheduler(one)
    assert run(s) == Batch(StepKind.FRONT, "joe", (one,))
    batch = run(s)
    assert batch == Batch(StepKind.DECODE, "joe", (one,), frames=round(1.0 / FRAME_S))
    assert s.next_batch(0.0) is None
    assert s.jobs == 0


def test_nothing_is_given_twice_while_it_runs() -> None:
    s = scheduler(job(1))
    take(s)
    assert s.next_batch(0.0) is None


def test_jobs_of_a_listener_are_decoded_in_order_and_their_fronts_may_be_ahead() -> None:
    first, second = job(1, 50), job(1, 90)
    s = scheduler(first, second)
    front = take(s)
    ahead = take(s)
    assert (front.jobs, ahead.jobs) == ((first,), (second,))
    s.done(ahead, [1.0], 0.0)
    assert s.next_batch(0.0) is None, "the second waits for the first, though its own front is done"
    s.done(front, [1.0], 0.0)
    decoding = take(s)
    assert (decoding.kind, decoding.jobs) == (StepKind.DECODE, (first,))
    assert s.next_batch(0.0) is None, "one decoding of a listener at a time"


def test_the_first_sentence_is_decoded_before_the_second_ones_front() -> None:
    s = scheduler(job(1, 50), job(1, 50))
    assert len(run(s).jobs) == 1, "work made ahead does not ride with the first"
    assert take(s).kind is StepKind.DECODE


def test_a_new_listener_comes_before_one_with_sound_enough() -> None:
    s = scheduler()
    begun(1, s, sound_s=1.0)
    s.add(job(1), 0.0)
    s.add(new := job(2, 90), 0.0)
    assert take(s).jobs == (new,)


def test_a_listener_about_to_run_out_comes_before_a_new_one() -> None:
    s = scheduler()
    begun(1, s, sound_s=1.0)
    s.add(urgent := job(1), 0.0)
    s.add(job(2, 90), 0.95)
    assert take(s, 0.95).jobs == (urgent,)


def test_a_new_listener_cannot_be_put_off_for_ever_by_listeners_who_have_run_out() -> None:
    s = scheduler()
    begun(1, s, sound_s=1.0)
    s.add(job(1, 90), 0.0)
    s.add(new := job(2, 50), 0.5)
    assert take(s, 0.5 + FIRST_S + PATIENCE_S).jobs == (new,)


def test_a_listener_who_heard_all_is_new_again() -> None:
    s = scheduler()
    begun(1, s, sound_s=1.0)
    s.add(job(1, 90), 10.0)
    s.add(early := job(2, 50), 9.95)
    assert take(s, 10.0).jobs == (early,)


def test_a_later_sentence_is_as_urgent_as_the_sound_before_it_is_short() -> None:
    s = scheduler()
    for listener, sound_s in ((1, 0.5), (2, 1.5)):
        begun(listener, s, sound_s=sound_s)
    for listener in (2, 1):
        s.add(job(listener, 50 if listener == 1 else 90), 0.0)
    assert [take(s).jobs[0].listener for _ in range(2)] == [1, 2]


def test_a_listener_with_sound_enough_gets_nothing_until_it_has_heard_some() -> None:
    s = scheduler()
    begun(1, s, sound_s=AHEAD_S + 1)
    s.add(job(1), 0.0)
    assert s.next_batch(0.5) is None
    opens = s.next_time(0.5)
    assert opens == pytest.approx(1.0)
    assert s.next_batch(1.001) is not None


def test_fronts_are_made_ahead_no_further_than_sound_may_be() -> None:
    s = scheduler(*(job(1, 121) for _ in range(20)))
    fronts = 0
    while s.next_batch(0.0):
        fronts += 1
    assert fronts == 1, "the first runs alone, and the second would begin 3 s later"


def test_sound_made_and_not_taken_counts() -> None:
    s = scheduler(job(1), job(1))
    run(s, sound_s=AHEAD_S)
    run(s, sound_s=AHEAD_S)
    assert s.next_batch(100.0) is None, "time does not help: nobody takes it"
    assert s.next_time(100.0) is None
    s.taken(1, AHEAD_S, 100.0)
    assert s.next_batch(100.001) is not None


def test_sound_dropped_makes_room_and_is_not_heard() -> None:
    s = scheduler(job(1), job(1))
    run(s, sound_s=AHEAD_S)
    run(s, sound_s=AHEAD_S)
    s.dropped(1, AHEAD_S)
    assert s.next_batch(0.0) is not None


def test_what_was_played_from_elsewhere_counts() -> None:
    s = scheduler()
    s.played(1, 10.0)
    s.add(job(1), 0.0)
    assert s.next_batch(6.9) is None
    s.add(other := job(2, 90), 7.1)
    assert [take(s, 7.1).jobs[0].listener for _ in range(2)] == [other.listener, 1]


def test_work_at_no_pace_runs_only_when_nobody_listens_for_more() -> None:
    s = scheduler(job(1, pace=Pace.FAST), job(2, 90))
    assert [run(s).jobs[0].listener for _ in range(4)] == [2, 2, 1, 1]


def test_work_at_no_pace_is_bounded_by_what_is_not_taken_and_by_that_alone() -> None:
    s = scheduler(*(job(1, 50, pace=Pace.FAST) for _ in range(8)))
    run(s, sound_s=AHEAD_S)
    run(s, sound_s=AHEAD_S)
    assert s.next_batch(0.0) is None
    s.taken(1, AHEAD_S, 0.0)
    assert s.next_batch(0.0) is not None


def test_listeners_at_no_pace_take_turns() -> None:
    s = scheduler(*(job(listener, 40 * listener, pace=Pace.FAST) for listener in (1, 2) for _ in range(3)))
    decoded = []
    for step in range(12):
        batch = run(s, float(step))
        if batch.kind is StepKind.DECODE:
            decoded.append(batch.jobs[0].listener)
            s.taken(batch.jobs[0].listener, 1.0, float(step))
    assert decoded == [1, 2, 1, 2, 1, 2]


def test_short_sentences_that_wait_share_a_front() -> None:
    jobs = [job(listener, length) for listener, length in ((1, 33), (2, 64), (3, 50))]
    assert set(take(scheduler(*jobs)).jobs) == set(jobs)


@pytest.mark.parametrize(("lengths", "rows"), [((64, 65), 1), ((10, 60), 1), ((200, 200, 200), 1), ((90,) * 9, 3)])
def test_rows_of_a_front_are_alike_and_not_too_much_work(lengths: tuple[int, ...], rows: int) -> None:
    batch = take(scheduler(*(job(i, length) for i, length in enumerate(lengths))))
    assert len(batch.jobs) == rows
    padded = len(batch.jobs) * max(j.length for j in batch.jobs)
    assert len(batch.jobs) == 1 or effort().front_s(padded, len(batch.jobs)) <= BATCH_S


def test_a_front_has_at_most_so_many_rows() -> None:
    assert len(take(scheduler(*(job(i, 5) for i in range(20)))).jobs) == MAX_ROWS


def test_who_has_time_does_not_ride_with_who_has_none() -> None:
    s = scheduler()
    begun(1, s, sound_s=1.0)
    s.add(job(1), 0.0)
    s.add(new := job(2), 0.0)
    assert take(s).jobs == (new,)


def test_a_batch_is_of_one_voice() -> None:
    s = scheduler(job(1, voice="joe"), job(2, voice="amy"), job(3, voice="joe"))
    assert {j.listener for j in take(s).jobs} == {1, 3}


def test_nothing_waits_for_company() -> None:
    assert len(take(scheduler(job(1))).jobs) == 1


def test_cancel_takes_waiting_work_away() -> None:
    s = scheduler(first := job(1), second := job(1, 90))
    s.cancel([first.id])
    assert take(s).jobs == (second,)
    s.cancel([second.id, second.id, 10**9])
    assert s.jobs == 0


@pytest.mark.parametrize("kind", StepKind)
def test_late_output_of_cancelled_work_is_not_wanted(kind: StepKind) -> None:
    one, other = job(1), job(2)
    s = scheduler(one, other)
    batch = take(s)
    if kind is StepKind.DECODE:
        s.done(batch, [1.0, 1.0], 0.0)
        batch = take(s)
    s.cancel([one.id])
    assert s.done(batch, [1.0] * len(batch.jobs), 0.0) == tuple(j for j in batch.jobs if j is other)
    assert s.done(batch, [1.0] * len(batch.jobs), 0.0) == tuple(
        j for j in batch.jobs if j is other and kind is StepKind.FRONT
    )


def test_the_next_sentence_need_not_wait_for_a_cancelled_one_that_still_runs() -> None:
    s = scheduler(first := job(1), second := job(1, 90))
    take(s)
    s.cancel([first.id])
    assert take(s).jobs == (second,)


def test_forget_takes_all_of_a_listener_and_nothing_of_others() -> None:
    s = scheduler(job(1), job(1, 90), other := job(2, 90))
    s.forget(1)
    s.forget(1)
    assert s.jobs == 1
    assert take(s).jobs == (other,)


def test_what_is_told_of_a_listener_who_has_gone_is_harmless() -> None:
    s = scheduler(one := job(1))
    batch = take(s)
    s.forget(1)
    s.taken(1, 1.0, 0.0)
    s.dropped(1, 1.0)
    s.cancel([one.id])
    assert s.done(batch, [1.0], 0.0) == ()
    assert s.failed(batch) == ()


def test_jobs_of_a_failed_batch_run_again_one_by_one() -> None:
    jobs = [job(listener) for listener in range(3)]
    s = scheduler(*jobs)
    assert s.failed(take(s)) == ()
    again = [take(s) for _ in jobs]
    assert [batch.jobs for batch in again] == [(j,) for j in jobs]
    assert s.failed(again[0]) == (jobs[0],)
    assert s.done(again[1], [1.0], 0.0) == (jobs[1],)
    assert s.jobs == 2


def test_a_failed_decoding_is_tried_once_more_and_then_lost() -> None:
    s = scheduler(one := job(1))
    run(s)
    assert s.failed(take(s)) == ()
    assert take(s).kind is StepKind.DECODE
    s = scheduler(one)
    run(s)
    s.failed(take(s))
    assert s.failed(take(s)) == (one,)
    assert s.next_batch(0.0) is None


def test_a_listener_begins_from_his_first_job_to_his_first_sound() -> None:
    one = Scheduler()
    assert not one.begins(1)
    one.add(Job(1, 1, "voice", 60, Pace.REALTIME), 0.0)
    for now, sound_s in ((0.01, 2.0), (0.03, 0.07)):
        assert one.begins(1)
        batch = one.next_batch(now)
        assert batch is not None
        one.done(batch, [sound_s], now)
    assert not one.begins(1)


def test_an_eager_listener_with_sound_enough_gets_what_nobody_else_needs() -> None:
    s = scheduler()
    begun(1, s, sound_s=AHEAD_S + 1)
    ahead = Job(next(_ids), 1, "joe", 50, Pace.REALTIME, eager=True)
    s.add(ahead, 0.0)
    needed = job(2)
    s.add(needed, 0.0)
    assert [run(s).jobs for _ in range(4)] == [(needed,), (needed,), (ahead,), (ahead,)]


def test_an_eager_listener_is_served_in_time_as_others_are() -> None:
    s = scheduler()
    begun(1, s, sound_s=AHEAD_S - 1)
    eager, file = Job(next(_ids), 1, "joe", 50, Pace.REALTIME, eager=True), job(2, pace=Pace.FAST)
    for one in (file, eager):
        s.add(one, 0.0)
    assert [run(s).jobs for _ in range(4)] == [(eager,), (eager,), (file,), (file,)]


def test_what_an_eager_listener_does_not_take_holds_him_back() -> None:
    s = scheduler(Job(next(_ids), 1, "joe", 50, Pace.REALTIME, eager=True))
    run(s, sound_s=AHEAD_S)
    run(s, sound_s=AHEAD_S)
    s.add(Job(next(_ids), 1, "joe", 50, Pace.REALTIME, eager=True), 0.0)
    assert s.next_batch(0.0) is None
    s.taken(1, AHEAD_S, 0.0)
    assert s.next_batch(0.0) is not None
