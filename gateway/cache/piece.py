"""A part of a sentence on its way from the process that makes it to others; pure."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum

from engine.types import WordTime
from gateway.cache.phrase import BYTES_A_SAMPLE, KEY_BYTES, BadEntry, decode_words, encode_words

_MAGIC = b"ONPC"
_VERSION = 1
_HEADER = struct.Struct(
    f">4sB{KEY_BYTES}sBIIIIII"
)  # magic, version, key, what follows, rate, samples and words before it, bytes of words and samples, checksum


class Rest(IntEnum):
    """What comes behind a piece."""

    MORE = 0
    NOTHING = 1  # the sentence is whole
    FAILED = 2  # nothing, and it is not whole


@dataclass(frozen=True, slots=True)
class Piece:
    """Sound and words that follow each other; it says where it belongs, so that a lost or doubled one is seen."""

    rate_hz: int
    at: int  # samples before it
    pcm: bytes  # 16 bit, little-endian
    words_at: int  # words before its own
    words: tuple[WordTime, ...]
    rest: Rest


def encode_piece(key: bytes, piece: Piece) -> bytes:
    """As it is given to others; it names its sentence, so that it can't be taken for a part of another."""
    words = encode_words(piece.words, piece.rate_hz)
    counts = piece.rate_hz, piece.at, piece.words_at, len(words), len(piece.pcm)
    fields = _MAGIC, _VERSION, key, piece.rest, *counts
    return _HEADER.pack(*fields, _checksum(fields, words + piece.pcm)) + words + piece.pcm


def decode_piece(key: bytes, entry: bytes) -> Piece:
    """Raises BadEntry where `entry` is anything else than what `encode_piece` gave for this key."""
    if len(entry) < _HEADER.size:
        raise BadEntry("shorter than a header")
    *fields, checksum = _HEADER.unpack_from(entry)
    magic, version, own_key, rest, rate_hz, at, words_at, of_words, of_pcm = fields
    body = entry[_HEADER.size :]
    if magic != _MAGIC or version != _VERSION:
        raise BadEntry("of another format")
    if own_key != key:
        raise BadEntry("names another key")
    if of_words + of_pcm != len(body):
        raise BadEntry("not as long as it says")
    if checksum != _checksum(tuple(fields), body):
        raise BadEntry("its checksum is wrong")
    if rest not in tuple(Rest) or of_pcm % BYTES_A_SAMPLE or not rate_hz:
        raise BadEntry("not whole samples")
    return Piece(rate_hz, at, body[of_words:], words_at, decode_words(body[:of_words], rate_hz), Rest(rest))


def _checksum(fields: tuple[bytes | int, ...], body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(_HEADER.pack(*fields, 0)))
