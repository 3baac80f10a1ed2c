"""Cuts a VITS graph in two at the prior: a front for whole texts and a decoder that is local in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

IDS, LENGTHS, SCALES, SPEAKER = "input", "input_lengths", "scales", "sid"  # Piper's names, fixed by its exporter

# Our own, with a mark that no exporter uses, so that they meet no tensor that is there already.
DURATION_NOISE, LENGTH_SCALE = "onset.duration_noise", "onset.length_scale"
DURATIONS, MEAN, SPREAD = "onset.durations", "onset.mean", "onset.spread"
PRIOR, MASK, SAMPLES = "onset.z_p", "onset.mask", "onset.samples"

_T = TypeVar("_T")


class Uncuttable(Exception):
    """The graph is not a VITS that can be cut here; the message says what was not found."""


@dataclass(frozen=True, slots=True)
class Halves:
    """A VITS model cut in two; no random node is left in either half.

    `front`:   input int64 [B, T], input_lengths int64 [B], length_scale float [B, 1, 1], duration_noise float
               [B, 2, T] already times noise_w (where durations are drawn), sid int64 [B] (where it is used)
               -> durations float [B, 1, T] in frames, mean and spread float [B, C, F]
    `decoder`: z_p float [B, C, F] = mean + noise * noise_scale * spread, mask float [B, 1, F] of ones, sid (where
               it is used)
               -> samples float [B, ..., F * hop]
    """

    front: ModelProto
    decoder: ModelProto


@dataclass(frozen=True, slots=True)
class _Prior:
    """Where z_p = mean + noise * noise_scale * spread is computed."""

    mean: str
    spread: str
    z_p: str


class _Graph:
    """Who makes and who reads each tensor of a graph."""

    def __init__(self, model: ModelProto) -> None:
        self.model = model
        self.nodes = list(model.graph.node)
        self.maker: dict[str, NodeProto] = {}
        self.readers: dict[str, list[NodeProto]] = {}
        for node in self.nodes:
            for name in node.output:
                self.maker[name] = node
            for name in _reads(node):
                self.readers.setdefault(name, []).append(node)
        weights = {tensor.name for tensor in model.graph.initializer}  # old exporters list these as inputs too
        self.inputs = {info.name for info in model.graph.input} - weights

    def after(self, sources: Iterable[str]) -> set[str]:
        """All tensors that depend on any of `sources`; ONNX keeps nodes in topological order, so one pass does."""
        found = set(sources)
        for node in self.nodes:
            if not found.isdisjoint(_reads(node)):
                found.update(node.output)
        return found

    def only_reader(self, name: str) -> NodeProto:
        readers = self.readers.get(name, [])
        if len(readers) != 1:
            raise Uncuttable(f"noise is used {len(readers)} times, not once")
        return readers[0]


def split(model: ModelProto) -> Halves:
    """Cut `model`, a VITS as Piper exports it, at z_p; `model` stays as it is.

    Everything inside is found by what it computes, never by a node's name: names change with the exporter.
    Raises Uncuttable.
    """
    graph = _Graph(model)
    if missing := {IDS, LENGTHS, SCALES} - graph.inputs:
        raise Uncuttable(f"no input named {', '.join(sorted(missing))}")
    on_text = graph.after([IDS, LENGTHS, SPEAKER, *_random(graph.nodes)])
    settings = graph.after([SCALES]) - on_text  # what depends on `scales` alone: the three scales themselves

    ceil = _only([n for n in graph.nodes if n.op_type == "Ceil" and n.output[0] in on_text], "Ceil (durations)")
    timed = graph.after(ceil.output)
    early = [name for name in _random(graph.nodes) if name not in timed]
    late = [name for name in _random(graph.nodes) if name in timed]
    if len(early) > 1 or len(late) != 1:
        raise Uncuttable(f"{len(early)} random nodes before the durations and {len(late)} after, not 1 and 1")
    prior = _find_prior(graph, late[0], settings)
    cuts = {_find_length_scale(ceil, graph, settings): LENGTH_SCALE}
    if early:
        cuts[_find_duration_noise(graph, early[0], settings)] = DURATION_NOISE
    return Halves(front=_front(graph, ceil.output[0], prior, cuts), decoder=_decoder(graph, prior, timed))


def _find_length_scale(ceil: NodeProto, graph: _Graph, settings: set[str]) -> str:
    """w * length_scale goes into the Ceil."""
    product = graph.maker.get(ceil.input[0])
    if product is None or product.op_type != "Mul":
        raise Uncuttable("durations are not multiplied by the length scale before they are rounded up")
    return _only([str(i) for i in product.input if i in settings], "length scale")


def _find_duration_noise(graph: _Graph, noise: str, settings: set[str]) -> str:
    """noise * noise_w goes into the duration predictor; the product is what is given from outside."""
    product = graph.only_reader(noise)
    if product.op_type != "Mul" or settings.isdisjoint(product.input):
        raise Uncuttable("the duration noise is not multiplied by noise_w")
    return str(product.output[0])


def _find_prior(graph: _Graph, noise: str, settings: set[str]) -> _Prior:
    """Follow the noise through its products (the spread and noise_scale, in any order) to the sum with the mean."""
    spreads: list[str] = []
    at = noise
    while (node := graph.only_reader(at)).op_type == "Mul":
        other = _other(node, at)
        if other not in settings:
            spreads.append(other)
        at = node.output[0]
    if node.op_type != "Add" or len(spreads) != 1:
        raise Uncuttable("the prior is not mean + noise * spread * noise_scale")
    return _Prior(mean=_other(node, at), spread=spreads[0], z_p=node.output[0])


def _front(graph: _Graph, durations: str, prior: _Prior, cuts: dict[str, str]) -> ModelProto:
    inputs = [
        _info(IDS, ["B", "T"], TensorProto.INT64),
        _info(LENGTHS, ["B"], TensorProto.INT64),
        _info(LENGTH_SCALE, ["B", 1, 1]),
        _info(DURATION_NOISE, ["B", 2, "T"]),
        _info(SPEAKER, ["B"], TensorProto.INT64),
    ]
    outputs = {durations: DURATIONS, prior.mean: MEAN, prior.spread: SPREAD}
    shapes = [_info(DURATIONS, ["B", 1, "T"]), _info(MEAN, ["B", "C", "F"]), _info(SPREAD, ["B", "C", "F"])]
    names = {**outputs, **cuts}
    return _part(graph, ends=list(outputs), cuts=set(cuts), names=names, inputs=inputs, outputs=shapes)


def _decoder(graph: _Graph, prior: _Prior, timed: set[str]) -> ModelProto:
    """All that lies after z_p, with what depends on the speaker alone; the one other thing it may need is the mask."""
    sounding = graph.after([prior.z_p]) - {prior.z_p}
    end = _only([info for info in graph.model.graph.output if info.name in sounding], "output of samples")
    samples = ValueInfoProto(name=SAMPLES, type=end.type)
    read = {name for n in graph.nodes if not sounding.isdisjoint(n.output) for name in _reads(n)}
    mask = _only(sorted(read & timed - sounding - {prior.z_p}), "mask of the frames")
    inputs = [
        _info(PRIOR, ["B", "C", "F"]),
        _info(MASK, ["B", 1, "F"]),
        _info(SPEAKER, ["B"], TensorProto.INT64),
    ]
    names = {prior.z_p: PRIOR, mask: MASK, end.name: SAMPLES}
    cuts = {prior.z_p, mask}
    return _part(graph, ends=[end.name], cuts=cuts, names=names, inputs=inputs, outputs=[samples])


def _part(
    graph: _Graph,
    *,
    ends: list[str],
    cuts: set[str],
    names: dict[str, str],
    inputs: list[ValueInfoProto],
    outputs: list[ValueInfoProto],
) -> ModelProto:
    """The nodes that `ends` need, back to `cuts` and the graph's inputs, with tensors renamed by `names`.

    `inputs` are all that it may have; it gets those it needs.
    """
    needed = set(ends)
    nodes: list[NodeProto] = []
    for node in reversed(graph.nodes):
        made = needed.intersection(node.output) - cuts
        if made:
            nodes.append(node)
            needed.update(_reads(node))
    known = {info.name for info in inputs}
    if strangers := needed & graph.inputs - known:
        raise Uncuttable(f"one half still needs the input {', '.join(sorted(strangers))}")
    weights = [t for t in graph.model.graph.initializer if t.name in needed]
    given = {names[n] for n in needed & cuts} | (needed & graph.inputs)
    inputs = [i for i in inputs if i.name in given]
    part = helper.make_graph([_renamed(n, names) for n in reversed(nodes)], "half", inputs, outputs, weights)
    made_model = helper.make_model(part, opset_imports=list(graph.model.opset_import))
    made_model.ir_version = graph.model.ir_version
    return made_model


def _renamed(node: NodeProto, names: dict[str, str]) -> NodeProto:
    copy = NodeProto()
    copy.CopyFrom(node)
    copy.input[:] = [names.get(n, n) for n in node.input]
    copy.output[:] = [names.get(n, n) for n in node.output]
    return copy


def _reads(node: NodeProto) -> Iterator[str]:
    """The tensors a node reads, those of its inner graphs included."""
    yield from (name for name in node.input if name)
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            for inner in attribute.g.node:
                yield from _reads(inner)


def _random(nodes: list[NodeProto]) -> list[str]:
    return [n.output[0] for n in nodes if n.op_type in ("RandomNormalLike", "RandomNormal")]


def _other(node: NodeProto, name: str) -> str:
    return str(node.input[1] if node.input[0] == name else node.input[0])


def _only(found: list[_T], what: str) -> _T:
    if len(found) != 1:
        raise Uncuttable(f"{len(found)} candidates for the {what}, not one")
    return found[0]


def _info(name: str, shape: list[str | int], kind: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)
