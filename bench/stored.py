"""A phrase stored as it is, without loss and with loss: bytes, time to have it back, and what is lost."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import av
import numpy as np
import numpy.typing as npt

from bench.heard import percentile
from engine.types import Pcm
from gateway.codec import codec, default_rate

Form = Literal["raw", "flac", "opus"]
FORMS: tuple[Form, ...] = ("raw", "flac", "opus")
_SHIFT = 2000  # samples at most that a codec may move the sound
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one form, medians over sentences; `snr_db` is infinite where nothing is lost."""

    size: float  # bytes a second of sound
    encode_ms: float
    decode_ms: float
    snr_db: float


def cost(form: Form, sounds: Sequence[Pcm], rate_hz: int) -> Cost:
    """What it takes to keep these sounds."""
    sizes, encodings, decodings, ratios = list[float](), list[float](), list[float](), list[float]()
    for pcm in sounds:
        began = time.perf_counter()
        data = stored(form, pcm, rate_hz)
        encodings.append(time.perf_counter() - began)
        took = list[float]()
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            back = restored(form, data, rate_hz)
            took.append(time.perf_counter() - began)
        decodings.append(min(took))
        sizes.append(len(data) * rate_hz / len(pcm))
        ratios.append(snr_db(pcm, back))
    mid = (percentile(values, 0.5) for values in (sizes, encodings, decodings))
    size, encode_s, decode_s = mid
    return Cost(size, 1000 * encode_s, 1000 * decode_s, min(ratios) if form != "opus" else percentile(ratios, 0.5))


def stored(form: Form, pcm: Pcm, rate_hz: int) -> bytes:
    if form == "raw":
        return pcm.tobytes()
    stream = codec(form, rate_hz, default_rate(form, rate_hz))
    return stream.push(pcm) + stream.end()


def restored(form: Form, data: bytes, rate_hz: int) -> Pcm:
    """At the voice's own rate again."""
    if form == "raw":
        return np.frombuffer(data, np.int16)
    back = av.AudioResampler("s16", "mono", rate_hz)
    parts: list[npt.NDArray[np.int16]] = []
    with av.open(io.BytesIO(data), "r") as file:
        for frame in (*file.decode(audio=0), None):
            parts += [some.to_ndarray()[0] for some in back.resample(frame)]
    return np.concatenate(parts)


def snr_db(pcm: Pcm, back: Pcm) -> float:
    """The sound over what is wrong with it, at the shift that fits best; infinite where nothing is wrong."""
    length = min(len(pcm), len(back))
    one, other = pcm[:length].astype(np.float64), back[:length].astype(np.float64)
    if np.array_equal(one, other):
        return float("inf")
    size = 2 * length
    alike = np.fft.irfft(np.conj(np.fft.rfft(one, size)) * np.fft.rfft(other, size), size)
    shifts = np.r_[0:_SHIFT, -_SHIFT:0]
    shift = int(shifts[np.argmax(alike[shifts])])
    one = one[: length - shift] if shift >= 0 else one[-shift:]
    other = other[shift:] if shift >= 0 else other[: length + shift]
    wrong = float(np.sum((one - other) ** 2))
    return 10 * float(np.log10(np.sum(one**2) / wrong)) if wrong else float("inf")
