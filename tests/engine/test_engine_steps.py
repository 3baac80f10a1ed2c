"""The engine with a stand-in that streams: sound inside the sentence."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import numpy as np
import pytest

from engine.errors import Overloaded, SynthesisFailed
from engine.models.model import Decoding
from engine.types import Cost, Costs, Pace
from tests.engine.test_engine import running, text_of
from tests.fakes import (
    FRAMES_AN_ID,
    HALF_STUMBLE,
    HOP,
    STUMBLE,
    FakeModel,
    Gate,
    fake_voice,
    hear,
    read,
    say,
    sound_of,
)

LAG = 42
LONG = "A sentence that is long enough for a handful of steps, whatever they are."
DEAR = Costs(front=Cost(0.014, 0.0002), first=Cost(0.0, 0.001, 0.013), decode=Cost(0.0, 0.001, 0.001))
WIDE = Costs(front=Cost(0.006, 0.0), first=Cost(0.006, 0.0), decode=Cost(0.006, 0.0))


async def test_the_first_sound_comes_after_few_frames_and_all_of_it_in_order() -> None:
    model = FakeModel(lag=LAG, costs=DEAR)
    async with running(fake_voice(model)) as engine:
        speech = engine.listen().speak(say(engine, LONG))
        chunks = [pcm async for pcm in speech]
        assert len(chunks[0]) <= 8 * HOP
        assert len(chunks) > 3
        assert read(np.concatenate(chunks)) == LONG
        assert sum(len(pcm) for pcm in chunks) == len(LONG) * FRAMES_AN_ID * HOP
        assert speech.finished


@pytest.mark.parametrize("frames", [1, 7, LAG, LAG + 1, 3 * LAG])
async def test_a_sentence_of_any_length_is_whole(frames: int) -> None:
    async with running(fake_voice(FakeModel(lag=LAG, costs=DEAR))) as engine:
        text = "x" * -(-frames // FRAMES_AN_ID)
        assert await hear(engine, text, Pace.REALTIME) == text


async def test_under_load_the_same_text_has_the_same_samples_as_alone() -> None:
    model = FakeModel(lag=LAG, costs=WIDE)
    async with running(fake_voice(model), threads=2) as engine:
        texts = [LONG[: 10 + 5 * n] for n in range(12)]
        alone = [await sound_of(engine.listen().speak(say(engine, text))) for text in texts]
        before = len(model.steps)
        speeches = [engine.listen(Pace(["realtime", "fast"][n % 2])).speak(say(engine, t)) for n, t in enumerate(texts)]
        together = await asyncio.gather(*map(sound_of, speeches))
        assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
        assert max(map(len, model.steps[before:])) > 1, "some of them shared a step"


async def test_no_piece_is_in_two_steps_at_once_nor_twice_in_one() -> None:
    class Watched(FakeModel):
        def decode(self, decodings, frames):  # type: ignore[no-untyped-def]
            mine = [id(decoding.prior) for decoding in decodings]
            assert len(set(mine)) == len(mine)
            assert not set(mine) & under_way
            under_way.update(mine)
            try:
                return super().decode(decodings, frames)
            finally:
                under_way.difference_update(mine)

    under_way: set[int] = set()
    async with running(fake_voice(Watched(lag=LAG, costs=WIDE, cost_s=0.00005)), threads=3) as engine:
        listeners = [engine.listen(Pace.FAST) for _ in range(8)]
        speeches = [listener.speak(say(engine, LONG + "|" + LONG)) for listener in listeners for _ in range(2)]
        assert await asyncio.gather(*map(text_of, speeches)) == [LONG + LONG] * 16


async def test_decodings_run_one_by_one_where_the_model_says_that_more_in_a_step_save_nothing() -> None:
    model = FakeModel(lag=LAG, costs=DEAR)
    async with running(fake_voice(model), threads=1) as engine:
        speeches = [engine.listen().speak(say(engine, LONG)) for _ in range(4)]
        await asyncio.gather(*map(text_of, speeches))
        assert max(map(len, model.steps)) == 1


async def test_an_error_in_mid_sentence_comes_after_the_sound_before_it_and_the_next_sentence_is_spoken() -> None:
    """c20"""
    async with running(fake_voice(FakeModel(lag=LAG, costs=DEAR))) as engine:
        listener = engine.listen()
        texts = ("One.", LONG + STUMBLE + LONG, "Three.")
        one, two, three = (listener.speak(say(engine, text)) for text in texts)
        async with asyncio.timeout(1.0):
            assert await text_of(one) == "One."
            heard = [await anext(two)]
            with pytest.raises(SynthesisFailed):
                while True:
                    heard.append(await anext(two))
            assert await text_of(three) == "Three."
        assert LONG.startswith(read(np.concatenate(heard)))
        assert not two.finished
        assert engine.queued == 0


async def test_a_step_that_fails_once_is_run_again_and_nobody_hears_of_it() -> None:
    """c28"""
    text = LONG + HALF_STUMBLE + LONG
    async with running(fake_voice(FakeModel(lag=LAG, costs=DEAR))) as engine:
        speech = engine.listen(Pace.FAST).speak(say(engine, text))
        assert await text_of(speech) == text
        assert speech.finished


async def test_one_that_stumbles_in_a_shared_step_harms_none_of_the_others() -> None:
    async with running(fake_voice(FakeModel(lag=LAG, costs=WIDE)), threads=1) as engine:
        texts = [LONG, LONG + STUMBLE, LONG + "!", LONG + "?"]
        speeches = [engine.listen().speak(say(engine, text)) for text in texts]
        results = await asyncio.gather(*map(text_of, speeches), return_exceptions=True)
        assert isinstance(results.pop(1), SynthesisFailed)
        assert results == [LONG, LONG + "!", LONG + "?"]


@pytest.mark.parametrize("steps", [1, 2, 3])
async def test_cancel_takes_hold_within_one_step_and_frees_what_the_decoder_carried(steps: int) -> None:
    gate, carried = Gate(), list[weakref.ref[object]]()

    class Remembered(FakeModel):
        def decode(self, decodings, frames):  # type: ignore[no-untyped-def]
            made = super().decode(decodings, frames)
            carried.extend(weakref.ref(after.state) for _, after in made)
            return made

    model = Remembered(lag=LAG, costs=DEAR, gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        listener = engine.listen()
        speech = listener.speak(say(engine, LONG))
        for _ in range(steps):
            await gate.arrival()
            gate.let()
        await gate.arrival()
        speech.cancel()
        gate.open()
        assert await hear(engine, "next") == "next"
        assert sum(text == LONG for step in model.steps for text, _ in step) == steps
        gc.collect()
        assert not any(state() is not None for state in carried)


async def test_a_newcomer_waits_for_one_step_and_not_for_a_sentence() -> None:
    gate = Gate()
    model = FakeModel(lag=LAG, costs=DEAR, gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        long = engine.listen(Pace.FAST).speak(say(engine, LONG * 3))
        for _ in range(3):
            await gate.arrival()
            gate.let()
        await gate.arrival()
        before = len(model.steps)
        quick = engine.listen().speak(say(engine, "quick"))
        await hear(engine, "...")
        gate.open()
        assert await text_of(quick) == "quick"
        after = [text for step in model.steps[before:] for text, _ in step]
        assert after.index("quick") <= 1
        assert await text_of(long) == LONG * 3


async def test_forty_idle_listeners_take_no_thread_and_none_of_the_time_of_the_one_who_speaks() -> None:
    """d36"""
    model = FakeModel(lag=LAG, costs=DEAR)
    async with running(fake_voice(model), threads=2) as engine:
        idle = [engine.listen() for _ in range(40)]
        assert [await text_of(one.speak(say(engine, "..."))) for one in idle[:20]] == [""] * 20
        assert await hear(engine, "alone", Pace.REALTIME) == "alone"
        assert len(model.fronts) == 1
        assert sum(thread.name.startswith("onset") for thread in threading.enumerate()) <= 3


async def test_who_does_not_fit_is_refused_at_once_and_those_who_are_served_are_not() -> None:
    slow = Costs(front=Cost(0.05, 0.0), first=Cost(0.0, 0.008, 0.05), decode=Cost(0.0, 0.008, 0.001))
    gate = Gate()
    async with running(fake_voice(FakeModel(lag=LAG, costs=slow, gate=gate)), threads=1) as engine:
        served, refused = [], 0
        for _ in range(10):
            listener = engine.listen()
            try:
                served.append((listener, listener.speak(say(engine, "Short."))))
            except Overloaded as error:
                refused += 1
                assert error.retryable
                assert "the machine holds about 1; try again in" in str(error)
        assert refused and served
        later = [listener.speak(say(engine, "Later.")) for listener, _ in served]
        gate.open()
        assert await asyncio.gather(*(text_of(speech) for _, speech in served)) == ["Short."] * len(served)
        assert await asyncio.gather(*map(text_of, later)) == ["Later."] * len(served)


async def test_a_model_that_loses_its_place_fails_the_sentence_and_does_not_hang() -> None:
    class Lost(FakeModel):
        def decode(self, decodings, frames):  # type: ignore[no-untyped-def]
            return [(wave, Decoding(after.prior, 1)) for wave, after in super().decode(decodings, frames)]

    async with running(fake_voice(Lost(lag=LAG, costs=DEAR)), fake_voice(name="sound"), default="sound") as engine:
        lost = engine.voices["fake"]
        utterance = say(engine, LONG)
        with pytest.raises(SynthesisFailed):
            await text_of(engine.listen().speak(type(utterance)(LONG, lost)))
        assert await hear(engine, "next") == "next"
