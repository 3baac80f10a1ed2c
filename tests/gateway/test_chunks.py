"""Sound of any size becomes messages of 20 to 100 ms, and nothing of it is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types import Pcm
from gateway.chunks import Chunker

RATE = 1000  # a sample is a millisecond


def cut(sizes: list[int]) -> tuple[list[Pcm], list[int]]:
    """The messages of a sentence that comes in pieces of these sizes, and what was held back after each piece."""
    chunker, messages, held, at = Chunker(RATE), [], [], 0
    for size in sizes:
        messages += chunker.push(np.arange(at, at + size, dtype=np.int16))
        held.append(chunker.held)
        at += size
    return messages + chunker.end(), held


@given(st.lists(st.integers(1, 400), max_size=30))
def test_messages_join_to_what_was_pushed_and_keep_their_bounds(sizes: list[int]) -> None:
    messages, held = cut(sizes)
    joined = np.concatenate([np.empty(0, np.int16), *messages])
    assert joined.tolist() == list(range(sum(sizes)))
    assert [len(m) for m in messages if len(m) > 100] == []
    assert [len(m) for m in messages[:-1] if len(m) < 20] == []
    assert max(held, default=0) <= 20


@given(st.lists(st.integers(40, 400), min_size=1, max_size=30))
def test_the_last_message_is_not_short(sizes: list[int]) -> None:
    assert [len(m) for m in cut(sizes)[0] if len(m) < 20] == []


@given(st.integers(60, 5000))
def test_messages_of_one_piece_are_nearly_equal(size: int) -> None:
    messages, _ = cut([size])
    sizes = {len(m) for m in messages[:-1]}
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(60, 5000))
def test_the_first_of_a_sound_that_begins_is_small_and_the_others_keep_their_bounds(size: int) -> None:
    first, *others = Chunker(RATE, begins=True).push(np.zeros(size, np.int16), last=True)
    sizes = [len(message) for message in others]
    assert len(first) == 40
    assert sum(sizes) == size - 40
    assert 20 <= min(sizes) <= max(sizes) <= min(100, min(sizes) + 1)


def test_nothing_is_held_back_of_a_sound_that_is_whole() -> None:
    assert [len(message) for message in Chunker(RATE).push(np.zeros(210, np.int16), last=True)] == [70, 70, 70]


@pytest.mark.parametrize("size", [1, 19, 20, 39, 40])
def test_a_short_sentence_is_one_or_two_messages(size: int) -> None:
    assert sum(len(m) for m in cut([size])[0]) == size


def test_nothing_becomes_nothing() -> None:
    assert cut([]) == ([], [])
