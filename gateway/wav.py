"""WAV files written as their samples are made."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable
from typing import BinaryIO, Literal

from engine.types import Pcm

UNKNOWN = 0xFFFFFFFF
"""Both sizes of a WAV whose end is not known, or past 4 GiB; players take it to mean "until the end"."""

_TAGS = {"pcm_s16le": (1, 2), "pcm_f32le": (3, 4), "alaw": (6, 1), "mulaw": (7, 1)}  # and bytes a sample


def wav_header(
    rate_hz: int, data_bytes: int | None, samples: Literal["pcm_s16le", "pcm_f32le", "mulaw", "alaw"] = "pcm_s16le"
) -> bytes:
    """What stands before mono samples, 44 bytes for those of 16 bit; None for a length that is not known yet."""
    tag, width = _TAGS[samples]
    shape = struct.pack("<HHIIHH", tag, 1, rate_hz, width * rate_hz, width, 8 * width)
    if tag == 1:
        chunks = _chunk(b"fmt ", shape)
    else:  # the others have a size of what is special about them, and say their number of samples
        count = UNKNOWN if data_bytes is None else min(data_bytes // width, UNKNOWN)
        chunks = _chunk(b"fmt ", shape + bytes(2)) + _chunk(b"fact", struct.pack("<I", count))
    before = len(b"WAVE") + len(chunks) + 8  # of the header, those that the first size counts
    if data_bytes is None or data_bytes + before >= UNKNOWN:
        riff = data = UNKNOWN
    else:
        riff, data = before + data_bytes + data_bytes % 2, data_bytes
    return struct.pack("<4sI4s", b"RIFF", riff, b"WAVE") + chunks + struct.pack("<4sI", b"data", data)


def complete_wav(pcm: Pcm, rate_hz: int) -> bytes:
    """A whole file of 16 bit samples, with its true sizes."""
    return wav_header(rate_hz, 2 * pcm.size) + pcm.astype("<i2", copy=False).tobytes()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack("<4sI", name, len(data)) + data


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
