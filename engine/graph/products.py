"""Convolutions of a front as products of matrices: on rows they are these, and weights are packed for them once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.constants import Array
from engine.graph.nodes import TO_THE_END
from engine.graph.patterns import Reading, op
from engine.graph.rows import Rows


@dataclass(frozen=True, slots=True)
class Window:
    """A convolution over ids that gives as many as it takes. `weight` is [out, in, taps]."""

    x: str
    weight: Array
    bias: Array | None
    reach: int  # ids that it sees on each side
    dilation: int


def window(old: Reading, x: str) -> Window | None:
    """The convolution that makes `x`, its padding written in it or before it."""
    found = old.match(x, op("Conv", "x", "weight"))
    if found is None:
        return None
    names = old.maker[x].input
    weight = old.array(found["weight"], 3)
    bias = old.array(names[2], 1) if len(names) > 2 else None
    attributes = old.attributes(x)
    plain = attributes.get("group", 1) == 1 and attributes.get("strides", [1]) == [1]
    if weight is None or (len(names) == 3 and bias is None) or not plain or "auto_pad" in attributes:
        return None
    source, (left, right) = found["x"], attributes.get("pads", [0, 0])
    if left == right == 0:
        source, left, right = _unpadded(old, source)
    dilation = attributes.get("dilations", [1])[0]
    if left != right or left + right != (weight.shape[2] - 1) * dilation:
        return None
    return Window(source, weight, bias, left, dilation)


def _unpadded(old: Reading, x: str) -> tuple[str, int, int]:
    """What `x` was before zeros were put at its ends, and how many."""
    found = old.match(x, op("Pad", "x", "pads"))
    pads = None if found is None else old.array(found["pads"], 1)
    if found is None or pads is None or pads.size != 6 or pads[[0, 1, 3, 4]].any():
        return x, 0, 0
    if old.attributes(x).get("mode", b"constant") != b"constant" or any(
        old.number(name) != 0 for name in old.maker[x].input[2:] if name
    ):
        return x, 0, 0
    return found["x"], int(pads[2]), int(pads[5])


def product(to: Rows, x: str) -> str | None:
    """Of the rows side by side with their neighbours, or, where that is less, of the rows and then summed up with
    their neighbours' products."""
    found = window(to.old, x)
    if found is None or not to.has_rows(found.x):
        return None
    out, inside, taps = found.weight.shape
    rows = to.rows(found.x)
    if taps == 1:
        made = to.nodes.add("MatMul", [rows, to.nodes.constant(f"{x} weight", found.weight[:, :, 0].T)], f"{x} product")
    elif inside <= out:
        made = _of_neighbours(to, x, found, rows)
    else:
        made = _sum_of_neighbours(to, x, found, rows)
    if found.bias is None:
        return made
    return to.nodes.add("Add", [made, to.nodes.constant(f"{x} bias", found.bias)], f"{x} rows")


def _of_neighbours(to: Rows, x: str, found: Window, rows: str) -> str:
    n, reach = to.nodes, found.reach
    padded = n.add("Pad", [rows, n.ints(0, reach, 0, 0, reach, 0)], f"{x} padded")
    shifts = [tap * found.dilation - reach for tap in range(found.weight.shape[2])]
    near = [rows if shift == 0 else _shifted(to, padded, shift, reach, f"{x} shifted {shift}") for shift in shifts]
    beside = n.add("Concat", near, f"{x} neighbours", axis=2)
    weight = found.weight.transpose(2, 1, 0).reshape(-1, found.weight.shape[0])
    return n.add("MatMul", [beside, n.constant(f"{x} weight", weight)], f"{x} product")


def _shifted(to: Rows, padded: str, shift: int, reach: int, out: str) -> str:
    end = shift - reach
    return to.nodes.slice(padded, reach + shift, end if end else TO_THE_END, axis=1, out=out)


def _sum_of_neighbours(to: Rows, x: str, found: Window, rows: str) -> str:
    n, (out, inside, taps) = to.nodes, found.weight.shape
    weight = found.weight.transpose(1, 2, 0).reshape(inside, -1)
    products = n.add("MatMul", [rows, n.constant(f"{x} weight", weight)], f"{x} products")
    near = []
    for tap in range(taps):
        shift = tap * found.dilation - found.reach
        one = n.slice(products, tap * out, (tap + 1) * out, axis=2, out=f"{x} tap {tap}")
        if shift:  # a negative padding takes rows away
            one = n.add("Pad", [one, n.ints(0, -shift, 0, 0, shift, 0)], f"{x} tap {tap} shifted")
        near.append(one)
    return n.add("Sum", near, f"{x} product")
