"""The `cartesia` package as it is, pointed here by its `base_url` and `websocket_base_url`."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import AsyncIterator
from typing import Any

import cartesia
import numpy as np
import pytest
from cartesia import AsyncCartesia

from engine.engine import Engine
from engine.types import Pcm
from engine.voices import LoadedVoice
from tests.decoding import played
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import PATIENCE_S, Gateway, running

FIRST, SECOND = SENTENCES[0], SENTENCES[1]
RATE_HZ = 24_000
VOICE = "6ccbfb76-1fc6-48f7-b71d-91ac6298247b"
RAW: Any = {"container": "raw", "encoding": "pcm_s16le", "sample_rate": RATE_HZ}


@pytest.fixture
async def real(real_voices: list[LoadedVoice]) -> AsyncIterator[Gateway]:
    async with running(Engine(real_voices), cartesia_voices=f"{VOICE}=default") as gateway:
        yield gateway


def client_of(gateway: Gateway, key: str = "any") -> AsyncCartesia:
    socket = f"ws://{gateway.host}"
    return AsyncCartesia(
        api_key=key, base_url=gateway.http, websocket_base_url=socket, timeout=PATIENCE_S, max_retries=0
    )


async def heard_of(context: Any) -> tuple[Pcm, list[str]]:
    """All that comes of a context to its end: its sound and its words."""
    sound, words = bytearray(), list[str]()
    async with asyncio.timeout(PATIENCE_S):
        async for told in context.receive():
            if told.type == "chunk":
                sound += told.audio
            elif told.type == "timestamps":
                words += told.word_timestamps.words
            else:
                assert told.type in {"done", "flush_done"}, told
    return np.frombuffer(bytes(sound), "<i2"), words


async def test_a_turn_a_barge_in_and_a_second_turn_with_its_own_words_alone(real: Gateway) -> None:
    settings: Any = {"model_id": "sonic-3", "voice": {"mode": "id", "id": VOICE}, "output_format": RAW}
    async with client_of(real) as client, client.tts.websocket_connect() as socket:
        first = socket.context(**settings, add_timestamps=True)
        for token in FIRST.split(" "):
            await first.push(f"{token} ")
        await first.no_more_inputs()
        pcm, words = await heard_of(first)
        assert words == FIRST.split(" ")
        assert words_heard(FIRST, hear(pcm, RATE_HZ)) >= 0.8
        assert abs(len(pcm) / RATE_HZ - await sound_of(real, FIRST)) <= 0.05
        broken_off = socket.context(**settings)
        await broken_off.push(f"{SENTENCES[2]} " * 5)
        async for told in broken_off.receive():
            if told.type == "chunk":  # he hears it begin
                await broken_off.cancel()
                break  # the client has nothing more of it, whatever comes
        second = socket.context(**settings)
        await second.push(SECOND)
        await second.no_more_inputs()
        pcm, _ = await heard_of(second)
    heard = hear(pcm, RATE_HZ)
    assert words_heard(SECOND, heard) >= 0.8
    assert words_heard("doctor patient", heard) == 0


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ({"container": "wav", "encoding": "pcm_s16le", "sample_rate": 16000}, None),
        ({"container": "wav", "encoding": "pcm_f32le", "sample_rate": 44100}, None),
        ({"container": "mp3", "sample_rate": 44100, "bit_rate": 128000}, "mp3"),
    ],
)
async def test_bytes_are_a_file(real: Gateway, output: Any, kind: str | None) -> None:
    async with client_of(real) as client:
        answer = await client.tts.generate(
            model_id="sonic-3", transcript=FIRST, voice={"id": VOICE}, output_format=output
        )
        sound, rate_hz = played(await answer.read(), kind)
    assert rate_hz == output["sample_rate"]
    assert words_heard(FIRST, hear(np.clip(sound, -32768, 32767).astype(np.int16), rate_hz)) >= 0.8
    assert abs(len(sound) / rate_hz - await sound_of(real, FIRST)) <= 0.05


async def test_events_tell_sound_and_words(real: Gateway) -> None:
    sound, words = bytearray(), list[str]()
    async with client_of(real) as client:
        stream = await client.tts.generate_sse(
            model_id="sonic-3", transcript=FIRST, voice=VOICE, output_format=RAW, add_timestamps=True
        )
        async for told in stream:
            if told.type == "chunk":
                sound += b64decode(told.data)
            elif told.type == "timestamps":
                words += told.word_timestamps.words
    assert words == FIRST.split(" ")
    assert words_heard(FIRST, hear(np.frombuffer(bytes(sound), "<i2"), RATE_HZ)) >= 0.8


async def test_voices_are_listed(gateway: Gateway) -> None:
    async with client_of(gateway) as client:
        voices = [voice async for voice in client.voices.list()]
        assert [(voice.id, voice.language) for voice in voices] == [("fake", "en")]
        assert (await client.voices.get("fake")).name == "fake"


async def test_errors_are_theirs(gateway: Gateway) -> None:
    wrong: Any = {"model_id": "sonic-3", "voice": {"mode": "id", "id": "nobody"}, "output_format": RAW}
    async with client_of(gateway) as client:
        with pytest.raises(cartesia.NotFoundError, match=r"'voice\.id' is 'nobody'; allowed: fake"):
            await client.tts.generate(**wrong, transcript="Hello.")
        async with client.tts.websocket_connect() as socket:
            context = socket.context(**wrong)
            await context.push("Hello.")
            told = [event async for event in context.receive()]
        assert [(event.type, getattr(event, "error_code", None)) for event in told] == [("error", "unknown_voice")]
    async with running(api_keys="right") as locked:
        async with client_of(locked, "wrong") as client:
            with pytest.raises(cartesia.AuthenticationError):
                await client.voices.list()
        async with client_of(locked, "right") as client:
            assert [voice.id async for voice in client.voices.list()] == ["fake"]


async def sound_of(gateway: Gateway, text: str) -> float:
    """Seconds of the same text over the native protocol."""
    async with gateway.client() as client:
        done = await client.speak(text, pace="fast")
    return float(done["audio_ms"]) / 1000
