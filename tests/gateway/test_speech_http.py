"""Speech over HTTP, as any client gets it: by OpenAI's API, with a stand-in voice."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import numpy as np
import pytest

from engine.errors import Overloaded
from engine.speech import Listener
from gateway.app import create_app
from gateway.errors import GatewayError
from gateway.settings import Settings
from tests.decoding import played
from tests.fakes import HALF_POISON, POISON, STUMBLE, FakeModel, Gate, fake_engine, fake_voice, seconds
from tests.wire import PATIENCE_S, Gateway, running

SPEECH = "/v1/audio/speech"


@asynccontextmanager
async def browsing(gateway: Gateway) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False, timeout=PATIENCE_S) as client:
        yield client


async def spoken(gateway: Gateway, text: str, **fields: Any) -> httpx.Response:
    async with browsing(gateway) as client:
        return await client.post(SPEECH, json={"input": text, "voice": "alloy", **fields})


def samples(answer: httpx.Response) -> Any:
    return np.frombuffer(answer.content, "<i2")


# ---- what is sent


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("mp3", "audio/mpeg"),
        ("opus", "audio/ogg;codecs=opus"),
        ("aac", "audio/aac"),
        ("flac", "audio/flac"),
        ("wav", "audio/wav"),
    ],
)
async def test_every_format_is_a_file_of_the_length_of_its_sound(
    gateway: Gateway, name: str, content_type: str
) -> None:
    text = "Hello there. How are you?"
    answer = await spoken(gateway, text, response_format=name)
    assert (answer.status_code, answer.headers["content-type"]) == (200, content_type)
    assert "content-length" not in answer.headers
    sound, rate_hz = played(answer.content, name if name in {"mp3", "aac"} else None)
    assert len(sound) / rate_hz == pytest.approx(seconds("Hello there.How are you?"), abs=0.05)


async def test_mp3_is_what_is_sent_where_nothing_is_asked_for(gateway: Gateway) -> None:
    assert (await spoken(gateway, "Hello.")).headers["content-type"] == "audio/mpeg"


async def test_pcm_is_of_24_kilohertz(gateway: Gateway) -> None:
    answer = await spoken(gateway, "Hello there.", response_format="pcm")
    assert answer.headers["content-type"] == "audio/pcm;rate=24000"
    assert len(samples(answer)) == pytest.approx(24_000 * seconds("Hello there."), abs=1)


async def test_a_streamed_wav_has_one_header_which_says_that_its_length_is_not_known(gateway: Gateway) -> None:
    answer = await spoken(gateway, "One. Two. Three.", response_format="wav")
    assert answer.content.count(b"RIFF") == 1
    assert answer.content[4:8] == answer.content[40:44] == b"\xff\xff\xff\xff"


async def test_a_whole_wav_has_its_true_length(gateway: Gateway) -> None:
    answer = await spoken(gateway, "One. Two. Three.", response_format="wav", stream=False)
    assert int(answer.headers["content-length"]) == len(answer.content)
    with wave.open(io.BytesIO(answer.content)) as file:
        assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (24_000, 2, 1)
        assert file.getnframes() == len(answer.content[44:]) / 2
        assert file.getnframes() / 24_000 == pytest.approx(seconds("One.Two.Three."), abs=0.001)


@pytest.mark.parametrize("name", ["mp3", "opus", "aac", "flac"])
async def test_any_format_may_be_wanted_whole(gateway: Gateway, name: str) -> None:
    answer = await spoken(gateway, "Hello.", response_format=name, stream=False)
    assert int(answer.headers["content-length"]) == len(answer.content)
    streamed = await spoken(gateway, "Hello.", response_format=name)
    assert streamed.content == answer.content


async def test_events_carry_the_same_sound(gateway: Gateway) -> None:
    answer = await spoken(gateway, "Hello.", response_format="pcm", stream_format="sse")
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    events = [json.loads(line.removeprefix("data: ")) for line in answer.text.split("\n\n") if line]
    assert [event["type"] for event in events[-2:]] == ["speech.audio.delta", "speech.audio.done"]
    sound = b"".join(base64.b64decode(event["audio"]) for event in events[:-1])
    assert sound == (await spoken(gateway, "Hello.", response_format="pcm")).content
    assert events[-1]["usage"]["input_tokens"] == 6


@pytest.mark.parametrize("text", ["", " \n", "🙂", "***"])
@pytest.mark.parametrize("name", ["mp3", "opus", "aac", "flac", "wav"])
async def test_a_text_with_nothing_to_say_is_a_file_of_a_short_silence(gateway: Gateway, name: str, text: str) -> None:
    answer = await spoken(gateway, text, response_format=name)
    assert answer.status_code == 200
    sound, rate_hz = played(answer.content, name if name in {"mp3", "aac"} else None)
    assert len(sound) / rate_hz == pytest.approx(0.1, abs=0.05)


async def test_the_answer_says_who_speaks(gateway: Gateway) -> None:
    assert (await spoken(gateway, "Hello.")).headers["x-onset-voice"] == "fake"


# ---- as it is made


async def test_the_first_bytes_come_with_the_first_sound_and_no_file_takes_as_long_as_it_sounds() -> None:
    gate = Gate()
    text = " ".join(f"This is sentence number {word}." for word in ("one", "two", "three", "four", "five", "six"))
    async with running(fake_engine(fake_voice(FakeModel(lag=2, gate=gate)), threads=1), ahead_s=0.5) as gateway:
        fields = {"input": text, "voice": "fake", "response_format": "pcm"}
        async with browsing(gateway) as client, asyncio.timeout(PATIENCE_S):
            asking = client.stream("POST", SPEECH, json=fields)
            steps = asyncio.create_task(_let(gate, 2))  # the front, and as much of the decoding
            async with asking as answer:
                await steps
                sound = answer.aiter_raw()
                first = await anext(sound)
                assert first
                gate.open()
                rest = b"".join([part async for part in sound])
    # The gateway sends a listener on a socket 0.5 s ahead; this took no clock at all.
    assert len(first + rest) / 48_000 == pytest.approx(seconds(text.replace(". ", ".")), abs=0.001)


async def _let(gate: Gate, steps: int) -> None:
    for _ in range(steps):
        await gate.arrival()
        gate.let()


async def test_work_stops_when_the_client_leaves() -> None:
    gate = Gate()
    model = FakeModel(lag=2, gate=gate)
    async with running(fake_engine(fake_voice(model), threads=1)) as gateway:
        fields = {"input": "A long sentence that is not heard to its end. " * 20, "response_format": "pcm"}
        steps = asyncio.create_task(_let(gate, 2))
        async with browsing(gateway) as client, client.stream("POST", SPEECH, json=fields) as answer:
            await steps
            assert await anext(answer.aiter_raw())
            await gate.arrival()
        async with asyncio.timeout(PATIENCE_S):
            await gateway.house.empty()  # who is served no more
        made = len(model.steps)
        gate.open()
        assert await hello(gateway) == "Hello."
    # The step that was running when he left is the last one for him.
    assert sum("long" in text for step in model.steps[made:] for text, _ in step) <= 1


async def hello(gateway: Gateway) -> str:
    async with gateway.client() as client:
        await client.speak("Hello.")
        return client.ear.text()


async def test_a_client_who_leaves_before_the_first_sound_is_not_worked_for() -> None:
    gate = Gate()
    model = FakeModel(gate=gate)
    async with running(fake_engine(fake_voice(model), threads=1)) as gateway:
        async with browsing(gateway) as client:
            asking = asyncio.create_task(client.post(SPEECH, json={"input": "Never heard. Nor this."}))
            await gate.arrival()
            asking.cancel()
            await asyncio.wait({asking})
        async with asyncio.timeout(PATIENCE_S):
            await gateway.house.empty()
        gate.open()
        assert await hello(gateway) == "Hello."
    assert model.decodes == ["Hello."]


# ---- what is wrong


async def test_a_sentence_that_cannot_be_made_is_an_error_before_the_first_sound(gateway: Gateway) -> None:
    answer = await spoken(gateway, f"Bad{POISON}.")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "synthesis_failed"
    assert answer.json()["error"]["type"] == "server_error"
    assert (await spoken(gateway, f"Good{HALF_POISON}.")).status_code == 200


@pytest.mark.parametrize("stream_format", ["audio", "sse"])
async def test_what_fails_later_breaks_the_body_off(gateway: Gateway, stream_format: str) -> None:
    fields = {"input": f"Good. Bad{STUMBLE}. Good again.", "response_format": "pcm", "stream_format": stream_format}
    heard = b""
    async with browsing(gateway) as client:
        with pytest.raises(httpx.RemoteProtocolError, match="incomplete"):
            async with client.stream("POST", SPEECH, json=fields) as answer:
                assert answer.status_code == 200
                async for part in answer.aiter_raw():
                    heard += part
    assert heard
    assert (b'"type":"error"' in heard) is (stream_format == "sse")


async def test_what_fails_later_is_an_error_of_an_answer_that_is_wanted_whole(gateway: Gateway) -> None:
    answer = await spoken(gateway, f"Good. Bad{STUMBLE}.", stream=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "synthesis_failed")


async def test_a_full_machine_says_when_to_try_again(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Listener, utterance: object) -> None:
        raise Overloaded("16 listeners speak, the machine holds about 16; try again in 2 s")

    monkeypatch.setattr(Listener, "speak", full)
    answer = await spoken(gateway, "Hello.")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert answer.json()["error"]["code"] == "overloaded"


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        (b"{", "application/json", 400, "not_json"),
        (b"", "application/json", 400, "not_json"),
        (b"[1]", "application/json", 400, "not_json"),
        (b'{"input": "\xff"}', "application/json", 400, "not_json"),
        (b'{"input": "\\ud800"}', "application/json", 400, "not_json"),
        (b"input=Hello", "application/x-www-form-urlencoded", 415, "not_json_type"),
        (b'{"model": "tts-1"}', "application/json", 400, "missing_field"),
        (b'{"input": "Hello.", "voice": "nobody"}', "application/json", 400, "unknown_voice"),
        (b'{"input": "' + b"x" * 300_000 + b'"}', "application/json", 413, "message_too_large"),
        (b'{"input": "Hello."}', "application/json; charset=utf-8", 200, ""),
        (b'{"input": "Hello."}', "", 200, ""),
    ],
)
async def test_a_request_that_cannot_be_taken_is_answered_in_their_shape(
    gateway: Gateway, content: bytes, content_type: str, status: int, code: str
) -> None:
    headers = {"content-type": content_type} if content_type else {}
    async with browsing(gateway) as client:
        answer = await client.post(SPEECH, content=content, headers=headers)
    assert answer.status_code == status
    if code:
        error = answer.json()["error"]
        assert (error["code"], set(error)) == (code, {"message", "type", "param", "code"})


async def test_the_server_restarts_in_mid_speech() -> None:
    gate = Gate()
    engine = fake_engine(fake_voice(FakeModel(gate=gate)), threads=1)
    async with running(engine) as gateway, browsing(gateway) as client:
        asking = asyncio.create_task(client.post(SPEECH, json={"input": "Hello."}))
        await gate.arrival()
        gateway.stop()
        answer = await asking
        gate.open()
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "restarting")


# ---- lists


async def test_models_and_voices_are_listed(gateway: Gateway) -> None:
    async with browsing(gateway) as client:
        models = (await client.get("/v1/models")).json()
        one = (await client.get("/v1/models/tts-1")).json()
        voices = (await client.get("/v1/audio/voices")).json()["voices"]
    assert {"onset", "tts-1", "gpt-4o-mini-tts"} <= {model["id"] for model in models["data"]}
    assert one in models["data"]
    assert {voice["id"] for voice in voices} > {"fake", "alloy"}
    assert {voice["voice"] for voice in voices} == {"fake"}


def test_a_mapping_to_a_voice_that_is_not_there_is_told_at_the_start() -> None:
    with pytest.raises(GatewayError, match="alloy=gone: no such voice"):
        create_app(Settings(openai_voices="alloy=gone"), fake_engine())
