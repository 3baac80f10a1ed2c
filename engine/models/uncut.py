"""A VITS that cannot be cut: the graph as it was exported, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, helper

from engine.graph.split import DURATIONS, IDS, LENGTHS, SCALES, SPEAKER, Uncuttable
from engine.models.costs import line_through, seconds_of
from engine.models.model import Decoding, Prior
from engine.models.sessions import Feed, open_session, run
from engine.models.trial import TRIAL_LENGTHS, trial_piece
from engine.types import Cost, Costs, Piece, Wave

_HOP = 256  # samples a frame where the graph does not tell


class UncutVits:
    """The front makes the whole sound of a piece, and each step of its decoding hands all of it on.

    Its noise is drawn inside the graph, so the same text sounds a little different each time. `hop` samples of sound
    stand in each column of a prior's `z_p`.
    """

    lag = 0

    def __init__(self, model: ModelProto, whole: str) -> None:
        """Raises Uncuttable for a graph that does not take what a VITS takes."""
        inputs = {info.name for info in model.graph.input} - {tensor.name for tensor in model.graph.initializer}
        if missing := {IDS, LENGTHS, SCALES} - inputs:
            raise Uncuttable(f"no input named {', '.join(sorted(missing))}")
        if strangers := inputs - {IDS, LENGTHS, SCALES, SPEAKER}:
            raise Uncuttable(f"it needs the input {', '.join(sorted(strangers))}")
        self.whole = whole
        self._samples = model.graph.output[0].name
        model, self._outputs = _with_durations(model)
        self._session = open_session(model)
        self.hop = _HOP
        (prior,) = self.front([trial_piece(TRIAL_LENGTHS[0])])
        if DURATIONS in self._outputs:
            self.hop = max(1, prior.z_p.size // int(prior.durations.sum()))
        self._costs = Costs(front=Cost(0.05, 0.003), first=Cost(0.0, 0.0), decode=Cost(0.0, 0.0))

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        return [self._speak(piece) for piece in pieces]

    def decode(self, decodings: Sequence[Decoding], frames: int) -> list[tuple[Wave, Decoding]]:
        if any(decoding.done for decoding in decodings):
            raise ValueError("a decoding is done")
        return [(d.prior.z_p.T.reshape(-1), Decoding(d.prior, d.prior.frames)) for d in decodings]

    def warm_up(self) -> None:
        few, many = TRIAL_LENGTHS[0], TRIAL_LENGTHS[2]
        taken = [seconds_of(partial(self.front, [trial_piece(n)])) for n in (few, many)]
        base_s, each_s = line_through(few, taken[0], many, taken[1])
        self._costs = Costs(Cost(0.0, each_s, base_s), self._costs.first, self._costs.decode)

    def costs(self) -> Costs:
        return self._costs

    def _speak(self, piece: Piece) -> Prior:
        feed: Feed = {
            IDS: np.array([piece.ids], np.int64),
            LENGTHS: np.array([len(piece.ids)], np.int64),
            SCALES: np.array([piece.noise_scale, piece.length_scale, piece.noise_w], np.float32),
            SPEAKER: np.array([piece.speaker or 0], np.int64),
        }
        samples, *durations = run(self._session, self._outputs, feed)
        wave = samples.reshape(-1)
        frames = max(1, -(-wave.size // self.hop))
        z_p = np.zeros((frames, self.hop), np.float32)
        z_p.reshape(-1)[: wave.size] = wave
        counts = durations[0].reshape(-1).astype(np.int64) if durations else _even(frames, len(piece.ids))
        return Prior(z_p.T, counts, piece.speaker)


def _with_durations(model: ModelProto) -> tuple[ModelProto, list[str]]:
    """The graph with the durations of its ids for a second output, where it rounds up just one tensor."""
    samples = model.graph.output[0].name
    rounded = [node.output[0] for node in model.graph.node if node.op_type == "Ceil"]
    if len(rounded) != 1:
        return model, [samples]
    copy = ModelProto()
    copy.CopyFrom(model)
    copy.graph.node.append(helper.make_node("Identity", rounded, [DURATIONS]))
    copy.graph.output.append(helper.make_tensor_value_info(DURATIONS, TensorProto.FLOAT, None))
    return copy, [samples, DURATIONS]


def _even(frames: int, ids: int) -> npt.NDArray[np.int64]:
    """So many frames shared out among ids."""
    return np.diff(np.arange(ids + 1, dtype=np.int64) * frames // ids)
