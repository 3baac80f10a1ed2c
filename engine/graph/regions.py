"""Finds layers that are better run as one, over what they need of the past again, than each with its own state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.graph.layers import Conv, Layer, Layers, Map, Region, Track, readers, sources

_WORTH_FRAMES = 1.5
"""A region may look so far, back and ahead together: it computes that much in every step again. What it saves is
memory that is read and written, which at high rates costs more: the residual blocks of a level read its track in as
many ranges as they have convolutions, and each range would be a copy."""

_WORTH_CONVS = 3


def with_regions(layers: Layers) -> Layers:
    """The same layers, those of each region in one."""
    found = readers(layers.layers)
    for x, read_by in found.items():
        if len(read_by) > 1 and (region := _region(x, layers, found)) is not None:
            inside = {layer.out for layer in region.layers}
            rest = (layer for layer in layers.layers if layer.out not in inside - {region.out})
            layers = replace(layers, layers=tuple(region if layer.out == region.out else layer for layer in rest))
    return layers


def _region(x: Track, layers: Layers, found: dict[Track, list[Layer]]) -> Region | None:
    """The layers from a track to the first one in which all that is made of it has come together."""
    reach = {x: (0, 0)}
    unread = len(found[x])
    inner: list[Conv | Map] = []
    for layer in _of(reach, layers):
        if not isinstance(layer, Conv | Map) or layer.out.channels == 1 or not reach.keys() >= {*sources(layer)}:
            return None
        left, right = (max(reach[source][side] for source in sources(layer)) for side in (0, 1))
        left, right = left + layer.left, right + layer.right
        if left + right > _WORTH_FRAMES * x.rate:
            return None
        reach[layer.out] = left, right
        inner.append(layer)
        unread -= len(sources(layer))
        if not unread:
            convs = sum(isinstance(one, Conv) for one in inner)
            return Region(layer.out, x, tuple(inner), left, right) if convs >= _WORTH_CONVS else None
        unread += len(found.get(layer.out, ()))
    return None


def _of(tracks: dict[Track, tuple[int, int]], layers: Layers) -> Iterator[Layer]:
    """The layers that read one of `tracks`, which grows meanwhile."""
    return (layer for layer in layers.layers if not tracks.keys().isdisjoint(sources(layer)))
