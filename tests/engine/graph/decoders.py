"""Decoders of any shape with random weights, as `split` would give them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from engine.graph.split import MASK, PRIOR, SAMPLES, SPEAKER

SPEAKERS = 3


@dataclass(frozen=True)
class Shape:
    """`ups`: kernel and stride of each upsampling. `blocks`: kernel and dilations of each residual block of a stage."""

    ups: tuple[tuple[int, int], ...] = ((16, 8), (4, 2))
    blocks: tuple[tuple[int, tuple[int, ...]], ...] = ((3, (1, 2)), (5, (2, 6)))
    kind: int = 2  # of the residual blocks: with 1, each dilated convolution is followed by one that is not
    flows: int = 2
    width: int = 8  # channels that the upsampling begins with
    speakers: bool = False
    channels: int = 4  # of the prior

    def wide(self, block: int) -> Shape:
        """The same with enough channels for blocks everywhere."""
        return replace(self, channels=2 * block, width=block * 2 ** len(self.ups))


class Builder:
    """Nodes with names that say nothing."""

    def __init__(self, seed: int = 0) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.dice = np.random.Generator(np.random.PCG64(seed))

    def add(self, op: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        names = [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, **attributes))
        return names[0]

    def constant(self, value: Any, dtype: Any = np.float32) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def weight(self, *shape: int, fan: float) -> str:
        return self.constant(self.dice.standard_normal(shape) / math.sqrt(fan))

    def conv(self, x: str, inside: int, out: int, taps: int = 1, dilation: int = 1) -> str:
        weight, bias = self.weight(out, inside, taps, fan=inside * taps), self.weight(out, fan=10)
        pad = (taps - 1) * dilation // 2
        return self.add("Conv", x, weight, bias, pads=[pad, pad], dilations=[dilation], kernel_shape=[taps])

    def up(self, x: str, inside: int, out: int, taps: int, stride: int) -> str:
        weight = self.weight(inside, out, taps, fan=inside * taps / stride)
        pad = (taps - stride) // 2
        return self.add("ConvTranspose", x, weight, pads=[pad, taps - stride - pad], strides=[stride])

    def channels(self, x: str, begin: int, end: int, step: int = 1) -> str:
        ints = [self.constant([i], np.int64) for i in (begin, end, 1, step)]
        return self.add("Slice", x, *ints)

    def leaky(self, x: str) -> str:
        return self.add("LeakyRelu", x, alpha=0.1)


def decoder(shape: Shape) -> onnx.ModelProto:
    b = Builder()
    speaker = ""
    if shape.speakers:
        table = b.constant(b.dice.standard_normal((SPEAKERS, shape.channels)))
        speaker = b.add("Unsqueeze", b.add("Gather", table, SPEAKER), b.constant([2], np.int64))
    x = PRIOR
    for _ in range(shape.flows):
        x = _flow(b, x, speaker, shape.channels)
    x = b.conv(b.add("Mul", x, MASK), shape.channels, shape.width, 7)
    if speaker:
        x = b.add("Add", x, b.conv(speaker, shape.channels, shape.width))
    width = shape.width
    for taps, stride in shape.ups:
        x = b.up(b.leaky(x), width, max(1, width // 2), taps, stride)
        width = max(1, width // 2)
        x = _stage(b, x, width, shape)
    b.nodes.append(helper.make_node("Tanh", [b.conv(b.leaky(x), width, 1, 7)], [SAMPLES]))
    return model(b, shape.channels, shape.speakers)


def model(b: Builder, channels: int, speakers: bool = False) -> onnx.ModelProto:
    info = helper.make_tensor_value_info
    inputs = [
        info(PRIOR, TensorProto.FLOAT, ["B", channels, "F"]),
        info(MASK, TensorProto.FLOAT, ["B", 1, "F"]),
        *([info(SPEAKER, TensorProto.INT64, ["B"])] if speakers else []),
    ]
    graph = helper.make_graph(b.nodes, "g", inputs, [info(SAMPLES, TensorProto.FLOAT, None)], b.weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)])
    made.ir_version = 8
    return made


def _flow(b: Builder, x: str, speaker: str, channels: int) -> str:
    """A flip and a coupling layer with two gated convolutions."""
    half = channels // 2
    x = b.channels(x, -1, -(2**62), -1)
    kept = b.add("Split", x, b.constant([half, half], np.int64), outputs=2, axis=1)
    changed = f"{kept[:-1]}1"
    h = b.add("Mul", b.conv(kept, half, channels), MASK)
    zeros = b.add("ConstantOfShape", b.add("Shape", h))
    skipped = zeros
    for _ in range(2):
        gates = b.conv(h, channels, 2 * channels, 5)
        if speaker:
            gates = b.add("Add", gates, b.conv(speaker, channels, 2 * channels))
        tanh = b.add("Tanh", b.channels(gates, 0, channels))
        acts = b.add("Mul", tanh, b.add("Sigmoid", b.channels(gates, channels, 2**62)))
        both = b.conv(acts, channels, 2 * channels)
        h = b.add("Mul", b.add("Add", h, b.channels(both, 0, channels)), MASK)
        skipped = b.add("Add", skipped, b.channels(both, channels, 2**62))
    mean = b.add("Mul", b.conv(skipped, channels, half), MASK)
    scale = b.add("Exp", b.add("Neg", b.add("ConstantOfShape", b.add("Shape", mean))))
    moved = b.add("Mul", b.add("Mul", b.add("Sub", changed, mean), scale), MASK)
    return b.add("Concat", kept, moved, axis=1)


def _stage(b: Builder, x: str, width: int, shape: Shape) -> str:
    """The residual blocks of a stage, and their mean."""
    sums = ""
    for taps, dilations in shape.blocks:
        at = x
        for dilation in dilations:
            h = b.conv(b.leaky(at), width, width, taps, dilation)
            if shape.kind == 1:
                h = b.conv(b.leaky(h), width, width, taps)
            at = b.add("Add", h, at)
        sums = b.add("Add", sums, at) if sums else at
    return b.add("Div", sums, b.constant(float(len(shape.blocks))))
