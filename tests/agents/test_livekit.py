"""LiveKit's ElevenLabs plugin, unpatched, pointed here by its base URL: a turn, a barge-in, and another turn."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import numpy as np
import pytest
from livekit.agents.tts import SynthesizeStream
from livekit.plugins.elevenlabs import TTS

from engine.engine import Engine
from engine.types import Pcm
from engine.voices import LoadedVoice
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import Gateway, running

RATE_HZ = 24_000


@pytest.fixture
async def real(real_voices: list[LoadedVoice]) -> AsyncIterator[Gateway]:
    async with running(Engine(real_voices)) as gateway:
        yield gateway


async def test_a_turn_a_barge_in_and_a_turn_with_its_own_words(real: Gateway) -> None:
    first, dropped, second = SENTENCES
    async with aiohttp.ClientSession() as session:
        tts = TTS(
            voice_id="en_US-joe-medium",
            api_key="any",
            base_url=f"{real.http}/v1",
            encoding="pcm_24000",
            http_session=session,
        )
        try:
            assert words_heard(first, hear(await _turn(tts, first), RATE_HZ)) >= 0.8
            stream = tts.stream()
            _say(stream, f"{dropped} {dropped} {dropped}")
            async for _ in stream:
                break  # the listener begins to speak
            await stream.aclose()
            heard = hear(await _turn(tts, second), RATE_HZ)
        finally:
            await tts.aclose()
    assert words_heard(second, heard) >= 0.8, heard
    assert words_heard(dropped, heard) < 0.5, heard


async def test_words_of_nothing_but_signs_are_no_failure(real: Gateway) -> None:
    async with aiohttp.ClientSession() as session:
        tts = TTS(
            voice_id="en_US-joe-medium",
            api_key="any",
            base_url=f"{real.http}/v1",
            encoding="pcm_24000",
            http_session=session,
        )
        try:
            assert len(await _turn(tts, "😀 🎉")) > 0
            sound = await tts.synthesize(SENTENCES[0]).collect()
        finally:
            await tts.aclose()
    assert words_heard(SENTENCES[0], hear(np.frombuffer(sound.data, "<i2"), RATE_HZ)) >= 0.8


async def _turn(tts: TTS, text: str) -> Pcm:
    stream = tts.stream()
    _say(stream, text)
    sound = [bytes(event.frame.data) async for event in stream]
    await stream.aclose()
    return np.frombuffer(b"".join(sound), "<i2")


def _say(stream: SynthesizeStream, text: str) -> None:
    """Token by token, as a language model writes."""
    for word in text.split(" "):
        stream.push_text(f"{word} ")
    stream.end_input()
