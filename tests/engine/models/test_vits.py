"""The real default voice, cut in two, against itself whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.text.phonemes import Phonemizer
from engine.types import Piece
from engine.voices import LoadedVoice, find_voices
from tests.engine.models.originals import original
from tests.engine.toy import folder_that_is_empty
from tests.fakes import whole

TEXTS = (
    "Hi.",
    "The quick brown fox.",
    "Hello there, my friend.",
    "Please take a seat, the doctor will see you in a few minutes.",
)
QUIET = (0.0, 0.0)
NOISY = (0.667, 0.8)


def pieces(joe: LoadedVoice, noise: tuple[float, float], length_scale: float = 1.0) -> list[Piece]:
    phonemizer = Phonemizer()
    return [
        Piece(phonemizer.ids(text, joe.phonemes)[0], None, length_scale, *noise, seed=seed)
        for seed, text in enumerate(TEXTS)
    ]


@pytest.mark.parametrize("length_scale", [1.0, 1.7])
def test_the_cut_model_sounds_as_the_whole_one(joe: LoadedVoice, length_scale: float) -> None:
    for piece in pieces(joe, QUIET, length_scale)[:2]:
        wave = whole(joe.model, joe.model.front([piece])[0])
        np.testing.assert_allclose(wave, original("joe").speak(piece), rtol=0, atol=5e-5)


@pytest.mark.parametrize("noise", [QUIET, NOISY])
def test_a_batch_of_mixed_lengths_equals_each_alone(joe: LoadedVoice, noise: tuple[float, float]) -> None:
    batch = pieces(joe, noise)
    for piece, together in zip(batch, joe.model.front(batch), strict=True):
        alone = joe.model.front([piece])[0]
        assert together.durations.tolist() == alone.durations.tolist()
        np.testing.assert_allclose(together.z_p, alone.z_p, rtol=0, atol=3e-5)
        np.testing.assert_allclose(whole(joe.model, together), whole(joe.model, alone), rtol=0, atol=1e-4)


def test_a_seed_is_a_sound(joe: LoadedVoice) -> None:
    piece = pieces(joe, NOISY)[1]
    other_seed = Piece(piece.ids, None, 1.0, *NOISY, seed=piece.seed + 1)
    first, again, other = (joe.model.front([p])[0] for p in (piece, piece, other_seed))
    assert np.array_equal(first.z_p, again.z_p)
    assert first.z_p.shape != other.z_p.shape or np.abs(first.z_p - other.z_p).max() > 0.1


def test_a_prior_tells_the_frames_of_each_id(joe: LoadedVoice) -> None:
    piece = pieces(joe, NOISY)[1]
    prior = joe.model.front([piece])[0]
    assert len(prior.durations) == len(piece.ids)
    assert prior.durations.sum() == prior.frames
    assert len(whole(joe.model, prior)) == prior.frames * joe.voice.hop


def test_speed_is_the_length_scale(joe: LoadedVoice) -> None:
    usual, slow = (joe.model.front([pieces(joe, QUIET, scale)[3]])[0].frames for scale in (1.0, 2.0))
    assert 1.7 < slow / usual < 2.2


def test_the_path_of_the_real_voice_exists() -> None:
    found, broken = find_voices(folder_that_is_empty())
    assert [files.name for files in found] == ["en_US-joe-medium"]
    assert all(isinstance(files.model, Path) and files.model.is_file() for files in found)
    assert broken == []
