from __future__ import annotations

import onnx
import pytest

from engine.graph import split as graph
from engine.graph.split import Uncuttable, split
from engine.models.loading import whole as whole_model
from engine.types import Piece
from tests.engine.toy import HOP, OTHER_PRIOR, toy
from tests.fakes import whole


def piece(*ids: int, speaker: int | None = None, length_scale: float = 1.0) -> Piece:
    return Piece(ids, speaker, length_scale, noise_scale=0.0, noise_w=0.0, seed=0)


def inputs(model: onnx.ModelProto) -> set[str]:
    return {info.name for info in model.graph.input}


def test_no_random_node_is_left_and_the_noise_comes_in() -> None:
    halves = split(toy())
    onnx.checker.check_model(halves.front)
    onnx.checker.check_model(halves.decoder)
    assert not [n for half in (halves.front, halves.decoder) for n in half.graph.node if "Random" in n.op_type]
    assert inputs(halves.front) == {graph.IDS, graph.LENGTHS, graph.LENGTH_SCALE, graph.DURATION_NOISE}
    assert inputs(halves.decoder) == {graph.PRIOR, graph.MASK}


def test_the_model_given_stays_as_it_is() -> None:
    model = toy()
    before = model.SerializeToString()
    split(model)
    assert model.SerializeToString() == before


def test_the_factors_of_the_noise_may_stand_in_any_order() -> None:
    one, other = split(toy()), split(toy(prior=OTHER_PRIOR))
    assert len(one.front.graph.node) == len(other.front.graph.node)
    assert inputs(one.front) == inputs(other.front)


def test_durations_need_not_be_drawn() -> None:
    halves = split(
        toy({"dice = RandomNormalLike(pair)": "dice = Identity(pair)", "Mul(dice, noise_w)": "Identity(dice)"})
    )
    assert graph.DURATION_NOISE not in inputs(halves.front)
    assert whole_model(halves, "a test").front([piece(10, 20)])


def test_a_voice_of_many_speakers_is_told_which() -> None:
    voice = whole_model(split(toy(speakers=True)), "a test")
    for speaker in (0, 1, 2):
        assert set(whole(voice, voice.front([piece(10, speaker=speaker)])[0])) == {10 + 100 * speaker}


def test_each_row_of_a_batch_has_its_own_length_speaker_and_scale() -> None:
    voice = whole_model(split(toy(speakers=True)), "a test")
    pieces = [piece(10, 20, 30, speaker=1), piece(50, speaker=2, length_scale=2.0)]
    one, other = voice.front(pieces)
    assert (one.durations.tolist(), other.durations.tolist()) == ([1, 2, 3], [10])
    assert len(whole(voice, other)) == 10 * HOP
    assert set(whole(voice, one)) == {110, 120, 130}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("durations = Ceil(stretched)", "durations = Floor(stretched)", "0 candidates for the Ceil"),
        ("w = Mul(tenths, x_mask)", "u = Mul(tenths, x_mask) w = Ceil(u)", "2 candidates for the Ceil"),
        ("stretched = Mul(w, length_scale)", "stretched = Identity(w)", "length scale"),
        ("scaled_dice = Mul(dice, noise_w)", "scaled_dice = Identity(dice)", "noise_w"),
        ("noise = RandomNormalLike(mean)", "noise = Identity(mean)", "1 random nodes before the durations and 0 after"),
        ("z = Mul(z_p, y_mask)", "z = Add(z_p, noise)", "noise is used 2 times"),
        ("z = Mul(z_p, y_mask)", "z9 = Mul(z_p, y_mask) z = Mul(z9, length_scale)", "still needs the input scales"),
        ("z = Mul(z_p, y_mask)", "z = Identity(z_p)", "0 candidates for the mask"),
        ("z_p = Add(mean, all_noise)", "z_p = Sub(mean, all_noise)", "the prior is not"),
        ("scales", "settings", "no input named scales"),
    ],
)
def test_what_cannot_be_cut_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(Uncuttable, match=reason):
        split(toy({old: new}))
