"""Sample by sample: 16 bit, float, mu-law and A-law; pure."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from engine.types import Pcm

Samples = Literal["pcm_s16le", "pcm_f32le", "mulaw", "alaw"]

_Codes = npt.NDArray[np.uint8]
_Ints = npt.NDArray[np.int64]


def encoded(pcm: Pcm, samples: Samples) -> bytes:
    """The bytes of these samples, little-endian."""
    match samples:
        case "pcm_s16le":
            return pcm.astype("<i2", copy=False).tobytes()
        case "pcm_f32le":
            return (pcm / np.float32(32768)).astype("<f4", copy=False).tobytes()
        case _:
            return _table(samples)[pcm.view(np.uint16)].tobytes()


@cache
def _table(law: Literal["mulaw", "alaw"]) -> _Codes:
    """The code of the level next to each 16 bit sample, by the sample's bits as an unsigned number."""
    codes = np.arange(256)
    levels = _mulaw_levels(codes) if law == "mulaw" else _alaw_levels(codes)
    # From above, so that of the two zeros of mu-law the usual one is taken, 0xFF.
    levels, at = np.unique(levels[::-1], return_index=True)
    middles = (levels[1:] + levels[:-1]) / 2
    every = np.arange(65_536, dtype=np.uint16).view(np.int16)
    table: Any = codes[::-1][at].astype(np.uint8)[np.searchsorted(middles, every, side="right")]
    table.flags.writeable = False
    codes_of: _Codes = table
    return codes_of


def _mulaw_levels(codes: _Ints) -> _Ints:
    """ITU-T G.711, table 2, times 4 to fill 16 bits."""
    bits = ~codes & 0xFF
    level = (((bits & 0x0F) << 3) + 0x84 << (bits >> 4 & 7)) - 0x84
    return np.where(bits & 0x80, -level, level)


def _alaw_levels(codes: _Ints) -> _Ints:
    """ITU-T G.711, table 1, times 8 to fill 16 bits."""
    bits = codes ^ 0x55
    segment, step = bits >> 4 & 7, (bits & 0x0F) << 4
    level = np.where(segment, step + 0x108 << np.maximum(segment, 1) - 1, step + 8)
    return np.where(bits & 0x80, level, -level)
