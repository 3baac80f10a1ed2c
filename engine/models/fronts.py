"""The faster of the two fronts that a voice can have, if it gives the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import onnxruntime as ort
from onnx import ModelProto

from engine.graph.blocks import block_of_channels
from engine.graph.front import rewrite_front
from engine.models.sessions import open_session
from engine.models.trial import trial_piece
from engine.models.vits import priors_of
from engine.types import Piece

_TOLERANCE = 5e-5  # of the priors, which lie between -5 and 5 mostly; a longer sum in another order comes to 1e-5
_BATCHES = ((3,), (64,), (17, 40, 6))  # ids of the pieces
_NOISES_W = (0.0, 0.8, 3.0)  # the last one is beyond the ends of the splines at times
_log = logging.getLogger(__name__)


def fast_front(front: ModelProto) -> ModelProto:
    """`front` rewritten and tried, or as it is where that fails, with the reason in the log."""
    try:
        rewritten = rewrite_front(front, block_of_channels())
        difference = _difference(open_session(front), open_session(rewritten))
    except Exception as error:  # noqa: BLE001 - of ONNX Runtime, whose errors share no base, on graphs of any kind
        difference = f"it does not run: {error}"
    if difference:
        _log.warning("a front stays as it was exported, which is slower; rewritten, %s", difference)
        return front
    return rewritten


def _difference(before: ort.InferenceSession, after: ort.InferenceSession) -> str:
    """What is not the same; empty if all is."""
    for pieces in _trials():
        for old, new in zip(priors_of(before, pieces), priors_of(after, pieces), strict=True):
            if not np.array_equal(old.durations, new.durations):
                return "its durations are others"
            if not np.allclose(old.z_p, new.z_p, rtol=0, atol=_TOLERANCE):
                return "its priors are others"
    return ""


def _trials() -> Sequence[Sequence[Piece]]:
    return [
        [replace(trial_piece(ids), noise_scale=1.0, noise_w=noise_w, seed=ids) for ids in batch]
        for batch in _BATCHES
        for noise_w in _NOISES_W
    ]
