"""The shapes of a graph's tensors, seen while it runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnxruntime as ort
from onnx import ModelProto, TensorProto, helper

from engine.graph.constants import Array


def shapes(model: ModelProto, feed: Mapping[str, Array]) -> dict[str, tuple[int, ...]]:
    """Of all tensors that nodes make, when the graph's inputs are `feed`."""
    copy = ModelProto()
    copy.CopyFrom(model)
    names = [name for node in model.graph.node for name in node.output if name]
    del copy.graph.output[:]
    for name in names:
        copy.graph.output.append(helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None))
        copy.graph.output[-1].ClearField("type")  # ONNX Runtime finds the types by itself
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(copy.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = session.run(names, {i.name: feed[i.name] for i in session.get_inputs()})
    return {name: np.shape(value) for name, value in zip(names, values, strict=True)}
