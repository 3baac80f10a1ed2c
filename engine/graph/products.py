"""Convolutions of a front as products of matrices: on rows they are these, and weights are packed for them once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.constants import Array
from engine.graph.nodes import BLOCKED_DOMAIN, TO_THE_END
from engine.graph.patterns import Reading, op
from engine.graph.rows import Rows


@dataclass(frozen=True, slots=True)
class Window:
    """A convolution over ids that gives as many as it takes. `weight` is [out, in of a group, taps]."""

    x: str
    weight: Array
    bias: Array | None
    reach: int  # ids that it sees on each side
    dilation: int
    groups: int


def window(old: Reading, x: str) -> Window | None:
    """The convolution that makes `x`, its padding written in it or before it."""
    found = old.match(x, op("Conv", "x", "weight"))
    if found is None:
        return None
    names = old.maker[x].input
    weight = old.array(found["weight"], 3)
    bias = old.array(names[2], 1) if len(names) > 2 else None
    attributes = old.attributes(x)
    strided = attributes.get("strides", [1]) != [1]
    if weight is None or (len(names) == 3 and bias is None) or strided or "auto_pad" in attributes:
        return None
    source, (left, right) = found["x"], attributes.get("pads", [0, 0])
    if left == right == 0:
        source, left, right = _unpadded(old, source)
    dilation = attributes.get("dilations", [1])[0]
    if left != right or left + right != (weight.shape[2] - 1) * dilation:
        return None
    return Window(source, weight, bias, left, dilation, attributes.get("group", 1))


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
    if found is None or found.groups != 1 or not to.has_rows(found.x):
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
    n, near = to.nodes, []
    for tap in range(found.weight.shape[2]):
        shift = tap * found.dilation - found.reach
        weight = n.constant(f"{x} weight {tap}", found.weight[:, :, tap].T)
        one = n.add("MatMul", [rows, weight], f"{x} tap {tap}")
        if shift:  # a negative padding takes rows away
            one = n.add("Pad", [one, n.ints(0, -shift, 0, 0, shift, 0)], f"{x} tap {tap} shifted")
        near.append(one)
    return n.add("Sum", near, f"{x} product")


def depthwise(to: Rows, x: str) -> str | None:
    """Each channel by itself, in blocks of channels, which are near to rows: the channels of a block lie side by side.

    ONNX Runtime has no such convolution of rows, and turning them to channels and back takes longer than it.
    """
    found = window(to.old, x)
    if found is None or to.block == 1 or not to.has_rows(found.x):
        return None
    channels, inside, taps = found.weight.shape
    if found.groups != channels or inside != 1 or channels % to.block:
        return None
    n, blocked = to.nodes, {"domain": BLOCKED_DOMAIN}
    wide = n.add("Unsqueeze", [to.rows(found.x), n.ints(1)], f"{x} wide")
    inputs = [n.add("ReorderInput", [wide], f"{x} in blocks", channels_last=1, **blocked)]
    weight = found.weight.reshape(-1, to.block, 1, 1, taps).transpose(0, 2, 3, 4, 1).reshape(channels, 1, 1, taps)
    inputs.append(n.constant(f"{x} weight", weight))
    if found.bias is not None:
        inputs.append(n.constant(f"{x} bias", found.bias))
    window_of = {"kernel_shape": [1, taps], "dilations": [1, found.dilation], "pads": [0, found.reach] * 2}
    made = n.add("Conv", inputs, f"{x} made", group=channels, **window_of, **blocked)
    made = n.add("ReorderOutput", [made], f"{x} made wide", channels=channels, channels_last=1, **blocked)
    return n.add("Squeeze", [made, n.ints(1)], f"{x} rows")
