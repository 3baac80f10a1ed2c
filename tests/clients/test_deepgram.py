"""The `deepgram-sdk` package as it is, pointed here by its `environment`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import numpy as np
import pytest
from deepgram import AsyncDeepgramClient
from deepgram.core.api_error import ApiError
from deepgram.environment import DeepgramClientEnvironment
from deepgram.errors import BadRequestError
from deepgram.speak.v1.client import AsyncV1Client
from deepgram.speak.v1.socket_client import AsyncV1SocketClient
from deepgram.speak.v1.types import SpeakV1Text

from engine.engine import Engine
from engine.types import Pcm
from engine.voices import LoadedVoice
from tests.decoding import played
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import PATIENCE_S, Gateway, running

FIRST, SECOND = SENTENCES[0], SENTENCES[1]
RATE_HZ = 24_000


@pytest.fixture
async def real(real_voices: list[LoadedVoice]) -> AsyncIterator[Gateway]:
    async with running(Engine(real_voices), deepgram_voices="aura-2-thalia-en=default") as gateway:
        yield gateway


@asynccontextmanager
async def client_of(gateway: Gateway, key: str = "any") -> AsyncIterator[AsyncV1Client]:
    http, socket = gateway.http, f"ws://{gateway.host}"
    here = DeepgramClientEnvironment(base=http, production=socket, agent=socket, agent_rest=http)
    async with httpx.AsyncClient(timeout=PATIENCE_S) as own:  # theirs cannot be closed
        yield AsyncDeepgramClient(api_key=key, environment=here, httpx_client=own).speak.v1


async def until(socket: AsyncV1SocketClient, kind: str) -> tuple[Any, Pcm]:
    """Listen for a message of this type; it, and the sound before it."""
    sound = bytearray()
    while True:
        async with asyncio.timeout(PATIENCE_S):
            told = await socket.recv()
        if isinstance(told, bytes):
            sound += told
        elif told.type == kind:
            return told, np.frombuffer(bytes(sound), "<i2")


async def test_a_turn_a_barge_in_and_a_second_turn_with_its_own_words_alone(real: Gateway) -> None:
    asked: Any = {"model": "aura-2-thalia-en", "encoding": "linear16", "sample_rate": RATE_HZ}
    async with client_of(real) as speak, speak.connect(**asked) as socket:
        metadata, _ = await until(socket, "Metadata")
        assert metadata.model_name == real.house.engine.default_voice.name
        for token in FIRST.split(" "):
            await socket.send_text(SpeakV1Text(text=f"{token} "))
        await socket.send_flush()
        _, first = await until(socket, "Flushed")
        assert words_heard(FIRST, hear(first, RATE_HZ)) >= 0.8
        await socket.send_text(SpeakV1Text(text=f"{SENTENCES[2]} " * 5))
        await socket.send_flush()
        while not isinstance(await socket.recv(), bytes):  # he hears it begin
            pass
        await socket.send_clear()
        await until(socket, "Cleared")
        await socket.send_text(SpeakV1Text(text=SECOND))
        await socket.send_close()  # the rest is spoken
        second = b"".join([told async for told in socket if isinstance(told, bytes)])
    heard = hear(np.frombuffer(second, "<i2"), RATE_HZ)
    assert words_heard(SECOND, heard) >= 0.8
    assert words_heard("doctor patient", heard) == 0
    native = await sound_of(real, SECOND)
    assert abs(len(second) / 2 / RATE_HZ - native) <= 0.05


@pytest.mark.parametrize(("encoding", "kind"), [("mp3", "mp3"), ("linear16", None), ("opus", None), ("mulaw", None)])
async def test_a_request_is_answered_with_a_file(real: Gateway, encoding: str, kind: str | None) -> None:
    async with client_of(real) as speak:
        answer = speak.audio.generate(text=FIRST, model="aura-2-thalia-en", encoding=encoding)
        parts = [part async for part in answer]
    sound, rate_hz = played(b"".join(parts), kind)
    assert words_heard(FIRST, hear(np.clip(sound, -32768, 32767).astype(np.int16), rate_hz)) >= 0.8
    assert abs(len(sound) / rate_hz - await sound_of(real, FIRST)) <= 0.05


async def test_errors_are_theirs(gateway: Gateway) -> None:
    async with client_of(gateway) as speak:
        with pytest.raises(BadRequestError) as refused:
            async for _ in speak.audio.generate(text="Hello.", model="aura-2-zeus-en"):
                pass
        assert refused.value.body["err_code"] == "UNKNOWN_VOICE"
        with pytest.raises(ApiError) as caught:
            async with speak.connect(model="aura-2-zeus-en"):
                pass
        assert caught.value.status_code == 400
    async with running(api_keys="right") as locked:
        with pytest.raises(ApiError) as denied:
            async with client_of(locked, "wrong") as speak, speak.connect():
                pass
        assert denied.value.status_code == 401
        async with client_of(locked, "right") as speak, speak.connect() as socket:
            await until(socket, "Metadata")


async def sound_of(gateway: Gateway, text: str) -> float:
    """Seconds of the same text over the native protocol."""
    async with gateway.client() as client:
        done = await client.speak(text, pace="fast")
    return float(done["audio_ms"]) / 1000
