from __future__ import annotations

import io
import struct
import wave
from collections.abc import Iterator
from dataclasses import dataclass

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.codec import codec, complete_wav
from gateway.codec.containers import Ogg, Webm
from gateway.codec.packets import Packet
from tests.decoding import flac_blocks, noise, played, stream

HEAD = b"OpusHead\x01\x01" + struct.pack("<HIhB", 312, 24_000, 0, 0)


@dataclass(frozen=True)
class Page:
    flags: int
    granule: int
    number: int
    data: bytes


def pages(data: bytes) -> Iterator[Page]:
    """The pages of an Ogg file, each with the checksum of RFC 3533, counted bit by bit."""
    at = 0
    while at < len(data):
        magic, version, flags, granule, _, number, crc, laces = struct.unpack_from("<4sBBQIIIB", data, at)
        assert (magic, version) == (b"OggS", 0)
        size = 27 + laces + sum(data[at + 27 : at + 27 + laces])
        page = data[at : at + 22] + bytes(4) + data[at + 26 : at + size]
        left = 0
        for byte in page:
            left ^= byte << 24
            for _ in range(8):
                left = (left << 1 ^ (0x04C11DB7 if left & 0x80000000 else 0)) & 0xFFFFFFFF
        assert left == crc
        yield Page(flags, granule, number, data[at + 27 + laces : at + size])
        at += size


def packets_of(data: bytes) -> list[bytes]:
    with av.open(io.BytesIO(data), "r") as file:
        return [bytes(packet) for packet in file.demux() if packet.size]


def test_ogg_has_a_page_a_packet_and_ends_where_the_sound_does() -> None:
    found = list(pages(stream(codec("opus", 24_000, 24_000), noise(0.111, 24_000))))
    assert [page.number for page in found] == list(range(len(found)))
    assert [page.flags for page in found] == [2, *[0] * (len(found) - 2), 4]
    assert found[0].data.startswith(b"OpusHead")
    assert found[1].data == b"OpusTags\x05\x00\x00\x00Onset\x00\x00\x00\x00"
    pre_skip = int.from_bytes(found[0].data[10:12], "little")
    assert found[-1].granule == pre_skip + round(0.111 * 48_000)
    steps = np.diff([page.granule for page in found[1:-1]])
    assert set(steps.tolist()) == {960}


@given(size=st.integers(0, 1275))
def test_an_ogg_page_holds_a_packet_of_any_size(size: int) -> None:
    ogg = Ogg(HEAD, 24_000)
    (*_, page) = pages(ogg.head + ogg.packet(Packet(b"\x55" * size, 480)))
    assert page.data == b"\x55" * size


def test_an_ogg_of_nothing_ends_too() -> None:
    found = list(pages(codec("opus", 24_000, 24_000).end()))
    assert [page.flags for page in found] == [2, 0, 4]


def test_webm_is_live_and_says_where_its_sound_begins_and_ends() -> None:
    data = stream(codec("webm", 24_000, 24_000), noise(0.111, 24_000))
    with av.open(io.BytesIO(data), "r") as file:
        assert file.format.name == "matroska,webm"
        assert file.duration is None
        packets = [packet for packet in file.demux() if packet.size]
    times = [float(packet.pts * packet.time_base) for packet in packets if packet.pts is not None]
    assert np.allclose(np.diff(times), 0.020, atol=0.0011)
    heard, rate = played(data)
    assert (len(heard), rate) == (round(0.111 * 48_000), 48_000)


@pytest.mark.parametrize("hours", [0, 1, 30])
def test_webm_times_go_on_for_hours(hours: int) -> None:
    webm = Webm(HEAD, 24_000)
    packet = packets_of(stream(codec("webm", 24_000, 24_000), noise(0.013, 24_000)))[0]
    webm.packet(Packet(packet, hours * 3600 * 24_000))
    late = webm.packet(Packet(packet, 480))
    with av.open(io.BytesIO(webm.head + late), "r") as file:
        first = next(packet for packet in file.demux() if packet.size)
        assert first.pts is not None
        assert float(first.pts * first.time_base) == pytest.approx(hours * 3600, abs=0.01)


def test_every_aac_packet_has_a_header_with_its_own_size() -> None:
    data, at, count = stream(codec("aac", 22_050, 44_100), noise(0.5, 22_050)), 0, 0
    while at < len(data):
        assert data[at : at + 2] == b"\xff\xf1"
        at += int.from_bytes(data[at + 3 : at + 6], "big") >> 5 & 0x1FFF
        count += 1
    assert at == len(data)
    assert count == -(-(900 + 22_050) // 1024)  # the lead is 900 samples


def test_flac_says_its_rate_and_that_its_length_is_not_known() -> None:
    data = stream(codec("flac", 22_050, 22_050), noise(0.5, 22_050))
    assert data[:8] == b"fLaC\x80\x00\x00\x22"
    packed = int.from_bytes(data[18:26], "big")
    assert (packed >> 44, packed >> 41 & 7, packed >> 36 & 31, packed & 2**36 - 1) == (22_050, 0, 15, 0)


def test_a_complete_wav_has_true_sizes() -> None:
    pcm = noise(0.5, 22_050)
    data = complete_wav(pcm, 22_050)
    assert int.from_bytes(data[4:8], "little") == len(data) - 8
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnframes(), file.getframerate()) == (len(pcm), 22_050)
        assert file.readframes(len(pcm)) == pcm.astype("<i2").tobytes()


@pytest.mark.parametrize("rate_hz", [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
def test_every_frame_of_flac_is_whole_and_can_be_read(rate_hz: int) -> None:
    loud = noise(0.4, rate_hz)
    faint = np.random.default_rng(1).normal(0, 20, rate_hz // 2)  # has nothing by which a sample could be foretold
    quiet = np.zeros(rate_hz // 5)
    for samples in (
        1,
        15,
        16,
        17,
        191,
        193,
        600,
        *(len(loud) + len(faint) + len(quiet) - cut for cut in range(0, 90, 9)),
    ):
        pcm = np.concatenate((loud[: samples // 2], faint, quiet, loud))[-samples:].astype(np.int16)
        data = stream(codec("flac", rate_hz, rate_hz), pcm, [samples // 3])
        assert sum(flac_blocks(data)) == samples
        heard, rate = played(data)
        assert (rate, np.array_equal(np.rint(heard), pcm)) == (rate_hz, True)
