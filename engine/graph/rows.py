"""Writes a front anew, its tensors over time as rows: one row an id, its channels side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto, NodeProto, helper

from engine.graph.constants import Array
from engine.graph.nodes import BLOCKED_DOMAIN, Nodes
from engine.graph.patterns import Reading
from engine.graph.split import IDS

MICROSOFT = "com.microsoft"
"""ONNX Runtime's own operations on usual tensors."""

OPSET = 16
"""Of what is written: the first that adds up what it scatters. From 13 to 16 no operation of a front changed."""

Form = Callable[["Rows", str], str | None]
"""Writes a tensor, given by its name in the old graph, in its own way, and gives its new name; None, and nothing
written, for a tensor that it does not know."""


@dataclass(frozen=True, slots=True)
class Forms:
    """What is tried on each tensor, in this order; `light` ones on those only that are wanted as rows anyway."""

    heavy: tuple[Form, ...] = ()
    light: tuple[Form, ...] = ()


class Rows:
    """Writes those nodes that are asked for, and what these need.

    A tensor [B, C, T] of the old graph is had as it was, by `plain`, or as [B, T, C], by `rows`. Each form is tried on
    each tensor; what no form knows is written as it was.
    """

    def __init__(self, old: Reading, sizes: Mapping[str, tuple[int, ...]], forms: Forms, block: int) -> None:
        """`sizes` are those of one run; `block` is of channels, 1 where convolutions do not run in blocks."""
        self.old, self.sizes, self.block = old, sizes, block
        self.nodes = Nodes()
        self._forms = forms
        self._rows: dict[str, str] = {}
        self._plain: dict[str, str] = {info.name: info.name for info in old.model.graph.input}

    def plain(self, x: str) -> str:
        """The new name of a tensor that is as it was."""
        if x in self._plain or not x:
            return self._plain.get(x, x)
        if x in self.old.known:
            name = self.nodes.constant(x, self.old.known[x])
        else:
            name = self._from_rows(x) or self._copied(x)
        self._plain[x] = name
        return name

    def rows(self, x: str) -> str:
        """The new name of a tensor [B, C, T] that is [B, T, C] now; of constants, those that spread over [B, C, T]."""
        if x not in self._rows:
            if x in self.old.known:
                name = self.nodes.constant(f"{x} rows", _turned(self.old.known[x]))
            else:
                name = _formed(self, x, self._forms.heavy + self._forms.light) or self._turn(
                    self._plain.get(x) or self._copied(x), x
                )
            self._rows[x] = name
        return self._rows[x]

    def has_rows(self, x: str) -> bool:
        """Whether `rows` can give it: it has three dimensions, or it is a constant that spreads over them."""
        if x in self.old.known:
            value = self.old.known[x]
            return value.size == 1 or value.ndim in (2, 3)
        return len(self.sizes.get(x, ())) == 3

    def size(self, axis: int) -> str:
        """[1]: how many texts (0) or ids (1) the graph is given."""
        shape = self.nodes.add("Shape", [IDS], "sizes of the ids")
        return self.nodes.slice(shape, axis, axis + 1, axis=0, out=f"size {axis}")

    def model(self) -> ModelProto:
        """All that was asked for, as a model with the old one's inputs and outputs."""
        old = self.old.model
        read = {name for node in self.nodes.nodes for name in node.input}
        inputs = [info for info in old.graph.input if info.name in read]
        weights = [tensor for name, tensor in self.nodes.constants.items() if name in read]
        graph = helper.make_graph(self.nodes.nodes, "front", inputs, list(old.graph.output), weights)
        opsets = [helper.make_opsetid(MICROSOFT, 1), helper.make_opsetid(BLOCKED_DOMAIN, 1)]
        opsets += [helper.make_opsetid(o.domain, max(OPSET, o.version)) for o in old.opset_import if not o.domain]
        opsets += [o for o in old.opset_import if o.domain not in ("", MICROSOFT, BLOCKED_DOMAIN)]
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = max(old.ir_version, 8)
        return model

    def _from_rows(self, x: str) -> str | None:
        """A tensor that is known as rows, turned back."""
        if len(self.sizes.get(x, ())) != 3:
            return None
        name = self._rows.get(x) or _formed(self, x, self._forms.heavy)
        if name is None:
            return None
        self._rows[x] = name
        return self.nodes.add("Transpose", [name], x, perm=[0, 2, 1])

    def _turn(self, name: str, x: str) -> str:
        self._plain[x] = name
        return self.nodes.add("Transpose", [name], f"{x} rows", perm=[0, 2, 1])

    def _copied(self, x: str) -> str:
        """The old node with what it needs; all that it makes is known then."""
        node = self.old.maker[x]
        copy = NodeProto()
        copy.CopyFrom(node)
        copy.input[:] = [self.plain(name) for name in node.input]
        copy.output[:] = [f"{name} unread" if name in self._plain else name for name in node.output]
        self.nodes.nodes.append(copy)
        self._plain |= {name: name for name in copy.output}
        return x


def _formed(to: Rows, x: str, forms: Sequence[Form]) -> str | None:
    return next((name for form in forms if (name := form(to, x)) is not None), None)


def _turned(value: Array) -> Array:
    return value if value.size == 1 or value.ndim < 2 else np.swapaxes(value, -1, -2)
