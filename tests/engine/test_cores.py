from __future__ import annotations

from pathlib import Path

import pytest

from engine.cores import usable_cores


def machine(tmp_path: Path, group: str, files: dict[str, str]) -> tuple[Path, Path]:
    proc, cgroups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "self" / "cgroup").write_text(group)
    for name, text in files.items():
        path = cgroups / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return proc, cgroups


@pytest.mark.parametrize(
    ("group", "files", "cores"),
    [
        ("", {}, 8),
        ("0::/\n", {"cpu.max": "max 100000\n"}, 8),
        ("0::/\n", {"cpu.max": "250000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "50000 100000\n"}, 1),
        ("0::/\n", {"cpu.max": "3200000 100000\n"}, 8),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "300000 100000\n"}, 3),
        ("0::/../x\n", {"cpu.max": "200000 100000\n"}, 2),
        ("4:cpu,cpuacct:/d\n0::/\n", {"cpu/d/cpu.cfs_quota_us": "400000\n", "cpu/d/cpu.cfs_period_us": "100000\n"}, 4),
        (
            "4:cpu,cpuacct:/d\n",
            {"cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n"},
            8,
        ),
        ("nonsense\n", {"cpu.max": "a lot\n"}, 8),
    ],
)
def test_affinity_and_quota_are_counted(tmp_path: Path, group: str, files: dict[str, str], cores: int) -> None:
    proc, cgroups = machine(tmp_path, group, files)
    assert usable_cores(8, proc, cgroups) == cores


def test_this_machine_has_a_core() -> None:
    assert usable_cores() >= 1
