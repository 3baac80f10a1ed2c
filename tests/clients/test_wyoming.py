"""The `wyoming` package's own client, as Home Assistant uses it: a connection a text, events as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from wyoming.audio import AudioChunk, AudioStart
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeVoice,
)

from engine.engine import Engine
from engine.types import Pcm
from engine.voices import LoadedVoice
from tests.fakes import read
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import PATIENCE_S, Gateway, running

FIRST, SECOND = SENTENCES[0], SENTENCES[1]


@pytest.fixture
async def here() -> AsyncIterator[Gateway]:
    """With a stand-in voice, whose sound can be read."""
    async with running(wyoming=True) as gateway:
        yield gateway


@dataclass
class Heard:
    """What answered one text."""

    kinds: list[str] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    sound: bytearray = field(default_factory=bytearray)
    rate_hz: int = 0

    @property
    def pcm(self) -> Pcm:
        return np.frombuffer(bytes(self.sound), "<i2")

    @property
    def text(self) -> str:
        """What a stand-in voice's sound spells."""
        return read(self.pcm)


class Client:
    """One connection."""

    def __init__(self, client: AsyncTcpClient) -> None:
        self._client = client

    async def send(self, *events: Eventable) -> None:
        for event in events:
            await self._client.write_event(event.event())

    async def send_bytes(self, data: bytes) -> None:
        assert self._client._writer is not None
        self._client._writer.write(data)
        await self._client._writer.drain()

    async def next(self) -> Event:
        async with asyncio.timeout(PATIENCE_S):
            event = await self._client.read_event()
        assert event is not None, "the server closed the connection"
        return event

    async def ends(self) -> bool:
        async with asyncio.timeout(PATIENCE_S):
            return await self._client.read_event() is None

    async def until(self, kind: str, heard: Heard | None = None) -> Heard:
        """Listen until an event of this type comes."""
        heard = heard or Heard()
        while not heard.kinds or heard.kinds[-1] != kind:
            event = await self.next()
            heard.kinds.append(event.type)
            if AudioStart.is_type(event.type):
                heard.rate_hz = AudioStart.from_event(event).rate
            elif AudioChunk.is_type(event.type):
                heard.sound += AudioChunk.from_event(event).audio
            elif Error.is_type(event.type):
                heard.errors.append(Error.from_event(event))
        return heard

    async def say(self, text: str, **voice: Any) -> Heard:
        await self.send(Synthesize(text, SynthesizeVoice(**voice) if voice else None))
        return await self.until("audio-stop")


@asynccontextmanager
async def connected(gateway: Gateway) -> AsyncIterator[Client]:
    async with AsyncTcpClient("127.0.0.1", gateway.wyoming_port) as client:
        yield Client(client)


def outline(heard: Heard) -> list[str]:
    """The types, each once where it comes several times in a row."""
    return [kind for kind, before in zip(heard.kinds, ["", *heard.kinds], strict=False) if kind != before]


# ---- by ear


async def test_home_assistants_turn_is_heard_once(real_voices: list[LoadedVoice]) -> None:
    """Chunks, then the whole text again for servers that take none, then the stop."""
    async with running(Engine(real_voices), wyoming=True) as real, connected(real) as client:
        await client.send(SynthesizeStart(SynthesizeVoice(name=real_voices[0].voice.name)))
        for token in FIRST.split(" "):
            await client.send(SynthesizeChunk(f"{token} "))
        await client.send(Synthesize(FIRST), SynthesizeStop())
        heard = await client.until("synthesize-stopped")
        assert outline(heard) == ["audio-start", "audio-chunk", "audio-stop", "synthesize-stopped"]
        assert words_heard(FIRST, hear(heard.pcm, heard.rate_hz)) >= 0.8
        async with real.client() as native:
            done = await native.speak(*(f"{token} " for token in FIRST.split(" ")), pace="fast")
        assert abs(len(heard.pcm) / heard.rate_hz * 1000 - done["audio_ms"]) <= 50


# ---- one connection


async def test_a_text_is_answered_on_a_connection_that_goes_on(here: Gateway) -> None:
    async with connected(here) as client:
        for text in ("Good morning.", "And good night."):
            heard = await client.say(text)
            assert outline(heard) == ["audio-start", "audio-chunk", "audio-stop"]
            assert heard.text == text


async def test_sound_begins_before_the_text_ends(here: Gateway) -> None:
    async with connected(here) as client:
        await client.send(SynthesizeStart(), SynthesizeChunk("One is here. And t"))
        heard = await client.until("audio-chunk")
        await client.send(SynthesizeChunk("wo."), SynthesizeStop())
        assert (await client.until("synthesize-stopped", heard)).text == "One is here.And two."


async def test_texts_sent_at_once_sound_one_after_another(here: Gateway) -> None:
    texts = [f"The text of number {number} is as long as that." for number in range(5)]
    async with connected(here) as client:
        await client.send(*map(Synthesize, texts))
        assert [(await client.until("audio-stop")).text for _ in texts] == texts


@pytest.mark.parametrize("text", ["", "  \n", "...", "**"])
async def test_a_text_without_anything_to_say_is_silence_and_no_error(here: Gateway, text: str) -> None:
    async with connected(here) as client:
        assert (await client.say(text)).kinds == ["audio-start", "audio-stop"]
        await client.send(SynthesizeStart(), SynthesizeChunk(text), SynthesizeStop())
        assert (await client.until("synthesize-stopped")).kinds == ["audio-start", "audio-stop", "synthesize-stopped"]
        await client.send(SynthesizeStart(), SynthesizeStop())
        assert (await client.until("synthesize-stopped")).errors == []
