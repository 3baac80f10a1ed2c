"""Measures what the steps of a model take."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from engine.types import Cost

_RUNS = 3


def seconds_of(step: Callable[[], object]) -> float:
    """The median of a few runs, in time of the calling thread: what else the machine does meanwhile does not count."""
    taken = []
    for _ in range(_RUNS):
        begin = time.thread_time()
        step()
        taken.append(time.thread_time() - begin)
    return median(taken)


def line_through(n: int, seconds: float, more: int, more_seconds: float) -> tuple[float, float]:
    """Base and slope of a cost that was measured at two sizes; neither is negative."""
    each = max(0.0, (more_seconds - seconds) / (more - n))
    return max(0.0, seconds - each * n), each


def of_rows(n: int, rows: int, single: Cost, seconds: float) -> Cost:
    """A cost that was measured for one row, with what each row of a batch of `rows` rows, `n` in all, adds."""
    each_row = (seconds - single.of(n)) / max(1, rows - 1)
    row_s = min(max(0.0, each_row), single.base_s)
    return Cost(single.base_s - row_s, single.each_s, row_s)
