"""Voices as their exporters left them, run whole by ONNX Runtime alone: what every other way must sound like."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort

from engine.models.loading import load_vits
from engine.models.model import Decoding, Model, Prior
from engine.types import Piece, Wave
from engine.voices import find_voices
from tests.engine.toy import folder_that_is_empty
from tests.graphs import graph_store

TINY = Path(__file__).parents[2] / "voices"
NAMES = ("joe", "tiny_low_1", "tiny_low_4", "tiny_medium_1", "tiny_medium_4", "tiny_high_1", "tiny_high_4")


def path_of(name: str) -> Path:
    return find_voices(folder_that_is_empty())[0][0].model if name == "joe" else TINY / f"{name}.onnx"


def load(name: str) -> Model:
    return load_vits(path_of(name), name, graph_store())


def speakers(name: str) -> list[int | None]:
    return [0, 1, 3] if name.endswith("_4") else [None]


class Original:
    """`speak` runs the untouched file, without noise; `speak_with_noise` a copy whose noise comes from outside."""

    def __init__(self, name: str) -> None:
        self._path = path_of(name)
        self._options = ort.SessionOptions()
        self._options.log_severity_level = 3
        self._options.intra_op_num_threads = 1  # more of them wait for each other by turning round

    @cached_property
    def _untouched(self) -> ort.InferenceSession:
        return ort.InferenceSession(str(self._path), self._options, providers=["CPUExecutionProvider"])

    @cached_property
    def _noisy(self) -> tuple[ort.InferenceSession, list[str]]:
        """With the names of the noise of the durations and of the prior."""
        copy = onnx.load(str(self._path))
        dice = [node for node in copy.graph.node if node.op_type == "RandomNormalLike"]
        for node in dice:
            copy.graph.node.remove(node)
            shape = [None, None, None]
            copy.graph.input.append(onnx.helper.make_tensor_value_info(node.output[0], onnx.TensorProto.FLOAT, shape))
        session = ort.InferenceSession(copy.SerializeToString(), self._options, providers=["CPUExecutionProvider"])
        return session, [node.output[0] for node in dice]

    def speak(self, piece: Piece) -> Wave:
        assert piece.noise_scale == piece.noise_w == 0
        return self._run(self._untouched, piece, {})

    def speak_with_noise(self, piece: Piece, prior: Prior) -> Wave:
        """With the noise of the piece's seed; `prior` tells how much of it there is."""
        dice = np.random.Generator(np.random.PCG64(piece.seed))
        durations = dice.standard_normal((1, 2, len(piece.ids)), np.float32)
        noise = dice.standard_normal((1, *prior.z_p.shape), np.float32)
        session, names = self._noisy
        return self._run(session, piece, dict(zip(names, (durations, noise), strict=True)))

    def _run(self, session: ort.InferenceSession, piece: Piece, noise: dict[str, Wave]) -> Wave:
        feed = {
            "input": np.array([piece.ids], np.int64),
            "input_lengths": np.array([len(piece.ids)], np.int64),
            "scales": np.array([piece.noise_scale, piece.length_scale, piece.noise_w], np.float32),
            **noise,
        }
        if piece.speaker is not None:
            feed["sid"] = np.array([piece.speaker], np.int64)
        wave: Wave = session.run(None, feed)[0].reshape(-1)
        return wave


@cache
def original(name: str) -> Original:
    return Original(name)


def in_steps(model: Model, prior: Prior, sizes: list[int]) -> Wave:
    """All of a piece; the last size again and again."""
    decoding, waves = Decoding(prior), list[Wave]()
    while not decoding.done:
        ((wave, decoding),) = model.decode([decoding], sizes[min(len(waves), len(sizes) - 1)])
        waves.append(wave)
    return np.concatenate(waves)
