"""What a process costs, as Linux counts it under /proc."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.heard import percentile

EVERY_S = 0.1
_TICK = os.sysconf("SC_CLK_TCK")


def memory_bytes(pid: int) -> int:
    """Resident memory now."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def cpu_s(pid: int) -> float:
    """Processor time of all its threads so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def running_threads(pid: int) -> int:
    """Threads that run or wait for a core now."""
    running = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has just ended
            running += (task / "stat").read_text().rpartition(")")[2].split()[0] == "R"
    return running


@dataclass(slots=True)
class Watch:
    """Samples of one process, EVERY_S apart."""

    memory: list[int] = field(default_factory=list)  # bytes
    threads: list[int] = field(default_factory=list)  # running at once
    cpu_s: float = 0.0
    wall_s: float = 0.0

    @property
    def memory_bytes(self) -> float:
        """The median of the second half."""
        return percentile(self.memory[len(self.memory) // 2 :], 0.5)


@contextmanager
def watched(pid: int) -> Iterator[Watch]:
    """Watch a process from a thread of ours until the end of the block."""
    watch, over = Watch(), threading.Event()

    def look() -> None:
        while True:
            watch.memory.append(memory_bytes(pid))
            watch.threads.append(running_threads(pid))
            if over.wait(EVERY_S):
                return

    began_s, began = cpu_s(pid), time.monotonic()
    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()
        watch.cpu_s, watch.wall_s = cpu_s(pid) - began_s, time.monotonic() - began
