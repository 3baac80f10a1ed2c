"""Cancel before, during and after a step; in each the next request succeeds."""

from __future__ import annotations

import asyncio

import pytest

from engine.speech import Speech
from engine.types import Pace
from tests.engine.test_engine import running, text_of
from tests.fakes import FakeModel, FakePhonemes, Gate, fake_voice, hear, read, say, seconds


async def test_a_cancelled_step_keeps_its_thread_until_it_is_over_and_its_result_is_dropped() -> None:
    """d02"""
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        listener = engine.listen()
        dead = listener.speak(say(engine, "dead"))
        await gate.arrival()
        dead.cancel()
        assert await text_of(dead) == ""
        alive = listener.speak(say(engine, "alive"))
        await hear(engine, "...")
        assert (model.running, model.fronts) == (1, [("dead",)]), "the thread is not free"
        gate.open()
        assert await text_of(alive) == "alive"
        assert model.most_running == 1
        assert model.decodes == ["alive"]
        assert (dead.finished, alive.finished) == (False, True)


async def test_cancel_before_the_text_is_read() -> None:
    gate = Gate()
    phonemes = FakePhonemes()
    async with running(phonemes=phonemes) as engine:
        phonemes.before = lambda _: gate.stop()
        listener = engine.listen()
        reading, waiting, alive = (listener.speak(say(engine, text)) for text in ("reading", "waiting", "alive"))
        await gate.arrival()
        waiting.cancel()
        reading.cancel()
        gate.open()
        assert [await text_of(speech) for speech in (reading, waiting, alive)] == ["", "", "alive"]
        assert "waiting" not in phonemes.texts
        assert engine.queued == 0


@pytest.mark.parametrize("steps_before", [0, 1])
async def test_cancel_during_a_step(steps_before: int) -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model)) as engine:
        listener = engine.listen()
        speech = listener.speak(say(engine, "first"))
        for _ in range(steps_before):
            await gate.arrival()
            gate.let()
        await gate.arrival()
        speech.cancel()
        speech.cancel()
        gate.open()
        assert await text_of(speech) == ""
        assert await hear(engine, "next") == "next"
        assert "first" not in model.decodes or steps_before == 1


async def test_cancel_between_two_pieces_keeps_what_was_heard_and_makes_no_more() -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        speech = engine.listen().speak(say(engine, "one|two|three"))
        gate.let(2)
        assert read(await anext(speech)) == "one"
        speech.cancel()
        gate.open()
        assert await text_of(speech) == ""
        assert not speech.finished
        assert await hear(engine, "next") == "next"
        assert "three" not in model.decodes


async def test_cancel_after_all_was_made_drops_it_and_frees_its_place() -> None:
    text = "x" * 50
    async with running(ahead_s=seconds(text) / 2) as engine:
        listener = engine.listen(Pace.FAST)
        speeches = [listener.speak(say(engine, text)) for _ in range(2)]
        while speeches[0].open:
            await hear(engine, "other")
        speeches[0].cancel()
        assert not speeches[0].finished
        assert await text_of(speeches[0]) == ""
        assert await text_of(speeches[1]) == text


async def test_cancel_of_a_speech_read_to_its_end_changes_nothing() -> None:
    async with running() as engine:
        speech = engine.listen().speak(say(engine, "done"))
        assert await text_of(speech) == "done"
        speech.cancel()
        assert speech.finished


async def test_a_listener_who_goes_takes_all_its_work_along() -> None:
    """d01: at most the running step finishes."""
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        listener = engine.listen()
        speeches = [listener.speak(say(engine, f"Sentence {n}.")) for n in range(60)]
        await gate.arrival()
        listener.close()
        listener.close()
        assert engine.queued == 0
        gate.open()
        assert await hear(engine, "next") == "next"
        assert len(model.fronts) <= 2
        assert model.decodes == ["next"]
        assert [await text_of(speech) for speech in speeches] == [""] * 60
        with pytest.raises(RuntimeError, match="closed"):
            listener.speak(say(engine, "late"))


async def test_one_cancelled_in_a_batch_of_four_harms_none_of_the_others() -> None:
    """d32"""
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        first = engine.listen().speak(say(engine, "first"))
        await gate.arrival()
        four = [engine.listen().speak(say(engine, text)) for text in ("a", "b", "c", "d")]
        await hear(engine, "...")
        for _ in range(2):  # the decoding of the first, then the front of the four
            gate.let()
            await gate.arrival()
        assert model.fronts[-1] == ("a", "b", "c", "d")
        four[1].cancel()
        gate.open()
        assert [await text_of(speech) for speech in (first, *four)] == ["first", "a", "", "c", "d"]
        assert await hear(engine, "fifth") == "fifth"
        assert engine.healthy


async def test_a_reader_who_is_cancelled_stops_and_others_go_on() -> None:
    gate = Gate()
    async with running(fake_voice(FakeModel(gate=gate))) as engine:
        speech: Speech = engine.listen().speak(say(engine, "read"))
        reader = asyncio.create_task(text_of(speech))
        await gate.arrival()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        gate.open()
        assert await text_of(speech) == "read", "a reader is not the speech"
        assert await hear(engine, "next") == "next"
