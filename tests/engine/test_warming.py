"""What is measured of a voice before it speaks for anybody."""

from __future__ import annotations

from dataclasses import replace

from engine.types import Piece
from engine.warming import shape_of
from tests.fakes import FakeModel, fake_voice


def test_loudness_is_measured_in_steps_no_longer_than_those_of_listeners() -> None:
    model = FakeModel(lag=5)
    shape_of(replace(fake_voice(model), shape=None), [Piece(tuple(range(1, 200)), None, 1.0, 0.0, 0.0, 0)])
    steps = [frames for step in model.steps for _, frames in step]
    assert len(steps) > 2
    assert max(steps) <= 5 + 32
