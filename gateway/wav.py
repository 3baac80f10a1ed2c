"""WAV files written as their samples are made."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable
from typing import BinaryIO

from engine.types import Pcm

UNKNOWN = 0xFFFFFFFF
"""Both sizes of a WAV whose end is not known, or past 4 GiB; players take it to mean "until the end"."""

_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
_RIFF_BYTES = _HEADER.size - 8  # of the header, those that the first size counts


def wav_header(rate_hz: int, data_bytes: int | None) -> bytes:
    """The 44 bytes before mono samples of 16 bit; None for a length that is not known yet."""
    if data_bytes is None or data_bytes + _RIFF_BYTES >= UNKNOWN:
        riff = data = UNKNOWN
    else:
        riff, data = data_bytes + _RIFF_BYTES, data_bytes
    return _HEADER.pack(b"RIFF", riff, b"WAVE", b"fmt ", 16, 1, 1, rate_hz, 2 * rate_hz, 2, 16, b"data", data)


class WavWriter:
    """Samples into a binary file: a header with the true sizes where the file lets us go back, else UNKNOWN.

    `opened` gives the file when there are samples for it, and is not called before.
    `raw`: samples alone, s16le. Sizes are right after `close`, also where the speech was broken off.
    """

    def __init__(self, opened: Callable[[], BinaryIO], rate_hz: int, *, raw: bool = False) -> None:
        self._opened, self._rate_hz, self._raw = opened, rate_hz, raw
        self._file: BinaryIO | None = None
        self._start: int | None = None
        self.samples = 0

    @property
    def seconds(self) -> float:
        return self.samples / self._rate_hz

    def write(self, pcm: Pcm) -> None:
        """The next samples, handed on at once: a player at the other end of a pipe is waiting for them."""
        file = self._file or self._begin()
        file.write(pcm.astype("<i2", copy=False).tobytes())
        file.flush()
        self.samples += pcm.size

    def _begin(self) -> BinaryIO:
        file = self._file = self._opened()
        if not self._raw:
            self._start = file.tell() if _rewritable(file) else None
            file.write(wav_header(self._rate_hz, None))
        return file

    def close(self) -> None:
        """Put the sizes right; the file itself stays open. Without any sample none was opened at all."""
        if self._file is None:
            return
        if self._start is not None:
            self._file.seek(self._start)
            self._file.write(wav_header(self._rate_hz, 2 * self.samples))
            self._file.seek(0, os.SEEK_END)
        self._file.flush()


def _rewritable(file: BinaryIO) -> bool:
    """Whether what was written can be written over: not in a pipe, and not in a file opened for appending."""
    return file.seekable() and not fcntl.fcntl(file.fileno(), fcntl.F_GETFL) & os.O_APPEND
