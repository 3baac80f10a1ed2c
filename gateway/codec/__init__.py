"""One stream of sound in the format and at the rate that its listener wants. Owner of libav."""

from gateway.codec.codec import Codec, EncodingFailed, codec
from gateway.codec.formats import (
    FORMATS,
    BadFormat,
    Spec,
    allows,
    check_rate,
    content_type,
    default_rate,
    kbps_of,
    rates_allowed,
)
from gateway.codec.samples import Samples
from gateway.wav import complete_wav

__all__ = [
    "FORMATS",
    "BadFormat",
    "Codec",
    "EncodingFailed",
    "Samples",
    "Spec",
    "allows",
    "check_rate",
    "codec",
    "complete_wav",
    "content_type",
    "default_rate",
    "kbps_of",
    "rates_allowed",
]
