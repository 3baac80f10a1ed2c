from __future__ import annotations

import io
import wave
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.types import Pcm
from gateway.codec import FORMATS, BadFormat, Samples, allows, codec, default_rate, kbps_of
from gateway.codec.formats import MPEG_RATES
from gateway.events import Format
from tests.decoding import closeness_db, delay, noise, played, resampled, stream

RAW = {"pcm_s16le": "s16le", "pcm_f32le": "f32le", "mulaw": "mulaw", "alaw": "alaw"}
BARE = {"mp3": "mp3", "aac": "aac"}  # what a player is told, as by a content type, for a file of one packet
FILES: tuple[Format, ...] = ("wav", "mp3", "opus", "webm", "aac", "flac")
LOSSLESS: tuple[Format, ...] = ("pcm_s16le", "pcm_f32le", "wav", "flac")
VOICE_HZ = 22_050
RATES = (8000, 16_000, 22_050, 24_000, 44_100, 48_000)

# What may be lost, in dB, and the first and the last 20 ms by themselves.
CLOSE: dict[Format, tuple[float, float]] = {"mp3": (20, 10), "opus": (15, 12), "webm": (15, 12), "aac": (25, 12)}


def play(data: bytes, format_: Format, rate_hz: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], int]:
    if format_ in RAW:
        return played(data, RAW[format_], sample_rate=str(rate_hz), ch_layout="mono")
    return played(data, BARE.get(format_))


@pytest.mark.parametrize("voice_hz", [16_000, 22_050, 24_000])
@pytest.mark.parametrize("format_", LOSSLESS)
def test_what_is_not_compressed_is_the_same_sample_by_sample(format_: Format, voice_hz: int) -> None:
    pcm = noise(1, voice_hz)
    heard, rate = play(stream(codec(format_, voice_hz, voice_hz), pcm, [441, 5000]), format_, voice_hz)
    assert rate == voice_hz
    assert np.array_equal(np.rint(heard), pcm)


@pytest.mark.parametrize("format_", ["mulaw", "alaw"])
def test_a_telephone_hears_the_nearest_level_of_each_sample(format_: Format) -> None:
    pcm = np.arange(-32_768, 32_768).astype(np.int16)
    heard, _ = play(stream(codec(format_, 8000, 8000), pcm), format_, 8000)
    levels = np.unique(heard)
    assert len(levels) == (255 if format_ == "mulaw" else 256)
    nearest = np.abs(levels[None] - pcm[::37, None]).min(axis=1)
    assert np.array_equal(np.abs(heard - pcm)[::37], nearest)
    assert codec(format_, 8000, 8000).push(np.zeros(1, np.int16)) == (b"\xff" if format_ == "mulaw" else b"\xd5")


@pytest.mark.parametrize("format_", CLOSE)
@pytest.mark.parametrize("seconds", [0.013, 0.5, 1.2345])
def test_what_is_compressed_is_close_from_its_first_sample_to_its_last(format_: Format, seconds: float) -> None:
    pcm = noise(seconds, VOICE_HZ)
    rate = default_rate(format_, VOICE_HZ)
    heard, player_hz = play(stream(codec(format_, VOICE_HZ, rate), pcm, [100]), format_, rate)
    meant = resampled(pcm, VOICE_HZ, player_hz)
    late = delay(heard, meant)
    assert 0 <= late <= 0.025 * player_hz
    heard, edge = heard[late : late + len(meant)], player_hz // 50
    assert len(heard) == len(meant), "the end is missing"
    whole, ends = CLOSE[format_]
    if seconds >= 0.5:
        assert closeness_db(heard, meant) > whole
    assert closeness_db(heard[:edge], meant[:edge]) > ends - 6 * (seconds < 0.5)
    assert closeness_db(heard[-edge:], meant[-edge:]) > ends - 6 * (seconds < 0.5)


@pytest.mark.parametrize(
    ("format_", "rates"), [("mp3", MPEG_RATES), ("aac", tuple(rate for rate in MPEG_RATES if rate >= 16_000))]
)
def test_of_sound_that_ends_in_silence_packets_are_as_long_within_50_ms(
    format_: Format, rates: tuple[int, ...]
) -> None:
    for rate in rates:
        for samples in range(VOICE_HZ // 2, VOICE_HZ // 2 + 2900, 411):
            loud = noise(2, VOICE_HZ)[:samples]
            pcm = np.concatenate((loud, np.zeros(VOICE_HZ // 10, np.int16)))  # as a voice ends
            heard, player_hz = play(stream(codec(format_, VOICE_HZ, rate), pcm, [441]), format_, rate)
            longer_s = len(heard) / player_hz - len(pcm) / VOICE_HZ
            assert abs(longer_s) <= 0.050, (rate, samples)
            meant = resampled(loud, VOICE_HZ, player_hz)
            assert len(heard) >= delay(heard, meant) + len(meant), "some of the sound is missing"


def test_silence_alone_is_a_stream_all_the_same() -> None:
    for format_ in FILES:
        for samples in (1, 100, 2205):
            rate = default_rate(format_, VOICE_HZ)
            assert len(play(stream(codec(format_, VOICE_HZ, rate), np.zeros(samples, np.int16)), format_, rate)[0])


@pytest.mark.parametrize("format_", FILES)
@pytest.mark.parametrize("voice_hz", [16_000, 22_050, 24_000])
def test_as_long_as_the_sound_within_50_ms(format_: Format, voice_hz: int) -> None:
    rate = default_rate(format_, voice_hz)
    for samples in (600, 777, voice_hz // 2, voice_hz + 1, voice_hz + 700):
        heard, player_hz = play(stream(codec(format_, voice_hz, rate), noise(2, voice_hz)[:samples]), format_, rate)
        longer_s = len(heard) / player_hz - samples / voice_hz
        assert -1 / rate <= longer_s <= (0.050 if format_ in {"mp3", "aac"} else 1 / rate), samples


@pytest.mark.parametrize("samples", [1, 10, 100, 399, 400])
@pytest.mark.parametrize("format_", FILES)
def test_the_shortest_sound_is_a_file_too(format_: Format, samples: int) -> None:
    rate = default_rate(format_, VOICE_HZ)
    heard, player_hz = play(stream(codec(format_, VOICE_HZ, rate), noise(1, VOICE_HZ)[:samples]), format_, rate)
    # In a WebM of one packet libav does not heed the padding.
    assert -1 / rate <= len(heard) / player_hz - samples / VOICE_HZ <= (0.050 if format_ != "webm" else 0.020)


@pytest.mark.parametrize("rate", RATES)
def test_the_shortest_sound_can_be_resampled(rate: int) -> None:
    for samples in (1, 2, 20, 398, 401):
        assert abs(len(resampled(noise(1, 48_000)[:samples], 48_000, rate)) - samples * rate / 48_000) <= 1


@pytest.mark.parametrize(("format_", "most_s"), [("mp3", 2 * 576), ("aac", 2 * 1024)])
@pytest.mark.parametrize("rate", RATES)
def test_at_any_rate_mp3_and_aac_are_longer_by_two_frames_at_most(format_: Format, most_s: int, rate: int) -> None:
    frames = 2 if format_ == "mp3" and rate >= 44_100 else 1
    for samples in (5000, 5333, 5700, 5999):
        heard, player_hz = play(stream(codec(format_, rate, rate), noise(1, rate)[:samples]), format_, rate)
        assert player_hz == rate
        assert 0 <= len(heard) - samples <= most_s * frames


# ---- rates


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("format_", FORMATS)
def test_the_rate_that_is_asked_for_is_the_rate_of_the_samples(format_: Format, rate: int) -> None:
    """A second of a pure tone is a second of the same tone, for a voice of any rate."""
    if not allows(format_, rate):
        with pytest.raises(BadFormat, match=f"{format_} at {rate} Hz; allowed: 8000, 12000, 16000, 24000, 48000"):
            codec(format_, VOICE_HZ, rate)
        return
    for voice_hz in (16_000, 22_050, 24_000):
        tone = np.rint(12_000 * np.sin(2 * np.pi * 440 * np.arange(voice_hz) / voice_hz)).astype(np.int16)
        made = codec(format_, voice_hz, rate)
        heard, player_hz = play(stream(made, tone), format_, rate)
        assert made.rate_hz == rate
        assert player_hz == (48_000 if format_ in {"opus", "webm"} else rate)  # the clock of Opus is always 48,000
        middle = heard[len(heard) // 4 : -len(heard) // 4]
        loudest = np.argmax(np.abs(np.fft.rfft(middle * np.hanning(len(middle)))))
        assert abs(loudest * player_hz / len(middle) - 440) < 4


@pytest.mark.parametrize("rate", RATES)
@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(0, 6000), max_size=60), voice_hz=st.sampled_from([16_000, 22_050, 24_000]))
def test_resampled_in_pieces_is_resampled_at_once(rate: int, cuts: list[int], voice_hz: int) -> None:
    pcm = noise(6000 / voice_hz, voice_hz)
    whole = stream(codec("pcm_s16le", voice_hz, rate), pcm)
    assert stream(codec("pcm_s16le", voice_hz, rate), pcm, cuts) == whole
    assert abs(len(whole) // 2 - 6000 * rate / voice_hz) <= 1


@settings(max_examples=60, deadline=None)
@given(
    format_=st.sampled_from(list(FORMATS)),
    pieces=st.lists(st.integers(0, 3000), min_size=1, max_size=12),
    rate=st.sampled_from(RATES),
)
def test_however_it_is_cut_the_bytes_are_the_same(format_: Format, pieces: list[int], rate: int) -> None:
    rate = rate if allows(format_, rate) else 48_000
    pcm = noise(2, VOICE_HZ)[: sum(pieces)]
    whole = stream(codec(format_, VOICE_HZ, rate), pcm)
    assert stream(codec(format_, VOICE_HZ, rate), pcm, np.cumsum(pieces).tolist()) == whole


@pytest.mark.parametrize("rate", [8000, 16_000, 24_000])
def test_what_a_rate_cannot_hold_is_not_folded_into_what_it_can(rate: int) -> None:
    high = noise(1, 48_000, low_hz=rate / 2 * 1.15, high_hz=23_900)
    kept = resampled(high, 48_000, rate)
    assert np.std(kept[200:-200]) < 1e-3 * np.std(high)


def test_two_bursts_with_a_pause_in_delivery_lose_nothing_and_the_tail_comes_at_the_end() -> None:
    """However long nothing comes: a filter has no clock, and its tail waits for the next sound or for the end."""
    first, second = noise(0.4, VOICE_HZ, seed=1), noise(0.4, VOICE_HZ, seed=2)
    made = codec("pcm_s16le", VOICE_HZ, 24_000)
    before = made.push(first)
    assert 0 < 0.4 * 24_000 - len(before) / 2 < 0.002 * 24_000
    heard = before + made.push(second) + made.end()
    assert len(heard) == 2 * round(0.8 * 24_000)
    assert heard == stream(codec("pcm_s16le", VOICE_HZ, 24_000), np.concatenate((first, second)))


# ---- WAV


@pytest.mark.parametrize("rate", RATES)
def test_a_wav_says_what_it_is(rate: int) -> None:
    data = stream(codec("wav", VOICE_HZ, rate), noise(0.5, VOICE_HZ), [500, 600])
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, rate)
        assert abs(len(file.readframes(10**9)) // 2 - rate / 2) <= 1


@pytest.mark.parametrize("samples", get_args(Samples))
def test_a_wav_of_other_samples_is_played_as_them(samples: Samples) -> None:
    pcm = noise(0.5, VOICE_HZ)
    heard, rate = played(stream(codec("wav", VOICE_HZ, VOICE_HZ, samples=samples), pcm))
    assert rate == VOICE_HZ
    assert len(heard) == len(pcm)
    assert closeness_db(heard, pcm.astype(np.float64)) > 30


# ---- bitrates


@pytest.mark.parametrize(("format_", "rate"), [("mp3", 44_100), ("mp3", 24_000), ("opus", 48_000), ("aac", 44_100)])
def test_a_bitrate_is_about_kept(format_: Format, rate: int) -> None:
    pcm = noise(4, VOICE_HZ, high_hz=10_000)
    for kbps in (32, 64, 128):
        size = len(stream(codec(format_, VOICE_HZ, rate, kbps=kbps), pcm))
        assert 0.75 <= size * 8 / 4000 / kbps <= 1.3, kbps


@pytest.mark.parametrize(
    ("format_", "rate", "kbps", "allowed"),
    [
        ("mp3", 44_100, 100, "allowed: 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320"),
        ("mp3", 22_050, 192, "allowed: 8, 16, 24, .*, 144, 160"),
        ("opus", 48_000, 512, "opus of 512 kbit/s at 48000 Hz; allowed: 8 to 256"),
        ("aac", 8000, 64, "allowed: 8 to 48"),
        ("flac", 22_050, 64, "flac has no bitrate"),
    ],
)
def test_a_bitrate_that_cannot_be_is_refused_with_those_that_can(
    format_: Format, rate: int, kbps: int, allowed: str
) -> None:
    with pytest.raises(BadFormat, match=allowed):
        codec(format_, VOICE_HZ, rate, kbps=kbps)


@pytest.mark.parametrize("kbps", [32, 64, 96, 128, 192])
def test_the_bitrates_that_are_sold_are_there(kbps: int) -> None:
    assert kbps_of("mp3", 44_100, kbps) == kbps_of("opus", 48_000, kbps) == kbps


def test_nothing_said_is_still_a_stream() -> None:
    silent: Pcm = np.empty(0, np.int16)
    assert {f for f in FORMATS if stream(codec(f, VOICE_HZ, default_rate(f, VOICE_HZ)), silent)} == {
        *("wav", "flac", "opus", "webm"),  # their headers
    }
