"""ElevenLabs' own client, unpatched, pointed here by its base URL; what it got is heard."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from elevenlabs import VoiceSettings
from elevenlabs.client import ElevenLabs
from elevenlabs.core.api_error import ApiError

from engine.engine import Engine
from engine.voices import LoadedVoice
from tests.clients.tls import tls
from tests.decoding import played
from tests.hearing import SENTENCES, hear, words_heard
from tests.wire import Gateway, running

VOICE = "en_US-joe-medium"


@pytest.fixture
async def real(real_voices: list[LoadedVoice]) -> AsyncIterator[Gateway]:
    async with running(Engine(real_voices)) as gateway:
        yield gateway


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """What the client is given so that it can be closed: it has no way to close its own."""
    with httpx.Client(timeout=60) as one:
        yield one


async def test_speech_over_http_is_heard(real: Gateway, http: httpx.Client) -> None:
    client = ElevenLabs(base_url=real.http, api_key="any", httpx_client=http)
    convert, stream = client.text_to_speech.convert, client.text_to_speech.stream

    def ask() -> tuple[bytes, bytes]:
        whole = b"".join(convert(VOICE, text=SENTENCES[0], output_format="mp3_44100_128"))
        settings = VoiceSettings(stability=0.5, similarity_boost=0.5, speed=1.0)
        raw = b"".join(stream(VOICE, text=SENTENCES[0], output_format="pcm_16000", voice_settings=settings))
        return whole, raw

    whole, raw = await asyncio.to_thread(ask)
    pcm = np.frombuffer(raw, "<i2")
    assert words_heard(SENTENCES[0], hear(pcm, 16_000)) >= 0.8
    wave, rate_hz = played(whole, "mp3")
    assert len(wave) / rate_hz == pytest.approx(len(pcm) / 16_000, abs=0.1)
    assert words_heard(SENTENCES[0], hear(wave.clip(-32768, 32767).astype(np.int16), rate_hz)) >= 0.8


async def test_times_over_http_are_those_of_the_characters(real: Gateway, http: httpx.Client) -> None:
    client = ElevenLabs(base_url=real.http, api_key="any", httpx_client=http)

    def ask() -> tuple[str, str, float]:
        speech, text = client.text_to_speech, SENTENCES[1]
        whole = speech.convert_with_timestamps(VOICE, text=text, output_format="pcm_22050")
        pieces = list(speech.stream_with_timestamps(VOICE, text=text, output_format="pcm_22050"))
        assert whole.alignment is not None
        seconds = len(base64.b64decode(whole.audio_base_64)) / 44_100
        assert whole.alignment.character_end_times_seconds[-1] == pytest.approx(seconds, abs=0.002)
        told = [char for piece in pieces if piece.alignment for char in piece.alignment.characters]
        return "".join(whole.alignment.characters), "".join(told), seconds

    whole, told, seconds = await asyncio.to_thread(ask)
    assert whole == told == f"{SENTENCES[1]} "
    assert 2 < seconds < 6


@pytest.mark.filterwarnings("ignore:ConnectionClosed:DeprecationWarning")  # theirs, of websockets
async def test_realtime_is_heard(
    real: Gateway, http: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its realtime client speaks TLS, whatever its base URL says."""

    def words() -> Iterator[str]:
        for word in " ".join(SENTENCES[:2]).split(" "):
            yield f"{word} "

    async with tls(real.host, tmp_path) as (host, trusted):
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        client = ElevenLabs(base_url=f"https://{host}", api_key="any", httpx_client=http)
        convert = client.text_to_speech.convert_realtime

        def ask() -> bytes:
            return b"".join(convert(VOICE, text=words(), model_id="any", output_format="pcm_16000"))

        heard = hear(np.frombuffer(await asyncio.to_thread(ask), "<i2"), 16_000)

        def fail() -> bytes:
            return b"".join(convert("nobody", text=words(), model_id="any", output_format="pcm_16000"))

        with pytest.raises(ApiError, match="nobody"):
            await asyncio.to_thread(fail)
    for sentence in SENTENCES[:2]:
        assert words_heard(sentence, heard) >= 0.8, heard


async def test_voices_models_and_errors_are_what_it_knows(gateway: Gateway, http: httpx.Client) -> None:
    client = ElevenLabs(base_url=gateway.http, api_key="any", httpx_client=http)

    def ask() -> None:
        assert [voice.voice_id for voice in client.voices.get_all().voices] == ["fake"]
        assert [voice.name for voice in client.voices.search().voices] == ["fake"]
        assert client.voices.get("fake").labels == {
            "language": "en",
            "locale": "en-US",
            "fingerprint": "fake-0",
            "default": "true",
        }
        assert client.models.list()[0].can_do_text_to_speech
        with pytest.raises(ApiError) as error:
            b"".join(client.text_to_speech.convert("nobody", text="One."))
        assert (error.value.status_code, error.value.body["detail"]["status"]) == (404, "voice_not_found")

    await asyncio.to_thread(ask)
