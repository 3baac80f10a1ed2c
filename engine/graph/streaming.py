"""Writes a decoder as a graph that carries its state: the next frames in, the samples that are certain by then out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, ValueInfoProto, helper
from onnx.utils import Extractor

from engine.graph.lags import find_lags
from engine.graph.layers import Conv, Join, Layer, Layers, Map, Pick, Static, Track, Up, sources
from engine.graph.layouts import Blocked, Layout, Plain, check_blocks
from engine.graph.nodes import BLOCKED_DOMAIN, TO_THE_BEGIN, TO_THE_END, Nodes
from engine.graph.reading import read_layers
from engine.graph.simplify import simplify
from engine.graph.split import PRIOR, SAMPLES, SPEAKER

_OPSET, _IR = 17, 8
_CHANNELS = 1  # the axis
_ACTIVATIONS = {"Tanh", "Sigmoid", "LeakyRelu", "Relu"}


@dataclass(frozen=True, slots=True)
class Silence:
    """A tensor of zeros by its name, its channels and its samples."""

    name: str
    channels: int
    samples: int


@dataclass(frozen=True, slots=True)
class Steps:
    """How to run a streaming decoder.

    The first n frames give n * hop - lag samples, but a first step needs more than lag / hop frames, or to be the last
    one too; each later step gives hop samples a frame, and the last one lag more. There may be a few samples more
    than that behind them, which are to be dropped.

    A tensor has the shape [1, channels, 1, samples], or [1, channels / block, samples, block] where `block` is not 1.

    `states`: what a step takes as `name` and gives as `name` + ".next", as it is before a piece: silent.
    `tails`: what a last step takes; any other takes them with no samples.
    `speaker`: what a step takes of the speaker's graph, by its name in both.
    """

    hop: int
    lag: int  # samples
    block: int
    states: tuple[Silence, ...]
    tails: tuple[Silence, ...]
    speaker: tuple[str, ...]

    def shape(self, channels: int, samples: int) -> tuple[int, ...]:
        if self.block == 1:
            return 1, channels, 1, samples
        return 1, channels // self.block, samples, self.block


@dataclass(frozen=True, slots=True)
class Streaming:
    """A decoder that carries its state.

    `decoder`: z_p, the states, the tails, and what depends on the speaker -> samples, the states' next; all float.
    `speaker`: sid int64 [1] -> what depends on the speaker, each float [1, channels, 1]; None for one speaker.
    """

    decoder: ModelProto
    speaker: ModelProto | None
    steps: Steps


def stream(decoder: ModelProto, channels: int, block: int = 1) -> Streaming:
    """Rewrite a decoder as `split` gives it, whose prior has so many channels. Raises Uncuttable with the reason.

    Each convolution keeps the last samples of its input, so that nothing is computed twice: the joined steps equal
    the decoder run at once, up to rounding. `block`: channels that lie side by side in memory, as ONNX Runtime's
    convolutions on this machine want it; 1 for a graph that any machine runs.
    """
    layers = simplify(read_layers(decoder, channels))
    if block != 1:
        check_blocks(layers, block)
    return _Writer(layers, block).write(decoder)


class _Writer:
    """Writes layers as nodes; names of tensors say what they are."""

    def __init__(self, layers: Layers, block: int) -> None:
        self._layers, self._lags = layers, find_lags(layers)
        self._makers = {layer.out: layer for layer in layers.layers}
        self._nodes = Nodes()
        self._layout: Layout = Plain(self._nodes) if block == 1 else Blocked(self._nodes, block)
        self._states: dict[str, Silence] = {}
        self._tails: dict[str, Silence] = {}
        self._speaker: dict[str, None] = {}
        self._waiting: dict[Track, Conv] = {}  # convolutions that are written together with what follows

    def write(self, decoder: ModelProto) -> Streaming:
        lags, end = self._lags, self._layers.end
        kept = {buffer.track for buffer in lags.buffers.values()}
        read = {x for layer in self._layers.layers for x in sources(layer) if not lags.buffered(layer, x)}
        for layer in self._layers.layers:
            if layer.out in kept | read | {end}:  # else it is computed over a buffer
                self._layer(layer)
        self._nodes.add("Identity", [end.name], SAMPLES)
        steps = Steps(
            hop=end.rate,
            lag=lags.of[end],
            block=self._layout.block,
            states=tuple(self._states.values()),
            tails=tuple(self._tails.values()),
            speaker=tuple(self._speaker),
        )
        return Streaming(self._model(), self._speaker_model(decoder), steps)

    def _model(self) -> ModelProto:
        silences = [*self._states.values(), *self._tails.values()]
        inputs = [self._info(PRIOR, self._layers.prior.channels)]
        inputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * 4) for name in self._speaker]
        inputs += [self._info(silence.name, silence.channels) for silence in silences]
        outputs = [helper.make_tensor_value_info(SAMPLES, TensorProto.FLOAT, [1, 1, 1, "samples"])]
        outputs += [self._info(f"{state.name}.next", state.channels) for state in self._states.values()]
        graph = helper.make_graph(self._nodes.nodes, "decoder", inputs, outputs, list(self._nodes.constants.values()))
        versions = {"": _OPSET} if self._layout.block == 1 else {"": _OPSET, BLOCKED_DOMAIN: 1}
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(*version) for version in versions.items()])
        model.ir_version = _IR
        return model

    def _info(self, name: str, channels: int) -> ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, self._layout.shape(channels, f"{name} samples"))

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
        name, layout = layer.out.name, self._layout
        match layer:
            case Conv() if self._waits(layer):
                self._waiting[layer.out] = layer
            case Conv():
                layout.conv(layer, self._read(layer, layer.x), name)
            case Up():
                layout.up(layer, self._read(layer, layer.x), name)
            case Map():
                self._map(layer)
            case Pick():
                begin, step = layer.begin // layout.block, layer.step
                end = begin + step * (layer.out.channels // layout.block)
                x = layout.seen(self._read(layer, layer.x))
                self._nodes.slice(x, begin, end if end >= 0 else TO_THE_BEGIN, axis=_CHANNELS, step=step, out=name)
            case Join():
                self._nodes.add("Concat", [layout.seen(self._read(layer, x)) for x in layer.xs], name, axis=_CHANNELS)

    def _waits(self, conv: Conv) -> bool:
        """Whether a convolution is written with the one layer that reads it."""
        readers = [layer for layer in self._layers.layers if conv.out in sources(layer)]
        if not self._layout.fuses or conv.out.channels == 1 or len(readers) != 1 or conv.out == self._layers.end:
            return False
        (reader,) = readers
        if not isinstance(reader, Map) or self._lags.buffered(reader, conv.out):
            return False
        tracks = sources(reader)
        adds = reader.op == "Add" and len(tracks) == 2 and self._waiting.keys().isdisjoint(tracks)
        return adds or (reader.op in _ACTIVATIONS and len(tracks) == 1)

    def _map(self, layer: Map) -> None:
        name = layer.out.name
        conv = next((self._waiting[x] for x in sources(layer) if x in self._waiting), None)
        if conv is None:
            read = [self._read(layer, o) if isinstance(o, Track) else self._operand(o) for o in layer.operands]
            self._layout.map(layer, read, name)
            return
        x = self._read(conv, conv.x)
        if layer.op in _ACTIVATIONS:
            self._layout.conv(conv, x, name, then=layer)
        else:
            (other,) = (track for track in sources(layer) if track != conv.out)
            self._layout.conv(conv, x, name, added=self._read(layer, other))

    def _operand(self, operand: Static | float | npt.NDArray[np.float32]) -> str:
        nodes = self._nodes
        match operand:
            case Static(name, begin, count):
                self._speaker[name] = None
                if not count:
                    return name
                begin, count = begin // self._layout.block, count // self._layout.block
                return nodes.slice(name, begin, begin + count, axis=_CHANNELS, out=f"{name} {begin}:{begin + count}")
            case float():
                return nodes.constant(f"number {operand!r}", np.array(operand, np.float32))
            case _:
                shape = self._layout.shape(operand.shape[1], 1)
                return nodes.constant(f"numbers {len(nodes.constants)}", operand.reshape(shape))

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
        out = f"{buffer} {begin}:{-end}"
        return self._nodes.slice(buffer, begin, -end or TO_THE_END, axis=self._layout.axis, out=out)

    def _buffer(self, x: Track, delay: int) -> str:
        """State, then what is new, then in the last step silence, so that all that is left comes out."""
        name, root = f"{x.name} late {delay}", self._lags.roots[x]
        if x != root:
            maker = self._makers[x]
            if not isinstance(maker, Map):
                raise TypeError(maker)
            operands = [self._buffer(o, delay) if isinstance(o, Track) else self._operand(o) for o in maker.operands]
            self._layout.map(maker, operands, name)
            return name
        history, axis = self._lags.buffers[x, delay].history, self._layout.axis
        state = Silence(f"{name} state", x.channels, history - delay)
        if state.name not in self._states:
            self._states[state.name] = state
            parts = [state.name, self._layout.seen(x.name)]
            if delay:
                tail = Silence(f"tail {x.channels} {delay}", x.channels, delay)
                parts.append(self._tails.setdefault(tail.name, tail).name)
            self._nodes.add("Concat", parts, name, axis=axis)
            self._nodes.slice(name, -history, TO_THE_END, axis=axis, out=f"{state.name}.next")
        return name
