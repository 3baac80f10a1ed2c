"""Fronts that are rewritten, against themselves before."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import ModelProto

from engine.graph.blocks import block_of_channels
from engine.graph.front import FORMS, rewrite_front
from engine.graph.rows import Form, Forms
from engine.models.vits import priors_of
from tests.engine.graph.fronts import (
    check_equal_fronts,
    check_same,
    front_of,
    open_as_it_is,
    piece,
    rewritten,
    sessions,
)
from tests.engine.models.originals import NAMES

LENGTHS = (2, 3, 4, 5, 6, 9, 40, 120)  # some shorter than the attention sees to each side
BLOCK = block_of_channels()


def operations(name: str, block: int = BLOCK) -> Counter[str]:
    return Counter(node.op_type for node in rewritten(name, block).graph.node)


EACH = [*FORMS.heavy, *FORMS.light]


def name_of(form: Form) -> str:
    return getattr(form, "__name__", "")


def less(form: Form) -> Forms:
    return Forms(*(tuple(other for other in some if other is not form) for some in (FORMS.heavy, FORMS.light)))


def check_same_as_before(name: str, model: ModelProto) -> None:
    """As the nodes stand there: what ONNX Runtime makes of them takes longer than to rewrite them."""
    before, _ = sessions(name, BLOCK)
    pieces = [piece(name, ids, ids, 0.8) for ids in (20, 3)]
    check_same(priors_of(before, pieces), priors_of(open_as_it_is(model), pieces))


@pytest.mark.parametrize("noise_w", [0.0, 0.8, 3.0])
@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same(name: str, noise_w: float) -> None:
    for seed, ids in enumerate(LENGTHS):
        check_equal_fronts(name, [piece(name, ids, seed, noise_w)], BLOCK)


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same_at_all_speeds(name: str) -> None:
    for seed, scale in enumerate((0.0, 0.3, 1.7, 4.0)):
        check_equal_fronts(name, [piece(name, 21, seed, 0.8, scale)], BLOCK)


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_the_same_for_a_batch_of_mixed_lengths(name: str) -> None:
    check_equal_fronts(name, [piece(name, ids, ids, 0.8) for ids in (20, 3, 61, 40)], BLOCK)


@pytest.mark.parametrize("name", ["joe", "tiny_high_4"])
def test_it_gives_the_same_where_nothing_runs_in_blocks(name: str) -> None:
    assert "ReorderInput" not in operations(name, 1)
    check_equal_fronts(name, [piece(name, ids, ids, 0.8) for ids in (20, 3, 61)], 1)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(NAMES),
    lengths=st.lists(st.integers(2, 50), min_size=1, max_size=4),
    noise_w=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    seed=st.integers(0, 1000),
)
def test_it_gives_the_same_whatever_is_said(name: str, lengths: list[int], noise_w: float, seed: int) -> None:
    check_equal_fronts(name, [piece(name, ids, seed + i, noise_w) for i, ids in enumerate(lengths)], BLOCK)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_of_a_batch_is_what_it_is_alone(name: str) -> None:
    _, after = sessions(name, BLOCK)
    pieces = [piece(name, ids, ids, 0.8) for ids in (7, 60, 33)]
    check_same([priors_of(after, [one])[0] for one in pieces], priors_of(after, pieces))


@pytest.mark.parametrize("name", NAMES)
def test_few_nodes_stay_and_hardly_a_shape(name: str) -> None:
    before = Counter(node.op_type for node in front_of(name).graph.node if node.op_type != "Constant")
    after = operations(name)
    assert after.total() < 0.55 * before.total()
    assert before["Shape"] > 100 and after["Shape"] <= 2
    assert after["Where"] == 3  # of the splines' tails
    for gone in ("ScatterND", "NonZero", "Expand"):
        assert before[gone] > 5 and after[gone] == 0


@pytest.mark.parametrize("form", EACH, ids=name_of)
def test_each_form_alone_gives_the_same(form: Form) -> None:
    """All others stay as they were, with rows turned to channels and back where the one begins and ends."""
    after = rewrite_front(front_of("tiny_low_4"), BLOCK, Forms((form,)))
    check_same_as_before("tiny_low_4", after)


@pytest.mark.parametrize("form", EACH, ids=name_of)
def test_a_form_less_gives_the_same(form: Form) -> None:
    model = rewrite_front(front_of("joe"), BLOCK, less(form))
    check_same_as_before("joe", model)
    if name_of(form) in ("attention", "lasting", "spline"):
        assert len(model.graph.node) > len(rewritten("joe", BLOCK).graph.node)


def test_without_forms_all_stays_as_it_was() -> None:
    front = front_of("tiny_low_1")
    same = rewrite_front(front, 1, Forms())
    kept = [node.op_type for node in front.graph.node if node.op_type != "Constant"]
    assert sum(node.op_type == "ScatterND" for node in same.graph.node) == kept.count("ScatterND")
    assert len(same.graph.node) <= len(kept)
