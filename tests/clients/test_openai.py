"""The `openai` package as it is, pointed here by its `base_url`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal

import numpy as np
import openai
import pytest
from openai import AsyncOpenAI

from engine.engine import Engine
from engine.voices import LoadedVoice
from tests.decoding import played
from tests.fakes import FakeModel, Gate, fake_engine, fake_voice
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import PATIENCE_S, Gateway, running

Kind = Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]
TEXT = " ".join(SENTENCES[:2])
_KINDS: Sequence[Kind] = ("mp3", "opus", "aac", "flac", "wav")


@pytest.fixture
async def real(real_voices: list[LoadedVoice]) -> AsyncIterator[Gateway]:
    async with running(Engine(real_voices)) as gateway:
        yield gateway


def client_of(gateway: Gateway, key: str = "any") -> AsyncOpenAI:
    return AsyncOpenAI(base_url=f"{gateway.http}/v1", api_key=key, timeout=PATIENCE_S, max_retries=0)


async def streamed(client: AsyncOpenAI, kind: Kind, text: str = TEXT) -> bytes:
    speech = client.audio.speech.with_streaming_response
    async with speech.create(model="gpt-4o-mini-tts", voice="alloy", input=text, response_format=kind) as answer:
        return b"".join([part async for part in answer.iter_bytes()])


async def test_every_format_is_as_long_as_its_samples_and_is_understood(real: Gateway) -> None:
    async with client_of(real) as client:
        pcm = np.frombuffer(await streamed(client, "pcm"), "<i2")
        for kind in _KINDS:
            sound, rate_hz = played(await streamed(client, kind), kind if kind in {"mp3", "aac"} else None)
            assert abs(len(sound) / rate_hz - len(pcm) / 24_000) <= 0.05, kind
            if kind in {"mp3", "opus"}:
                heard = hear(np.clip(sound, -32768, 32767).astype(np.int16), rate_hz)
                assert words_heard(TEXT, heard) >= 0.8, heard
    assert words_heard(TEXT, hear(pcm.astype(np.int16), 24_000)) >= 0.8


async def test_the_usual_call_gives_the_whole_file(real: Gateway) -> None:
    async with client_of(real) as client:
        answer = await client.audio.speech.create(model="tts-1", voice="nova", input=SENTENCES[0], speed=1.2)
        sound, rate_hz = played(await answer.aread(), "mp3")
        assert answer.response.headers["content-type"] == "audio/mpeg"
    assert words_heard(SENTENCES[0], hear(np.clip(sound, -32768, 32767).astype(np.int16), rate_hz)) >= 0.7


async def test_a_client_who_stops_reading_stops_the_work() -> None:
    gate, text = Gate(), "Somebody stops listening to this long sentence. And this is never begun."
    model = FakeModel(lag=2, gate=gate)
    async with running(fake_engine(fake_voice(model), threads=1)) as gateway, client_of(gateway) as client:
        asked = client.audio.speech.with_streaming_response.create(
            model="tts-1", voice="alloy", input=text, response_format="pcm"
        )
        gate.let(2)  # the front, and as much of the decoding
        async with asked as answer:
            async for part in answer.iter_bytes():
                assert part
                break
        await gateway.house.empty()
        gate.open()
        await streamed(client, "pcm", "Hello.")
    assert model.decodes[-1] == "Hello."
    assert not any("never begun" in text for text in model.decodes)


async def test_errors_are_theirs(gateway: Gateway) -> None:
    async with client_of(gateway) as client:
        with pytest.raises(openai.BadRequestError, match="no voice 'nobody'; voices: alloy") as caught:
            await client.audio.speech.create(model="tts-1", voice="nobody", input="Hello.")
    assert (caught.value.code, caught.value.param, caught.value.type) == (
        "unknown_voice",
        "voice",
        "invalid_request_error",
    )
    async with running(api_keys="right") as locked, client_of(locked, "wrong") as client:
        with pytest.raises(openai.AuthenticationError):
            await client.models.list()
    async with running(api_keys="right") as locked, client_of(locked, "right") as client:
        assert "tts-1" in [model.id async for model in client.models.list()]
