"""VITS voices as Piper exports them, on ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort

from engine.errors import BrokenVoice
from engine.graph import split as graph
from engine.models.model import Decoding, Prior
from engine.types import Cost, Costs, Piece, Wave

Feed = dict[str, npt.NDArray[Any]]

_WARM_LENGTHS = (16, 48, 96, 160)  # phoneme ids: a word, a short, a usual and a long sentence
_COSTS = Costs(front=Cost(0.013, 0.00022), first=Cost(0.015, 0.0011), decode=Cost(0.001, 0.0011))
_BOS, _PAD, _EOS = 1, 0, 2  # the first ids of every Piper voice


class Vits:
    """One VITS voice, cut in two; see engine/graph/split.py for what each half takes and gives.

    Each half is one session with one thread, shared by all model threads: ONNX Runtime's `run` may be called
    by several threads at once.
    """

    lag = 0
    whole = "its decoder carries no state yet"

    def __init__(self, halves: graph.Halves) -> None:
        self._front = _session(halves.front)
        self._decoder = _session(halves.decoder)
        self.hop = self._measure_hop()

    @classmethod
    def load(cls, path: Path) -> Vits:
        """Read, cut and try the model of a voice; takes a second or so. Raises BrokenVoice."""
        try:
            model = onnx.load(str(path))
        except Exception as error:  # a file of any content
            raise BrokenVoice(f"{path} is not an ONNX model: {error}") from error
        try:
            return cls(graph.split(model))
        except graph.Uncuttable as error:
            raise BrokenVoice(f"{path} is not a VITS model that can be cut: {error}") from error
        except Exception as error:  # ONNX Runtime's errors share no base
            raise BrokenVoice(f"{path} does not run: {error}") from error

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        """Text encoder, durations and prior of a padded batch.

        Each row's noise comes from its own seed and has its own length, so a row does not depend on the others.
        """
        rows, longest = len(pieces), max(len(p.ids) for p in pieces)
        ids = np.zeros((rows, longest), np.int64)
        noise = np.zeros((rows, 2, longest), np.float32)
        dice = [np.random.Generator(np.random.PCG64(p.seed)) for p in pieces]
        for row, piece in enumerate(pieces):
            n = len(piece.ids)
            ids[row, :n] = piece.ids
            noise[row, :, :n] = dice[row].standard_normal((2, n), np.float32) * np.float32(piece.noise_w)
        feed: Feed = {
            graph.IDS: ids,
            graph.LENGTHS: np.array([len(p.ids) for p in pieces], np.int64),
            graph.LENGTH_SCALE: np.array([p.length_scale for p in pieces], np.float32).reshape(rows, 1, 1),
            graph.DURATION_NOISE: noise,
            graph.SPEAKER: np.array([p.speaker or 0 for p in pieces], np.int64),
        }
        durations, means, spreads = _run(self._front, [graph.DURATIONS, graph.MEAN, graph.SPREAD], feed)
        return [_sample(piece, durations[row], means[row], spreads[row], dice[row]) for row, piece in enumerate(pieces)]

    def decode(self, decodings: Sequence[Decoding], frames: int) -> list[tuple[Wave, Decoding]]:
        """Flow and HiFi-GAN of whole pieces, one after another."""
        if any(decoding.done for decoding in decodings):
            raise ValueError("a decoding is done")
        return [(self._decode(d.prior), Decoding(d.prior, d.prior.frames)) for d in decodings]

    def _decode(self, prior: Prior) -> Wave:
        feed: Feed = {
            graph.PRIOR: prior.z_p[None],
            graph.MASK: np.ones((1, 1, prior.frames), np.float32),
            graph.SPEAKER: np.array([prior.speaker or 0], np.int64),
        }
        samples: Wave = _run(self._decoder, [graph.SAMPLES], feed)[0].reshape(-1)
        return samples

    def warm_up(self) -> None:
        for length in _WARM_LENGTHS:
            self._decode(self.front([_test_piece(length)])[0])
        self.front([_test_piece(length) for length in _WARM_LENGTHS[:2]])

    def costs(self) -> Costs:
        return _COSTS

    def _measure_hop(self) -> int:
        prior = self.front([_test_piece(_WARM_LENGTHS[0])])[0]
        hop, rest = divmod(len(self._decode(prior)), prior.frames)
        if hop == 0 or rest:
            raise graph.Uncuttable("the samples are no whole number a frame")
        return hop


def _sample(
    piece: Piece,
    durations: npt.NDArray[np.float32],
    mean: npt.NDArray[np.float32],
    spread: npt.NDArray[np.float32],
    dice: np.random.Generator,
) -> Prior:
    """z_p = mean + noise * spread * noise_scale, cut at the row's own length."""
    counts = durations.reshape(-1)[: len(piece.ids)].astype(np.int64)
    frames = max(1, int(counts.sum()))
    z_p = mean[:, :frames]
    if piece.noise_scale:
        noise = dice.standard_normal(z_p.shape, np.float32)
        z_p = z_p + noise * spread[:, :frames] * np.float32(piece.noise_scale)
    return Prior(np.ascontiguousarray(z_p), counts, piece.speaker)


def _test_piece(length: int) -> Piece:
    ids = (_BOS, *(_PAD if i % 2 else _EOS + i % 8 for i in range(length - 2)), _EOS)
    return Piece(ids, speaker=0, length_scale=1.0, noise_scale=0.0, noise_w=0.0, seed=0)


def _session(model: onnx.ModelProto) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1  # the engine's threads are the parallelism; more here makes all of them slower
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps the most a long sentence ever took, once a thread; and is no faster
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _run(session: ort.InferenceSession, outputs: list[str], feed: Feed) -> list[npt.NDArray[Any]]:
    """Give the session what it takes of `feed`: a voice may have one speaker, or durations that are not drawn."""
    made: list[npt.NDArray[Any]] = session.run(outputs, {i.name: feed[i.name] for i in session.get_inputs()})
    return made
