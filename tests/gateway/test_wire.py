"""The native protocol over a real socket: order, contexts, cancel."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from engine.engine import Engine
from engine.types import Pcm, Utterance
from engine.voices import LoadedVoice
from tests.fakes import FakeModel, Gate, fake_engine, fake_voice
from tests.wire import Gateway, running


async def test_ready_says_what_there_is(gateway: Gateway) -> None:
    async with gateway.client() as client:
        (ready,) = client.ear.of("ready", None)
    assert (ready["protocol"], ready["voices"], ready["default_voice"]) == (1, ["fake"], "fake")
    assert {"max_message_bytes", "max_contexts", "max_context_chars", "ahead_s"} <= set(ready["limits"])


async def test_text_is_spoken_sentence_by_sentence(gateway: Gateway) -> None:
    async with gateway.client() as client:
        done = await client.speak("One fine day. Two of ", "them. And three")
        sentences = client.ear.of("sentence")
    assert client.ear.text() == "One fine day.Two of them.And three"
    assert [m["text"] for m in sentences] == ["One fine day.", "Two of them.", "And three"]
    assert [m["index"] for m in sentences] == [0, 1, 2]
    assert sentences[0]["start_ms"] == 0
    assert sentences == sorted(sentences, key=lambda m: int(m["start_ms"]))
    assert done["sentences"] == 3


async def test_done_is_the_last_message_and_counts_every_sample(gateway: Gateway) -> None:
    """c10"""
    async with gateway.client() as client:
        done = await client.speak("One fine day. Two of them. And three.")
        assert done["audio_ms"] == round(len(client.ear.pcm()) / 22.05)
        await client.send("ping")
        await client.until("pong", None)  # nothing came between
        assert client.ear.last() == "done"


async def test_sound_comes_in_messages_of_20_to_100_ms(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak("One fine day. Two of them. And three.")
    assert [size for size in client.ear.sizes if size % 2 or not 20 <= size / 44.1 <= 100] == []


async def test_tokens_of_any_size_say_the_same(gateway: Gateway) -> None:
    text = "It rose to 3.5 percent, Dr. Lee said. Then it fell! See you tomorrow"
    async with gateway.client() as client:
        await client.speak(text, context="whole")
        await client.speak(*text, context="letters")
    said = [[m["text"] for m in client.ear.of("sentence", context)] for context in ("whole", "letters")]
    assert said[0] == said[1] == ["It rose to 3.5 percent, Dr. Lee said.", "Then it fell!", "See you tomorrow"]


async def test_the_tail_without_a_stop_is_spoken_at_flush_and_at_end(gateway: Gateway) -> None:
    """d14"""
    async with gateway.client() as client:
        for text in ["see you ", "tomorrow then"]:
            await client.send("text", text=text)
        await client.send("flush")
        await client.until("flushed")
        assert client.ear.text() == "see you tomorrow then"
        await client.speak(" and good", " night")
    assert client.ear.text() == "see you tomorrow thenand good night"


async def test_flush_marks_come_behind_their_sound_and_are_not_the_end(gateway: Gateway) -> None:
    """d15"""
    async with gateway.client() as client:
        for text in ["One.", "Two."]:
            await client.send("text", text=text)
            await client.send("flush")
        await client.speak("Three.")
    kinds = [m["type"] for m in client.ear.messages["default"] if m["type"] not in {"audio", "sound"}]
    assert kinds == ["sentence", "flushed", "sentence", "flushed", "sentence", "done"]
    assert client.ear.text() == "One.Two.Three."


async def test_contexts_do_not_mix_and_a_slow_one_does_not_hold_another() -> None:
    """d10, d31"""
    gate = Gate()
    slow, quick = fake_voice(FakeModel(gate=gate), "slow"), fake_voice(name="quick")
    async with running(fake_engine(slow, quick)) as gateway, gateway.client() as client:
        await client.send("start", context="x", voice="slow")
        await client.send("start", context="y", voice="quick")
        for left, right in [("Left ", "Right "), ("is ", "goes "), ("here.", "there.")]:
            await client.send("text", text=left, context="x")
            await client.send("text", text=right, context="y")
        await client.send("end", context="x")
        await client.send("end", context="y")
        await client.until("done", "y")
        assert client.ear.sound["x"] == b""
        gate.open()
        await client.until("done", "x")
    assert (client.ear.text("x"), client.ear.text("y")) == ("Left is here.", "Right goes there.")


async def test_many_contexts_at_once_are_each_told_apart(gateway: Gateway) -> None:
    """d31"""
    names = [f"x{letter}" for letter in ascii_lowercase[:12]]
    async with gateway.client() as client:
        for name in names:
            await client.send("start", context=name, pace="fast")
            await client.send("text", context=name, text=f"This is {name}. " + f"It goes on as {name}. " * 5)
        await client.send("cancel", context="xc")
        for name in names:
            await client.send("end", context=name)
        await client.until("cancelled", "xc")
        for name in names:
            if client.ear.last(name) != "done":
                await client.until("done", name)
    for name in set(names) - {"xc"}:
        assert client.ear.text(name) == f"This is {name}." + f"It goes on as {name}." * 5


async def test_cancel_before_the_first_sound() -> None:
    """d04: nothing of A is heard after its cancel, and A's end is not B's."""
    gate = Gate()
    async with running(fake_engine(fake_voice(FakeModel(gate=gate)))) as gateway, gateway.client() as client:
        await client.send("text", text="Old words. And more of them.")
        await client.send("end")
        await gate.arrival()  # a model thread is at it
        await client.send("cancel")
        told = await client.until("cancelled")
        assert (told["sent_ms"], told["heard_ms"], told["text_sent"]) == (0, 0, "")
        await client.send("text", text="New.")
        await client.send("end")
        gate.open()
        done = await client.until("done")
        assert done["sentences"] == 1
        await client.send("ping")
        await client.until("pong", None)
    assert client.ear.text() == "New."
    assert len(client.ear.of("done")) == 1


async def test_a_cancelled_turn_is_not_in_the_next(gateway: Gateway) -> None:
    """d05"""
    async with gateway.client() as client:
        for number, letter in enumerate(ascii_lowercase[:20]):
            turn = f"x{letter}"
            await client.send("text", text=f"Turn {turn} begins. It goes on and on. And has a tail {turn}")
            for _ in range(number % 4):
                await client.next()
            await client.send("cancel")
            await client.until("cancelled")
            client.ear.sound.clear()
            await client.speak(f"Answer {turn}")
            assert client.ear.text() == f"Answer {turn}"
            client.ear.sound.clear()


async def test_cancel_tells_what_was_sent(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.send("text", text="One two three. " + "Four five six seven eight nine ten. " * 20)
        await client.until("sentence")
        while len(client.ear.of("sentence")) < 2:
            await client.next()
        await client.send("played", ms=100)
        await client.send("cancel")
        told = await client.until("cancelled")
    assert told["sent_ms"] == round(len(client.ear.pcm()) / 22.05)
    assert told["heard_ms"] == 100
    assert told["text_sent"].startswith("One two three.")
    assert len(told["text_sent"]) < 15 + 36 * 20


async def test_the_same_phrase_comes_from_the_cache_with_the_same_sound(gateway: Gateway) -> None:
    async with gateway.client() as client, gateway.client() as other:
        first = await client.speak("Good morning to you.")
        second = await other.speak("Good morning to you.")
    assert (first["cached"], second["cached"]) == (0, 1)
    assert [m["cached"] for m in other.ear.of("sentence")] == ["memory"]
    assert client.ear.sound["default"] == other.ear.sound["default"]


async def test_a_context_may_be_spoken_in_again_after_its_done(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.speak("One.")
        await client.speak("Two.", speed=2.0)
    headers = client.ear.of("audio")
    assert client.ear.text() == "One.Two."
    assert len(headers) == 2


async def one_piece(engine: Engine, text: str) -> Pcm:
    listener = engine.listen()
    try:
        return np.concatenate([pcm async for pcm in listener.speak(Utterance(text, engine.default_voice))])
    finally:
        listener.close()


async def test_the_joined_messages_are_the_one_piece_result(real_voices: list[LoadedVoice]) -> None:
    """c01"""
    text = "The tide came in slowly that evening, and the gulls moved up the sand, one step at a time."
    engine = Engine(real_voices)
    async with running(engine) as gateway, gateway.client() as client:
        done = await client.speak(text, pace="fast")
        whole = await one_piece(engine, text)
    assert done["sentences"] == 1
    assert client.ear.pcm().tolist() == whole.tolist()
    assert np.abs(whole).max() > 3000
    joints = np.cumsum(client.ear.sizes)[:-1] // 2
    steps = np.abs(np.diff(whole.astype(int)))
    assert steps[joints - 1].max() <= steps.max()
