"""What a player makes of an encoded stream, and how far it is from what went in."""

from __future__ import annotations

import io
from collections.abc import Iterable
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
