"""Voices as their exporters left them, run whole by ONNX Runtime alone: what every other way must sound like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort

from engine.graph.store import GraphStore
from engine.models.loading import load_vits
from engine.models.model import Decoding, Model, Prior
from engine.types import Piece, Wave
from engine.voices import find_voices
from tests.engine.toy import folder_that_is_empty

TINY = Path(__file__).parents[2] / "voices"
NAMES = ("joe", "tiny_low_1", "tiny_low_4", "tiny_medium_1", "tiny_medium_4", "tiny_high_1", "tiny_high_4")


def path_of(name: str) -> Path:
    return find_voices(folder_that_is_empty())[0][0].model if name == "joe" else TINY / f"{name}.onnx"


def load(name: str) -> Model:
    return load_vits(path_of(name), name, GraphStore(None))


def speakers(name: str) -> list[int | None]:
    return [0, 1, 3] if name.endswith("_4") else [None]


class Original:
    """`speak` runs the untouched file, without noise; `speak_with_noise` a copy whose noise comes from outside."""

    def __init__(self, name: str) -> None:
        path = path_of(name)
        options = ort.SessionOptions()
        options.log_severity_level = 3
        self._untouched = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        copy = onnx.load(str(path))
        dice = [node for node in copy.graph.node if node.op_type == "RandomNormalLike"]
        for node in dice:
            copy.graph.node.remove(node)
            shape = [None, None, None]
            copy.graph.input.append(onnx.helper.make_tensor_value_info(node.output[0], onnx.TensorProto.FLOAT, shape))
        self._noise = [node.output[0] for node in dice]  # of the durations, of the prior
        self._noisy = ort.InferenceSession(copy.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def speak(self, piece: Piece) -> Wave:
        assert piece.noise_scale == piece.noise_w == 0
        return self._run(self._untouched, piece, {})

    def speak_with_noise(self, piece: Piece, prior: Prior) -> Wave:
        """With the noise of the piece's seed; `prior` tells how much of it there is."""
        dice = np.random.Generator(np.random.PCG64(piece.seed))
        durations = dice.standard_normal((1, 2, len(piece.ids)), np.float32)
        noise = dice.standard_normal((1, *prior.z_p.shape), np.float32)
        return self._run(self._noisy, piece, dict(zip(self._noise, (durations, noise), strict=True)))

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


def in_steps(model: Model, prior: Prior, sizes: list[int]) -> Wave:
    """All of a piece; the last size again and again."""
    decoding, waves = Decoding(prior), list[Wave]()
    while not decoding.done:
        ((wave, decoding),) = model.decode([decoding], sizes[min(len(waves), len(sizes) - 1)])
        waves.append(wave)
    return np.concatenate(waves)
