"""A stream of samples to the bytes of one format, as they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import av
import numpy as np

from engine.pcm import FULL_SCALE, SILENCE
from engine.types import Pcm
from gateway.codec.containers import Adts, Bare, Container, Ogg, Webm, flac
from gateway.codec.formats import check_rate, kbps_of
from gateway.codec.packets import Packets
from gateway.codec.resample import Resampler
from gateway.codec.samples import Samples, encoded
from gateway.errors import GatewayError
from gateway.events import Format
from gateway.wav import wav_header

_LOUD = SILENCE * FULL_SCALE
_MARK_S = 0.005  # of silence at a time


class EncodingFailed(GatewayError):
    """An encoder could not go on; its stream is over."""

    def __init__(self, format_: Format, rate_hz: int, error: Exception) -> None:
        super().__init__("encoding_failed", f"{format_} at {rate_hz} Hz: {error}")


class Codec:
    """One stream, mono: `push` as often as wanted, then `end`. The joined bytes are the file, its header once.

    Not thread-safe. It may be dropped at any time, unfinished too. Raises EncodingFailed. 20 ms of sound take 0.05 to
    0.4 ms, MP3 the longest: on an event loop, let others have a turn between pieces of 100 ms.
    """

    def __init__(self, format_: Format, rate_hz_in: int, rate_hz_out: int, stream: Callable[[], _Stream]) -> None:
        self.format, self.rate_hz, self._in = format_, rate_hz_out, rate_hz_in
        try:
            self._resampler, self._stream = Resampler(rate_hz_in, rate_hz_out), stream()
        except (av.FFmpegError, ValueError) as error:
            raise EncodingFailed(format_, rate_hz_out, error) from error
        self._lags = rate_hz_in != rate_hz_out or self._stream.lags
        self._header_due, self._ended = True, False
        self._pushed = self._loud = 0  # samples pushed; up to the last that can be heard
        self._owed = 0  # samples of silence put in by marks, to be left out of silence to come
        self._rests = False  # since a mark there was nothing to be heard

    @property
    def pending(self) -> int:
        """Samples pushed that a listener cannot hear yet, at the rate they were pushed at."""
        return max(0, self._pushed - self._stream.heard * self._in // self.rate_hz)

    def header(self) -> bytes:
        """What stands before the first sound: given here, or by the first other call, once."""
        due, self._header_due = self._header_due, False
        return self._stream.head if due else b""

    def push(self, pcm: Pcm) -> bytes:
        """The bytes that are ready, maybe none."""
        self._check_open()
        if not self._lags:  # nor can it fail
            self._pushed += len(pcm)
            data = self._stream.push(pcm)
            return self.header() + data if self._header_due else data
        return self._push(self._repaid(pcm) if self._rests else pcm)

    def mark(self) -> bytes:
        """A pause: let all be heard that was pushed.

        Samples may end anywhere; a format of packets holds up to some 80 ms back: where that is silence it stays there;
        else silence is put behind it, and as much is left out of the silence at the beginning of what comes next, so
        that times stay right.
        """
        self._check_open()
        if not self._lags:
            return b""
        if not self._stream.lags:  # then a resampler may
            return self._do(lambda: self._stream.push(self._resampler.rest()))
        data = b""
        while (self._stream.heard * self._in) // self.rate_hz < self._loud:
            rest = np.zeros(round(_MARK_S * self._in), np.int16)
            self._owed += len(rest)
            data += self._push(rest)
        self._rests = self._owed > 0
        return data

    def end(self) -> bytes:
        """The tail and the trailer; nothing can be pushed after it."""
        self._check_open()
        data = self._do(lambda: self._stream.push(self._resampler.end()) + self._stream.end())
        self._ended = True
        return data

    def _push(self, pcm: Pcm) -> bytes:
        if len(loud := np.flatnonzero(np.abs(pcm.astype(np.int32)) >= _LOUD)):
            self._loud = self._pushed + int(loud[-1]) + 1
        self._pushed += len(pcm)
        return self._do(lambda: self._stream.push(self._resampler.push(pcm)))

    def _repaid(self, pcm: Pcm) -> Pcm:
        quiet = np.abs(pcm.astype(np.int32)) < _LOUD
        cut = min(self._owed, len(pcm) if quiet.all() else int(np.argmin(quiet)))
        self._owed -= cut
        self._rests = self._owed > 0 and bool(quiet.all())
        return pcm[cut:]

    def _check_open(self) -> None:
        if self._ended:
            raise ValueError("this stream has ended")

    def _do(self, work: Callable[[], bytes]) -> bytes:
        try:
            return self.header() + work()
        except (av.FFmpegError, ValueError) as error:
            raise EncodingFailed(self.format, self.rate_hz, error) from error


def codec(
    format_: Format,
    rate_hz_in: int,
    rate_hz_out: int,
    *,
    kbps: int | None = None,
    samples: Samples = "pcm_s16le",
) -> Codec:
    """A new stream. `kbps` of a compressed format, None: the usual; `samples`: what a WAV is made of.

    Raises BadFormat for a rate or a bitrate that the format does not have.
    """
    check_rate(format_, rate_hz_out)
    bitrate = kbps_of(format_, rate_hz_out, kbps)

    def stream() -> _Stream:
        match format_:
            case "wav":
                return _Samples(samples, wav_header(rate_hz_out, None, samples))
            case "pcm_s16le" | "pcm_f32le" | "mulaw" | "alaw":
                return _Samples(format_)
            case "opus" | "webm":
                opus = Packets("opus", rate_hz_out, bitrate)
                container = Ogg if format_ == "opus" else Webm
                return _Packets(opus, container(opus.extradata, rate_hz_out))
            case "flac":
                blocks = Packets("flac", rate_hz_out, bitrate)
                return _Packets(blocks, flac(blocks.extradata))
            case "mp3":
                return _Packets(Packets("mp3", rate_hz_out, bitrate), Bare())
            case "aac":
                return _Packets(Packets("aac", rate_hz_out, bitrate), Adts(rate_hz_out))

    return Codec(format_, rate_hz_in, rate_hz_out, stream)


class _Stream(Protocol):
    head: bytes
    lags: bool  # what was pushed may be heard later than all that was given out

    @property
    def heard(self) -> int:
        """Samples of what was pushed that a listener can have heard from the bytes so far."""
        ...

    def push(self, pcm: Pcm) -> bytes: ...
    def end(self) -> bytes: ...


class _Samples:
    lags = False

    def __init__(self, samples: Samples, head: bytes = b"") -> None:
        self._samples, self.head, self.heard = samples, head, 0

    def push(self, pcm: Pcm) -> bytes:
        self.heard += len(pcm)
        return encoded(pcm, self._samples)

    def end(self) -> bytes:
        return b""


class _Packets:
    lags = True

    def __init__(self, packets: Packets, container: Container) -> None:
        self._packets, self._container, self.head = packets, container, container.head
        self._empty = True

    @property
    def heard(self) -> int:
        return self._packets.heard

    def push(self, pcm: Pcm) -> bytes:
        self._empty = self._empty and not len(pcm)
        return b"".join(map(self._container.packet, self._packets.push(pcm)))

    def end(self) -> bytes:
        rest = b"".join(map(self._container.packet, self._packets.end()))
        return rest + self._container.end(empty=self._empty)
