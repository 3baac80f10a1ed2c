"""Gaps, percentiles and slopes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.heard import Arrival, Heard, gaps, longest_gap_s, percentile, slope


def heard(*arrivals: tuple[float, float], asked: float = 0.0) -> Heard:
    return Heard(asked, [Arrival(at, sound_s) for at, sound_s in arrivals])


@pytest.mark.parametrize(
    ("arrivals", "expected"),
    [
        ([], []),
        ([(5.0, 1.0)], []),
        ([(0.0, 1.0), (0.5, 1.0), (1.9, 1.0)], []),  # each before what came so far is over
        ([(0.0, 1.0), (1.0, 1.0)], []),  # in the very moment
        ([(0.0, 1.0), (1.25, 1.0)], [0.25]),
        ([(0.0, 1.0), (1.25, 1.0), (2.5, 0.5)], [0.25, 0.25]),  # a late sound puts all that follows off
        ([(0.0, 3.0), (0.1, 0.1), (3.6, 1.0)], [0.5]),  # the reserve counts
    ],
)
def test_gaps_are_the_silences_of_a_player_with_nothing_in_hand(
    arrivals: list[tuple[float, float]], expected: list[float]
) -> None:
    assert gaps(heard(*arrivals).arrivals) == pytest.approx(expected)


@given(st.lists(st.tuples(st.floats(0, 10), st.floats(0.01, 2)), min_size=1))
def test_what_is_played_and_the_gaps_fill_the_time(steps: list[tuple[float, float]]) -> None:
    at, arrivals = 0.0, list[Arrival]()
    for wait_s, sound_s in steps:
        at += wait_s
        arrivals.append(Arrival(at, sound_s))
    until = arrivals[0].at + sum(a.sound_s for a in arrivals) + sum(gaps(arrivals))
    assert until >= arrivals[-1].at + arrivals[-1].sound_s - 1e-6
    assert sum(gaps(arrivals)) <= arrivals[-1].at - arrivals[0].at + 1e-6


def test_the_longest_gap_is_of_all_listeners() -> None:
    assert longest_gap_s([heard((0, 1), (1.1, 1)), heard((0, 1), (1.3, 1)), heard((0, 1))]) == pytest.approx(0.3)
    assert longest_gap_s([heard((0, 1))]) == 0.0


def test_first_sound_counts_from_the_last_character() -> None:
    one = heard((3.25, 0.06), (3.5, 0.06), asked=3.0)
    assert (one.first_s, one.sound_s) == (0.25, 0.12)


def test_no_sound_is_no_first_sound() -> None:
    with pytest.raises(RuntimeError, match="no sound"):
        _ = heard().first_s


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_is_numpys(values: list[float], share: float) -> None:
    assert percentile(values, share) == pytest.approx(float(np.percentile(values, 100 * share)), abs=1e-6)


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        percentile([], 0.5)


def test_a_slope_is_that_of_the_nearest_line() -> None:
    assert slope([(4, 10.0), (10, 16.0), (16, 22.0)]) == pytest.approx(1.0)
    assert slope([(0, 0.0), (1, 2.0), (2, 2.0)]) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="two places"):
        slope([(3, 1.0), (3, 2.0)])
