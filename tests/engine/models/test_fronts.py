"""A front is served rewritten if that gives the same, else as it was."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper

from engine.graph.blocks import block_of_channels
from engine.graph.front import rewrite_front
from engine.graph.split import DURATIONS, MEAN
from engine.models import fronts
from engine.models.fronts import fast_front
from tests.engine.graph.fronts import front_of

NAME = "tiny_low_1"


def rewritten_and(change: Callable[[ModelProto], None]) -> Callable[[ModelProto, int], ModelProto]:
    def make(front: ModelProto, block: int) -> ModelProto:
        model = rewrite_front(front, block)
        change(model)
        return model

    return make


def with_more(output: str, more: float) -> Callable[[ModelProto], None]:
    def change(model: ModelProto) -> None:
        node = next(node for node in model.graph.node if output in node.output)
        node.output[0] = "less"
        model.graph.initializer.append(numpy_helper.from_array(np.array(more, np.float32), "more"))
        model.graph.node.append(helper.make_node("Add", ["less", "more"], [output]))

    return change


def without_nodes(model: ModelProto) -> None:
    del model.graph.node[:]


def test_a_front_is_rewritten(caplog: pytest.LogCaptureFixture) -> None:
    assert fast_front(front_of(NAME)) == rewrite_front(front_of(NAME), block_of_channels())
    assert not caplog.text


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (with_more(DURATIONS, 1.0), "its durations are others"),
        (with_more(MEAN, 0.001), "its priors are others"),
        (without_nodes, "it does not run"),
    ],
)
def test_one_that_gives_something_else_stays_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    change: Callable[[ModelProto], None],
    reason: str,
) -> None:
    monkeypatch.setattr(fronts, "rewrite_front", rewritten_and(change))
    with caplog.at_level(logging.WARNING):
        assert fast_front(front_of(NAME)) is front_of(NAME)
    assert reason in caplog.text
