"""The inverse of a rational-quadratic spline with linear tails (Durkan et al. 2019, as in VITS), in few nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import TensorProto

from engine.graph.constants import Array
from engine.graph.patterns import ANY, Found, Moved, Op, op
from engine.graph.rows import Rows

_TABLE = op("Transpose", op("Reshape", "table"))


def _knots(name: str) -> Op:
    """Where the bins begin and end: softmax, no bin narrower than the least, summed up, from low to high."""
    weights = op("Softmax", Moved(op("Div", op("Slice", _TABLE, f"{name} begin", f"{name} end"), "root")))
    sums = op("CumSum", op("Add", op("Mul", ANY, weights), f"{name} least"))
    return op("Add", op("Mul", Moved(sums), "span"), "low")


_INSIDE = op("And", op("GreaterOrEqual", "y", "low"), op("LessOrEqual", "y", "high"))
_SLOPES = op("Add", op("Softplus", Moved(op("Slice", _TABLE, "slopes begin"))), "slopes least")
_C = op("Mul", op("Neg", ANY), op("Sub", Moved("y"), Moved(_knots("heights"))))
_B = op("Sub", op("Mul", ANY, Moved(_SLOPES)), ANY)
_ROOT = op("Div", op("Mul", _C, ANY), op("Sub", op("Neg", _B), op("Sqrt", ANY)))
_RESULT = op("Add", op("Mul", _ROOT, ANY), Moved(_knots("widths")))
_SPLINE = op("ScatterND", ANY, Moved(_INSIDE), Moved(_RESULT))


@dataclass(frozen=True, slots=True)
class _Spline:
    """`table` has the widths and the heights of the bins, as logarithms times `root`, and the slopes between them."""

    y: str
    table: str
    bins: int
    low: float
    high: float
    root: float
    least: float  # part of the whole that a bin has
    least_slope: float


def spline(to: Rows, x: str) -> str | None:
    found = to.old.match(x, _SPLINE)
    read = None if found is None else _read(to, found)
    return None if read is None else _Writing(to, x, read).write()


def _read(to: Rows, found: Found) -> _Spline | None:
    table, y = found["table"], found["y"]
    numbers = {name: to.old.number(x) for name, x in found.items()}
    if len(to.sizes.get(table, ())) != 3 or to.sizes.get(y, ())[1:2] != (1,) or not to.has_rows(y):
        return None
    bins = (to.sizes[table][1] + 1) // 3
    names = ("widths begin", "widths end", "heights begin", "heights end", "slopes begin")
    if [numbers[name] for name in names] != [0, bins, bins, 2 * bins, 2 * bins]:
        return None
    low, high, span = (numbers[name] for name in ("low", "high", "span"))
    root, least, slope = (numbers[name] for name in ("root", "widths least", "slopes least"))
    if low is None or high is None or span != high - low or root is None or least is None or slope is None:
        return None
    if least != numbers["heights least"] or least * bins >= 1:
        return None
    return _Spline(y, table, bins, low, high, root, least, slope)


class _Writing:
    """Nodes of one spline, on rows: [B, T, 1] and tables [B, T, n]."""

    def __init__(self, to: Rows, x: str, read: _Spline) -> None:
        self._to, self._n, self._x, self._read = to, to.nodes, x, read

    def write(self) -> str:
        y, table = self._to.rows(self._read.y), self._to.rows(self._read.table)
        inside = self._add("Clip", y, self._n.number(self._read.low), self._n.number(self._read.high))
        solved = self._solved(inside, self._around(inside, table))
        return self._n.add("Where", [self._add("Equal", y, inside), solved, y], f"{self._x} rows")

    def _around(self, y: str, table: str) -> Sequence[str]:
        """Of the bin of `y`: where it begins and ends in x, where in y, and the slopes there."""
        n, bins = self._n, self._read.bins
        sizes = n.slice(table, 0, 2 * bins, axis=2, out=f"{self._x} sizes")
        by_axis = self._add("Reshape", self._add("Div", sizes, self._n.number(self._read.root)), n.ints(0, 0, 2, bins))
        factors, begins = _summing(self._read)
        sums = self._add("MatMul", self._add("Softmax", by_axis, axis=-1), n.constant(f"sums {self._x}", factors))
        knots = self._add("Add", sums, n.constant(f"begins {self._x}", begins))
        inner = self._add("Slice", knots, n.ints(1, 1), n.ints(2, bins), n.ints(2, 3))
        below = self._add("GreaterOrEqual", self._add("Unsqueeze", y, n.ints(3)), inner)
        at = self._add("ReduceSum", self._add("Cast", below, to=TensorProto.INT64), n.ints(3), keepdims=0)
        tables = [self._add("Reshape", knots, n.ints(0, 0, 2 * bins + 2)), self._slopes(table)]
        places = np.array([0, 1, bins + 1, bins + 2, 2 * bins + 2, 2 * bins + 3])
        at = self._add("Add", at, n.constant(f"places {bins}", places))
        taken = self._add("GatherElements", self._add("Concat", *tables, axis=2), at, axis=2)
        return [n.slice(taken, i, i + 1, axis=2, out=f"{taken} {i}") for i in range(6)]

    def _slopes(self, table: str) -> str:
        """1 at both ends, as the tails have it."""
        n, bins = self._n, self._read.bins
        raw = n.slice(table, 2 * bins, 3 * bins - 1, axis=2, out=f"{self._x} slopes")
        inner = self._add("Add", self._add("Softplus", raw), self._n.number(self._read.least_slope))
        return self._add("Pad", inner, n.ints(0, 0, 1, 0, 0, 1), self._n.number(1.0))

    def _solved(self, y: str, around: Sequence[str]) -> str:
        """Equations 6 to 8 of the paper's appendix."""
        x0, x1, y0, y1, d0, d1 = around
        width, height, up = self._add("Sub", x1, x0), self._add("Sub", y1, y0), self._add("Sub", y, y0)
        slope = self._add("Div", height, width)
        bend = self._add("Sub", self._add("Add", d0, d1), self._add("Mul", slope, self._n.number(2.0)))
        bent = self._add("Mul", up, bend)
        a = self._add("Add", bent, self._add("Mul", height, self._add("Sub", slope, d0)))
        b = self._add("Sub", self._add("Mul", height, d0), bent)
        minus_c = self._add("Mul", slope, up)
        four_ac = self._add("Mul", self._add("Mul", a, self._n.number(4.0)), minus_c)
        root = self._add("Sqrt", self._add("Add", self._add("Mul", b, b), four_ac))
        part = self._add("Div", self._add("Mul", minus_c, self._n.number(2.0)), self._add("Add", b, root))
        return self._add("Add", self._add("Mul", part, width), x0)

    def _add(self, op_type: str, *inputs: str, **attributes: Any) -> str:
        return self._n.add(op_type, inputs, f"{self._x} {len(self._n.nodes)}", **attributes)


def _summing(read: _Spline) -> tuple[Array, Array]:
    """A matrix and what is added, by which the parts of bins become where they begin and end."""
    steps, span = np.arange(read.bins + 1), read.high - read.low
    factors = np.triu(np.full((read.bins, read.bins + 1), span * (1 - read.bins * read.least), np.float32), 1)
    factors[:, -1] = 0  # the last bin ends where all end, exactly
    begins = read.low + span * read.least * steps
    begins[-1] = read.high
    return factors, begins.astype(np.float32)
