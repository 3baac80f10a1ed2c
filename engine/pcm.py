"""Samples as a model makes them to 16 bit, shaped while they stream; pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.types import Pcm, Wave

FULL_SCALE = 32767
KNEE = 10 ** (-1 / 20)
"""Above -1 dBFS the limiter bends what would be clipped."""

SILENCE = 10 ** (-46 / 20)
"""What stays below -46 dBFS after the voice's gain is silence: 26 dB under speech, above a quiet voice's hiss."""

_NOTHING: Wave = np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class Shape:
    """How the sound of a voice is shaped. Infinite bounds leave the ends of a sentence as they are."""

    gain: float = 1.0
    lead_ms: float = 60.0  # of silence kept before the first sound: room for an onset too soft to count as sound
    tail_ms: float = 100.0  # kept after the last one
    fade_ms: float = 3.0  # in and out, so that joints are near zero


UNSHAPED = Shape(lead_ms=math.inf, tail_ms=math.inf, fade_ms=0.0)


class Shaper:
    """One sentence's samples as 16 bit; however the input is cut into chunks, the joined output is the same.

    Held back are silence at the front until the first sound, silence longer than the tail until sound comes again
    (then all of it: a pause inside is never changed), and what the fade at the end may fall on.
    """

    def __init__(self, shape: Shape, rate_hz: int) -> None:
        self._gain = np.float32(shape.gain)
        self._lead, self._tail = (_samples(ms, rate_hz) for ms in (shape.lead_ms, shape.tail_ms))
        self._fade = np.arange(1, 1 + round(shape.fade_ms * rate_hz / 1000), dtype=np.float32)
        self._fade /= np.float32(len(self._fade) + 1)
        self._held = _NOTHING
        self._begun = self._lead is None
        self._loud = 0  # samples of the held ones up to the last sound; negative: it has been given already
        self._given = 0
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """Samples left out at the front; certain from the first output on."""
        return self._dropped

    def push(self, wave: Wave, *, last: bool = False) -> Pcm:
        """The next samples, full scale -1 to 1; gives what is certain now, maybe nothing. `last`: as `end` after it."""
        given = self._push(wave)
        return np.concatenate((given, self.end())) if last else given

    def _push(self, wave: Wave) -> Pcm:
        more = limited(wave, self._gain)
        sounding = np.flatnonzero(np.abs(more) >= SILENCE)
        if len(sounding):
            self._loud = len(self._held) + int(sounding[-1]) + 1
        self._held = np.concatenate((self._held, more)) if len(self._held) else more
        if not self._begun:
            self._begin(len(self._held) - len(more) + int(sounding[0]) if len(sounding) else None)
        return self._give(self._end() - len(self._fade)) if self._begun else wave_to_pcm(_NOTHING)

    def end(self) -> Pcm:
        """The rest. A sentence without any sound gives nothing at all."""
        if not self._begun:
            return wave_to_pcm(_NOTHING)
        end = self._end()
        fade = self._fade[: min(end, len(self._fade))][::-1]
        self._held = self._held[:end].copy()
        self._held[end - len(fade) :] *= fade
        return self._give(end)

    def _begin(self, first: int | None) -> None:
        """`first`: where sound begins in what is held; None: there is only silence so far."""
        self._begun = first is not None
        cut = max(0, (len(self._held) if first is None else first) - (self._lead or 0))
        self._held = self._held[cut:]
        self._dropped += cut
        self._loud -= cut

    def _end(self) -> int:
        """How many of the held samples would be kept if the sentence ended now."""
        return len(self._held) if self._tail is None else max(0, min(len(self._held), self._loud + self._tail))

    def _give(self, count: int) -> Pcm:
        if count <= 0:
            return wave_to_pcm(_NOTHING)
        given, self._held = self._held[:count], self._held[count:].copy()  # a view would keep all of the step
        if self._given < len(self._fade):
            rising = self._fade[self._given : self._given + count]
            given = given.copy()
            given[: len(rising)] *= rising
        self._given += count
        self._loud -= count
        return wave_to_pcm(given)


def limited(wave: Wave, gain: np.float32) -> Wave:
    """Louder by `gain`, and never over full scale; what is not a number is silence.

    A knee k + (1 - k) * u / (1 + u) with u = (|x| - k) / (1 - k): smooth, and each sample by itself, so chunks do not
    matter. It is written without transcendental functions, whose last bit depends on a sample's place in its array.
    """
    loud = np.nan_to_num(wave, nan=0.0, posinf=2.0, neginf=-2.0) * gain
    knee = np.float32(KNEE)
    over = np.abs(loud) - knee
    if not len(loud) or over.max() <= 0:
        return loud
    u = np.maximum(over, 0) / (1 - knee)
    bent: Wave = np.where(over > 0, np.copysign(knee + (1 - knee) * (u / (1 + u)), loud), loud)
    return bent


def wave_to_pcm(wave: Wave) -> Pcm:
    """Full scale to 16 bit: clipped, never wrapped round; what is not a number is silence."""
    clean = np.nan_to_num(wave, nan=0.0, posinf=1.0, neginf=-1.0)
    return np.rint(np.clip(clean, -1.0, 1.0) * FULL_SCALE).astype(np.int16)


def silence(ms: float, rate_hz: int) -> Pcm:
    """`ms` milliseconds of nothing, to the nearest sample."""
    return np.zeros(round(ms * rate_hz / 1000), np.int16)


def _samples(ms: float, rate_hz: int) -> int | None:
    return None if math.isinf(ms) else round(ms * rate_hz / 1000)
