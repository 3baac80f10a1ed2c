"""What fails, fails alone."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from engine.dispatch import Dispatch
from engine.engine import HEALTHY_AFTER_S
from engine.errors import SynthesisFailed
from engine.types import Batch
from tests.engine.test_engine import running, text_of
from tests.fakes import HALF_POISON, POISON, FakeModel, FakePhonemes, Gate, fake_voice, hear, read, say


async def test_a_poison_sentence_fails_alone_and_its_batch_is_spoken(caplog: pytest.LogCaptureFixture) -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        first = engine.listen().speak(say(engine, "first"))
        await gate.arrival()
        good, bad, fine = (engine.listen().speak(say(engine, text)) for text in ("good", POISON + "secret", "fine"))
        await hear(engine, "...")
        gate.open()
        assert [await text_of(speech) for speech in (first, good, fine)] == ["first", "good", "fine"]
        with caplog.at_level(logging.WARNING), pytest.raises(SynthesisFailed):
            await text_of(bad)
        assert ("good", POISON + "secret", "fine") in model.fronts
        assert not bad.finished
        assert await hear(engine, "next") == "next"
        assert engine.healthy
    assert "secret" not in caplog.text


async def test_a_model_that_fails_once_is_asked_again() -> None:
    """c28"""
    async with running() as engine:
        assert await hear(engine, HALF_POISON + "tried twice") == HALF_POISON + "tried twice"


async def test_a_speech_gives_what_it_had_before_it_failed_and_the_next_one_follows() -> None:
    model = FakeModel()
    async with running(fake_voice(model), threads=1) as engine:
        listener = engine.listen()
        bad, good = (listener.speak(say(engine, text)) for text in (f"sound|{POISON}|never", "after"))
        assert read(await anext(bad)) == "sound"
        with pytest.raises(SynthesisFailed):
            await anext(bad)
        assert await text_of(good) == "after"
        assert "never" not in model.decodes


async def test_a_text_that_the_phonemizer_cannot_take_fails_alone() -> None:
    phonemes = FakePhonemes()
    async with running(phonemes=phonemes) as engine:

        def refuse(text: str) -> None:
            if "bad" in text:
                raise ValueError("no such language")

        phonemes.before = refuse
        listener = engine.listen()
        bad, good = (listener.speak(say(engine, text)) for text in ("bad", "good"))
        with pytest.raises(SynthesisFailed):
            await text_of(bad)
        assert await text_of(good) == "good"
        assert engine.queued == 0


async def test_a_crash_of_the_loop_fails_what_is_open_is_told_and_the_loop_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """d32"""
    crashes = iter([True])
    start = Dispatch._start

    def crash_once(self: Dispatch, batch: Batch) -> None:
        if next(crashes, False):
            raise AssertionError("a bug")
        start(self, batch)

    gate = Gate()
    async with running(fake_voice(FakeModel(gate=gate)), threads=2) as engine:
        under_way = engine.listen().speak(say(engine, "under way"))
        await gate.arrival()
        monkeypatch.setattr(Dispatch, "_start", crash_once)
        with caplog.at_level(logging.ERROR):
            with pytest.raises(SynthesisFailed):
                await hear(engine, "meets the bug")
            with pytest.raises(SynthesisFailed):
                await text_of(under_way)
        assert "crashed" in caplog.text
        assert (engine.ready, engine.healthy, engine.queued) == (True, False, 0)
        gate.open()
        assert await hear(engine, "next") == "next"
        loop = asyncio.get_running_loop()
        now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: now + HEALTHY_AFTER_S + 1)
        assert engine.healthy
        monkeypatch.undo()


async def test_a_model_that_answers_with_too_few_priors_has_failed() -> None:
    model = FakeModel()
    front = model.front
    model.front = lambda pieces: front(pieces)[1:]  # type: ignore[method-assign]
    async with running(fake_voice(model)) as engine:
        with pytest.raises(SynthesisFailed):
            await hear(engine, "lost")
        model.front = front  # type: ignore[method-assign]
        assert await hear(engine, "next") == "next"


async def test_a_voice_that_does_not_warm_up_stops_the_start() -> None:
    class Cold(FakeModel):
        def warm_up(self) -> None:
            raise ValueError("cold")

    with pytest.raises(ValueError, match="cold"):
        async with running(fake_voice(Cold())):
            pass
    assert not [t for t in threading.enumerate() if t.name.startswith("onset")]
