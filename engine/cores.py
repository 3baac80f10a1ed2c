"""How many cores this process may use: affinity and cgroup quota counted."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath


def usable_cores(
    affinity: int | None = None, proc: Path = Path("/proc"), cgroups: Path = Path("/sys/fs/cgroup")
) -> int:
    """At least 1. A quota of 2.5 cores counts as 2: a third thread would only be throttled in mid-sentence."""
    cores = affinity if affinity is not None else _affinity()
    quotas = [q for q in (*_quotas_v2(proc, cgroups), *_quotas_v1(proc, cgroups)) if q is not None]
    return max(1, min(cores, *(int(q) for q in quotas)) if quotas else cores)


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _quotas_v2(proc: Path, cgroups: Path) -> list[float | None]:
    """`cpu.max` of our group and of every group above it: the smallest holds."""
    return [_quota(_words(group / "cpu.max")) for group in _groups(proc, cgroups, "")]


def _quotas_v1(proc: Path, cgroups: Path) -> list[float | None]:
    return [
        _quota([*_words(group / "cpu.cfs_quota_us"), *_words(group / "cpu.cfs_period_us")])
        for root in (cgroups / "cpu", cgroups / "cpu,cpuacct")
        for group in _groups(proc, root, "cpu")
    ]


def _groups(proc: Path, root: Path, controller: str) -> list[Path]:
    """Our group's folder under `root` and all above it. In a container `root` often is our group already."""
    path = PurePosixPath("/")
    for line in _text(proc / "self" / "cgroup").splitlines():
        _, controllers, name = line.split(":", 2) if line.count(":") >= 2 else ("", "-", "/")
        if controller in controllers.split(","):
            path = PurePosixPath(name)
    return [root / str(p).lstrip("/") for p in (path, *path.parents) if ".." not in p.parts]


def _quota(words: list[str]) -> float | None:
    """Cores of `quota period`; None where there is no limit."""
    if len(words) != 2 or not words[0].isdigit() or not words[1].isdigit() or words[1] == "0":
        return None
    return int(words[0]) / int(words[1])


def _words(path: Path) -> list[str]:
    return _text(path).split()


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError):
        return ""
