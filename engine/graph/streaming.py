"""Writes a decoder as a graph that carries its state: the next frames in, the samples that are certain by then out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from onnx import ModelProto, TensorProto, ValueInfoProto, helper
from onnx.utils import Extractor

from engine.graph.lags import find_lags
from engine.graph.layers import Layer, Layers, Map, Region, Track, readers, sources
from engine.graph.layouts import Blocked, Layout, Plain, check_blocks
from engine.graph.nodes import BLOCKED_DOMAIN, TO_THE_END, Nodes
from engine.graph.reading import read_layers
from engine.graph.regions import with_regions
from engine.graph.simplify import simplify
from engine.graph.split import PRIOR, SAMPLES, SPEAKER
from engine.graph.writing import LayerWriter, Source

_OPSET, _IR = 17, 8


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
    return _Writer(with_regions(layers), block).write(decoder)


class _Writer(Source):
    """Writes the nodes of a step, and what is carried from one to the next."""

    def __init__(self, layers: Layers, block: int) -> None:
        self._layers, self._lags = layers, find_lags(layers)
        self._makers = {layer.out: layer for layer in layers.layers}
        self._nodes = Nodes()
        self._layout: Layout = Plain(self._nodes) if block == 1 else Blocked(self._nodes, block)
        self._states: dict[str, Silence] = {}
        self._tails: dict[str, Silence] = {}
        self._speaker: dict[str, None] = {}
        self._writer = self._layer_writer(layers.layers, self)

    def write(self, decoder: ModelProto) -> Streaming:
        lags, end = self._lags, self._layers.end
        kept = {buffer.track for buffer in lags.buffers.values()}
        read = {x for layer in self._layers.layers for x in sources(layer) if not lags.buffered(layer, x)}
        for layer in self._layers.layers:
            if layer.out not in kept | read | {end}:
                continue  # it is computed over a buffer
            if isinstance(layer, Region):
                self._region(layer)
            else:
                self._writer.write(layer)
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

    def _layer_writer(self, layers: Iterable[Layer], source: Source, *, padded: bool = False) -> LayerWriter:
        return LayerWriter(self._nodes, self._layout, readers(layers), source, self._speaker, padded=padded)

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

    # ---- what is carried

    def direct(self, layer: Layer, x: Track) -> bool:
        return x != self._layers.end and not self._lags.buffered(layer, x)

    def read(self, layer: Layer, x: Track) -> str:
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
            buffers = {o: self._buffer(o, delay) for o in sources(maker)}
            self._layout.map(maker, self._writer.operands(maker, buffers), name)
            return name
        history, axis = self._lags.buffers[x, delay].history, self._layout.axis
        state = Silence(f"{name} state", x.channels, history - delay)
        if state.name not in self._states:
            self._states[state.name] = state
            parts = [state.name, self._layout.seen(x.name)]
            if delay:
                parts.append(self._tail(x, delay))
            self._nodes.add("Concat", parts, name, axis=axis)
            self._nodes.slice(name, -history, TO_THE_END, axis=axis, out=f"{state.name}.next")
        return name

    def _region(self, region: Region) -> None:
        """Its layers run over what is new and so much of the past that none of them needs a state.

        Before a piece there is no past, and in its last step nothing follows: each convolution has silence around it
        then as it has when all runs at once. What was given before is cut off, and so is what the future changes.
        """
        nodes, axis, x = self._nodes, self._layout.axis, region.x
        state = Silence(f"{x.name} past", x.channels, 0)
        self._states[state.name] = state
        whole = nodes.add("Concat", [state.name, self._layout.seen(x.name)], f"{x.name} with past", axis=axis)
        nodes.slice(whole, -(region.left + region.right), TO_THE_END, axis=axis, out=f"{state.name}.next")
        *first, last = region.layers
        all_of_it = replace(region.out, name=f"{region.out.name} with past")
        within = (*first, replace(last, out=all_of_it))
        writer = self._layer_writer(within, _Whole(x, whole), padded=True)
        for layer in within:
            writer.write(layer)
        begin = nodes.add("Sub", [self._samples(state.name), nodes.ints(region.right)], f"{whole} begin")
        begin = nodes.add("Max", [begin, nodes.ints(0)], f"{whole} from")
        end = nodes.add("Sub", [self._samples(whole), nodes.ints(region.right)], f"{whole} end")
        end = nodes.add("Add", [end, self._samples(self._tail(x, region.right))], f"{whole} to")
        out = self._layout.seen(all_of_it.name)
        nodes.add("Slice", [out, begin, end, nodes.ints(axis), nodes.ints(1)], region.out.name)

    def _tail(self, x: Track, samples: int) -> str:
        """So much silence behind a track, in a last step; tracks of as many channels share it."""
        tail = Silence(f"tail {x.channels} {samples}", x.channels, samples)
        return self._tails.setdefault(tail.name, tail).name

    def _samples(self, tensor: str) -> str:
        axis = self._layout.axis
        return self._nodes.add("Shape", [tensor], f"{tensor} size", start=axis, end=axis + 1)


class _Whole(Source):
    """What layers of a region read: all that there is of a track."""

    def __init__(self, x: Track, whole: str) -> None:
        self._x, self._whole = x, whole

    def read(self, layer: Layer, x: Track) -> str:
        return self._whole if x == self._x else x.name

    def direct(self, layer: Layer, x: Track) -> bool:
        return x != self._x
