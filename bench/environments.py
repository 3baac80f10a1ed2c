"""Environments of the other programs: one each under .bench/, made once and again when what it holds has changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / ".bench"
INSTALL_S = 600.0
_STAMP = "onset-stamp.json"


class NotInstalled(Exception):
    """A program could not be installed; the message says why."""


def environment(name: str, packages: Sequence[str]) -> Path:
    """The interpreter of an environment that holds `packages`. With the stamp in place it needs no network.

    ONNX Runtime is of the version that this process has, so that programs are compared and not runtimes.
    Raises NotInstalled.
    """
    folder = FOLDER / name
    python = folder / "bin" / "python"
    wanted = [*packages, f"onnxruntime=={version('onnxruntime')}"]
    stamp = json.dumps({"python": sys.version, "packages": wanted})
    if _read(folder / _STAMP) != stamp:
        print(f"Installing {name} into {folder.relative_to(FOLDER.parent)}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
        (folder / _STAMP).write_text(stamp)
    return python


def _run(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_S)
    except subprocess.CalledProcessError as error:
        said = str(error.stderr or error.stdout).strip().splitlines() or [f"it ended with {error.returncode}"]
        raise NotInstalled(said[-1]) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(str(error)) from error


def _read(path: Path) -> str:
    return path.read_text() if path.is_file() else ""
