"""One spoken sentence: what names it, and how it is written down."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from engine import ENGINE_VERSION
from engine.text.normalize import RULES_VERSION
from engine.types import Utterance, WordTime

MARK_BYTES = 8  # of a key, at its beginning: they name the voice
KEY_BYTES = MARK_BYTES + 32
BYTES_A_SAMPLE = 2
MAX_PCM_BYTES = 4 * 2**20  # a minute and a half at 22 kHz; what is longer is not a phrase

_MAGIC = b"ONPH"
_VERSION = 3
_HEADER = struct.Struct(
    f">4sB{KEY_BYTES}sIIII"
)  # magic, version, the entry's own key, rate, bytes of words and samples, checksum
_WORD = struct.Struct(">III")  # first sample, the one after the last, bytes of text


class BadEntry(ValueError):
    """Bytes that are not the entry they were asked for; the message says why, without the bytes."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A complete sentence as sound: mono samples, 16 bit, little-endian, `rate_hz` a second."""

    rate_hz: int
    pcm: bytes
    words: tuple[WordTime, ...] = ()  # of whole samples; none where nobody knows them

    @property
    def storable(self) -> bool:
        """Whether it is whole samples, and neither empty nor too long: silence must not be remembered as speech."""
        return 0 < len(self.pcm) <= MAX_PCM_BYTES and len(self.pcm) % BYTES_A_SAMPLE == 0 and self.rate_hz > 0


def phrase_key(utterance: Utterance) -> bytes:
    """The name of an utterance's sound, `KEY_BYTES` long: its voice's mark, and a hash over everything that shapes it.

    Equal in every process and on every machine. Numbers are hashed by value: 1 is 1.0.
    The voice's name is not in it, its fingerprint is: the same files under two names sound the same. The text is the
    spoken one: however it was written, with either apostrophe, it is the same phrase.
    """
    voice = utterance.voice
    return voice_mark(voice.fingerprint) + _hash_of(
        str(ENGINE_VERSION).encode(),
        str(RULES_VERSION).encode(),
        utterance.lexicon.encode(),
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


@lru_cache(256)
def voice_mark(fingerprint: str) -> bytes:
    """How the keys of a voice's phrases begin, `MARK_BYTES` long: as the fingerprint does, where that is in hex."""
    try:
        return bytes.fromhex(fingerprint[: 2 * MARK_BYTES]).ljust(MARK_BYTES, b"\0")
    except ValueError:
        return blake2b(fingerprint.encode(), digest_size=MARK_BYTES, person=b"onset voice").digest()


def _number(value: float) -> bytes:
    return struct.pack(">d", value)


def _hash_of(*parts: bytes) -> bytes:
    """A length stands before each part, so that no character can move from one part into the next."""
    framed = b"".join(framing for part in parts for framing in (len(part).to_bytes(8, "big"), part))
    return blake2b(framed, digest_size=KEY_BYTES - MARK_BYTES, person=b"onset phrase").digest()


def encode_entry(key: bytes, phrase: Phrase) -> bytes:
    """`phrase` as it is kept outside of this process; it names its own key, so that it can't be taken for another."""
    words = encode_words(phrase.words, phrase.rate_hz)
    fields = (_MAGIC, _VERSION, key, phrase.rate_hz, len(words), len(phrase.pcm))
    return _HEADER.pack(*fields, _checksum(fields, words + phrase.pcm)) + words + phrase.pcm


def decode_entry(key: bytes, entry: bytes) -> Phrase:
    """The phrase under `key`; raises BadEntry where `entry` is anything else than what `encode_entry` gave for it."""
    if len(entry) < _HEADER.size:
        raise BadEntry("shorter than a header")
    magic, version, own_key, rate_hz, of_words, of_pcm, checksum = _HEADER.unpack_from(entry)
    body = entry[_HEADER.size :]
    if magic != _MAGIC or version != _VERSION:
        raise BadEntry("of another format")
    if own_key != key:
        raise BadEntry("names another key")
    if of_words + of_pcm != len(body):
        raise BadEntry("cut short" if of_words + of_pcm > len(body) else "longer than it says")
    if checksum != _checksum((magic, version, own_key, rate_hz, of_words, of_pcm), body):
        raise BadEntry("its checksum is wrong")
    if not Phrase(rate_hz, body[of_words:]).storable:
        raise BadEntry("empty, too long, or not whole samples")
    return Phrase(rate_hz, body[of_words:], decode_words(body[:of_words], rate_hz))


def encode_words(words: Iterable[WordTime], rate_hz: int) -> bytes:
    """Words and when they sound, to the sample."""
    parts: list[bytes] = []
    for word in words:
        text = word.text.encode("utf-8", "surrogatepass")
        start, end = (round(second * rate_hz) for second in (word.start_s, word.end_s))
        parts += _WORD.pack(start, end, len(text)), text
    return b"".join(parts)


def decode_words(block: bytes, rate_hz: int) -> tuple[WordTime, ...]:
    """Raises BadEntry."""
    words: list[WordTime] = []
    at = 0
    try:
        while at < len(block):
            start, end, length = _WORD.unpack_from(block, at)
            at += _WORD.size + length
            text = block[at - length : at].decode("utf-8", "surrogatepass")
            words.append(WordTime(text, start / rate_hz, end / rate_hz))
    except (struct.error, UnicodeDecodeError):
        raise BadEntry("its words are not words") from None
    if at != len(block):
        raise BadEntry("its words are not words")
    return tuple(words)


def _checksum(fields: tuple[bytes | int, ...], body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(_HEADER.pack(*fields, 0)))
