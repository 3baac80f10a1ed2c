"""The formats that speech is given out in: what they are called, and the rates and bitrates each allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gateway.errors import GatewayError, shown
from gateway.events import Format

LOWEST_HZ, HIGHEST_HZ = 8000, 48_000
"""Of the formats that take any rate."""

MPEG_RATES = (8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
OPUS_RATES = (8000, 12_000, 16_000, 24_000, 48_000)

_MP3_KBPS = {  # by the lowest rate that has them
    8000: (8, 16, 24, 32, 40, 48, 56, 64),
    16_000: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    32_000: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
}
_OPUS_KBPS = range(8, 257)
_AAC_BITS = 6  # a channel's most, a sample: 6144 bits in a frame of 1024


class BadFormat(GatewayError):
    """A rate or a bitrate that a format does not have; the message names those it has."""

    def __init__(self, what: str) -> None:
        super().__init__("unsupported_format", what)


@dataclass(frozen=True, slots=True)
class Spec:
    """What is known of a format without making any; `rates_hz` None: any whole number from 8,000 to 48,000."""

    content_type: str  # `{rate}` stands for the rate
    suffix: str
    rates_hz: tuple[int, ...] | None = None
    header: bool = False  # whether something comes before the first sound


FORMATS: Mapping[Format, Spec] = {
    "pcm_s16le": Spec("audio/pcm;rate={rate}", ".pcm"),
    "pcm_f32le": Spec("audio/pcm;rate={rate};encoding=float;bits=32", ".f32"),
    "mulaw": Spec("audio/basic;rate={rate}", ".ulaw"),
    "alaw": Spec("audio/x-alaw-basic;rate={rate}", ".alaw"),
    "wav": Spec("audio/wav", ".wav", header=True),
    "mp3": Spec("audio/mpeg", ".mp3", MPEG_RATES),
    "opus": Spec("audio/ogg;codecs=opus", ".opus", OPUS_RATES, header=True),
    "webm": Spec("audio/webm;codecs=opus", ".webm", OPUS_RATES, header=True),
    "aac": Spec("audio/aac", ".aac", MPEG_RATES),
    "flac": Spec("audio/flac", ".flac", header=True),
}


def content_type(format_: Format, rate_hz: int) -> str:
    """As an HTTP header says it."""
    return FORMATS[format_].content_type.format(rate=rate_hz)


def rates_allowed(format_: Format) -> str:
    """For people: the rates of a format."""
    rates = FORMATS[format_].rates_hz
    if rates is None:
        return f"any whole number from {LOWEST_HZ} to {HIGHEST_HZ}"
    return ", ".join(map(str, rates))


def allows(format_: Format, rate_hz: int) -> bool:
    rates = FORMATS[format_].rates_hz
    return LOWEST_HZ <= rate_hz <= HIGHEST_HZ if rates is None else rate_hz in rates


def default_rate(format_: Format, voice_hz: int) -> int:
    """The rate where none is asked for: the voice's own, or one that the format has and that loses nothing of it.

    mulaw and alaw are what telephones speak. MP3 and AAC delay and pad by a number of samples, so a rate of 44,100 or
    48,000 has the earlier first sound and the truer length.
    """
    match format_:
        case "mulaw" | "alaw":
            return LOWEST_HZ
        case "mp3" | "aac":
            return 44_100 if 44_100 % voice_hz == 0 else 48_000
        case "opus" | "webm":
            return next((rate for rate in OPUS_RATES if rate >= voice_hz), OPUS_RATES[-1])
        case _:
            return min(max(voice_hz, LOWEST_HZ), HIGHEST_HZ)


def check_rate(format_: Format, rate_hz: int) -> None:
    """Raises BadFormat for a rate that the format does not have: none is ever taken for another."""
    if not allows(format_, rate_hz):
        raise BadFormat(f"{format_} at {shown(rate_hz)} Hz; allowed: {rates_allowed(format_)}")


def kbps_of(format_: Format, rate_hz: int, asked: int | None = None) -> int | None:
    """The bitrate of a compressed format, in kbit/s; None for one that has none. Raises BadFormat."""
    match format_:
        case "mp3":
            allowed: tuple[int, ...] | range = _MP3_KBPS[max(least for least in _MP3_KBPS if rate_hz >= least)]
            usual = 32 if rate_hz < 16_000 else 64 if rate_hz < 32_000 else 128
        case "opus" | "webm":
            allowed, usual = _OPUS_KBPS, 32 if rate_hz < 16_000 else 64
        case "aac":
            allowed = range(8, min(320, _AAC_BITS * rate_hz // 1000) + 1)
            usual = min(32 if rate_hz < 16_000 else 64 if rate_hz < 32_000 else 96, allowed[-1])
        case _:
            if asked is not None:
                raise BadFormat(f"{format_} has no bitrate to choose")
            return None
    if asked is not None and asked not in allowed:
        listed = f"{allowed[0]} to {allowed[-1]}" if isinstance(allowed, range) else ", ".join(map(str, allowed))
        raise BadFormat(f"{format_} of {shown(asked)} kbit/s at {rate_hz} Hz; allowed: {listed}")
    return usual if asked is None else asked
