"""What the sound of an answer is to be."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gateway.codec import Codec, Samples, codec, content_type
from gateway.errors import GatewayError, shown
from gateway.events import Format, Start


@dataclass(frozen=True, slots=True)
class Sound:
    """A format and how it is made; whether there is such a thing is said by `codec`, or by a session."""

    format: Format
    rate_hz: int
    kbps: int | None = None  # of a compressed format; None: the usual
    samples: Samples = "pcm_s16le"  # of a WAV

    @property
    def content_type(self) -> str:
        return content_type(self.format, self.rate_hz)

    def codec(self, voice_hz: int) -> Codec:
        """A new stream of it; raises GatewayError for a rate or a bitrate that the format does not have."""
        return codec(self.format, voice_hz, self.rate_hz, kbps=self.kbps, samples=self.samples)

    def of(self, start: Start) -> Start:
        """A context that sounds so, on a socket."""
        return replace(start, format=self.format, sample_rate=self.rate_hz, kbps=self.kbps)


def kbps_of(bits: int | None) -> int | None:
    """Raises GatewayError for a bitrate that is not in whole kbit/s."""
    if bits is not None and bits % 1000:
        what = f"'bit_rate' is {shown(bits)}; allowed: whole thousands of bits a second, as in 48000"
        raise GatewayError("unsupported_format", what)
    return None if bits is None else bits // 1000
