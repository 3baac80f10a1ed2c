"""Keeps what surgery made on disk, so that a voice is cut once and not at every start."""

from __future__ import annotations

import glob
import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.graph.streaming import Silence, Steps

SURGERY = 4
"""Version of the surgery: raised with every change of the graphs that it makes, for then all are made anew."""

_MAGIC = b"onset graphs\n"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Graphs:
    """A voice that streams, cut and rewritten: serialized ONNX models, `speaker` empty for a voice of one speaker."""

    front: bytes
    decoder: bytes
    speaker: bytes
    steps: Steps


class GraphStore:
    """A folder of graphs, each under a key; with None, nothing is kept.

    A file is whole and of this surgery's version, or it is made anew. A folder that cannot be written to is told of
    once, and costs a slower start only. Several processes may share one.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._told = False

    def get(self, key: str, make: Callable[[], Graphs]) -> Graphs:
        """The graphs under a key: from the disk, else from `make`, whose errors pass through."""
        if self._folder is None:
            return make()
        path = self._folder / f"{key}-{SURGERY}.graphs"
        try:
            return _unpack(path.read_bytes())
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            _log.warning("%s is made anew: %s", path, error)
        graphs = make()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _write(path, _pack(graphs))
            for other in self._folder.glob(f"{glob.escape(key)}-*.graphs"):
                if other != path:  # of another version of the surgery
                    other.unlink(missing_ok=True)
        except OSError as error:
            if not self._told:
                _log.warning("voices start more slowly, for nothing can be kept in %s: %s", self._folder, error)
            self._told = True
        return graphs


def _write(path: Path, data: bytes) -> None:
    """All of it or nothing, also when the power fails: a new file, on disk, takes the place of the old."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _pack(graphs: Graphs) -> bytes:
    """Mark, checksum of the rest, length of the head, head (JSON), the three models."""
    models = graphs.front, graphs.decoder, graphs.speaker
    head = json.dumps({"sizes": [len(m) for m in models], "steps": asdict(graphs.steps)}).encode()
    body = b"".join((len(head).to_bytes(8, "big"), head, *models))
    return _MAGIC + hashlib.sha256(body).digest() + body


def _unpack(data: bytes) -> Graphs:
    """The inverse; raises ValueError for anything else."""
    start = len(_MAGIC) + hashlib.sha256().digest_size
    if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : start] != hashlib.sha256(memoryview(data)[start:]).digest():
        raise ValueError("it is damaged")
    size = int.from_bytes(data[start : start + 8], "big")
    at = start + 8 + size
    head: dict[str, Any] = json.loads(data[start + 8 : at])
    models = []
    for length in head["sizes"]:
        models.append(data[at : at + length])
        at += length
    front, decoder, speaker = models
    steps = head["steps"]
    states, tails = (tuple(Silence(**silence) for silence in steps.pop(name)) for name in ("states", "tails"))
    return Graphs(
        front, decoder, speaker, Steps(**steps | {"speaker": tuple(steps["speaker"])}, states=states, tails=tails)
    )
