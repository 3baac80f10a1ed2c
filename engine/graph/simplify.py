"""Takes out of a decoder what can be done once, in its weights, instead of in every step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.graph.flips import without_flips
from engine.graph.layers import Conv, Layer, Layers, Map, Operand, Pick, Static, Track, Up, readers, sources
from engine.graph.sums import without_sums


def simplify(layers: Layers) -> Layers:
    """The same sound, up to rounding, from fewer and simpler layers."""
    for step in (without_flips, _without_ranges, _without_differences, without_sums, _without_factors):
        layers = step(layers)
    return layers


def _without_ranges(layers: Layers) -> Layers:
    """A convolution of which ranges of channels are read becomes one for each; so with what the speaker adds to it."""
    found = readers(layers.layers)
    new: dict[Track, tuple[Layer, ...]] = {}
    for conv in layers.layers:
        if not isinstance(conv, Conv) or conv.groups != 1:
            continue
        between = next((r for r in found.get(conv.out, []) if isinstance(r, Map)), None)
        if between is not None and (len(found[conv.out]) > 1 or len(sources(between)) > 1):
            continue
        picks = found.get(conv.out if between is None else between.out, [])
        ranges = [pick for pick in picks if isinstance(pick, Pick) and pick.step == 1]
        if ranges and len(ranges) == len(picks):
            new |= {conv.out: ()} if between is None else {conv.out: (), between.out: ()}
            new |= {pick.out: _ranged(conv, between, pick) for pick in ranges}
    return replace(layers, layers=tuple(n for old in layers.layers for n in new.get(old.out, (old,))))


def _ranged(conv: Conv, between: Map | None, pick: Pick) -> tuple[Layer, ...]:
    span = slice(pick.begin, pick.begin + pick.out.channels)
    bias = None if conv.bias is None else conv.bias[span]
    out = pick.out if between is None else replace(pick.out, name=f"{pick.out.name} before")
    ranged = replace(conv, out=out, weight=conv.weight[span], bias=bias)
    if between is None:
        return (ranged,)
    operands = tuple(out if o == conv.out else _ranged_operand(o, span) for o in between.operands)
    return ranged, replace(between, out=pick.out, operands=operands)


def _ranged_operand(operand: Operand, span: slice) -> Operand:
    match operand:
        case Static(name, begin):
            return Static(name, begin + span.start, span.stop - span.start)
        case np.ndarray():
            return operand[:, span]
        case _:
            return operand


def _without_differences(layers: Layers) -> Layers:
    """x - conv(y) is x + (-conv)(y): a convolution can be written together with a sum."""
    found, makers = readers(layers.layers), {layer.out: layer for layer in layers.layers}
    new: dict[Track, Layer] = {}
    for layer in layers.layers:
        match layer:
            case Map(op="Sub", operands=(_, Track() as subtracted)):
                conv = makers.get(subtracted)
                if isinstance(conv, Conv) and len(found[conv.out]) == 1:
                    bias = None if conv.bias is None else -conv.bias
                    new[conv.out] = replace(conv, weight=-conv.weight, bias=bias)
                    new[layer.out] = replace(layer, op="Add")
            case _:
                pass
    return replace(layers, layers=tuple(new.get(layer.out, layer) for layer in layers.layers))


def _without_factors(layers: Layers) -> Layers:
    """A positive factor before a convolution is a factor of its weights, also where a LeakyRelu is between."""
    found, makers = readers(layers.layers), {layer.out: layer for layer in layers.layers}
    new: dict[Track, Layer] = {}
    instead: dict[Track, Track] = {}
    for layer in layers.layers:
        if isinstance(layer, Conv | Up):
            scaled = makers.get(layer.x)
            if isinstance(scaled, Map) and scaled.op in ("LeakyRelu", "Relu") and len(found[scaled.out]) == 1:
                scaled = makers.get(sources(scaled)[0])
            if isinstance(scaled, Map) and len(found[scaled.out]) == 1 and (factor := _factor(scaled)) > 0:
                new[layer.out] = replace(layer, weight=layer.weight * np.float32(factor))
                instead[scaled.out] = sources(scaled)[0]
    kept = (new.get(layer.out, layer) for layer in layers.layers if layer.out not in instead)
    return replace(layers, layers=tuple(_reading(layer, instead) for layer in kept))


def _factor(layer: Map) -> float:
    """What a map multiplies by; 0 if it does something else."""
    match layer.op, layer.operands:
        case "Mul", (Track(), float(factor)) | (float(factor), Track()):
            return factor
        case "Div", (Track(), float(factor)):
            return 1 / factor
        case _:
            return 0.0


def _reading(layer: Layer, instead: Mapping[Track, Track]) -> Layer:
    """The layer with other tracks to read; those are read by a Conv, an Up or a Map."""
    match layer:
        case Map():
            operands = tuple(instead.get(o, o) if isinstance(o, Track) else o for o in layer.operands)
            return replace(layer, operands=operands)
        case Conv() | Up():
            return replace(layer, x=instead.get(layer.x, layer.x))
        case _:
            return layer
