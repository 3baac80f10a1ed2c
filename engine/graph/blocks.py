"""How many channels ONNX Runtime's convolutions want side by side on this machine."""

from __future__ import annotations

from functools import cache

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

from engine.graph.nodes import BLOCKED_DOMAIN

_CHANNELS = 64  # more than any block has


@cache
def block_of_channels() -> int:
    """8 or 16 on processors for which it has such convolutions, else 1: asked by seeing how it puts channels."""
    info = helper.make_tensor_value_info
    shape = [1, _CHANNELS, 1, 2]
    graph = helper.make_graph(
        [helper.make_node("ReorderInput", ["x"], ["y"], domain=BLOCKED_DOMAIN)],
        "order",
        [info("x", TensorProto.FLOAT, shape)],
        [info("y", TensorProto.FLOAT, shape)],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(BLOCKED_DOMAIN, 1)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = 8
    x = np.arange(2 * _CHANNELS, dtype=np.float32).reshape(shape)
    try:
        session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        order = session.run(None, {"x": x})[0].reshape(-1).tolist()
    except Exception:  # noqa: BLE001 - another ONNX Runtime, without it; its errors share no base
        return 1
    block: int = order.index(1.0)  # the second sample of the first channel comes after all channels of a block
    return block if 1 < block < _CHANNELS and order[1] == 2.0 else 1
