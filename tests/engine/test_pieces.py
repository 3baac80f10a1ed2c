from __future__ import annotations

from dataclasses import replace

from engine.pieces import to_pieces
from engine.types import Piece, Utterance
from tests.fakes import FakePhonemes, fake_voice


def pieces(text: str, *, speaker: int = 0, speaker_count: int = 1, **shape: float) -> tuple[Piece, ...]:
    loaded = fake_voice(speaker_count=speaker_count)
    utterance = replace(Utterance(text, loaded.voice, speaker), **shape)  # type: ignore[arg-type]
    return to_pieces(utterance, FakePhonemes(), loaded.phonemes)


def test_the_same_text_has_the_same_seeds_and_another_text_others() -> None:
    assert pieces("one|two") == pieces("one|two")
    seeds = [piece.seed for text in ("one|one", "one") for piece in pieces(text)]
    assert len(set(seeds)) == 3
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_seed_of_the_caller_replaces_the_text() -> None:
    assert pieces("one", seed=7)[0].seed == pieces("two", seed=7)[0].seed
    assert pieces("one", seed=7)[0].seed != pieces("one", seed=8)[0].seed


def test_speed_divides_the_length_scale() -> None:
    assert pieces("one", speed=2.0)[0].length_scale == 0.5


def test_a_voice_of_one_speaker_is_told_none() -> None:
    assert pieces("one")[0].speaker is None
    assert pieces("one", speaker=3, speaker_count=4)[0].speaker == 3


def test_nothing_to_say_is_no_piece() -> None:
    assert pieces("...") == ()
