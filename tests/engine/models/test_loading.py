"""The best way to serve a voice that its graph allows, and the reason where that is not in steps."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from engine.errors import BrokenVoice
from engine.graph.store import GraphStore
from engine.models import loading
from engine.models.loading import load_vits
from engine.models.model import Model
from engine.models.uncut import UncutVits
from engine.models.vits import Vits
from engine.types import Piece
from tests.engine.models.originals import TINY, in_steps, load, original, path_of
from tests.engine.toy import toy

IDS = (1, *(20 + i for i in range(20)), 2)
NO_STORE = GraphStore(None)


def quiet(speaker: int | None = None) -> Piece:
    return Piece(IDS, speaker, 1.0, 0.0, 0.0, seed=0)


def write(folder: Path, model: onnx.ModelProto) -> Path:
    path = folder / "voice.onnx"
    onnx.save(model, str(path))
    return path


def tiny() -> onnx.ModelProto:
    return onnx.load(str(TINY / "tiny_low_1.onnx"))


def with_an_average() -> onnx.ModelProto:
    """Its last layer adds a mean over all time, which no step can know. Times zero, so that it sounds as before."""
    model = tiny()
    (tanh,) = (node for node in model.graph.node if node.output[0] == model.graph.output[0].name)
    name = tanh.input[0]
    zero = numpy_helper.from_array(np.zeros(1, np.float32), "zero")
    model.graph.initializer.append(zero)
    more = [
        helper.make_node("GlobalAveragePool", [name], ["mean"]),
        helper.make_node("Mul", ["mean", "zero"], ["nothing"]),
        helper.make_node("Add", [name, "nothing"], ["same"]),
    ]
    tanh.input[0] = "same"
    nodes = [*list(model.graph.node)[:-1], *more, tanh]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def with_two_ceils() -> onnx.ModelProto:
    """Rounds its durations up twice, so that nobody can tell where they are."""
    model = tiny()
    at, ceil = next((i, node) for i, node in enumerate(model.graph.node) if node.op_type == "Ceil")
    inner = helper.make_node("Ceil", [ceil.input[0]], ["once"])
    ceil.input[0] = "once"
    model.graph.node.insert(at, inner)
    return model


def with_noise_less_itself() -> onnx.ModelProto:
    """The noise of its durations is taken from itself, so it cannot be cut; where the durations are is plain."""
    model = tiny()
    dice = next(node for node in model.graph.node if node.op_type == "RandomNormalLike")
    product = next(node for node in model.graph.node if dice.output[0] in node.input)
    product.op_type, product.input[1] = "Sub", product.input[0]
    product.input[0] = product.input[1] = dice.output[0]
    return model


def test_a_voice_that_cannot_run_in_steps_is_served_whole_with_the_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        model = load_vits(write(tmp_path, with_an_average()), "a", GraphStore(tmp_path / "graphs"))
    assert isinstance(model, Vits)
    assert (model.lag, model.whole) == (0, "GlobalAveragePool does not run in steps")
    assert caplog.text.count(model.whole) == 1 and "voice voice" in caplog.text
    assert not (tmp_path / "graphs").exists()
    (prior,) = model.front([quiet()])
    np.testing.assert_allclose(in_steps(model, prior, [1]), original("tiny_low_1").speak(quiet()), rtol=0, atol=1e-4)


def check_uncut(model: Model, reason: str) -> UncutVits:
    assert isinstance(model, UncutVits)
    assert model.lag == 0 and reason in model.whole
    (prior,) = model.front([quiet()])
    expected = original("tiny_low_1").speak(quiet())
    wave = in_steps(model, prior, [1])
    np.testing.assert_allclose(wave[: len(expected)], expected, rtol=0, atol=1e-4)
    assert prior.durations.sum() == prior.frames and len(wave) == prior.frames * model.hop
    assert 0 <= len(wave) - len(expected) < model.hop
    return model


def test_a_voice_that_cannot_be_cut_is_run_as_it_is(tmp_path: Path) -> None:
    model = check_uncut(load_vits(write(tmp_path, with_two_ceils()), "a", NO_STORE), "2 candidates for the Ceil")
    model.warm_up()
    assert model.costs().front.of(len(IDS)) > model.costs().decode.of(100)


def test_its_durations_are_told_where_they_can_be_found(tmp_path: Path) -> None:
    model = check_uncut(load_vits(write(tmp_path, with_noise_less_itself()), "a", NO_STORE), "noise is used 2 times")
    (prior,) = model.front([quiet()])
    assert model.hop == 256
    assert prior.durations.tolist() == load("tiny_low_1").front([quiet()])[0].durations.tolist()


def test_a_decoder_that_sounds_otherwise_in_steps_is_served_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_TOLERANCE", 0.0)
    model = load_vits(path_of("tiny_low_1"), "a", NO_STORE)
    assert (model.lag, model.whole) == (0, "its decoder does not sound the same in steps")


def test_what_was_made_once_is_taken_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = GraphStore(tmp_path)
    made = load_vits(path_of("tiny_medium_4"), "a", store)

    def fail(_: Path) -> onnx.ModelProto:
        raise AssertionError("the voice is read again")

    monkeypatch.setattr(loading, "_read", fail)
    kept = load_vits(path_of("tiny_medium_4"), "a", store)
    piece = Piece(IDS, 2, 1.0, 0.5, 0.5, seed=1)
    wave, again = (in_steps(model, model.front([piece])[0], [50, 9]) for model in (made, kept))
    assert np.array_equal(wave, again)
    assert (kept.lag, kept.hop) == (made.lag, made.hop)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: toy({"scales": "settings"}), "can be cut: no input named scales"),
        (lambda: toy({"durations = Ceil(stretched)": "durations = Ceil(nothing)"}), "does not run"),
    ],
)
def test_what_is_no_voice_at_all_is_broken(tmp_path: Path, make: Callable[[], onnx.ModelProto], reason: str) -> None:
    with pytest.raises(BrokenVoice, match=reason):
        load_vits(write(tmp_path, make()), "a", NO_STORE)
