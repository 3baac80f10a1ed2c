"""ONNX Runtime as all models use it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy.typing as npt
import onnxruntime as ort
from onnx import ModelProto

Feed = Mapping[str, npt.NDArray[Any]]


_REGION_BYTES = 32 * 2**20  # the first one's, the next ones are larger; what is not touched of them costs nothing
_SPLIT_BYTES = 4096  # a free block is given whole where no more than this is left of it: by default, 128 MB


def open_session(model: ModelProto | bytes, *, short: bool = False) -> ort.InferenceSession:
    """A session of one thread, which all model threads share: `run` may be called by several at once.

    `short`: its runs need a bounded amount of memory, a step's and never a sentence's. Those of all such sessions share
    what they work in, which is kept: steps follow each other at once, and pages that go to the system and come back
    make them a third slower. What a run returns is to be copied or dropped before long, for it lies in there.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1  # the engine's threads are the parallelism; more here makes all of them slower
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps the most that a long sentence ever took, once a session
    if short:
        _share_short_runs()
        options.enable_mem_pattern = False  # one block a run: between two of another size none fits
        options.add_session_config_entry("session.use_env_allocators", "1")
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])


@cache  # ONNX Runtime has one for the process, and takes it once
def _share_short_runs() -> None:
    arena = {
        "initial_chunk_size_bytes": _REGION_BYTES,
        "max_dead_bytes_per_chunk": _SPLIT_BYTES,
        "arena_extend_strategy": 0,  # each region twice the one before
    }
    where = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    ort.create_and_register_allocator(where, ort.OrtArenaCfg(arena))


def run(session: ort.InferenceSession, outputs: list[str], feed: Feed) -> list[npt.NDArray[Any]]:
    """Give the session what it takes of `feed`: a voice may have one speaker, or durations that are not drawn."""
    made: list[npt.NDArray[Any]] = session.run(outputs, {i.name: feed[i.name] for i in session.get_inputs()})
    return made
