"""Another rate, continuous over chunks of any size."""

from __future__ import annotations

import av
import numpy as np

from engine.types import Pcm

_FULL = 32768.0
_SHORT = 400  # samples, more than the longest filter: 48,000 to 8,000 Hz


class Resampler:
    """Samples of one rate to another; the joined output is the same however the input is cut.

    It lags by about 1 ms, by 2 ms down to 8 kHz; `end` gives the rest, so that n samples become n * out / in, none of
    them delayed. The same rate is given as it is.
    """

    def __init__(self, rate_hz_in: int, rate_hz_out: int) -> None:
        self._in, self._out = rate_hz_in, rate_hz_out
        self._begin()

    def _begin(self) -> None:
        self._at = self._given = 0  # samples in, and out
        # In float: between 16 bit samples the filter would be one of 16 bits too.
        self._filter = (
            None if self._in == self._out else av.AudioResampler(format="fltp", layout="mono", rate=self._out)
        )

    def push(self, pcm: Pcm) -> Pcm:
        """What is certain now."""
        if self._filter is None or not len(pcm):
            return pcm
        frame = av.AudioFrame.from_ndarray((pcm / np.float32(_FULL)).reshape(1, -1), format="fltp", layout="mono")
        frame.sample_rate, frame.pts = self._in, self._at
        self._at += len(pcm)
        pcm = _joined(self._filter.resample(frame))
        self._given += len(pcm)
        return pcm

    def rest(self) -> Pcm:
        """The tail, as at the end; what is pushed afterwards is another sound."""
        tail = self.end()
        self._begin()
        return tail

    def end(self) -> Pcm:
        """The tail."""
        if self._filter is None or not self._at:
            return np.empty(0, np.int16)
        if self._at >= _SHORT:
            return _joined(self._filter.resample(None))
        # A sound shorter than the filter would be lost in it: it is made longer by silence, and the rest cut off.
        short = -(-self._at * self._filter.rate // self._in) - self._given
        return np.concatenate((self.push(np.zeros(_SHORT, np.int16)), self.end()))[:short]


def _joined(frames: list[av.AudioFrame]) -> Pcm:
    if not frames:
        return np.empty(0, np.int16)
    wave = np.concatenate([frame.to_ndarray()[0] for frame in frames])
    return np.clip(np.rint(wave * _FULL), -_FULL, _FULL - 1).astype(np.int16)
