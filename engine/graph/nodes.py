"""The nodes and constants of a graph that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper, numpy_helper

BLOCKED_DOMAIN = "com.microsoft.nchwc"
"""ONNX Runtime's own operations on blocked tensors."""

TO_THE_END, TO_THE_BEGIN = 2**62, -(2**62)  # of a slice


class Nodes:
    """Nodes in the order of their work. A tensor that is written already is not written again: its name says all."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, TensorProto] = {}
        self._written: set[str] = set()

    def add(self, op: str, inputs: Sequence[str], out: str, **attributes: Any) -> str:
        if out not in self._written:
            self._written.add(out)
            self.nodes.append(helper.make_node(op, list(inputs), [out], **attributes))
        return out

    def slice(self, x: str, begin: int, end: int, *, axis: int, out: str, step: int = 1) -> str:
        return self.add("Slice", [x, *(self.ints(i) for i in (begin, end, axis, step))], out)

    def reshape(self, x: str, shape: Sequence[int], out: str) -> str:
        return self.add("Reshape", [x, self.ints(*shape)], out)

    def ints(self, *values: int) -> str:
        return self.constant("ints " + " ".join(map(str, values)), np.array(values, np.int64))

    def number(self, value: float) -> str:
        """A float without axes."""
        return self.constant(f"number {value}", np.array(value, np.float32))

    def count(self, value: int) -> str:
        """An integer without axes."""
        return self.constant(f"count {value}", np.array(value, np.int64))

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name
