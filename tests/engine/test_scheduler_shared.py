"""Sentences that are no one listener's own: made for whoever waits, and in nobody's order."""

from __future__ import annotations

import math

import pytest

from bench.machine import FRAME_S, effort
from engine.errors import Overloaded
from engine.scheduler import FIRST_S, Scheduler
from engine.types import Batch, Job, Pace, StepKind
from tests.engine.test_scheduler import AHEAD_S, begun, job, run, scheduler, take

SHARED = -1


def streaming(*jobs: Job, threads: int = 1) -> Scheduler:
    """One whose decodings are steps of a few frames."""
    made = Scheduler({"joe": effort()}, threads=threads, ahead_s=AHEAD_S)
    for one in jobs:
        made.add(one, 0.0)
    return made


def step(s: Scheduler, now: float = 0.0) -> Batch | None:
    """One step and what it adds, all its frames; a front finds 10 s."""
    batch = s.next_batch(now)
    if batch is not None:
        s.done(batch, [10.0 if batch.kind is StepKind.FRONT else batch.frames * FRAME_S] * len(batch.jobs), now)
    return batch


def all_steps(s: Scheduler, *, hurry: float | None = None) -> list[Batch]:
    """What runs at once; with `hurry` somebody waits for the shared one all the time."""
    batches: list[Batch] = []
    while True:
        if hurry is not None:
            s.hurry(SHARED, hurry)
        batch = step(s)
        if batch is None:
            return batches
        batches.append(batch)


def ids(batch: Batch) -> list[int]:
    return [one.id for one in batch.jobs]


def sound_s(batches: list[Batch], of: Job) -> float:
    return sum(batch.frames for batch in batches if of.id in ids(batch)) * FRAME_S


def test_a_paused_listener_does_not_hold_it_back_and_still_holds_back_his_own() -> None:
    first, second = job(1), job(1)
    s = streaming(first, second)
    made_s = sound_s(all_steps(s), first)
    assert AHEAD_S <= made_s < AHEAD_S + 2.0
    s.share(1, [first.id], SHARED, 0.0, untaken_s=made_s)
    more = all_steps(s, hurry=0.2)
    assert made_s + sound_s(more, first) == pytest.approx(10.0, abs=FRAME_S)
    assert AHEAD_S <= sound_s(more, second) < AHEAD_S + 2.0
    assert s.jobs == 1


def test_without_anybody_who_waits_it_gets_no_more_than_ahead_s() -> None:
    one = job(1)
    s = streaming(one)
    s.share(1, [one.id], SHARED, 0.0)
    assert AHEAD_S <= sound_s(all_steps(s), one) < AHEAD_S + 2.0
    assert s.next_time(0.0) is None
    s.hurry(SHARED, 1.0)
    assert step(s) is not None
    assert s.jobs == 1


def test_the_earliest_due_counts_until_more_is_made() -> None:
    shared, other = job(1, 50), job(2, 90)
    s = scheduler()
    for listener in (1, 2, 3):
        begun(listener, s, sound_s=2.0)
    s.add(shared, 0.0)
    s.add(other, 0.0)
    s.share(1, [shared.id], SHARED, 0.0)
    s.hurry(SHARED, 0.5)
    s.hurry(SHARED, 1.5)
    s.hurry(SHARED, math.inf)
    assert [ids(run(s)) for _ in range(2)] == [[shared.id]] * 2, "before one who has two seconds"
    assert ids(run(s)) == [other.id]


def test_it_is_needed_when_it_would_have_sounded_until_somebody_says_more() -> None:
    own, shared, other = job(1, 50), job(1, 70), job(2, 100)
    s = scheduler()
    begun(1, s, sound_s=1.0)
    begun(2, s, sound_s=1.5)
    for one in (own, shared, other):
        s.add(one, 0.0)
    s.share(1, [shared.id], SHARED, 0.0)
    assert ids(run(s)) == [own.id], "his first"
    run(s)  # its decoding: one second
    assert ids(run(s)) == [other.id], "1.5 s"


def test_what_follows_a_first_sentence_that_is_shared_is_no_first_sound() -> None:
    shared, follows, new = job(1, 50), job(1, 60), job(2, 90)
    s = scheduler(shared, follows)
    s.share(1, [shared.id], SHARED, 0.0)
    assert not s.begins(1)
    assert s.begins(SHARED)
    s.add(new, 0.01)
    assert ids(take(s, 0.01)) == [shared.id]
    assert ids(take(s, 0.01)) == [new.id]
    assert ids(take(s, 0.01)) == [follows.id]


def test_it_is_decoded_though_the_sentence_before_it_is_not() -> None:
    before, shared = job(1, 200), job(1, 20)
    s = scheduler(before, shared)
    s.share(1, [shared.id], SHARED, 0.0)
    s.hurry(SHARED, FIRST_S / 2)
    assert ids(run(s)) == [shared.id]
    decoding = run(s)
    assert (decoding.kind, ids(decoding)) == (StepKind.DECODE, [shared.id])


def test_a_step_that_runs_while_it_becomes_shared_counts_for_it() -> None:
    one = job(1)
    s = scheduler(one)
    front = take(s)
    s.share(1, [one.id], SHARED, 0.0)
    assert [done.id for done in s.done(front, [1.0], 0.0)] == [one.id]
    decoding = take(s)
    s.forget(1)
    assert [done.id for done in s.done(decoding, [1.0], 0.0)] == [one.id]
    assert s.jobs == 0


def test_its_listener_goes_and_it_stays_until_it_goes_itself() -> None:
    shared, own = job(1), job(1, 90)
    s = scheduler(shared, own)
    s.share(1, [shared.id], SHARED, 0.0)
    s.forget(1)
    assert s.jobs == 1
    assert ids(take(s)) == [shared.id]
    s.forget(SHARED)
    assert s.jobs == 0
    s.hurry(SHARED, 1.0)
    assert s.next_batch(0.0) is None


def test_of_a_step_of_it_that_fails_twice_it_is_lost() -> None:
    one = job(1)
    s = scheduler(one)
    s.share(1, [one.id], SHARED, 0.0)
    assert s.failed(take(s)) == ()
    assert [lost.id for lost in s.failed(take(s))] == [one.id]
    assert s.jobs == 0


def test_sound_that_was_made_before_is_not_missed_where_it_came_from() -> None:
    one = job(1)
    s = streaming(one)
    step(s)
    first = step(s)
    assert first is not None
    s.share(1, [one.id], SHARED, 0.0, untaken_s=first.frames * FRAME_S)
    follows = job(1, 90)
    s.add(follows, 0.0)
    assert s.begins(1), "nothing of what he took or will take is known here"


def test_its_work_counts_where_somebody_new_asks_for_room() -> None:
    """What is shared is still made: it counts once, for as long as it is on its way."""

    def admitted(s: Scheduler) -> int:
        for listener in range(2, 100):
            try:
                s.admit(listener, "joe", 400, 0.0, pace=Pace.REALTIME, group=None)
            except Overloaded:
                return listener - 2
        return 100

    def with_one(*, share: bool, forget: bool = False) -> Scheduler:
        s = streaming()
        s.admit(1, "joe", 400, 0.0, pace=Pace.REALTIME, group=None)
        one = job(1, 400)
        s.add(one, 0.0)
        if share:
            s.share(1, [one.id], SHARED, 0.0)
        if forget:
            s.forget(SHARED)
            s.forget(1)
        return s

    own, shared, gone = admitted(with_one(share=False)), admitted(with_one(share=True)), admitted(streaming())
    assert 0 < shared <= own < gone
    assert own - shared <= 1
    assert admitted(with_one(share=True, forget=True)) == gone


def test_a_listener_who_hears_what_was_not_made_here_has_no_first_sound_to_wait_for() -> None:
    heard, new = job(1, 50), job(2, 90)
    s = scheduler(heard)
    s.played(1, 0.0)
    assert s.begins(1)
    s.played(1, 2.0)
    assert not s.begins(1)
    s.add(new, 0.05)
    assert ids(take(s, 0.05)) == [new.id]


def test_what_follows_a_first_sentence_whose_text_is_not_read_yet_is_no_first_sound_either() -> None:
    s = scheduler()
    s.admit(1, "joe", 50, 0.0, pace=Pace.REALTIME, group=None)
    s.share(1, [], SHARED, 0.0, coming_s=2.0)
    follows, shared = job(1, 60), job(SHARED, 50)
    s.add(follows, 0.0)
    s.add(shared, 0.0)
    assert (s.begins(1), s.begins(SHARED)) == (False, True)
    assert ids(take(s)) == [shared.id]
