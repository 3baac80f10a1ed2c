"""Writes layers as nodes on tensors of one layout; names of tensors say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engine.graph.layers import Conv, Join, Layer, Map, Pick, Region, Static, Track, Up, sources
from engine.graph.layouts import Layout
from engine.graph.nodes import TO_THE_BEGIN, Nodes

_CHANNELS = 1  # the axis
_ACTIVATIONS = {"Tanh", "Sigmoid", "LeakyRelu", "Relu"}


class Source(Protocol):
    """Where layers get what they read."""

    def read(self, layer: Layer, x: Track) -> str:
        """The samples of `x` that a run of `layer` takes; written if they are not yet."""
        ...

    def direct(self, layer: Layer, x: Track) -> bool:
        """Whether these are just those that a run of the layer behind `x` gives."""
        ...


class LayerWriter:
    """Writes layers in the order of their work.

    `speaker` receives the names of what depends on the speaker, in the order in which they are met. `padded`:
    convolutions give as many samples as they take, as if silence were before and behind these.
    """

    def __init__(
        self,
        nodes: Nodes,
        layout: Layout,
        readers: Mapping[Track, Sequence[Layer]],
        source: Source,
        speaker: dict[str, None],
        *,
        padded: bool = False,
    ) -> None:
        self._nodes, self._layout, self._readers = nodes, layout, readers
        self._source, self._speaker, self._padded = source, speaker, padded
        self._waiting: dict[Track, Conv] = {}  # convolutions that are written together with what follows

    def write(self, layer: Layer) -> None:
        name, layout = layer.out.name, self._layout
        match layer:
            case Conv() if self._waits(layer):
                self._waiting[layer.out] = layer
            case Conv():
                layout.conv(layer, self._read(layer, layer.x), name, padded=self._padded)
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
            case Region():
                raise TypeError(layer)  # has a writer of its own

    def operands(self, layer: Map, tracks: Mapping[Track, str]) -> list[str]:
        return [tracks[o] if isinstance(o, Track) else self._operand(o) for o in layer.operands]

    def _read(self, layer: Layer, x: Track) -> str:
        return self._source.read(layer, x)

    def _waits(self, conv: Conv) -> bool:
        """Whether a convolution is written with the one layer that reads it."""
        readers = self._readers.get(conv.out, ())
        if not self._layout.fuses or conv.out.channels == 1 or len(readers) != 1:
            return False
        (reader,) = readers
        if not isinstance(reader, Map) or not self._source.direct(reader, conv.out):
            return False
        tracks = sources(reader)
        adds = reader.op == "Add" and len(tracks) == 2 and self._waiting.keys().isdisjoint(tracks)
        return adds or (reader.op in _ACTIVATIONS and len(tracks) == 1)

    def _map(self, layer: Map) -> None:
        name = layer.out.name
        conv = next((self._waiting[x] for x in sources(layer) if x in self._waiting), None)
        if conv is None:
            read = {x: self._read(layer, x) for x in sources(layer)}
            self._layout.map(layer, self.operands(layer, read), name)
            return
        x = self._read(conv, conv.x)
        if layer.op in _ACTIVATIONS:
            self._layout.conv(conv, x, name, then=layer, padded=self._padded)
        else:
            (other,) = (track for track in sources(layer) if track != conv.out)
            self._layout.conv(conv, x, name, added=self._read(layer, other), padded=self._padded)

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
