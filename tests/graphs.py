"""Voices as they were prepared, kept for one run of the tests and shared by its processes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from engine.graph.store import GraphStore

_VARIABLE = "TESTS_GRAPHS"  # no setting of Onset, whose names begin with ONSET_


def share_graphs(config: pytest.Config) -> None:
    """A new folder, unless a process above has made it; it goes with the run, so that no graph outlives its surgery."""
    if _VARIABLE in os.environ:
        return
    made = tempfile.TemporaryDirectory(prefix="onset-graphs-")
    os.environ[_VARIABLE] = made.name

    def forget() -> None:
        del os.environ[_VARIABLE]
        made.cleanup()

    config.add_cleanup(forget)


def graphs_folder() -> Path:
    return Path(os.environ[_VARIABLE])


def graph_store() -> GraphStore:
    return GraphStore(graphs_folder())
