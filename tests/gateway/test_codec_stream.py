from __future__ import annotations

import gc
import resource
from itertools import cycle, islice

import av
import numpy as np
import pytest

from engine.types import Pcm
from gateway.codec import FORMATS, EncodingFailed, codec, default_rate
from gateway.codec.codec import Codec
from gateway.codec.packets import Packets
from gateway.events import Format
from tests.decoding import delay, noise, played, resampled, stream

VOICE_HZ = 22_050
PACKETS: tuple[Format, ...] = ("mp3", "opus", "webm", "aac", "flac")


def usual(format_: Format, voice_hz: int = VOICE_HZ) -> Codec:
    return codec(format_, voice_hz, default_rate(format_, voice_hz))


def sound_in(data: bytes, format_: Format) -> int:
    """Samples of sound that a player has from the beginning of a stream."""
    try:
        heard, _ = played(data, format_ if format_ in {"mp3", "aac"} else None)
    except (av.FFmpegError, IndexError):
        return 0
    return int(np.count_nonzero(np.abs(heard) > 100))


@pytest.mark.parametrize("voice_hz", [16_000, 22_050, 24_000])
@pytest.mark.parametrize("format_", ["wav", "mp3", "opus", "webm", "aac", "flac"])
def test_the_first_sound_is_in_the_bytes_within_60_ms(format_: Format, voice_hz: int) -> None:
    made, pcm = usual(format_, voice_hz), noise(0.06, voice_hz)
    early = b"".join(made.push(part) for part in np.array_split(pcm, 6))
    assert sound_in(early, format_) > 0


@pytest.mark.parametrize("format_", FORMATS)
def test_sound_in_is_sound_out_but_for_what_is_pending(format_: Format) -> None:
    made, pcm = usual(format_), noise(1, VOICE_HZ)
    most = 0
    for part in np.split(pcm, range(100, len(pcm), 100)):
        made.push(part)
        most = max(most, made.pending)
    limit_ms = {"opus": 28, "webm": 28, "flac": 29, "mp3": 80, "aac": 71}.get(format_, 3)
    assert most * 1000 / VOICE_HZ <= limit_ms
    made.end()
    assert made.pending <= 1


@pytest.mark.parametrize("format_", ["opus", "webm", "flac", "wav"])
def test_pending_is_what_a_player_lacks(format_: Format) -> None:
    made, pcm = usual(format_), noise(1, VOICE_HZ)
    data = made.push(pcm)
    heard, rate = played(data)
    assert abs(len(heard) / rate - (len(pcm) - made.pending) / VOICE_HZ) < 0.001


# ---- one header


@pytest.mark.parametrize(("format_", "magic"), [("wav", b"RIFF"), ("flac", b"fLaC"), ("webm", b"\x1a\x45\xdf\xa3")])
def test_three_sentences_have_one_header_and_it_is_in_front(format_: Format, magic: bytes) -> None:
    made = usual(format_)
    parts = [made.push(noise(0.5, VOICE_HZ, seed=sentence)) + made.mark() for sentence in range(3)]
    data = b"".join([*parts, made.end()])
    assert data.startswith(magic)
    assert data.count(magic) == 1


@pytest.mark.parametrize("format_", FORMATS)
def test_a_header_asked_for_is_not_given_again(format_: Format) -> None:
    whole, made, pcm = stream(usual(format_), noise(0.3, VOICE_HZ)), usual(format_), noise(0.3, VOICE_HZ)
    header = made.header()
    assert bool(header) == FORMATS[format_].header
    assert made.header() == b""
    assert header + stream(made, pcm) == whole


def test_raw_samples_have_no_header() -> None:
    pcm = noise(0.3, VOICE_HZ)
    assert stream(codec("pcm_s16le", VOICE_HZ, VOICE_HZ), pcm, [50]) == pcm.astype("<i2").tobytes()


def test_a_streamed_wav_says_that_its_length_is_not_known() -> None:
    data = stream(usual("wav"), noise(0.2, VOICE_HZ))
    assert [data[at : at + 4] for at in (4, 40)] == [b"\xff\xff\xff\xff"] * 2


# ---- pauses


@pytest.mark.parametrize("format_", FORMATS)
def test_a_mark_lets_all_be_heard_and_times_stay_right(format_: Format) -> None:
    made = usual(format_)
    quiet: Pcm = np.zeros(round(0.1 * VOICE_HZ), np.int16)
    first, second = noise(0.317, VOICE_HZ, seed=1), np.concatenate((quiet, noise(0.4, VOICE_HZ, seed=2)))
    early = made.push(first) + made.mark()
    assert made.mark() == b"", "a second mark has nothing to add"
    if format_ in PACKETS:
        heard, rate = played(early)
        meant = resampled(first, VOICE_HZ, rate)
        at = delay(heard, meant)
        # What a player holds back of a packet that is not followed by another is his own.
        assert len(heard) >= at + len(meant) - 0.001 * rate
    data = early + made.push(second[:900]) + made.push(second[900:]) + made.end()
    if format_ in PACKETS:
        heard, rate = played(data)
        for begin, part in ((0.0, first), (0.417, second[len(quiet) :])):
            late_s = delay(heard, resampled(part, VOICE_HZ, rate)) / rate - begin
            assert -0.001 <= late_s <= 0.025


def test_a_mark_after_silence_adds_nothing() -> None:
    for format_ in ("pcm_s16le", "wav", *PACKETS):
        made = usual(format_)
        made.push(np.concatenate((noise(0.3, VOICE_HZ), np.zeros(2205, np.int16))))
        assert made.mark() == b"", format_


@pytest.mark.parametrize("format_", ["pcm_s16le", "pcm_f32le", "mulaw", "alaw", "wav"])
def test_samples_of_another_rate_are_all_there_at_a_mark_and_nothing_is_added(format_: Format) -> None:
    made, faint = codec(format_, VOICE_HZ, 8000), np.full(4411, 20, np.int16)  # too faint to be heard
    width = {"pcm_f32le": 4, "mulaw": 1, "alaw": 1}.get(format_, 2)
    made.header()
    assert len(made.push(faint) + made.mark()) // width == -(-4411 * 8000 // VOICE_HZ)
    assert made.mark() + made.mark() == b""
    assert len(made.push(noise(1, VOICE_HZ)) + made.mark()) // width == 8000
    assert made.end() == b""


# ---- many streams


@pytest.mark.parametrize("format_", FORMATS)
def test_two_streams_at_once_are_what_each_is_alone(format_: Format) -> None:
    sounds = [noise(0.6, VOICE_HZ, seed=seed) for seed in (1, 2)]
    alone = [stream(usual(format_), pcm) for pcm in sounds]
    made = [usual(format_), usual(format_)]
    data = [b"", b""]
    for parts in zip(*(np.array_split(pcm, 23) for pcm in sounds), strict=True):
        for k, part in enumerate(parts):
            data[k] += made[k].push(part)
    assert [data[k] + made[k].end() for k in (0, 1)] == alone


def test_the_same_sound_is_the_same_bytes() -> None:
    for format_ in FORMATS:
        assert stream(usual(format_), noise(0.2, VOICE_HZ)) == stream(usual(format_), noise(0.2, VOICE_HZ)), format_


def test_a_thousand_streams_leave_nothing_behind() -> None:
    pcm = noise(0.1, VOICE_HZ)

    def some(count: int) -> None:
        for k, format_ in enumerate(islice(cycle(FORMATS), count)):
            made = usual(format_)
            made.push(pcm)
            if k % 3:  # the others are cancelled, with sound inside
                made.end()
        gc.collect()

    some(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    some(1000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096, "KiB"


# ---- errors


def test_nothing_is_taken_after_the_end() -> None:
    made = usual("mp3")
    made.push(noise(0.1, VOICE_HZ))
    made.end()
    for late in (made.end, made.mark, lambda: made.push(noise(0.1, VOICE_HZ))):
        with pytest.raises(ValueError, match="ended"):
            late()


def test_an_error_of_an_encoder_names_the_format(monkeypatch: pytest.MonkeyPatch) -> None:
    made = usual("aac")

    def broken(self: Packets, pcm: Pcm) -> list[bytes]:
        raise av.InvalidDataError(1, "no more")

    monkeypatch.setattr(Packets, "push", broken)
    with pytest.raises(EncodingFailed, match=r"aac at 44100 Hz: .*no more") as failed:
        made.push(noise(0.1, VOICE_HZ))
    assert failed.value.code == "encoding_failed"
