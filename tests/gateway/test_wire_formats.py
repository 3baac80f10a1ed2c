"""Every format over a real socket."""

from __future__ import annotations

from typing import Any

import av
import numpy as np
import pytest

from engine.types import Pcm
from gateway.codec import FORMATS, codec, default_rate
from gateway.codec.packets import Packet, Packets
from gateway.events import Format
from tests.decoding import Sound, closeness_db, delay, played, resampled, stream
from tests.fakes import RATE_HZ
from tests.wire import Gateway

TEXT = "One fine day. Two of them. And three."
KINDS = {"pcm_s16le": "s16le", "pcm_f32le": "f32le", "mulaw": "mulaw", "alaw": "alaw", "mp3": "mp3", "aac": "aac"}


def decoded(data: bytes, format_: Format, rate_hz: int) -> tuple[Sound, int]:
    bare: dict[str, str] = {} if FORMATS[format_].header or format_ in {"mp3", "aac"} else {"ch_layout": "mono"}
    options = {"sample_rate": str(rate_hz), **bare} if bare else {}
    return played(data, KINDS.get(format_), **options)


async def spoken(gateway: Gateway, **settings: Any) -> tuple[bytes, dict[str, Any], dict[str, Any]]:
    """The bytes of TEXT, and the `audio` and `done` messages."""
    async with gateway.client() as client:
        done = await client.speak(TEXT, **settings)
        (audio,) = client.ear.of("audio")
    return bytes(client.ear.sound["default"]), audio, done


@pytest.mark.parametrize("format_", FORMATS)
async def test_each_format_is_the_same_speech(gateway: Gateway, format_: Format) -> None:
    raw, _, whole = await spoken(gateway)
    pcm: Pcm = np.frombuffer(raw, "<i2")
    data, audio, done = await spoken(gateway, format=format_)
    rate = default_rate(format_, RATE_HZ)
    assert (audio["format"], audio["sample_rate"], audio["channels"]) == (format_, rate, 1)
    assert "samples" not in audio
    assert done["audio_ms"] == whole["audio_ms"], "counted in samples of the voice"
    assert data == stream(codec(format_, RATE_HZ, rate), pcm)
    heard, player_hz = decoded(data, format_, rate)
    assert abs(len(heard) / player_hz - done["audio_ms"] / 1000) < 0.05
    meant = resampled(pcm, RATE_HZ, player_hz)
    late = delay(heard, meant)
    assert closeness_db(heard[late:], meant[: len(heard) - late]) > 10


@pytest.mark.parametrize("rate", [8000, 16_000, 24_000, 44_100, 48_000])
async def test_three_sentences_at_a_rate_that_is_asked_for_last_as_long(gateway: Gateway, rate: int) -> None:
    data, audio, done = await spoken(gateway, sample_rate=rate)
    assert audio["sample_rate"] == rate
    assert abs(len(data) / 2 / rate - done["audio_ms"] / 1000) < 0.001


async def test_a_wav_of_three_sentences_has_one_header(gateway: Gateway) -> None:
    data, _, _ = await spoken(gateway, format="wav")
    assert data.startswith(b"RIFF")
    assert data.count(b"RIFF") == 1


@pytest.mark.parametrize("format_", ["mp3", "opus", "pcm_s16le"])
async def test_times_of_sentences_and_words_are_those_of_the_voice(gateway: Gateway, format_: Format) -> None:
    async with gateway.client() as client:
        for name, settings in {"raw": {}, "made": {"format": format_, "sample_rate": 24_000}}.items():
            await client.speak(TEXT, context=name, words=True, **settings)
        sentences = [[m["start_ms"] for m in client.ear.of("sentence", name)] for name in ("raw", "made")]
        words = [[m["words"] for m in client.ear.of("words", name)] for name in ("raw", "made")]
    assert sentences[0] == sentences[1]
    assert words[0] == words[1]


async def test_contexts_of_different_formats_share_a_socket(gateway: Gateway) -> None:
    wanted: tuple[Format, ...] = ("mp3", "opus", "flac", "pcm_s16le")
    async with gateway.client() as client:
        for format_ in wanted:
            await client.send("start", context=format_, format=format_)
            await client.send("text", context=format_, text=TEXT)
            await client.send("end", context=format_)
        for format_ in wanted:
            if client.ear.last(format_) != "done":
                await client.until("done", format_)
    lengths = []
    for format_ in wanted:
        heard, player_hz = decoded(bytes(client.ear.sound[format_]), format_, RATE_HZ)
        lengths.append(len(heard) / player_hz)
    assert max(lengths) - min(lengths) < 0.05


@pytest.mark.parametrize("format_", ["mp3", "opus", "wav"])
async def test_a_cancel_counts_in_samples_of_the_voice_and_the_next_context_is_whole(
    gateway: Gateway, format_: Format
) -> None:
    async with gateway.client() as client:
        await client.send("start", format=format_)
        await client.send("text", text="x" * 99 + ". " + "y" * 99 + ".")
        await client.until("sound")
        await client.send("cancel")
        cancelled = await client.until("cancelled")
        rate = default_rate(format_, RATE_HZ)
        heard, player_hz = decoded(bytes(client.ear.sound["default"]), format_, rate)
        # What the encoder holds was sent to it, and cannot be heard.
        assert -0.05 <= cancelled["sent_ms"] / 1000 - len(heard) / player_hz <= 0.1
        done = await client.speak(TEXT, context="next", format=format_)
    heard, player_hz = decoded(bytes(client.ear.sound["next"]), format_, rate)
    assert abs(len(heard) / player_hz - done["audio_ms"] / 1000) < 0.05


async def test_a_bitrate_can_be_chosen(gateway: Gateway) -> None:
    sizes = [len((await spoken(gateway, format="mp3", kbps=kbps))[0]) for kbps in (64, 128)]
    assert 1.8 < sizes[1] / sizes[0] < 2.2


async def test_an_encoder_that_fails_is_told_once_and_others_go_on(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Packets, pcm: Pcm) -> list[Packet]:
        raise av.InvalidDataError(1, "no more")

    monkeypatch.setattr(Packets, "push", broken)
    async with gateway.client() as client:
        await client.speak(TEXT, context="bad", format="mp3")
        await client.speak(TEXT, context="good")
    (failed,) = client.ear.of("error", "bad")
    assert (failed["code"], failed["message"].split(":")[0]) == ("encoding_failed", "mp3 at 44100 Hz")
    assert client.ear.text("good") == "One fine day.Two of them.And three."
