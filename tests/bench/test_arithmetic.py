"""Multiplications counted from a graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from bench.arithmetic import count, flops

Array = npt.NDArray[Any]


def saved(folder: Path, nodes: Sequence[onnx.NodeProto], weights: dict[str, Array]) -> Path:
    """A model x -> y of one input."""
    held = [numpy_helper.from_array(weight, name) for name, weight in weights.items()]
    shapes = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y"))
    given, made = shapes
    graph = helper.make_graph(list(nodes), "tiny", [given], [made], held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / "tiny.onnx"
    onnx.save(model, path)
    return path


def ones(*shape: int) -> Array:
    return np.ones(shape, np.float32)


@pytest.mark.parametrize(
    ("node", "weight", "x", "expected"),
    [
        # 10 - 3 + 1 = 8 samples of 5 channels, each 4 * 3 products
        (helper.make_node("Conv", ["x", "w"], ["y"]), ones(5, 4, 3), ones(1, 4, 10), 2 * 8 * 5 * 4 * 3),
        # in two groups each output channel sees half of the input's
        (helper.make_node("Conv", ["x", "w"], ["y"], group=2), ones(6, 2, 3), ones(1, 4, 10), 2 * 8 * 6 * 2 * 3),
        # a wider step makes fewer samples; a row of the batch costs as much as the other
        (
            helper.make_node("Conv", ["x", "w"], ["y"], strides=[2]),
            ones(5, 4, 3),
            ones(2, 4, 11),
            2 * 2 * 5 * 5 * 4 * 3,
        ),
        # every sample of the input gives to 3 channels * 4 taps
        (
            helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2]),
            ones(4, 3, 4),
            ones(1, 4, 10),
            2 * 4 * 10 * 3 * 4,
        ),
        (helper.make_node("MatMul", ["x", "w"], ["y"]), ones(7, 5), ones(2, 3, 7), 2 * 2 * 3 * 5 * 7),
        (helper.make_node("Gemm", ["x", "w"], ["y"]), ones(7, 5), ones(3, 7), 2 * 3 * 5 * 7),
        (helper.make_node("Gemm", ["x", "w"], ["y"], transA=1), ones(7, 5), ones(7, 3), 2 * 3 * 5 * 7),
    ],
)
def test_one_node(tmp_path: Path, node: onnx.NodeProto, weight: Array, x: Array, expected: int) -> None:
    assert count(saved(tmp_path, [node], {"w": weight}), {"x": x}).flops == expected


def test_nodes_add_up_and_the_rest_is_free(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("MatMul", ["b", "v"], ["y"]),
    ]
    x = ones(3, 7)
    work = count(saved(tmp_path, nodes, {"w": ones(7, 5), "v": ones(5, 2)}), {"x": x})
    assert work.flops == 2 * 3 * 7 * 5 + 2 * 3 * 5 * 2
    assert work.output == (3, 2)


def test_what_hides_in_a_branch_is_refused(tmp_path: Path) -> None:
    inner = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["z"])],
        "then",
        [],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)],
    )
    node = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    path = saved(tmp_path, [node], {"w": ones(7, 5), "c": np.array(True)})
    with pytest.raises(ValueError, match="branch"):
        count(path, {"x": ones(3, 7)})


def test_a_node_that_is_no_product_is_free() -> None:
    assert flops(helper.make_node("Add", ["a", "b"], ["c"]), [(3, 4), (3, 4)], (3, 4)) == 0
