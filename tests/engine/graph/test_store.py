from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from engine.graph import store as storing
from engine.graph.split import Uncuttable
from engine.graph.store import Graphs, GraphStore
from engine.graph.streaming import Silence, Steps

GRAPHS = Graphs(
    b"front",
    b"decoder" * 1000,
    b"",
    Steps(256, 10920, 16, (Silence("a", 8, 2), Silence("b", 4, 0)), (Silence("t", 8, 3),), ("g",)),
)
OTHER = Graphs(b"other", b"", b"speaker", Steps(1, 0, 1, (), (), ()))


class Maker:
    """Counts how often it is asked."""

    def __init__(self, graphs: Graphs = GRAPHS) -> None:
        self.graphs, self.calls = graphs, 0

    def __call__(self) -> Graphs:
        self.calls += 1
        return self.graphs


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_graphs_are_made_once(tmp_path: Path) -> None:
    make = Maker()
    folder = tmp_path / "not" / "there yet"
    assert GraphStore(folder).get("a", make) == GRAPHS
    assert GraphStore(folder).get("a", make) == GRAPHS
    assert make.calls == 1


def test_each_fingerprint_has_its_own(tmp_path: Path) -> None:
    store = GraphStore(tmp_path)
    assert store.get("a", Maker()) == GRAPHS
    assert store.get("b", Maker(OTHER)) == OTHER
    assert store.get("a", Maker(OTHER)) == GRAPHS


def test_another_version_of_the_surgery_makes_them_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    GraphStore(tmp_path).get("a", Maker())
    old = only_file(tmp_path)
    monkeypatch.setattr(storing, "SURGERY", storing.SURGERY + 1)
    assert GraphStore(tmp_path).get("a", Maker(OTHER)) == OTHER
    assert only_file(tmp_path) != old, "old versions are not left behind"


@pytest.mark.parametrize("keep", [0, 5, 20, 60, 400, -1])
def test_a_file_cut_short_is_made_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture, keep: int) -> None:
    GraphStore(tmp_path).get("a", Maker())
    path = only_file(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    make = Maker()
    with caplog.at_level(logging.WARNING):
        assert GraphStore(tmp_path).get("a", make) == GRAPHS
    assert make.calls == 1 and "made anew" in caplog.text
    assert path.read_bytes() == whole


@pytest.mark.parametrize("at", [0, 15, 50, 60, -3])
def test_a_file_with_a_wrong_byte_is_made_anew(tmp_path: Path, at: int) -> None:
    GraphStore(tmp_path).get("a", Maker())
    path = only_file(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    make = Maker()
    assert GraphStore(tmp_path).get("a", make) == GRAPHS
    assert make.calls == 1
    assert GraphStore(tmp_path).get("a", Maker(OTHER)) == GRAPHS


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    GraphStore(tmp_path).get("a", Maker())
    path = only_file(tmp_path)
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert GraphStore(tmp_path).get("a", Maker()) == GRAPHS
    assert only_file(tmp_path).read_bytes() == b"old"


def test_a_folder_that_cannot_be_written_to_is_told_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    store = GraphStore(tmp_path / "file" / "folder")
    make = Maker()
    with caplog.at_level(logging.WARNING):
        assert [store.get(name, make) for name in "ab"] == [GRAPHS, GRAPHS]
    assert make.calls == 2
    assert caplog.text.count("nothing can be kept") == 1


def test_without_a_folder_nothing_is_kept() -> None:
    make = Maker()
    store = GraphStore(None)
    assert [store.get("a", make) for _ in range(2)] == [GRAPHS, GRAPHS]
    assert make.calls == 2


def test_what_cannot_be_made_is_said_and_not_kept(tmp_path: Path) -> None:
    def fail() -> Graphs:
        raise Uncuttable("no")

    with pytest.raises(Uncuttable):
        GraphStore(tmp_path).get("a", fail)
    assert list(tmp_path.iterdir()) == []
