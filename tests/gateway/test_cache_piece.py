"""Parts of a sentence on their way: what comes is what was sent, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types import WordTime
from gateway.cache.phrase import KEY_BYTES, BadEntry, Phrase, decode_entry, encode_entry
from gateway.cache.piece import Piece, Rest, decode_piece, encode_piece

KEY = bytes(range(KEY_BYTES))
PIECE = Piece(22050, 4410, b"\1\2" * 300, 2, (WordTime("naïve", 0.25, 0.5), WordTime("words", 0.5, 1.0)), Rest.MORE)

words = st.builds(
    lambda text, start, length: WordTime(text, start / 22050, (start + length) / 22050),
    st.text(max_size=20),
    st.integers(0, 10**6),
    st.integers(0, 10**5),
)
pieces = st.builds(
    Piece,
    st.just(22050),
    st.integers(0, 2**32 - 1),
    st.binary(max_size=100).map(lambda pcm: pcm * 2),
    st.integers(0, 1000),
    st.lists(words, max_size=5).map(tuple),
    st.sampled_from(Rest),
)


@given(pieces)
def test_what_comes_is_what_was_sent(piece: Piece) -> None:
    assert decode_piece(KEY, encode_piece(KEY, piece)) == piece


@given(st.integers(0), st.integers(1, 255))
def test_any_byte_that_changed_is_seen(at: int, by: int) -> None:
    entry = bytearray(encode_piece(KEY, PIECE))
    entry[at % len(entry)] ^= by
    with pytest.raises(BadEntry):
        decode_piece(KEY, bytes(entry))


@given(st.integers(0, 10**4))
def test_any_cut_is_seen(at: int) -> None:
    entry = encode_piece(KEY, PIECE)
    with pytest.raises(BadEntry):
        decode_piece(KEY, entry[: at % len(entry)])
    with pytest.raises(BadEntry):
        decode_piece(KEY, entry + b"\0")


@given(st.binary(max_size=200))
def test_noise_is_refused(entry: bytes) -> None:
    with pytest.raises(BadEntry):
        decode_piece(KEY, entry)


def test_a_piece_is_of_one_sentence_and_no_phrase() -> None:
    with pytest.raises(BadEntry, match="another key"):
        decode_piece(KEY[::-1], encode_piece(KEY, PIECE))
    with pytest.raises(BadEntry, match="another format"):
        decode_piece(KEY, encode_entry(KEY, Phrase(22050, b"\1\2" * 300)))
    with pytest.raises(BadEntry, match="another format"):
        decode_entry(KEY, encode_piece(KEY, PIECE))
