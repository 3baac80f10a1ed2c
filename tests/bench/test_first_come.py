"""Whole sentences, first come first served."""

from __future__ import annotations

import asyncio
import itertools

from bench.first_come import FirstCome
from engine.types import Batch, Job, Pace, StepKind
from tests.fakes import FakeModel, fake_engine, fake_voice, hear


def job(id_: int, listener: int) -> Job:
    return Job(id_, listener, "voice", 40, Pace.REALTIME)


def run_all(scheduler: FirstCome, threads: int) -> list[tuple[StepKind, int]]:
    """Every step in the order in which it began; a thread that is free takes the next, the oldest ends first."""
    order: list[tuple[StepKind, int]] = []
    running: list[Batch] = []
    while True:
        while len(running) < threads and (batch := scheduler.next_batch(0.0)):
            running.append(batch)
            order.append((batch.kind, batch.jobs[0].id))
        if not running:
            return order
        done = running.pop(0)
        assert scheduler.done(done, [1.0], 0.0) == done.jobs


def test_a_sentence_is_made_to_its_end_before_a_newer_one_begins() -> None:
    scheduler = FirstCome()
    for number, listener in ((1, 1), (2, 1), (3, 2)):
        scheduler.add(job(number, listener), 0.0)
    front, decode = StepKind.FRONT, StepKind.DECODE
    assert run_all(scheduler, 1) == [(front, 1), (decode, 1), (front, 2), (decode, 2), (front, 3), (decode, 3)]
    assert scheduler.jobs == 0


def test_a_listener_gets_its_sentences_in_order_on_two_threads() -> None:
    scheduler = FirstCome()
    for number, listener in ((1, 1), (2, 1), (3, 2)):
        scheduler.add(job(number, listener), 0.0)
    order = run_all(scheduler, 2)
    assert order[:2] == [(StepKind.FRONT, 1), (StepKind.FRONT, 3)]
    assert order.index((StepKind.DECODE, 1)) < order.index((StepKind.FRONT, 2))


def test_a_sentence_that_fails_twice_is_lost_alone() -> None:
    scheduler = FirstCome()
    scheduler.add(job(1, 1), 0.0)
    scheduler.add(job(2, 2), 0.0)
    for lost in ((), (job(1, 1),)):
        batch = scheduler.next_batch(0.0)
        assert batch is not None
        assert batch.jobs == (job(1, 1),)
        assert scheduler.failed(batch) == lost
    assert [id_ for _, id_ in run_all(scheduler, 1)] == [2, 2]


def test_what_was_cancelled_is_not_made_and_what_ran_is_dropped() -> None:
    scheduler = FirstCome()
    for number, listener in ((1, 1), (2, 2), (3, 2)):
        scheduler.add(job(number, listener), 0.0)
    running = scheduler.next_batch(0.0)
    assert running is not None
    scheduler.cancel([1, 77])
    scheduler.forget(2)
    assert scheduler.done(running, [1.0], 0.0) == ()
    assert (scheduler.jobs, scheduler.next_batch(0.0)) == (0, None)


async def test_the_engine_speaks_whole_sentences_with_it() -> None:
    model, texts = FakeModel(lag=3), ["One.", "Another one.", "A third."]
    engine = fake_engine(fake_voice(model), scheduler=FirstCome)
    await engine.start()
    try:
        assert await asyncio.gather(*(hear(engine, text) for text in texts)) == texts
    finally:
        await engine.aclose()
    assert sorted(text for text, _ in itertools.chain(*model.steps)) == sorted(texts)
