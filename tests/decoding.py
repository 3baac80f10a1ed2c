"""What a player makes of an encoded stream, and how far it is from what went in."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import cache
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from engine.types import Pcm
from gateway.codec import Codec
from gateway.codec.resample import Resampler

Sound = npt.NDArray[np.float64]


def noise(seconds: float, rate_hz: int, *, seed: int = 0, low_hz: float = 100, high_hz: float = 3000) -> Pcm:
    """A band of noise: loud from its first sample to its last, and like nothing but itself."""
    samples = round(seconds * rate_hz)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(samples))
    at = np.fft.rfftfreq(samples, 1 / rate_hz)
    spectrum[(at < low_hz) | (at > high_hz)] = 0
    wave = np.fft.irfft(spectrum, samples)
    pcm: Pcm = np.rint(wave / np.abs(wave).max() * 12_000).astype(np.int16)
    return pcm


def stream(codec: Codec, pcm: Pcm, cuts: Iterable[int] = ()) -> bytes:
    """All that a codec gives for `pcm`, cut at these samples."""
    parts = np.split(pcm, sorted(cuts))
    return b"".join([*map(codec.push, parts), codec.end()])


def played(data: bytes, kind: str | None = None, **options: str) -> tuple[Sound, int]:
    """The samples in a file and their rate; `kind`: what libav calls the format, where the file does not say."""
    if kind in {"mp3", "aac"}:  # packets and no more: a decoder takes them as they come, libav's files want several
        decoder = av.CodecContext.create(kind, "r")
        assert isinstance(decoder, av.AudioCodecContext)
        packets = [*decoder.parse(data), *decoder.parse(b""), None]
        frames = [frame for packet in packets for frame in decoder.decode(packet)]
    else:
        with av.open(io.BytesIO(data), "r", format=kind, options=options) as file:
            frames = list(file.decode(audio=0))
    flat = av.AudioResampler(format="dblp", layout="mono")
    waves: list[Any] = [out.to_ndarray()[0] for frame in [*frames, None] for out in flat.resample(frame)]
    return np.concatenate(waves) * 32_768, frames[0].sample_rate


def flac_blocks(data: bytes) -> list[int]:
    """How many samples each frame of a stream has. Fails where one is not numbered in order, or a checksum is wrong."""
    blocks: list[int] = []
    at = 42  # behind the mark and STREAMINFO
    assert (data[:4], data[4]) == (b"fLaC", 0x80)
    while at < len(data):
        end = at + 4
        number, end = _utf8(data, end)
        assert (data[at : at + 2], number) == (b"\xff\xf8", len(blocks)), "a frame header, RFC 9639, section 9.1"
        code, rate = data[at + 2] >> 4, data[at + 2] & 15
        size, end = (
            (int.from_bytes(data[end : end + code - 5], "big") + 1, end + code - 5)
            if code in (6, 7)
            else (192 if code == 1 else 576 << code - 2 if code < 6 else 256 << code - 8, end)
        )
        end += {12: 1, 13: 2, 14: 2}.get(rate, 0)
        assert _crc(data[at:end], 8, 0x07) == data[end], "the checksum of a header"
        following = at + 1
        # A frame ends where its own checksum is right, and the next one begins.
        while following < len(data):
            following = data.find(b"\xff\xf8", following)
            following = len(data) if following < 0 else following
            if _crc(data[at:following], 16, 0x8005) == 0:
                break
            following += 1
        assert following <= len(data), "the checksum of a frame"
        blocks.append(size)
        at = following
    return blocks


def _utf8(data: bytes, at: int) -> tuple[int, int]:
    """A number that is coded as a character, and where it ends."""
    size = 1 if data[at] < 0x80 else 8 - (data[at] ^ 0xFF).bit_length()
    return ord(data[at : at + size].decode("utf-8", "surrogatepass")), at + size


def _crc(data: bytes, bits: int, polynomial: int) -> int:
    table, left, mask = _crc_table(bits, polynomial), 0, (1 << bits) - 1
    for byte in data:
        left = (left << 8 ^ table[left >> bits - 8 ^ byte]) & mask
    return left


@cache
def _crc_table(bits: int, polynomial: int) -> list[int]:
    table = []
    for byte in range(256):
        left = byte << bits - 8
        for _ in range(8):
            left = left << 1 ^ (polynomial if left >> bits - 1 & 1 else 0)
        table.append(left & (1 << bits) - 1)
    return table


def resampled(pcm: Pcm, rate_in: int, rate_out: int) -> Sound:
    """In one piece."""
    resampler = Resampler(rate_in, rate_out)
    return np.concatenate([resampler.push(pcm), resampler.end()]).astype(np.float64)


def delay(heard: Sound, meant: Sound) -> int:
    """Samples by which what is heard comes after what was meant, where they are most alike."""
    size = 1 << (len(heard) + len(meant)).bit_length()
    alike = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(meant, size)), size)
    at = int(np.argmax(alike))
    return at if at < size // 2 else at - size


def closeness_db(heard: Sound, meant: Sound) -> float:
    """Signal to noise, from the first sample to the last of what was meant."""
    off = heard[: len(meant)] - meant[: len(heard)]
    return float(10 * np.log10(np.sum(meant**2) / max(np.sum(off**2), 1e-9)))
