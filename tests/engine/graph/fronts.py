"""Fronts of real voices, and what they give for pieces of random ids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import onnx
import onnxruntime as ort
from onnx import ModelProto

from engine.graph.front import rewrite_front
from engine.graph.split import split
from engine.models.model import Prior
from engine.models.sessions import open_session
from engine.models.vits import priors_of
from engine.types import Piece
from tests.engine.models.originals import path_of, speakers

CLOSE = 3e-5
"""Between priors; sums in another order, which a sentence alone and the same one in a batch are, too, differ by so
much."""


@cache
def front_of(name: str) -> ModelProto:
    return split(onnx.load(str(path_of(name)))).front


@cache
def rewritten(name: str, block: int) -> ModelProto:
    return rewrite_front(front_of(name), block)


@cache
def sessions(name: str, block: int) -> tuple[ort.InferenceSession, ort.InferenceSession]:
    """As it was exported, and rewritten."""
    return open_session(front_of(name)), open_session(rewritten(name, block))


def open_as_it_is(model: ModelProto) -> ort.InferenceSession:
    """Without what ONNX Runtime does to a graph before it runs it."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def piece(name: str, ids: int, seed: int, noise_w: float, length_scale: float = 1.0) -> Piece:
    dice = np.random.default_rng(seed)
    drawn = (1, *(0 if i % 2 else int(dice.integers(3, 120)) for i in range(ids - 2)), 2)
    all_speakers = speakers(name)
    return Piece(drawn, all_speakers[seed % len(all_speakers)], length_scale, 1.0, noise_w, seed)


def check_same(before: Sequence[Prior], after: Sequence[Prior]) -> None:
    for old, new in zip(before, after, strict=True):
        assert old.durations.tolist() == new.durations.tolist()
        np.testing.assert_allclose(new.z_p, old.z_p, rtol=0, atol=CLOSE)


def check_equal_fronts(name: str, pieces: Sequence[Piece], block: int = 1) -> None:
    before, after = sessions(name, block)
    check_same(priors_of(before, pieces), priors_of(after, pieces))
