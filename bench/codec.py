"""What each format costs in delay, work and size: `python -m bench.codec`."""

from __future__ import annotations

import statistics
import time

import numpy as np

from engine.types import Pcm
from gateway.codec import FORMATS, codec, default_rate
from gateway.events import Format

VOICE_HZ = 22_050
SECONDS = 6
STEP = 1 / 1000  # of sound, in looking for the first bytes


def main() -> None:
    pcm = voice()
    print("| format | Hz | first bytes with sound, ms | held back, ms | made in, µs | 20 ms in, µs | kbit/s |")
    print("|---|---|---|---|---|---|---|")
    for format_ in FORMATS:
        rate = default_rate(format_, VOICE_HZ)
        first_ms, held_ms = waits(format_, rate, pcm)
        made_us, step_us, size = costs(format_, rate, pcm)
        kbps = size * 8 / SECONDS / 1000
        print(f"| `{format_}` | {rate} | {first_ms:.0f} | {held_ms:.0f} | {made_us:.0f} | {step_us:.0f} | {kbps:.0f} |")


def voice() -> Pcm:
    """Harmonics that swell and fade, and some breath."""
    at = np.arange(SECONDS * VOICE_HZ) / VOICE_HZ
    tones = sum(np.sin(2 * np.pi * 140 * k * at) / k for k in range(1, 25))
    wave = tones * (1.1 + np.sin(2 * np.pi * 3 * at)) * 3000 + np.random.default_rng(0).standard_normal(at.size) * 100
    return np.rint(wave).astype(np.int16)


def waits(format_: Format, rate: int, pcm: Pcm) -> tuple[float, float]:
    """Milliseconds of sound before the first bytes that can be heard, and the most that is ever held back."""
    made, first, most, given = codec(format_, VOICE_HZ, rate), 0, 0, 0
    for part in np.array_split(pcm[:VOICE_HZ], round(1 / STEP)):
        made.push(part)
        given += len(part)
        if not first and made.pending < given:
            first = given
        most = max(most, made.pending)
    return first * 1000 / VOICE_HZ, most * 1000 / VOICE_HZ


def costs(format_: Format, rate: int, pcm: Pcm) -> tuple[float, float, int]:
    """Microseconds of work to make a codec (median) and for 20 ms of sound (mean), and the bytes of all of it."""
    makings: list[float] = []
    steps: list[float] = []
    for _ in range(5):
        began = time.thread_time()
        made = codec(format_, VOICE_HZ, rate)
        makings.append(time.thread_time() - began)
        size = 0
        for part in np.array_split(pcm, SECONDS * 50):
            began = time.thread_time()
            size += len(made.push(part))
            steps.append(time.thread_time() - began)
        size += len(made.end())
    return statistics.median(makings) * 1e6, statistics.fmean(steps) * 1e6, size


if __name__ == "__main__":
    main()
