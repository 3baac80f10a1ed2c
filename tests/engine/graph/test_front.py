"""Fronts that are rewritten, against themselves before."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.front import rewrite_front
from tests.engine.graph.fronts import check_equal_fronts, front_of, piece
from tests.engine.models.originals import NAMES


@pytest.mark.parametrize("noise_w", [0.0, 0.8, 3.0])
@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same(name: str, noise_w: float) -> None:
    for seed, ids in enumerate((2, 3, 4, 5, 6, 9, 40, 120)):
        check_equal_fronts(name, [piece(name, ids, seed, noise_w)])


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same_at_all_speeds(name: str) -> None:
    for seed, scale in enumerate((0.3, 1.7, 4.0)):
        check_equal_fronts(name, [piece(name, 21, seed, 0.8, scale)])


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same_for_a_batch_of_mixed_lengths(name: str) -> None:
    check_equal_fronts(name, [piece(name, ids, ids, 0.8) for ids in (20, 3, 61, 40)])


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(NAMES),
    lengths=st.lists(st.integers(2, 50), min_size=1, max_size=4),
    noise_w=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    seed=st.integers(0, 1000),
)
def test_it_gives_the_same_whatever_is_said(name: str, lengths: list[int], noise_w: float, seed: int) -> None:
    check_equal_fronts(name, [piece(name, ids, seed + i, noise_w) for i, ids in enumerate(lengths)])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_the_old_attention_and_norms_stays(name: str) -> None:
    before = Counter(node.op_type for node in front_of(name).graph.node)
    after = Counter(node.op_type for node in rewrite_front(front_of(name)).graph.node)
    assert before["ReduceMean"] > 0 and before["Erf"] > 0
    assert after["ReduceMean"] == after["Erf"] == 0
    assert after["Softmax"] == before["Softmax"]
