"""How work grows with its input: lines of the text path counted, or processor time compared."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import engine.text

_TRIES = 3
_TEXT_PATH = str(Path(engine.text.__file__).parent)


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the text path ran: work counted, not timed."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace if frame.f_code.co_filename.startswith(_TEXT_PATH) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def cpu_s(work: Callable[[], object]) -> float:
    """Of this thread: what else runs on the machine hardly counts."""
    before = time.thread_time()
    work()
    return time.thread_time() - before


def is_linear(
    work: Callable[[str], object], small: str, large: str, *, most: float = 2.5, spare_s: float = 2e-3
) -> bool:
    """Whether `large` takes at most `most` times as long a character as `small`, and `spare_s`.

    Where each look goes back to the beginning, sixteen times the text takes sixteen times as long a character. What
    seems too slow is tried again: the best counts.
    """
    times = len(large) / len(small)
    least = min(cpu_s(lambda: work(small)) for _ in range(_TRIES))
    return any(cpu_s(lambda: work(large)) <= most * times * least + spare_s for _ in range(_TRIES))
