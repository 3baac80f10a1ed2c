"""Self-attention with relative positions (Shaw et al. 2018, as in VITS), all heads in one go and in few nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.graph.constants import Array
from engine.graph.patterns import ANY, Found, Moved, op
from engine.graph.products import window
from engine.graph.rows import MICROSOFT, Rows

_FAR = -1e4  # what a masked score is: its weight is zero

_HEADS = {name: op("Reshape", name, ANY) for name in ("queries", "keys", "values")}
_QUERIES = op("Div", op("Transpose", _HEADS["queries"]), "root")
_SCORES = op("Add", op("MatMul", _QUERIES, _HEADS["keys"]), Moved(op("MatMul", _QUERIES, "near keys")))
_BOTH = op("Mul", op("Unsqueeze", "mask", ANY), op("Unsqueeze", "mask", ANY))
_WEIGHTS = op("Softmax", op("Where", Moved(op("Equal", _BOTH, "zero")), "far", _SCORES))
_SUM = op(
    "Add", op("MatMul", _WEIGHTS, op("Transpose", _HEADS["values"])), op("MatMul", Moved(_WEIGHTS), "near values")
)
_ATTENTION = op("Reshape", op("Transpose", _SUM), ANY)


@dataclass(frozen=True, slots=True)
class _Attention:
    """Weights [in, out] of queries, keys and values; the queries' and their bias are divided by the root already."""

    x: str
    mask: str
    weights: tuple[Array, Array, Array]
    bias: Array  # of the queries
    later: Array  # the values' bias: weights sum up to one, so that it is added to what the heads give
    heads: int
    near_keys: Array  # [2 * reach + 1, channels of a head], from the id farthest behind to the one farthest ahead
    near_values: Array

    @property
    def channels(self) -> int:
        return len(self.near_keys[0])

    @property
    def reach(self) -> int:
        return len(self.near_keys) // 2


def attention(to: Rows, x: str) -> str | None:
    """What the heads give, side by side, before it is projected."""
    found = to.old.match(x, _ATTENTION)
    read = None if found is None else _read(to, found)
    return None if read is None else _write(to, x, read)


def _read(to: Rows, found: Found) -> _Attention | None:
    old = to.old
    windows = [window(old, found[name]) for name in ("queries", "keys", "values")]
    parts = [w for w in windows if w is not None and w.weight.shape[2] == 1 and w.bias is not None]
    root, mask = old.number(found["root"]), found["mask"]
    near_keys, near_values = (_embedding(to, found[name]) for name in ("near keys", "near values"))
    if len(parts) != 3 or len({w.x for w in parts}) != 1 or not to.has_rows(parts[0].x) or not to.has_rows(mask):
        return None
    if not root or old.number(found["zero"]) != 0 or near_keys is None or near_values is None:
        return None
    channels = near_keys.shape[1]
    heads, rest = divmod(len(parts[0].weight), channels)
    if rest or near_keys.shape != near_values.shape or (old.number(found["far"]) or 0) > _FAR:
        return None
    queries, keys, values = parts
    if queries.bias is None or values.bias is None:
        return None
    weights = queries.weight[:, :, 0].T / np.float32(root), keys.weight[:, :, 0].T, values.weight[:, :, 0].T
    return _Attention(
        parts[0].x, mask, weights, queries.bias / np.float32(root), values.bias, heads, near_keys, near_values
    )


def _embedding(to: Rows, x: str) -> Array | None:
    """What a table of relative positions was padded, cut and turned from."""
    while x not in to.old.known:
        node = to.old.maker.get(x)
        if node is None or node.op_type not in ("Pad", "Slice", "Unsqueeze", "Transpose"):
            return None
        x = node.input[0]
    table = to.old.array(x, 3)
    return None if table is None or table.shape[0] != 1 or table.shape[1] % 2 != 1 else table[0]


def _write(to: Rows, x: str, read: _Attention) -> str:
    n, reach, heads, channels = to.nodes, read.reach, read.heads, read.channels
    rows = to.rows(read.x)
    queries, keys, values = (_by_head(to, x, name, rows, read) for name in ("queries", "keys", "values"))

    near_keys = n.constant(f"{x} near keys", read.near_keys.T)
    near = _spread(to, x, n.add("MatMul", [queries, near_keys], f"{x} near"), reach)
    scores = n.add("FusedMatMul", [queries, keys], f"{x} products", domain=MICROSOFT, transB=1)
    scores = n.add("Add", [n.add("Add", [scores, near], f"{x} scores"), _masking(to, read.mask)], f"{x} masked")
    weights = n.add("Softmax", [scores], f"{x} weights", axis=-1)

    near_values = n.constant(f"{x} near values", read.near_values)
    near = n.add("MatMul", [_band(to, x, weights, reach), near_values], f"{x} of near values")
    summed = n.add("Add", [n.add("MatMul", [weights, values], f"{x} of values"), near], f"{x} sum")
    by_id = n.add("Transpose", [summed], f"{x} sum by id", perm=[0, 2, 1, 3])
    shape = n.add("Concat", [to.size(0), to.size(1), n.ints(heads * channels)], f"rows of {heads * channels}", axis=0)
    made = n.add("Reshape", [by_id, shape], f"{x} by id")
    return n.add("Add", [made, n.constant(f"{x} bias of values", read.later)], f"{x} rows")


def _by_head(to: Rows, x: str, name: str, rows: str, read: _Attention) -> str:
    """[B, heads, T, channels]. What the keys' bias adds to a score is the same for all keys, so it does nothing."""
    n, at = to.nodes, ("queries", "keys", "values").index(name)
    made = n.add("MatMul", [rows, n.constant(f"{x} weight of {name}", read.weights[at])], f"{x} {name}")
    if name == "queries":
        made = n.add("Add", [made, n.constant(f"{x} bias of {name}", read.bias)], f"{x} {name} shifted")
    made = n.reshape(made, (0, 0, read.heads, read.channels), f"{x} {name} by head")
    return n.add("Transpose", [made], f"{x} heads of {name}", perm=[0, 2, 1, 3])


def _masking(to: Rows, mask: str) -> str:
    """[B, 1, 1, T]: what is added to the scores of ids, nothing to those of the text."""
    n = to.nodes
    past = n.add("Sub", [to.plain(mask), n.number(1.0)], f"{mask} past the end")
    far = n.add("Mul", [past, n.number(-_FAR)], f"{mask} far")
    return n.add("Unsqueeze", [far, n.ints(1)], f"{mask} of scores")


def _spread(to: Rows, x: str, near: str, reach: int) -> str:
    """[..., T, T] of [..., T, 2 * reach + 1]: entry (i, j) is (i, j - i + reach), zero where there is none.

    Rows are made T - 1 longer, then read one shorter and begun `reach` later, so that each moves on by one.
    """
    n, width = to.nodes, to.size(1)
    longer = _padding(to, "spread", n.add("Sub", [width, n.ints(1)], "ids but one"))
    flat = n.reshape(n.add("Pad", [near, longer], f"{x} near longer"), (0, 0, -1), f"{x} near flat")
    back = _padding(to, f"begun {reach} later", n.add("Sub", [n.ints(reach), width], f"{reach} less ids"), -reach, 3)
    moved = n.add("Pad", [flat, back], f"{x} near moved")
    shorter = n.add("Add", [width, n.ints(2 * reach - 1)], f"ids and {2 * reach - 1}")
    shape = n.add("Concat", [n.ints(0, 0), width, shorter], f"spread {reach}", axis=0)
    square = n.add("Reshape", [moved, shape], f"{x} near by id")
    return n.add("Slice", [square, n.ints(0), width, n.ints(3)], f"{x} near spread")


def _padding(to: Rows, name: str, end: str, begin: int = 0, axes: int = 4) -> str:
    """Of the last of some axes."""
    n, none = to.nodes, (0,) * (axes - 1)
    return n.add("Concat", [n.ints(*none, begin), n.ints(*none), end], f"padding {name}", axis=0)


def _band(to: Rows, x: str, weights: str, reach: int) -> str:
    """[..., T, 2 * reach + 1] of [..., T, T]: entry (i, k) is (i, i + k - reach), zero where there is none."""
    n, width = to.nodes, to.size(1)
    count = n.add("Squeeze", [width], "number of ids")
    i = n.add("Range", [n.count(0), count, n.count(1)], "each id")
    i = n.add("Unsqueeze", [i, n.ints(1)], "each id below")
    k = n.constant(f"reach {reach}", np.arange(-reach, reach + 1))
    j = n.add("Add", [i, k], f"near {reach}")
    inside = n.add(
        "Clip",
        [
            j,
            n.count(0),
            n.add("Sub", [count, n.count(1)], "last id"),
        ],
        f"near {reach} inside",
    )
    valid = n.add("Cast", [n.add("Equal", [j, inside], f"near {reach} same")], f"near {reach} valid", to=1)
    at = n.add("Add", [n.add("Mul", [i, count], "each row"), inside], f"near {reach} at")
    flat = n.reshape(weights, (0, 0, -1), f"{x} weights flat")
    return n.add("Mul", [n.add("Gather", [flat, at], f"{x} band whole", axis=2), valid], f"{x} band")
