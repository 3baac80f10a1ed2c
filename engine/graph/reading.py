"""Reads a decoder as layers over time, by what its nodes compute, whatever its exporter called them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, helper, numpy_helper

from engine.graph.constants import constants, made_from
from engine.graph.layers import Conv, Join, Layer, Layers, Map, Operand, Pick, Static, Track, Up, Weight, sources
from engine.graph.split import MASK, PRIOR, SAMPLES, SPEAKER, Uncuttable

_Array = npt.NDArray[Any]

_TO_THE_END = 2**31 - 1  # a slice that ends here or later ends with its tensor
_AXES_OF_CHANNELS = (1, -2)
_OF_SIZES = {"Cast", "Concat", "Gather", "Reshape", "Slice", "Squeeze", "Unsqueeze"}


class _Size:
    """A shape that runs in time, or what is computed from one: fit only to say how large a filled tensor is."""


_Value = Track | Static | _Size | float | _Array
"""What a tensor of the decoder is; a float is that number everywhere, as the mask of a single piece is."""

_POINTWISE = {"LeakyRelu", "Relu", "Tanh", "Sigmoid", "Neg", "Exp", "Add", "Sub", "Mul", "Div"}
_OF_NUMBERS: Mapping[str, Callable[..., float]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "Neg": lambda a: -a,
    "Exp": math.exp,
}


def read_layers(decoder: ModelProto, channels: int) -> Layers:
    """The layers of a decoder as `split` gives it, whose prior has so many channels.

    Raises Uncuttable with what in it does not run in steps.
    """
    return _Reader(decoder, channels).read()


class _Reader:
    def __init__(self, decoder: ModelProto, channels: int) -> None:
        timed = made_from(decoder, [PRIOR, MASK])
        self._prior = Track(PRIOR, channels, 1)
        self._nodes = [node for node in decoder.graph.node if not timed.isdisjoint(node.output)]
        self._arrays = constants(decoder)
        self._values: dict[str, _Value] = {n: _number(v) for n, v in self._arrays.items()}
        self._values |= {name: Static(name) for name in made_from(decoder, [SPEAKER]) - timed}
        self._values |= {PRIOR: self._prior, MASK: 1.0}
        self._layers: list[Layer] = []

    def read(self) -> Layers:
        for node in self._nodes:
            self._read(node)
        end = self._values.get(SAMPLES)
        if not isinstance(end, Track) or end.channels != 1:
            raise Uncuttable("the samples do not run in time on one channel")
        return Layers(self._prior, end, _heard(self._layers, end))

    def _read(self, node: NodeProto) -> None:
        """One node; its value becomes known."""
        values = [self._values[name] for name in node.input if name]
        match node.op_type:
            case "Shape":
                self._values[node.output[0]] = _Size()
            case "ConstantOfShape":
                self._values[node.output[0]] = _filling(node)
            case op if op in _OF_SIZES and any(isinstance(v, _Size) for v in values):
                self._values[node.output[0]] = _Size()
            case "Conv":
                self._conv(node)
            case "ConvTranspose":
                self._up(node)
            case op if op in _POINTWISE:
                self._values[node.output[0]] = self._map(node)
            case "Slice":
                self._slice(node)
            case "Split":
                self._split(node)
            case "Concat":
                self._join(node)
            case "Identity":
                self._values[node.output[0]] = values[0]
            case "Unsqueeze" | "Squeeze" if node.output[0] == SAMPLES or isinstance(values[0], float):
                self._values[node.output[0]] = values[0]
            case op:
                raise Uncuttable(f"{op} does not run in steps")

    # ---- convolutions

    def _conv(self, node: NodeProto) -> None:
        x, weight, bias = self._weighed(node)
        attributes = _attributes(node)
        dilation, groups = _one(attributes.get("dilations", [1])), attributes.get("group", 1)
        left, right = _two(attributes.get("pads"))
        if _one(attributes.get("strides", [1])) != 1 or left + right != (weight.shape[2] - 1) * dilation:
            raise Uncuttable("a convolution gives more or fewer samples than it takes")
        if weight.shape[1] * groups != x.channels:
            raise Uncuttable(f"a convolution takes {weight.shape[1] * groups} channels where there are {x.channels}")
        out = self._track(node.output[0], weight.shape[0], x.rate)
        self._layers.append(Conv(out, x, weight, bias, dilation, groups, left, right))

    def _up(self, node: NodeProto) -> None:
        x, weight, bias = self._weighed(node)
        attributes = _attributes(node)
        stride, taps = _one(attributes.get("strides", [1])), weight.shape[2]
        begin, end = _two(attributes.get("pads"))
        if _one(attributes.get("dilations", [1])) != 1 or attributes.get("group", 1) != 1:
            raise Uncuttable("a transposed convolution is dilated or grouped")
        if taps - begin - end + _one(attributes.get("output_padding", [0])) != stride:
            raise Uncuttable("a transposed convolution gives no whole number of samples for one")
        if weight.shape[0] != x.channels:
            raise Uncuttable(f"a convolution takes {weight.shape[0]} channels where there are {x.channels}")
        # Sample s of all that it gives is made of those x[t] for which 0 <= s - t * stride < taps.
        left, right = max(0, taps - 1 - begin) // stride, (stride - 1 + begin) // stride
        out = self._track(node.output[0], weight.shape[1], x.rate * stride)
        self._layers.append(Up(out, x, weight, bias, stride, begin, left, right))

    def _weighed(self, node: NodeProto) -> tuple[Track, Weight, Weight | None]:
        x, weight, *bias = (name for name in node.input if name)
        track = self._values[x]
        if not isinstance(track, Track) or not self._arrays.keys() >= {weight, *bias}:
            raise Uncuttable("the weights of a convolution are not constant")
        if _attributes(node).get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
            raise Uncuttable("a convolution leaves its padding to the runtime")
        if self._arrays[weight].ndim != 3:
            raise Uncuttable(f"a convolution over {self._arrays[weight].ndim - 2} dimensions, not time alone")
        return track, self._arrays[weight], self._arrays[bias[0]] if bias else None

    # ---- one sample at a time

    def _map(self, node: NodeProto) -> _Value:
        values = [self._values[name] for name in node.input]
        numbers = [v if isinstance(v, float) else math.nan for v in values]
        match node.op_type, numbers:
            case ("Add" | "Sub", [_, 0.0]) | ("Mul" | "Div", [_, 1.0]):
                return values[0]
            case ("Add", [0.0, _]) | ("Mul", [1.0, _]):
                return values[1]
            case "Mul", [0.0, _] | [_, 0.0]:
                return 0.0
            case op, _ if op in _OF_NUMBERS and all(isinstance(v, float) for v in values):
                return _OF_NUMBERS[op](*numbers)
            case _:
                return self._map_tracks(node, values)

    def _map_tracks(self, node: NodeProto, values: list[_Value]) -> Track:
        tracks = [v for v in values if isinstance(v, Track)]
        if len({(t.channels, t.rate) for t in tracks}) != 1:
            raise Uncuttable(f"the operands of {node.op_type} do not run side by side")
        operands = tuple(_operand(v, tracks[0].channels) for v in values)
        out = self._track(node.output[0], tracks[0].channels, tracks[0].rate)
        self._layers.append(Map(out, node.op_type, operands, _attributes(node)))
        return out

    # ---- channels

    def _slice(self, node: NodeProto) -> None:
        x = self._values[node.input[0]]
        if isinstance(x, float):
            self._values[node.output[0]] = x
            return
        if not isinstance(x, Track):
            raise Uncuttable("a slice of what does not run in time")
        begins, ends = self._ints(node.input[1]), self._ints(node.input[2])
        axes = self._ints(node.input[3]) if len(node.input) > 3 else list(range(len(begins)))
        steps = self._ints(node.input[4]) if len(node.input) > 4 else [1] * len(begins)
        for begin, end, axis, step in zip(begins, ends, axes, steps, strict=True):
            if axis in _AXES_OF_CHANNELS and step in (1, -1):
                picked = range(x.channels)[begin : _stop(end) : step]
                x = self._pick(x, picked)
            elif (begin, step) != (0, 1) or end < _TO_THE_END:
                raise Uncuttable("a slice in time")
        self._values[node.output[0]] = x

    def _split(self, node: NodeProto) -> None:
        x, attributes = self._values[node.input[0]], _attributes(node)
        if not isinstance(x, Track) or attributes.get("axis", 0) not in _AXES_OF_CHANNELS:
            raise Uncuttable("a split in time")
        count = len(node.output)
        if len(node.input) > 1:
            sizes = self._ints(node.input[1])
        else:
            sizes = attributes.get("split") or [-(-x.channels // count)] * count
        begin = 0
        for name, size in zip(node.output, sizes, strict=True):
            self._values[name] = self._pick(x, range(begin, min(begin + size, x.channels)))
            begin += size

    def _pick(self, x: Track, picked: range) -> Track:
        if picked == range(x.channels):
            return x
        if not picked:
            raise Uncuttable("a slice of no channels")
        out = Track(f"track{len(self._layers)}", len(picked), x.rate)
        self._layers.append(Pick(out, x, picked[0], picked.step))
        return out

    def _join(self, node: NodeProto) -> None:
        xs = [self._values[name] for name in node.input]
        tracks = tuple(x for x in xs if isinstance(x, Track))
        if (
            len(tracks) != len(xs)
            or _attributes(node)["axis"] not in _AXES_OF_CHANNELS
            or len({t.rate for t in tracks}) != 1
        ):
            raise Uncuttable("a concatenation of what does not run side by side")
        out = self._track(node.output[0], sum(t.channels for t in tracks), tracks[0].rate)
        self._layers.append(Join(out, tracks))

    # ---- values

    def _track(self, name: str, channels: int, rate: int) -> Track:
        out = Track(f"track{len(self._layers)}", channels, rate)
        self._values[name] = out
        return out

    def _ints(self, name: str) -> list[int]:
        if name not in self._arrays:
            raise Uncuttable("a slice whose range is not constant")
        return [int(value) for value in self._arrays[name].reshape(-1)]


def _heard(layers: list[Layer], end: Track) -> tuple[Layer, ...]:
    """The layers that the end needs."""
    needed, heard = {end}, []
    for layer in reversed(layers):
        if layer.out in needed:
            needed.update(sources(layer))
            heard.append(layer)
    return tuple(reversed(heard))


def _number(value: _Array) -> float | _Array:
    """A constant that is one number everywhere, and no longer than what it may stand beside, is that number."""
    if value.dtype == np.float32 and value.size and value.ndim <= 3 and (value.ndim == 0 or value.shape[-1] == 1):
        first = value.reshape(-1)[0]
        if (value == first).all():
            return float(first)
    return value


def _operand(value: _Value, channels: int) -> Operand:
    """What stands beside a track: another, a number, or a number for each channel."""
    if isinstance(value, _Size):
        raise Uncuttable("a tensor's size takes part in its sound")
    if isinstance(value, np.ndarray):
        if value.ndim not in (2, 3) or value.shape[-2:] != (channels, 1):
            raise Uncuttable(f"a constant of shape {list(value.shape)} stands beside {channels} channels")
        return value.reshape(1, channels, 1, 1)
    return value


def _filling(node: NodeProto) -> float:
    value = _attributes(node).get("value")
    return 0.0 if value is None else float(numpy_helper.to_array(value).item())


def _stop(end: int) -> int | None:
    """A slice's end as Python counts it; ONNX says "to the very beginning" with a huge negative number."""
    return None if end < -_TO_THE_END else end


def _attributes(node: NodeProto) -> dict[str, Any]:
    return {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}


def _one(values: list[int]) -> int:
    if len(values) != 1:
        raise Uncuttable("a convolution over more than time")
    return values[0]


def _two(pads: list[int] | None) -> tuple[int, int]:
    match pads:
        case None:
            return 0, 0
        case [begin, end]:
            return begin, end
        case _:
            raise Uncuttable("a convolution over more than time")
