"""The `wyoming` package's own client, as Home Assistant uses it: a connection a text, events as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from wyoming.audio import AudioStart
from wyoming.info import Describe, Info, SelectProgram
from wyoming.ping import Ping, Pong
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeVoice

from engine.engine import Engine
from engine.voices import LoadedVoice
from tests.fakes import RATE_HZ, FakeModel, Gate, fake_engine, fake_voice
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import PATIENCE_S, Gateway, running
from tests.wyoming_client import connected, outline

TEXT = SENTENCES[0]
LONG = " ".join(f"This is a sentence of many, and it is the one with letter {letter}." for letter in "abcdefghijklmno")


@pytest.fixture
async def here() -> AsyncIterator[Gateway]:
    """With a stand-in voice, whose sound can be read."""
    async with running(wyoming=True) as gateway:
        yield gateway


async def test_home_assistants_turn_is_heard_once(real_voices: list[LoadedVoice]) -> None:
    """Chunks, then the whole text again for servers that take none, then the stop."""
    tokens = [f"{word} " for word in TEXT.split()]
    async with running(Engine(real_voices), wyoming=True) as real, connected(real) as client:
        await client.send(SynthesizeStart(SynthesizeVoice(name=real_voices[0].voice.name)))
        await client.send(*map(SynthesizeChunk, tokens))
        await client.send(Synthesize(TEXT), SynthesizeStop())
        heard = await client.until("synthesize-stopped")
        assert outline(heard) == ["audio-start", "audio-chunk", "audio-stop", "synthesize-stopped"]
        assert words_heard(TEXT, hear(heard.pcm, heard.rate_hz)) >= 0.8
        async with real.client() as native:
            done = await native.speak(*tokens, pace="fast")
        assert abs(len(heard.pcm) / heard.rate_hz * 1000 - done["audio_ms"]) <= 50


async def test_a_text_is_answered_on_a_connection_that_goes_on(here: Gateway) -> None:
    async with connected(here) as client:
        for text in ("Good morning.", "And good night."):
            heard = await client.say(text)
            assert outline(heard) == ["audio-start", "audio-chunk", "audio-stop"]
            assert (heard.text, heard.rate_hz) == (text, RATE_HZ)


async def test_sound_begins_before_the_text_ends(here: Gateway) -> None:
    async with connected(here) as client:
        await client.send(SynthesizeStart(), SynthesizeChunk("One is here. And t"))
        heard = await client.until("audio-chunk")
        await client.send(SynthesizeChunk("wo."), SynthesizeStop())
        assert (await client.until("synthesize-stopped", heard)).text == "One is here.And two."


async def test_texts_sent_at_once_sound_one_after_another() -> None:
    """The second is known by heart and the first is not: it waits all the same."""
    texts = [f"The text of {name} is as long as that." for name in ("Ann", "Ben", "Cleo", "Dan")]
    async with running(wyoming=True) as gateway, connected(gateway) as client:
        await client.say(texts[1])
        await client.send(*map(Synthesize, texts))
        assert [(await client.until("audio-stop")).text for _ in texts] == texts


@pytest.mark.parametrize("text", ["", "  \n", "...", "**"])
async def test_a_text_with_nothing_to_say_is_silence_and_no_error(here: Gateway, text: str) -> None:
    async with connected(here) as client:
        assert (await client.say(text)).kinds == ["audio-start", "audio-stop"]
        await client.send(SynthesizeStart(), SynthesizeChunk(text), SynthesizeStop())
        assert (await client.until("synthesize-stopped")).kinds == ["audio-start", "audio-stop", "synthesize-stopped"]


async def test_a_text_is_not_slowed_to_the_time_it_sounds(here: Gateway) -> None:
    """Home Assistant plays a text that it sent whole when all of its sound is there."""
    async with connected(here) as client:
        async with asyncio.timeout(PATIENCE_S):
            heard = await client.say(LONG)
        assert len(heard.pcm) / heard.rate_hz > PATIENCE_S + here.house.settings.ahead_s
        assert "".join(heard.text.split()) == "".join(LONG.split())


@pytest.mark.parametrize("abrupt", [False, True])
async def test_work_stops_within_a_step_when_the_client_leaves(abrupt: bool) -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    engine = fake_engine(fake_voice(model), threads=1)
    async with running(engine, wyoming=True) as gateway:
        async with connected(gateway) as client:
            await client.send(Synthesize(LONG))
            await gate.arrival()
            gate.let(2)  # the front and the sound of the first sentence
            await client.until("audio-chunk")
            await gate.arrival()
            await gate.arrival()
            steps = len(model.fronts) + len(model.decodes)
            if abrupt:
                client.abort()
        await gateway.house.empty()
        assert engine.queued == 0
        gate.open()
        async with connected(gateway) as other:
            assert (await other.say("Next, please.")).text == "Next, please."
        assert len(model.fronts) + len(model.decodes) - steps <= 1 + 2  # the running step, and the other client's


async def test_a_client_who_does_not_read_is_bounded_and_slows_nobody() -> None:
    slow = FakeModel()
    engine = fake_engine(fake_voice(slow, "slow"), fake_voice(name="quick"))
    lines = [f"X{letter}: {' '.join(['slow and steady'] * 20)}." for letter in "abcdefghijklmnop"]  # 240 s of sound
    async with (
        running(engine, wyoming=True) as gateway,
        connected(gateway) as other,
        connected(gateway, holds=32768) as client,
    ):
        await client.send(Synthesize("\n".join(lines), SynthesizeVoice("slow")))
        made = -1
        while made != (made := len(slow.decodes)):
            for _ in range(5):
                assert (await other.say("Here I am.", name="quick")).text == "Here I am."
        assert made < 13
        client.abort()


async def test_who_asks_is_told_of_every_voice() -> None:
    engine = fake_engine(fake_voice(name="ann"), fake_voice(name="ben", speaker_count=3))
    async with running(engine, wyoming=True) as gateway, connected(gateway) as client:
        await client.send(Describe())
        (program,) = Info.from_event(await client.next()).tts
        assert (program.name, program.installed, program.supports_synthesize_streaming) == ("onset", True, True)
        ann, ben = program.voices
        assert (ann.name, ann.installed, ann.languages, ann.speakers) == ("ann", True, ["en_US"], None)
        assert [speaker.name for speaker in ben.speakers or ()] == ["0", "1", "2"]
        await client.send(SelectProgram(program.name), Ping("still there?"))
        assert Pong.from_event(await client.next()).text == "still there?"
        for voice in ({"name": "ben", "speaker": "2"}, {"name": "ben:1"}, {"language": "en_US"}, {"language": "en"}):
            assert (await client.say("Hello.", **voice)).text == "Hello."


async def test_a_question_is_answered_while_a_text_sounds() -> None:
    gate = Gate()
    engine = fake_engine(fake_voice(FakeModel(gate=gate)))
    async with running(engine, wyoming=True) as gateway, connected(gateway) as client:
        await client.send(Synthesize("One."), Ping("first"), Describe())
        assert [(await client.next()).type for _ in range(2)] == ["pong", "info"]
        gate.open()
        assert AudioStart.is_type((await client.next()).type)
        assert (await client.until("audio-stop")).text == "One."


# ---- what is wrong


@pytest.mark.parametrize(
    ("voice", "code", "said"),
    [
        ({"name": "ann"}, "unknown_voice", "fake"),
        ({"name": "fake", "speaker": "high"}, "unknown_speaker", "0, the only one"),
        ({"name": "fake", "speaker": "7"}, "unknown_speaker", "0, the only one"),
        ({"language": "tlh"}, "unknown_language", "en-US"),
    ],
)
async def test_a_voice_that_is_not_there_is_an_error_and_an_end(
    here: Gateway, voice: dict[str, str], code: str, said: str
) -> None:
    """Home Assistant knows no `error`: without an end it would wait for ever."""
    async with connected(here) as client:
        heard = await client.say("Hello.", **voice)
        assert heard.kinds == ["error", "audio-stop"]
        assert (heard.errors[0].code, said in heard.errors[0].text) == (code, True)
        whole = Synthesize("Hello.", SynthesizeVoice(**voice))
        chunks = SynthesizeChunk("Hel"), SynthesizeChunk("lo.")
        await client.send(SynthesizeStart(SynthesizeVoice(**voice)), *chunks, whole, SynthesizeStop())
        assert (await client.until("synthesize-stopped")).kinds == ["error", "synthesize-stopped"]
        assert (await client.say("Hello.")).text == "Hello."


async def test_a_refused_text_does_not_end_the_one_before_it() -> None:
    gate = Gate()
    engine = fake_engine(fake_voice(FakeModel(gate=gate)))
    async with running(engine, wyoming=True) as gateway, connected(gateway) as client:
        await client.send(Synthesize("One."), Synthesize("Two.", SynthesizeVoice("ann")), Synthesize("Three."))
        await gate.arrival()
        gate.open()
        assert (await client.until("audio-stop")).text == "One."
        assert (await client.until("audio-stop")).kinds == ["error", "audio-stop"]
        assert (await client.until("audio-stop")).text == "Three."


BAD: list[tuple[bytes, str, str]] = [
    (b"hello\n", "not_json", "not JSON"),
    (b"\n", "not_json", "JSON"),
    (b"[]\n", "not_json", "JSON object"),
    (b"{}\n", "unknown_type", "no type"),
    (b'{"type": 1}\n', "unknown_type", "1"),
    (b'{"type": "transcribe"}\n', "unknown_type", "synthesize-start"),
    (b'{"type": "ping", "data_length": 2}\n{;', "not_json", "not JSON"),
    (b'{"type": "ping", "data_length": -1}\n', "bad_value", "'data_length' is -1"),
    (b'{"type": "ping", "payload_length": "x"}\n', "bad_value", "'payload_length' is 'x'"),
    (b'{"type": "ping", "data_length": 2000}\n' + b" " * 2000, "message_too_large", "allowed: 1024"),
    (b'{"type": "ping", "data": [1]}\n', "bad_value", "'data' is [1]"),
    (b'{"type": "synthesize-chunk", "data": {"text": "a"}}\n', "not_started", "synthesize-start"),
    (b'{"type": "synthesize-stop"}\n', "not_started", "synthesize-start"),
    (b'{"type": "select-program", "data": {"name": "piper"}}\n', "bad_value", "allowed: onset"),
]


async def test_a_wrong_event_is_an_error_and_the_connection_goes_on() -> None:
    async with running(wyoming=True, max_message_bytes=1024) as gateway, connected(gateway) as client:
        for data, code, said in BAD:
            await client.send_bytes(data)
            (error,) = (await client.until("error")).errors
            assert (error.code, said in error.text) == (code, True), (data, error)
        assert (await client.say("Hello.")).text == "Hello."


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"type": "ping", "data_length": 1000000000000}\n{"type": "describe"}\n', "stream_lost"),
        (b'{"type": "ping", "payload_length": 1000000000000}\n', "stream_lost"),
        (b"x" * 100_000, "stream_lost"),
        (b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", "not_wyoming"),
    ],
)
async def test_what_cannot_be_read_on_is_told_and_closed(data: bytes, code: str) -> None:
    async with running(wyoming=True, max_message_bytes=1024) as gateway, connected(gateway) as other:
        async with connected(gateway) as client:
            await client.send_bytes(data)
            assert [error.code for error in (await client.until("error")).errors] == [code]
            assert await client.ends()
        assert (await other.say("Hello.")).text == "Hello."


async def test_what_fails_in_a_text_is_told_in_its_place(here: Gateway) -> None:
    async with connected(here) as client:
        heard = await client.say("One. \u1681 two. Three.")
        assert [error.code for error in heard.errors] == ["synthesis_failed"]
        assert outline(heard) == ["audio-start", "audio-chunk", "error", "audio-chunk", "audio-stop"]
        assert heard.text == "One.Three."


async def test_a_restart_is_told(here: Gateway) -> None:
    async with connected(here) as idle, connected(here) as busy:
        await busy.send(Synthesize(LONG * 20))
        await busy.until("audio-chunk")
        here.stop()
        for client in (idle, busy):
            assert (await client.until("error")).errors[0].code == "restarting"
            assert await client.ends()
    await here.stopped.wait()
