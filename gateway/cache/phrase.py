"""One spoken sentence: what names it, and how it is written down."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from hashlib import blake2b

from engine import ENGINE_VERSION
from engine.types import Utterance

KEY_BYTES = 32
MAX_PCM_BYTES = 4 * 2**20  # a minute and a half at 22 kHz; what is longer is not a phrase

_MAGIC = b"ONPH"
_VERSION = 1
_HEADER = struct.Struct(">4sB32sIII")  # magic, version, the entry's own key, rate, bytes of samples, checksum
_BYTES_A_SAMPLE = 2


class BadEntry(ValueError):
    """Bytes that are not the entry they were asked for; the message says why, without the bytes."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A complete sentence as sound: mono samples, 16 bit, little-endian, `rate_hz` a second."""

    rate_hz: int
    pcm: bytes

    @property
    def storable(self) -> bool:
        """Whether it is whole samples, and neither empty nor too long: silence must not be remembered as speech."""
        return 0 < len(self.pcm) <= MAX_PCM_BYTES and len(self.pcm) % _BYTES_A_SAMPLE == 0 and self.rate_hz > 0


def phrase_key(utterance: Utterance) -> bytes:
    """The name of an utterance's sound, `KEY_BYTES` long: a hash over everything that shapes it.

    Equal in every process and on every machine. Numbers are hashed by value: 1 is 1.0.
    The voice's name is not in it, its fingerprint is: the same files under two names sound the same.
    """
    voice = utterance.voice
    return _hash_of(
        str(ENGINE_VERSION).encode(),
        voice.fingerprint.encode(),
        str(voice.rate_hz).encode(),
        str(utterance.speaker).encode(),
        _number(voice.length_scale),
        _number(utterance.speed),
        _number(voice.noise_scale),
        _number(voice.noise_w),
        b"seed of the text" if utterance.seed is None else str(utterance.seed).encode(),
        utterance.text.encode("utf-8", "surrogatepass"),
    )


def _number(value: float) -> bytes:
    return struct.pack(">d", value)


def _hash_of(*parts: bytes) -> bytes:
    """A length stands before each part, so that no character can move from one part into the next."""
    digest = blake2b(digest_size=KEY_BYTES, person=b"onset phrase")
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def encode_entry(key: bytes, phrase: Phrase) -> bytes:
    """`phrase` as it is kept outside of this process; it names its own key, so that it can't be taken for another."""
    fields = (_MAGIC, _VERSION, key, phrase.rate_hz, len(phrase.pcm))
    return _HEADER.pack(*fields, _checksum(*fields, pcm=phrase.pcm)) + phrase.pcm


def decode_entry(key: bytes, entry: bytes) -> Phrase:
    """The phrase under `key`; raises BadEntry where `entry` is anything else than what `encode_entry` gave for it."""
    if len(entry) < _HEADER.size:
        raise BadEntry("shorter than a header")
    magic, version, own_key, rate_hz, length, checksum = _HEADER.unpack_from(entry)
    pcm = entry[_HEADER.size :]
    if magic != _MAGIC or version != _VERSION:
        raise BadEntry("of another format")
    if own_key != key:
        raise BadEntry("names another key")
    if length != len(pcm):
        raise BadEntry("cut short" if length > len(pcm) else "longer than it says")
    if checksum != _checksum(magic, version, own_key, rate_hz, length, pcm=pcm):
        raise BadEntry("its checksum is wrong")
    phrase = Phrase(rate_hz, pcm)
    if not phrase.storable:
        raise BadEntry("empty, too long, or not whole samples")
    return phrase


def _checksum(magic: bytes, version: int, key: bytes, rate_hz: int, length: int, *, pcm: bytes) -> int:
    return zlib.crc32(pcm, zlib.crc32(_HEADER.pack(magic, version, key, rate_hz, length, 0)))
