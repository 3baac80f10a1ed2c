"""Word times from durations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.types import WordIds, WordTime
from engine.words import word_times

WORDS = (WordIds("One", 2, 6), WordIds("two.", 8, 10))
DURATIONS = np.array([5, 1, 2, 0, 3, 1, 4, 1, 10, 2, 7])


def test_a_word_sounds_from_its_first_phoneme_to_the_pad_after_its_last() -> None:
    assert word_times(WORDS, DURATIONS, hop=10, rate_hz=100) == (
        WordTime("One", 0.6, 1.2),
        WordTime("two.", 1.7, 2.9),
    )


def test_what_was_left_out_at_the_front_and_given_before_moves_it() -> None:
    moved = word_times(WORDS, DURATIONS, hop=10, rate_hz=100, dropped=30, before=500)
    assert moved == (WordTime("One", 5.3, 5.9), WordTime("two.", 6.4, 7.6))


def test_a_word_does_not_begin_before_the_sound() -> None:
    moved = word_times(WORDS, DURATIONS, hop=10, rate_hz=100, dropped=90, before=500)
    assert moved[0] == WordTime("One", 5.0, 5.3)


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=60),
    st.lists(st.integers(0, 60), max_size=12),
    st.integers(0, 5000),
    st.integers(0, 10**6),
)
def test_times_rise_and_stay_within_the_sound(durations: list[int], cuts: list[int], dropped: int, before: int) -> None:
    places = sorted(min(cut, len(durations)) for cut in cuts)
    words = [WordIds("w", start, end) for start, end in zip(places[::2], places[1::2], strict=False)]
    told = word_times(words, np.array(durations), hop=256, rate_hz=22050, dropped=dropped, before=before)
    assert len(told) == len(words)
    assert all(word.start_s <= word.end_s for word in told)
    assert all(first.end_s <= second.start_s for first, second in pairwise(told))
    whole = max(sum(durations) * 256 - dropped, 0)
    assert all(before <= round(w.start_s * 22050) and round(w.end_s * 22050) <= before + whole for w in told)
