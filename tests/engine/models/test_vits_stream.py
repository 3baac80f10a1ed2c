"""Real voices in steps, against the files as they were exported."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.models.model import Decoding, Model, Prior
from engine.types import Piece, Wave
from tests.engine.models.originals import NAMES, Original, in_steps, load, original, speakers

CLOSE = 1e-4  # of full scale
QUIET, NOISY = (0.0, 0.0), (0.667, 0.8)
STEPS = ([10_000], [48, 16], [47, 8, 13, 32], [1], [60, 3])


@cache
def voice(name: str) -> tuple[Model, Original]:
    return load(name), original(name)


def piece(length: int, speaker: int | None, noise: tuple[float, float], seed: int = 5) -> Piece:
    """Ids that every one of the voices has."""
    ids = (1, *(0 if i % 2 else 14 + 7 * i % 90 for i in range(length - 2)), 2)
    return Piece(ids, speaker, 1.0, *noise, seed=seed)


@cache
def spoken(name: str, length: int, speaker: int | None, noisy: bool) -> tuple[Prior, Wave]:
    """A prior, and what the original makes of the same noise."""
    model, whole = voice(name)
    asked = piece(length, speaker, NOISY if noisy else QUIET)
    (prior,) = model.front([asked])
    return prior, whole.speak_with_noise(asked, prior) if noisy else whole.speak(asked)


@pytest.mark.parametrize("noisy", [False, True], ids=["quiet", "noisy"])
@pytest.mark.parametrize("name", NAMES)
def test_the_joined_steps_are_the_original(name: str, noisy: bool) -> None:
    model, _ = voice(name)
    assert (model.whole, model.lag > 0) == ("", True)
    for speaker in speakers(name):
        for length in (3, 40):
            prior, expected = spoken(name, length, speaker, noisy)
            for sizes in STEPS if length < 10 else STEPS[:3]:
                np.testing.assert_allclose(in_steps(model, prior, sizes), expected, rtol=0, atol=CLOSE)


@settings(max_examples=30, deadline=None)
@given(
    name=st.sampled_from(NAMES),
    length=st.integers(2, 30),
    sizes=st.lists(st.integers(1, 70), min_size=1, max_size=10),
)
def test_however_a_piece_is_cut(name: str, length: int, sizes: list[int]) -> None:
    model, _ = voice(name)
    sizes = [max(12, size) for size in sizes] if name == "joe" else sizes  # it takes a millisecond a frame
    prior, expected = spoken(name, length, speakers(name)[-1], True)
    np.testing.assert_allclose(in_steps(model, prior, sizes), expected, rtol=0, atol=CLOSE)


@settings(max_examples=15, deadline=None)
@given(
    name=st.sampled_from(NAMES[1:]),
    lengths=st.lists(st.integers(2, 40), min_size=2, max_size=5),
    begun=st.lists(st.integers(0, 80), min_size=5, max_size=5),
    frames=st.integers(1, 60),
)
def test_batches_of_pieces_of_all_lengths_and_at_all_places(
    name: str, lengths: list[int], begun: list[int], frames: int
) -> None:
    """Fronts in one padded batch, then steps together, each piece somewhere else."""
    model, whole = voice(name)
    asked = [piece(n, speakers(name)[i % len(speakers(name))], NOISY, seed=i) for i, n in enumerate(lengths)]
    priors = model.front(asked)
    decodings, waves = [Decoding(prior) for prior in priors], [[np.empty(0, np.float32)] for _ in priors]

    def step(rows: list[int], n: int) -> None:
        for row, (wave, after) in zip(rows, model.decode([decodings[row] for row in rows], n), strict=True):
            waves[row].append(wave)
            decodings[row] = after

    for row, n in enumerate(begun[: len(priors)]):
        if n:
            step([row], n)
    while rows := [row for row, decoding in enumerate(decodings) if not decoding.done]:
        step(rows, frames)
    for row, prior in enumerate(priors):
        np.testing.assert_allclose(
            np.concatenate(waves[row]), whole.speak_with_noise(asked[row], prior), rtol=0, atol=CLOSE
        )


@pytest.mark.parametrize("name", NAMES)
def test_sound_is_neither_silence_nor_noise_at_full_scale(name: str) -> None:
    for speaker in speakers(name):
        _, wave = spoken(name, 40, speaker, True)
        assert 0.005 < wave.std() < 0.6
        assert np.mean(np.abs(wave) > 0.99) < 0.01


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_carries_less_than_a_megabyte(name: str) -> None:
    model, _ = voice(name)
    prior, _ = spoken(name, 40, speakers(name)[0], True)
    ((_, begun),) = model.decode([Decoding(prior)], model.lag + 4)
    assert 0 < sum(tensor.nbytes for tensor in begun.state) < 2**20


def test_what_a_stream_carries_lies_together_and_holds_nothing_of_the_step() -> None:
    model, _ = voice("tiny_medium_1")
    prior, _ = spoken("tiny_medium_1", 40, None, True)
    ((_, begun),) = model.decode([Decoding(prior)], model.lag + 4)
    blocks = [tensor.base for tensor in begun.state]
    assert all(block is blocks[0] for block in blocks)
    assert blocks[0].nbytes == sum(tensor.nbytes for tensor in begun.state)


def test_a_decoding_that_is_done_and_a_step_of_no_frames_are_refused() -> None:
    model, _ = voice("tiny_low_1")
    prior, _ = spoken("tiny_low_1", 3, None, False)
    ((_, done),) = model.decode([Decoding(prior)], prior.frames)
    with pytest.raises(ValueError, match="done"):
        model.decode([done], 1)
    with pytest.raises(ValueError, match="0 frames"):
        model.decode([Decoding(prior)], 0)


@pytest.mark.parametrize("name", ["tiny_medium_4", "tiny_high_1"])
def test_costs_are_measured_by_the_warm_up(name: str) -> None:
    model = load(name)
    guess = model.costs()
    model.warm_up()
    measured = model.costs()
    assert measured != guess
    assert measured.front.of(100) > 0 and measured.first.of(4) > 0 and measured.decode.of(8) > 0
    assert measured.decode.of(16, rows=2) >= measured.decode.of(16, rows=1)
