"""What of a graph is known before it runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
from onnx import ModelProto, TensorProto, helper, numpy_helper

Array = npt.NDArray[Any]


def made_from(model: ModelProto, sources: Iterable[str]) -> set[str]:
    """All tensors that depend on any of `sources`, these included."""
    found = set(sources)
    for node in model.graph.node:
        if not found.isdisjoint(node.input):
            found.update(node.output)
    return found


def constants(model: ModelProto) -> dict[str, Array]:
    """The value of every tensor that depends on no input of the graph, computed once by ONNX Runtime."""
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    inputs = {info.name for info in model.graph.input} - known.keys()
    varying = made_from(model, inputs)
    nodes = [node for node in model.graph.node if varying.isdisjoint(node.output)]
    if not nodes:
        return known
    outputs = [name for node in nodes for name in node.output if name]
    read = {name for node in nodes for name in node.input}
    graph = helper.make_graph(
        nodes,
        "constants",
        [],
        [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in outputs],
        [tensor for tensor in model.graph.initializer if tensor.name in read],
    )
    for info in graph.output:
        info.ClearField("type")  # ONNX Runtime finds the types by itself
    part = helper.make_model(graph, opset_imports=list(model.opset_import))
    part.ir_version = model.ir_version
    options = ort.SessionOptions()
    options.log_severity_level = 3
    session = ort.InferenceSession(part.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = session.run(outputs, {})
    return known | {name: np.asarray(value) for name, value in zip(outputs, values, strict=True)}
