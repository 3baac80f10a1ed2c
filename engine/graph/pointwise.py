"""Operations of a front that are as short on rows as on channels.

Norms over channels and the Gelu stay as they were exported: ONNX Runtime makes one node of each by itself, once these
are run on rows, with nothing turned in between.
"""

from __future__ import annotations

from engine.graph.patterns import op
from engine.graph.rows import Rows

_POINTWISE = {"Add", "Sub", "Mul", "Div", "Relu", "Exp", "Ceil", "Neg", "Sigmoid", "Tanh", "LeakyRelu", "Identity"}
_TURN = [0, 2, 1]


def turned(to: Rows, x: str) -> str | None:
    """What was turned already."""
    found = to.old.match(x, op("Transpose", "x"))
    return to.plain(found["x"]) if found and to.old.attributes(x).get("perm") == _TURN else None


def pointwise(to: Rows, x: str) -> str | None:
    node = to.old.maker.get(x)
    if node is None or node.op_type not in _POINTWISE or not all(to.has_rows(name) for name in node.input):
        return None
    return to.nodes.add(node.op_type, [to.rows(name) for name in node.input], f"{x} rows", **to.old.attributes(x))


def part(to: Rows, x: str) -> str | None:
    """One of the parts in which a Split cuts the channels."""
    node = to.old.maker.get(x)
    if node is None or node.op_type != "Split" or to.old.attributes(x).get("axis", 0) not in (1, -2):
        return None
    if not to.has_rows(node.input[0]):
        return None
    at = list(node.output).index(x)
    begin = sum(to.sizes[name][1] for name in node.output[:at])
    rows = to.rows(node.input[0])
    return to.nodes.slice(rows, begin, begin + to.sizes[x][1], axis=2, out=f"{x} rows")


def joined(to: Rows, x: str) -> str | None:
    node = to.old.maker.get(x)
    if node is None or node.op_type != "Concat" or to.old.attributes(x)["axis"] not in (1, -2):
        return None
    if not all(len(to.sizes.get(name, ())) == 3 for name in node.input):
        return None
    return to.nodes.add("Concat", [to.rows(name) for name in node.input], f"{x} rows", axis=2)


def sliced(to: Rows, x: str) -> str | None:
    """Some of the channels, also backwards."""
    found = to.old.match(x, op("Slice", "x", "begin", "end", "axis"))
    if not found or to.old.number(found["axis"]) not in (1, -2) or not to.has_rows(found["x"]):
        return None
    names = [found["begin"], found["end"], *to.old.maker[x].input[4:]]
    if any(to.old.array(name, 1) is None for name in names):
        return None
    begin, end, *step = (to.plain(name) for name in names)
    return to.nodes.add("Slice", [to.rows(found["x"]), begin, end, to.nodes.ints(2), *step], f"{x} rows")
