"""The arithmetic limit: what a voice's graph must multiply, and how fast this machine multiplies."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
from onnx import AttributeProto, GraphProto, NodeProto, helper

UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""They make OpenBLAS take slower kernels, or other blocks, than this processor is worth."""

Shape = tuple[int, ...]
_COUNTED = {"Conv", "ConvTranspose", "MatMul", "Gemm"}
_SGEMM = """
import json, os, sys, time
import numpy as np
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {int(sys.argv[1])})
n, until = 768, time.perf_counter() + float(sys.argv[2])
a, b = np.ones((n, n), np.float32), np.ones((n, n), np.float32)
a @ b
best = []
while time.perf_counter() < until:
    began = time.perf_counter()
    for _ in range(4):
        a @ b
    best.append(4 * 2 * n**3 / (time.perf_counter() - began) / 1e9)
print(json.dumps(sorted(best)[len(best) // 2]))
"""


def flops(node: NodeProto, inputs: Sequence[Shape], output: Shape) -> int:
    """Two a multiplication with its addition; 0 for what is no matrix or convolution.

    Conv: each output sample takes (input channels / groups) * kernel products, which is the size of a filter.
    ConvTranspose: each input sample gives that many to (output channels / groups) * kernel samples.
    """
    match node.op_type:
        case "Conv":
            return 2 * math.prod(output) * math.prod(inputs[1][1:])
        case "ConvTranspose":
            return 2 * math.prod(inputs[0]) * math.prod(inputs[1][1:])
        case "MatMul":
            return 2 * math.prod(output) * inputs[0][-1]
        case "Gemm":
            turned = any(a.name == "transA" and a.i for a in node.attribute)
            return 2 * math.prod(output) * inputs[0][0 if turned else -1]
        case _:
            return 0


@dataclass(frozen=True, slots=True)
class Work:
    """What a graph multiplied in one run."""

    flops: int
    output: Shape  # of the graph's first output


def count(path: Path, feed: Mapping[str, npt.NDArray[Any]]) -> Work:
    """Run a model with every counted node's operands laid open, and add up what their shapes take.

    Raises ValueError where such a node hides inside a branch or a loop.
    """
    model = onnx.load(str(path))
    graph = model.graph
    if any(node.op_type in _COUNTED for node in _inner(graph)):
        raise ValueError("the graph multiplies inside a branch, where it cannot be counted")
    first = graph.output[0].name
    counted = [node for node in graph.node if node.op_type in _COUNTED]
    known = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    known |= {name: value.shape for name, value in feed.items()}
    names = {name for node in counted for name in (*node.input[:2], node.output[0])} - set(known) - {first}
    graph.output.extend(helper.make_empty_tensor_value_info(name) for name in sorted(names))
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    outputs = [output.name for output in session.get_outputs()]
    known |= {name: np.shape(value) for name, value in zip(outputs, session.run(outputs, feed), strict=True)}
    total = sum(flops(n, [known[i] for i in n.input[:2]], known[n.output[0]]) for n in counted)
    return Work(total, known[first])


def _inner(graph: GraphProto) -> Iterator[NodeProto]:
    """Nodes of the graphs inside `graph`, at any depth."""
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from attribute.g.node
                yield from _inner(attribute.g)


def sgemm_gflops(cores: Sequence[int], seconds: float = 1.0) -> list[float]:
    """GFLOP/s of numpy's single-precision product of 768 x 768 matrices, one thread on each of `cores` at once.

    The median of a process of its own for each, without the variables in UNSET.
    """
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    environment |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-c", _SGEMM]
    running = [
        subprocess.Popen([*command, str(core), str(seconds)], env=environment, stdout=subprocess.PIPE) for core in cores
    ]
    return [float(json.loads(process.communicate()[0])) for process in running]
