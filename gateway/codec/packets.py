"""Samples to the packets of a compressed format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

import av
import numpy as np

from engine.pcm import FULL_SCALE, SILENCE
from engine.types import Pcm

_LOUD = SILENCE * FULL_SCALE

Coding = Literal["mp3", "opus", "aac", "flac"]


@dataclass(frozen=True, slots=True)
class _Encoder:
    """How an encoder of libavcodec is set up.

    `priming`: samples of its own that it puts before the first one. `lead`: how many of them are kept, the rest goes
    with the packets that hold nothing else. A decoder makes a packet's sound with the one before it, so a sound that
    begins at once in the first packet would begin blurred: the lead is the part of a packet that is let pass.
    """

    name: str
    sample_format: str
    priming: int = 0
    lead: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def _encoder(coding: Coding, rate_hz: int) -> _Encoder:
    match coding:
        case "mp3":
            # Without the reservoir every packet stands alone, so that the first ones can be left out.
            # The first packet with sound is there 2 * frame + 1105 - lead samples after its beginning, at 44,100 Hz and
            # a lead of 820 after 59 ms; lead and padding (less than a frame) are 50 ms at most from 22,050 Hz on.
            lead = 820 if rate_hz >= 44_100 else 448 if rate_hz == 32_000 else 527
            return _Encoder("libmp3lame", "s16p", 1105, lead, {"reservoir": "0", "compression_level": "7"})
        case "aac":
            return _Encoder("aac", "fltp", 1024, 900, {"aac_coder": "fast"})
        case "opus":
            return _Encoder("libopus", "s16", options={"application": "audio", "frame_duration": "20"})
        case "flac":
            # Level 2 has blocks of 27 ms at most, those above it of 105. Its orders begin with 0, as its own predictors
            # are fixed: of a linear one it would be written into the frame as an order that does not exist.
            predictor = {"lpc_type": "levinson", "min_prediction_order": "1"}
            return _Encoder("flac", "s16", options={"compression_level": "2", **predictor})


@dataclass(frozen=True, slots=True)
class Packet:
    """`samples` of sound, of which the last `padding` are none of ours."""

    data: bytes
    samples: int
    padding: int = 0
    last: bool = False


class Packets:
    """One stream of packets; encoder and timestamps live as long as it."""

    def __init__(self, coding: Coding, rate_hz: int, kbps: int | None) -> None:
        setup = _encoder(coding, rate_hz)
        context = av.CodecContext.create(setup.name, "w", None)
        assert isinstance(context, av.AudioCodecContext)
        context.sample_rate, context.format, context.layout = rate_hz, setup.sample_format, "mono"
        context.time_base = Fraction(1, rate_hz)
        if kbps is not None:
            context.bit_rate = 1000 * kbps
        context.options = dict(setup.options)
        context.open()
        self._short_last = coding == "flac"
        self._says_length = setup.lead is None
        self._context, self._float = context, setup.sample_format.startswith("flt")
        self.frame = context.frame_size
        self.extradata = context.extradata or b""
        self._fed = 0  # samples given to the encoder
        self._skip = 0  # packets yet to be left out
        self._pushed = self._given = 0  # samples of the caller; samples in the packets given to him
        self._loud = 0  # of his, up to the last that can be heard
        self.lead = 0  # samples before his first one
        if coding == "opus":
            self.lead = int.from_bytes(self.extradata[10:12], "little") * rate_hz // 48_000
        elif setup.lead is not None:
            self.lead = setup.lead
            self._skip = -(-(setup.priming - self.lead) // self.frame)
            self._encode(np.zeros(self._skip * self.frame + self.lead - setup.priming, np.int16))

    @property
    def heard(self) -> int:
        """Samples of what was pushed that a decoder can give from the packets so far."""
        return max(0, min(self._given - self.lead, self._pushed))

    def push(self, pcm: Pcm) -> list[Packet]:
        """The packets that are complete now."""
        loud = np.flatnonzero(np.abs(pcm.astype(np.int32)) >= _LOUD)
        if len(loud):
            self._loud = self._pushed + int(loud[-1]) + 1
        self._pushed += len(pcm)
        return self._encode(pcm) if len(pcm) else []

    def end(self) -> list[Packet]:
        """The rest, as much as it takes to hold the last sample; the last packet says so.

        Where a container cannot say it, silence at the end is left out for as much as the lead and the padding add.
        """
        if not self._pushed:
            return []
        before, missing = self._given, self.lead + self._pushed - self._given
        packets: list[Packet] = []
        for packet in self._taken(self._context.encode(None)):
            if missing <= 0:
                break
            missing -= packet.samples
            packets.append(packet)
        if packets:
            packets[-1] = replace(packets[-1], padding=-missing, last=True)
        if not self._says_length:
            self._shorten(packets, before + sum(packet.samples for packet in packets))
        return packets

    def _shorten(self, packets: list[Packet], given: int) -> None:
        """Leave silence at the end out while that brings the stream, of so many samples, nearer to its sound's length.

        Something of the stream stays.
        """
        while packets and (shorter := given - packets[-1].samples) > 0:
            off, off_shorter = abs(given - self._pushed), abs(shorter - self._pushed)
            if off_shorter >= off or shorter - self.lead < self._loud:
                return
            given = shorter
            packets.pop()

    def _encode(self, pcm: Pcm) -> list[Packet]:
        samples = pcm / np.float32(32768) if self._float else np.ascontiguousarray(pcm)
        kind = self._context.format.name
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format=kind, layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = self._context.sample_rate, self._fed, self._context.time_base
        self._fed += len(pcm)
        return self._taken(self._context.encode(frame))

    def _taken(self, made: Iterable[av.packet.Packet[Any]]) -> list[Packet]:
        packets = []
        for packet in made:
            if self._skip:
                self._skip -= 1
            elif packet.size:
                # The others decode to whole frames, whatever is said of the last one.
                samples = int(packet.duration or 0) if self._short_last else self.frame
                self._given += samples
                packets.append(Packet(bytes(packet), samples))
        return packets
