"""Writes a decoder as a graph that carries its state: the next frames in, the samples that are certain by then out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper
from onnx.utils import Extractor

from engine.graph.lags import find_lags
from engine.graph.layers import Conv, Join, Layer, Layers, Map, Pick, Static, Track, Up, sources
from engine.graph.reading import read_layers
from engine.graph.split import PRIOR, SAMPLES, SPEAKER

LAST = "onset.last"  # int64 [1]: 1 in the last step of a piece, which gives all that is left; else 0
_OPSET, _IR = 17, 8
_CHANNELS, _TIME = 1, 3  # axes
_TO_THE_END, _TO_THE_BEGIN = 2**62, -(2**62)


@dataclass(frozen=True, slots=True)
class State:
    """A tensor float [1, channels, 1, samples] that a step takes as `name` and gives as `name` + ".next".

    At the start of a piece it is `begin` samples of zero: before a piece there is silence.
    """

    name: str
    channels: int
    begin: int


@dataclass(frozen=True, slots=True)
class Steps:
    """How to run a streaming decoder.

    The first n frames give n * hop - lag samples, but a first step needs more than lag / hop frames, or to be the last
    one too; each later step gives hop samples a frame, and the last one lag more.
    """

    hop: int
    lag: int  # samples
    states: tuple[State, ...]
    speaker: tuple[str, ...]  # what a step takes of the speaker's graph, by its name in both


@dataclass(frozen=True, slots=True)
class Streaming:
    """A decoder that carries its state.

    `decoder`: z_p float [1, C, 1, n], last, the states, and what depends on the speaker -> samples float [1, 1, 1, m],
    the states' next. `speaker`: sid int64 [1] -> what depends on the speaker, each float [1, channels, 1];
    None for a voice of one speaker.
    """

    decoder: ModelProto
    speaker: ModelProto | None
    steps: Steps


def stream(decoder: ModelProto, channels: int) -> Streaming:
    """Rewrite a decoder as `split` gives it, whose prior has so many channels. Raises Uncuttable with the reason.

    Each convolution keeps the last samples of its input, so that nothing is computed twice: the joined steps equal
    the decoder run at once, up to rounding. Convolutions are written over two dimensions, 1 by k: ONNX Runtime has
    faster kernels for these.
    """
    return _Writer(read_layers(decoder, channels)).write(decoder)


class _Writer:
    """Writes layers as nodes. A name of a tensor that was written already is a key of `_written`."""

    def __init__(self, layers: Layers) -> None:
        self._layers, self._lags = layers, find_lags(layers)
        self._makers = {layer.out: layer for layer in layers.layers}
        self._nodes: list[NodeProto] = []
        self._weights: dict[str, TensorProto] = {}
        self._written: set[str] = {PRIOR}
        self._states: list[State] = []
        self._speaker: dict[str, None] = {}

    def write(self, decoder: ModelProto) -> Streaming:
        lags, end = self._lags, self._layers.end
        kept = {buffer.track for buffer in lags.buffers.values()}
        read = {x for layer in self._layers.layers for x in sources(layer) if not lags.buffered(layer, x)}
        for layer in self._layers.layers:
            if layer.out in kept | read | {end}:  # else it is computed over a buffer
                self._layer(layer)
        self._node("Identity", [end.name], SAMPLES)
        steps = Steps(end.rate, lags.of[end], tuple(self._states), tuple(self._speaker))
        return Streaming(self._model(), self._speaker_model(decoder), steps)

    def _model(self) -> ModelProto:
        prior = self._layers.prior
        inputs = [_info(PRIOR, prior.channels, "n"), helper.make_tensor_value_info(LAST, TensorProto.INT64, [1])]
        inputs += [_info(name, f"{name}.channels", 1) for name in self._speaker]
        inputs += [_info(s.name, s.channels, f"{s.name}.n") for s in self._states]
        outputs = [_info(SAMPLES, 1, "m")]
        outputs += [_info(f"{s.name}.next", s.channels, f"{s.name}.m") for s in self._states]
        graph = helper.make_graph(self._nodes, "decoder", inputs, outputs, list(self._weights.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
        model.ir_version = _IR
        return model

    def _speaker_model(self, decoder: ModelProto) -> ModelProto | None:
        if not self._speaker:
            return None
        copy = ModelProto()
        copy.CopyFrom(decoder)
        known = {info.name for info in copy.graph.value_info}
        copy.graph.value_info.extend(
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in self._speaker if name not in known
        )
        return Extractor(copy).extract_model([SPEAKER], list(self._speaker))

    # ---- layers

    def _layer(self, layer: Layer) -> None:
        name, read = layer.out.name, {x: self._read(layer, x) for x in sources(layer)}
        match layer:
            case Conv():
                self._conv(layer, read[layer.x])
            case Up():
                self._up(layer, read[layer.x])
            case Map():
                self._map(layer, [read[o] if isinstance(o, Track) else self._operand(o) for o in layer.operands], name)
            case Pick():
                end = layer.begin + layer.step * layer.out.channels
                span = layer.begin, end if end >= 0 else _TO_THE_BEGIN
                self._slice(read[layer.x], span, name, _CHANNELS, layer.step)
            case Join():
                self._node("Concat", [read[x] for x in layer.xs], name, axis=_CHANNELS)

    def _conv(self, layer: Conv, x: str) -> None:
        self._node(
            "Conv",
            [x, *self._weigh(layer)],
            layer.out.name,
            kernel_shape=[1, layer.weight.shape[2]],
            dilations=[1, layer.dilation],
            group=layer.groups,
        )

    def _up(self, layer: Up, x: str) -> None:
        """What the samples beside the wanted ones take part in is computed and cut off by the padding."""
        taps = layer.weight.shape[2]
        begin = layer.left * layer.stride + layer.trim
        end = (layer.left + layer.right - 1) * layer.stride + taps - begin
        self._node(
            "ConvTranspose",
            [x, *self._weigh(layer)],
            layer.out.name,
            kernel_shape=[1, taps],
            strides=[1, layer.stride],
            pads=[0, begin, 0, end],
        )

    def _weigh(self, layer: Conv | Up) -> list[str]:
        name = layer.out.name
        weight = self._constant(f"{name}.weight", layer.weight[:, :, None, :])
        return [weight] if layer.bias is None else [weight, self._constant(f"{name}.bias", layer.bias)]

    def _map(self, layer: Map, operands: list[str], out: str) -> str:
        return self._node(layer.op, operands, out, **layer.attributes)

    def _operand(self, operand: Static | float | npt.NDArray[np.float32]) -> str:
        match operand:
            case Static(name):
                self._speaker[name] = None
                return name
            case float():
                return self._constant(f"number {operand!r}", np.array(operand, np.float32))
            case _:
                return self._constant(f"numbers {len(self._weights)}", operand)

    # ---- what is carried

    def _read(self, layer: Layer, x: Track) -> str:
        """The samples of `x` that a step of `layer` takes: as they come, or out of a buffer."""
        if not self._lags.buffered(layer, x):
            return x.name
        delay = self._lags.delay(layer, x)
        buffer = self._buffer(x, delay)
        begin = self._lags.buffers[self._lags.roots[x], delay].history - delay - layer.left
        end = delay - layer.right
        if not begin and not end:
            return buffer
        return self._slice(buffer, (begin, -end or _TO_THE_END), f"{buffer} {begin}:{-end}")

    def _buffer(self, x: Track, delay: int) -> str:
        """State, then what is new, then in the last step silence, so that all that is left comes out."""
        name, root = f"{x.name} late {delay}", self._lags.roots[x]
        if name in self._written:
            return name
        if x != root:
            maker = self._makers[x]
            if not isinstance(maker, Map):
                raise TypeError(maker)
            operands = [self._buffer(o, delay) if isinstance(o, Track) else self._operand(o) for o in maker.operands]
            return self._map(maker, operands, name)
        history = self._lags.buffers[x, delay].history
        state = State(f"state{len(self._states)}", x.channels, history - delay)
        self._states.append(state)
        self._node(
            "Concat", [state.name, x.name, *([self._silence(x.channels, delay)] if delay else [])], name, axis=_TIME
        )
        self._slice(name, (-history, _TO_THE_END), f"{state.name}.next")
        return name

    def _silence(self, channels: int, samples: int) -> str:
        """So many samples of zero in the last step, none before."""
        zeros = self._constant(f"zeros {channels} {samples}", np.zeros((1, channels, 1, samples), np.float32))
        end = self._node("Mul", [LAST, self._ints(samples)], f"last {samples}")
        return self._node("Slice", [zeros, self._ints(0), end, self._ints(_TIME)], f"silence {channels} {samples}")

    # ---- nodes

    def _slice(self, x: str, span: tuple[int, int], out: str, axis: int = _TIME, step: int = 1) -> str:
        return self._node("Slice", [x, *(self._ints(i) for i in (*span, axis, step))], out)

    def _node(self, op: str, inputs: Sequence[str], out: str, **attributes: Any) -> str:
        if out not in self._written:
            self._written.add(out)
            self._nodes.append(helper.make_node(op, list(inputs), [out], **attributes))
        return out

    def _ints(self, *values: int) -> str:
        return self._constant("ints " + " ".join(map(str, values)), np.array(values, np.int64))

    def _constant(self, name: str, value: npt.NDArray[Any]) -> str:
        if name not in self._weights:
            self._weights[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name


def _info(name: str, channels: int | str, samples: int | str) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, 1, samples])
