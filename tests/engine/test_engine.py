"""The engine with a stand-in model: order, bounds, start and close."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from engine.engine import Engine
from engine.errors import EngineClosed, NoVoices, Overloaded, UnknownSpeaker, UnknownVoice
from engine.speech import Speech
from engine.text.normalize import _rules, normalize
from engine.types import Pace
from engine.voices import LoadedVoice
from tests.fakes import FakeModel, FakePhonemes, Gate, fake_engine, fake_voice, hear, read, say, seconds, sound_of


@asynccontextmanager
async def running(*voices: LoadedVoice, **settings: Any) -> AsyncIterator[Engine]:
    engine = fake_engine(*voices, **settings)
    await engine.start()
    try:
        yield engine
    finally:
        await engine.aclose()


async def text_of(speech: Speech) -> str:
    return read(await sound_of(speech))


async def test_a_sentence_is_spoken_piece_by_piece_in_order() -> None:
    async with running() as engine:
        listener = engine.listen()
        speech = listener.speak(say(engine, "One.| Two.| Three."))
        assert [read(pcm) async for pcm in speech] == ["One.", " Two.", " Three."]
        assert speech.finished
        assert engine.queued == 0


async def test_sentences_of_a_listener_are_decoded_in_order() -> None:
    model = FakeModel()
    async with running(fake_voice(model)) as engine:
        listener = engine.listen(Pace.FAST)
        texts = [f"Sentence {n}." for n in range(9)]
        speeches = [listener.speak(say(engine, text)) for text in texts]
        assert [await text_of(speech) for speech in speeches] == texts
        assert model.decodes == texts


async def test_nothing_to_say_ends_at_once_without_sound() -> None:
    async with running() as engine:
        speech = engine.listen().speak(say(engine, "..."))
        assert [pcm async for pcm in speech] == []
        assert speech.finished


async def test_sound_not_taken_stops_the_work_and_taking_it_lets_it_go_on() -> None:
    model = FakeModel()
    text = "x" * 22
    async with running(fake_voice(model), ahead_s=3 * seconds(text)) as engine:
        listener = engine.listen(Pace.FAST)
        speeches = [listener.speak(say(engine, text)) for _ in range(10)]
        await hear(engine, "another")
        assert len(model.decodes) <= 3 + 1 + 1
        assert not speeches[9].finished
        assert [await text_of(speech) for speech in speeches] == [text] * 10


async def test_a_listener_in_real_time_gets_so_much_ahead_and_no_more() -> None:
    model = FakeModel()
    text = "x" * 220
    async with running(fake_voice(model), ahead_s=1.5 * seconds(text)) as engine:
        listener = engine.listen()
        speeches = [listener.speak(say(engine, text)) for _ in range(10)]
        assert [await text_of(speech) for speech in speeches[:2]] == [text] * 2
        await hear(engine, "another")
        assert model.decodes.count(text) == 2
        listener.played(asyncio.get_running_loop().time())
        assert await text_of(speeches[2]) == text, "the listener says that all has been heard"


async def test_time_alone_lets_a_listener_go_on() -> None:
    text = "x" * 4
    async with running(ahead_s=seconds(text) / 4) as engine:
        listener = engine.listen()
        speeches = [listener.speak(say(engine, text)) for _ in range(3)]
        assert [await text_of(speech) for speech in speeches] == [text] * 3


async def test_sixty_sentences_of_one_listener_do_not_delay_the_text_of_another() -> None:
    gate = Gate()
    phonemes = FakePhonemes()
    async with running(phonemes=phonemes) as engine:
        phonemes.before = lambda _: gate.stop()
        phonemes.texts.clear()
        greedy, modest = engine.listen(), engine.listen()
        for number in range(60):
            greedy.speak(say(engine, f"Greedy {number}."))
        await gate.arrival()
        speech = modest.speak(say(engine, "Modest."))
        gate.open()
        assert await text_of(speech) == "Modest."
        assert phonemes.texts.index("Modest.") <= 2


async def test_a_full_queue_takes_nothing_more_until_there_is_room() -> None:
    gate = Gate()
    async with running(fake_voice(FakeModel(gate=gate)), max_queue=3) as engine:
        listener = engine.listen(Pace.FAST)
        speeches = [listener.speak(say(engine, f"{n}")) for n in range(3)]
        with pytest.raises(Overloaded) as caught:
            listener.speak(say(engine, "too much"))
        assert caught.value.retryable
        assert engine.queued == 3
        speeches.pop().cancel()
        speeches.append(listener.speak(say(engine, "room")))
        gate.open()
        assert [await text_of(speech) for speech in speeches] == ["0", "1", "room"]


async def test_short_sentences_that_wait_run_as_one_batch() -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_voice(model), threads=1) as engine:
        first = engine.listen().speak(say(engine, "first"))
        await gate.arrival()
        rest = [engine.listen().speak(say(engine, text)) for text in ("a", "bb", "ccc")]
        await hear(engine, "...")
        gate.open()
        assert [await text_of(speech) for speech in (first, *rest)] == ["first", "a", "bb", "ccc"]
        assert model.fronts == [("first",), ("a", "bb", "ccc")]


async def test_at_most_so_many_steps_run_as_there_are_threads() -> None:
    model = FakeModel(cost_s=0.001)
    async with running(fake_voice(model), threads=3) as engine:
        await asyncio.gather(*(hear(engine, f"Sentence {n}.") for n in range(30)))
        assert 1 < model.most_running <= 3


async def test_voices_are_told_apart() -> None:
    ada, bob = FakeModel(), FakeModel()
    async with running(fake_voice(ada, "ada"), fake_voice(bob, "bob"), default="bob") as engine:
        assert engine.default_voice.name == "bob"
        assert list(engine.voices) == ["ada", "bob"]
        listener = engine.listen()
        utterance = replace(say(engine, "Hello."), voice=engine.voices["ada"])
        assert await text_of(listener.speak(utterance)) == "Hello."
        assert (ada.decodes, bob.decodes) == (["Hello."], [])


async def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownVoice, match="nobody"):
        fake_engine(default="nobody")
    with pytest.raises(NoVoices):
        Engine([])
    async with running() as engine:
        listener = engine.listen()
        with pytest.raises(UnknownVoice, match="installed: fake"):
            listener.speak(replace(say(engine, "Hi."), voice=fake_voice(name="nobody").voice))
        with pytest.raises(UnknownSpeaker, match="no speaker 1"):
            listener.speak(replace(say(engine, "Hi."), speaker=1))
        assert engine.queued == 0


async def test_it_is_ready_after_warm_up_and_until_close() -> None:
    engine = fake_engine()
    assert (engine.ready, engine.healthy) == (False, False)
    await engine.start()
    assert (engine.ready, engine.healthy) == (True, True)
    await engine.aclose()
    assert (engine.ready, engine.healthy) == (False, False)


async def test_every_voice_and_the_phonemizer_are_warm_before_it_is_ready() -> None:
    warmed: list[FakeModel] = []

    class WarmModel(FakeModel):
        def warm_up(self) -> None:
            warmed.append(self)

    phonemes = FakePhonemes()
    one, other = WarmModel(), WarmModel()
    async with running(fake_voice(one), fake_voice(other, "other"), phonemes=phonemes, threads=2):
        assert set(warmed) == {one, other}
        assert len(warmed) == 4, "on every thread"
        assert len(phonemes.texts) == 2


async def test_who_has_no_listeners_speaks_without_having_measured() -> None:
    class Unmeasured(FakeModel):
        def warm_up(self) -> None:
            raise AssertionError

    engine = fake_engine(fake_voice(Unmeasured()))
    await engine.start(measure=False)
    try:
        assert engine.ready
        assert await text_of(engine.listen(Pace.FAST).speak(say(engine, "Hello."))) == "Hello."
    finally:
        await engine.aclose()


async def test_the_rules_of_its_languages_are_loaded_before_it_is_ready() -> None:
    one = fake_voice()
    speaker = replace(one, voice=replace(one.voice, language="sv-SE"))
    _rules.cache_clear()
    async with running(speaker):
        before = _rules.cache_info().misses
        normalize("5 km", "sv-SE")
        assert _rules.cache_info().misses == before


async def test_close_ends_open_speeches_waits_for_running_steps_and_joins_its_threads() -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    engine = fake_engine(fake_voice(model))
    await engine.start()
    listener = engine.listen()
    running_one, waiting_one = (listener.speak(say(engine, text)) for text in ("running", "waiting"))
    await gate.arrival()
    closing = asyncio.create_task(engine.aclose())
    for speech in (running_one, waiting_one):
        with pytest.raises(EngineClosed):
            await text_of(speech)
        assert not speech.finished
    assert model.running > 0
    assert not closing.done(), "a step cannot be stopped: it is waited for"
    with pytest.raises(EngineClosed):
        listener.speak(say(engine, "late"))
    gate.open()
    await closing
    await engine.aclose()
    listener.close()
    assert model.running == 0
    assert not [t for t in threading.enumerate() if t.name.startswith("onset")]


async def test_an_engine_that_was_never_started_closes() -> None:
    engine = fake_engine()
    await engine.aclose()
    with pytest.raises(EngineClosed):
        engine.listen().speak(say(engine, "Hi."))


async def test_a_speech_made_whole_before_close_is_still_there_to_hear() -> None:
    engine = fake_engine()
    await engine.start()
    speech = engine.listen().speak(say(engine, "Kept."))
    await hear(engine, "Other.")
    while speech.open:
        await hear(engine, "Other.")
    await engine.aclose()
    assert await text_of(speech) == "Kept."
    assert speech.finished
