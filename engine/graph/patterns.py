"""What a tensor is computed by, written down as a pattern and found in a graph whatever its tensors are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from onnx import ModelProto, NodeProto, helper

from engine.graph.constants import Array, constants

ANY = "_"
_COMMUTATIVE = {"Add", "Mul"}
_MOVES = {
    *("Cast", "Expand", "Gather", "GatherElements", "GatherND", "NonZero", "Pad", "Reshape", "ScatterND", "Slice"),
    *("Squeeze", "Transpose", "Unsqueeze"),
}

Found = Mapping[str, str]
"""The tensors that a pattern's names stand for."""


@dataclass(frozen=True, slots=True)
class Op:
    """A node: its operation and the patterns of its first inputs, those of sums and products in any order.

    A string stands for any tensor, everywhere for the same one; ANY for any.
    """

    op: str
    inputs: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was taken from, put among or laid out as others, however often, before which it was `of`."""

    of: Pattern


Pattern = Op | Moved | str


def op(name: str, *inputs: Pattern) -> Op:
    return Op(name, inputs)


class Reading:
    """A graph, its nodes by what they make, with all values that are known before it runs."""

    def __init__(self, model: ModelProto) -> None:
        self.model = model
        self.maker: dict[str, NodeProto] = {name: node for node in model.graph.node for name in node.output if name}
        self.known = constants(model)

    def match(self, x: str, pattern: Pattern) -> Found | None:
        """The first way in which the pattern describes `x`."""
        return next(self._ways(x, pattern, {}), None)

    def attributes(self, x: str) -> dict[str, Any]:
        """Of the node that makes `x`."""
        return {a.name: helper.get_attribute_value(a) for a in self.maker[x].attribute}

    def number(self, x: str) -> float | None:
        """The value of a constant of one element."""
        value = self.known.get(x)
        return None if value is None or value.size != 1 else float(value.reshape(-1)[0])

    def array(self, x: str, ndim: int) -> Array | None:
        value = self.known.get(x)
        return None if value is None or value.ndim != ndim else value

    def _ways(self, x: str, pattern: Pattern, found: Found) -> Iterator[Found]:
        if isinstance(pattern, str):
            if pattern == ANY or found.get(pattern, x) == x:
                yield found if pattern == ANY else {**found, pattern: x}
            return
        node = self.maker.get(x)
        if isinstance(pattern, Moved):
            yield from self._ways(x, pattern.of, found)
            if node is not None and node.op_type in _MOVES:
                yield from self._ways(node.input[0], pattern, found)
            return
        if node is None or node.op_type != pattern.op or len(node.input) < len(pattern.inputs):
            return
        names = tuple(node.input[: len(pattern.inputs)])
        yield from self._all(names, pattern.inputs, found)
        if pattern.op in _COMMUTATIVE:
            yield from self._all(names[::-1], pattern.inputs, found)

    def _all(self, names: tuple[str, ...], patterns: tuple[Pattern, ...], found: Found) -> Iterator[Found]:
        if not names:
            yield found
            return
        for way in self._ways(names[0], patterns[0], found):
            yield from self._all(names[1:], patterns[1:], way)
