"""What stands around the packets of a format in a stream that is heard while it is made; pure.

Written by hand, for each packet is to leave at once: libavformat's Ogg holds the last page back until the next one.
"""

from __future__ import annotations

import struct
import zlib
from typing import Protocol

from gateway.codec.formats import MPEG_RATES
from gateway.codec.packets import Packet

OPUS_HZ = 48_000
"""The clock of Opus in any container, whatever rate was encoded."""


class Container(Protocol):
    """`head` comes first, then each packet in order, then `end`; joined they are the file."""

    head: bytes

    def packet(self, packet: Packet) -> bytes: ...

    def end(self, *, empty: bool) -> bytes:
        """What comes after the last packet; `empty`: there was none."""
        ...


class Bare:
    """Packets that need nothing around them, after a head."""

    def __init__(self, head: bytes = b"") -> None:
        self.head = head

    def packet(self, packet: Packet) -> bytes:
        return packet.data

    def end(self, *, empty: bool) -> bytes:
        return b""


def flac(streaminfo: bytes) -> Bare:
    """FLAC whose length and checksum are not known yet (RFC 9639, section 8)."""
    return Bare(b"fLaC" + struct.pack(">I", 0x80 << 24 | len(streaminfo)) + streaminfo)


class Adts(Bare):
    """AAC-LC in mono with a header a packet (ISO 14496-3, 1.A.2.2)."""

    def __init__(self, rate_hz: int) -> None:
        super().__init__()
        index = 3 + MPEG_RATES[::-1].index(rate_hz)  # 0 to 2 are 96,000, 88,200 and 64,000 Hz
        self._fixed = 0xFFF1 << 40 | 1 << 38 | index << 34 | 1 << 30 | 0x7FF << 2

    def packet(self, packet: Packet) -> bytes:
        return (self._fixed | len(packet.data) + 7 << 13).to_bytes(7, "big") + packet.data


# ---- Ogg (RFC 3533) with Opus (RFC 7845)

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_SERIAL = 0x4F6E7365  # of the one stream in the file
_FIRST, _LAST = 2, 4
_MOST = 254 * 255  # bytes of a packet that fits into one page with its end


class Ogg:
    """A page for each packet."""

    def __init__(self, opus_head: bytes, rate_hz: int) -> None:
        self._scale = OPUS_HZ // rate_hz
        self._pages = self._granule = 0
        tags = b"OpusTags" + _counted(b"Onset") + struct.pack("<I", 0)
        self.head = self._page(opus_head, flags=_FIRST) + self._page(tags)

    def packet(self, packet: Packet) -> bytes:
        self._granule += self._scale * (packet.samples - packet.padding)
        return self._page(packet.data, flags=_LAST if packet.last else 0)

    def end(self, *, empty: bool) -> bytes:
        return self._page(None, flags=_LAST) if empty else b""

    def _page(self, data: bytes | None, flags: int = 0) -> bytes:
        laces = b"" if data is None else b"\xff" * (len(data) // 255) + bytes((len(data) % 255,))
        data = data or b""
        assert len(data) <= _MOST, "an Opus packet of 20 ms has 1275 bytes at most"
        fields = (b"OggS", 0, flags, self._granule, _SERIAL, self._pages)
        self._pages += 1
        front, back = struct.pack("<4sBBQII", *fields), bytes((len(laces),)) + laces + data
        return front + struct.pack("<I", _ogg_crc(front + bytes(4) + back)) + back


def _ogg_crc(data: bytes) -> int:
    """The polynomial of zlib's checksum with each byte and the result the other way round, and nothing inverted."""
    crc = zlib.crc32(data.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int.from_bytes(crc.to_bytes(4, "little").translate(_REVERSED), "big")


def _counted(text: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text


# ---- WebM (RFC 9559) with Opus

_SEEK_PRE_ROLL_NS = 80_000_000  # that a decoder of Opus wants before a place it jumps to
_NS = 1_000_000_000
_UNKNOWN_SIZE = b"\x01\xff\xff\xff\xff\xff\xff\xff"


class Webm:
    """A cluster for each packet, in a segment that has no end."""

    def __init__(self, opus_head: bytes, rate_hz: int) -> None:
        self._rate, self._at = rate_hz, 0
        pre_skip = int.from_bytes(opus_head[10:12], "little")
        info = (_uint(0x2AD7B1, 1_000_000), _element(0x4D80, b"Onset"), _element(0x5741, b"Onset"))
        track = (
            *(_uint(0xD7, 1), _uint(0x73C5, 1), _uint(0x83, 2), _uint(0x9C, 0)),  # number, uid, audio, no lacing
            *(_element(0x86, b"A_OPUS"), _element(0x63A2, opus_head)),
            *(_uint(0x56AA, pre_skip * _NS // OPUS_HZ), _uint(0x56BB, _SEEK_PRE_ROLL_NS)),
            _element(0xE1, _element(0xB5, struct.pack(">d", OPUS_HZ)), _uint(0x9F, 1)),
        )
        version = (_uint(0x4286, 1), _uint(0x42F7, 1), _uint(0x42F2, 4), _uint(0x42F3, 8))
        ebml = _element(0x1A45DFA3, *version, _element(0x4282, b"webm"), _uint(0x4287, 4), _uint(0x4285, 2))
        segment = struct.pack(">I", 0x18538067) + _UNKNOWN_SIZE
        self.head = ebml + segment + _element(0x1549A966, *info) + _element(0x1654AE6B, _element(0xAE, *track))

    def packet(self, packet: Packet) -> bytes:
        place = b"\x81\x00\x00"  # track 1, at the cluster's own time
        if packet.padding:
            padding_ns = packet.padding * _NS // self._rate
            group = _element(0xA1, place, b"\x00", packet.data), _element(0x75A2, padding_ns.to_bytes(4, "big"))
            content = _element(0xA0, *group)
        else:
            content = _element(0xA3, place, b"\x80", packet.data)
        cluster = _element(0x1F43B675, _uint(0xE7, self._at * 1000 // self._rate), content)
        self._at += packet.samples
        return cluster

    def end(self, *, empty: bool) -> bytes:
        return b""


def _element(id_: int, *content: bytes) -> bytes:
    data = b"".join(content)
    size = len(data)
    length = next(n for n in range(1, 9) if size < (1 << 7 * n) - 1)
    return id_.to_bytes(-(-id_.bit_length() // 8), "big") + (1 << 7 * length | size).to_bytes(length, "big") + data


def _uint(id_: int, value: int) -> bytes:
    return _element(id_, value.to_bytes(max(1, -(-value.bit_length() // 8)), "big"))
