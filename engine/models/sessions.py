"""ONNX Runtime as all models use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt
import onnxruntime as ort
from onnx import ModelProto

Feed = Mapping[str, npt.NDArray[Any]]


def open_session(model: ModelProto | bytes) -> ort.InferenceSession:
    """A session of one thread, which all model threads share: `run` may be called by several at once."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1  # the engine's threads are the parallelism; more here makes all of them slower
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps the most a long sentence ever took, once a thread; and is no faster
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def run(session: ort.InferenceSession, outputs: list[str], feed: Feed) -> list[npt.NDArray[Any]]:
    """Give the session what it takes of `feed`: a voice may have one speaker, or durations that are not drawn."""
    made: list[npt.NDArray[Any]] = session.run(outputs, {i.name: feed[i.name] for i in session.get_inputs()})
    return made
