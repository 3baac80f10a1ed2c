"""The sound and the word times of the real voice, as the engine gives them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np
import pytest

from engine.engine import Engine
from engine.loudness import TARGET_DB, gain_of
from engine.pcm import KNEE
from engine.types import Pace, Pcm, Utterance, WordTime
from engine.voices import LoadedVoice
from tests.hearing import SENTENCES, hear, hear_times, words

AUDIBLE = 10 ** (-46 / 20)
SHORT = ("Yes.", "No.", "Maybe.")
HARD = "He said: Dr. Smith's dog costs $5 million — isn't it well-known?"
TEXTS = ("Hello there.", "Hello there", "Half of her friends finally left.", "She sells sea shells.", "Stop it!")


Spoken = Mapping[str, tuple[Pcm, tuple[WordTime, ...]]]


async def speak(joe: LoadedVoice, *texts: str) -> Spoken:
    engine = Engine([joe])
    await engine.start(measure=False)
    try:
        said = {text: engine.listen(Pace.FAST).speak(Utterance(text, joe.voice)) for text in texts}
        sound = {text: np.concatenate([pcm async for pcm in speech]) for text, speech in said.items()}
        return {text: (sound[text], said[text].words) for text in texts}
    finally:
        await engine.aclose()


@pytest.fixture(scope="module")
def spoken(joe: LoadedVoice) -> Spoken:
    """What the engine gave for each text."""
    return asyncio.run(speak(joe, *SHORT, *TEXTS, *SENTENCES, HARD))


def test_sentences_begin_and_end_where_their_sound_does(spoken: Spoken, joe: LoadedVoice) -> None:
    """c08, c11"""
    rate_hz = joe.voice.rate_hz
    for text in (*SHORT, *TEXTS):
        pcm, _ = spoken[text]
        wave = pcm / 32767
        loud = np.flatnonzero(np.abs(wave) >= AUDIBLE)
        lead_ms, tail_ms = (1000 * silent / rate_hz for silent in (loud[0], len(wave) - loud[-1]))
        assert lead_ms <= 61, text
        assert 50 <= tail_ms <= 120, text
        tail = wave[-round(0.060 * rate_hz) :]
        assert np.sqrt(np.mean(np.square(tail))) < 0.002, text
        assert abs(int(pcm[0])) <= 100, text
        assert abs(int(pcm[-1])) <= 100, text


def test_the_voice_is_as_loud_as_every_other_and_not_driven_into_the_limiter(spoken: Spoken, joe: LoadedVoice) -> None:
    waves = [np.asarray(spoken[text][0] / 32767, np.float32) for text in (*SENTENCES, *TEXTS)]
    assert abs(20 * np.log10(gain_of(waves, joe.voice.rate_hz))) <= 3.0, TARGET_DB
    over = [np.abs(wave) > KNEE for wave in waves]
    assert np.concatenate(over).mean() < 0.001


def test_word_times_are_where_a_recogniser_hears_the_words(spoken: Spoken, joe: LoadedVoice) -> None:
    compared, close = 0, 0
    for text in SENTENCES:
        pcm, told = spoken[text]
        heard = hear_times(pcm, joe.voice.rate_hz)
        names = [words(word.text)[0] for word in told], [name for name, _, _ in heard]
        for mine, theirs, size in SequenceMatcher(None, *names, autojunk=False).get_matching_blocks():
            for word, (_, start_s, end_s) in zip(told[mine:][:size], heard[theirs:][:size], strict=True):
                compared += 1
                close += abs(word.start_s - start_s) <= 0.10 and abs(word.end_s - end_s) <= 0.15
    assert compared >= 20
    assert close >= 0.9 * compared


def test_a_word_cut_out_by_its_times_is_that_word(spoken: Spoken, joe: LoadedVoice) -> None:
    rate_hz = joe.voice.rate_hz
    pcm, told = spoken[SENTENCES[0]]
    wanted = {"teacher", "students", "story"}
    for word in told:
        name = words(word.text)[0]
        if name in wanted:
            start, end = (round(second * rate_hz) for second in (max(0.0, word.start_s - 0.08), word.end_s + 0.08))
            quiet = np.zeros(rate_hz // 3, np.int16)
            assert name[:4] in hear(np.concatenate((quiet, pcm[start:end], quiet)), rate_hz)


def test_every_word_has_its_time_within_the_sentence(spoken: Spoken, joe: LoadedVoice) -> None:
    pcm, told = spoken[HARD]
    assert " ".join(word.text for word in told) == HARD
    assert all(word.start_s < word.end_s for word in told)
    assert all(first.end_s <= second.start_s for first, second in pairwise(told))
    assert told[-1].end_s <= len(pcm) / joe.voice.rate_hz


async def test_a_voice_has_the_same_gain_each_time(spoken: Spoken, joe: LoadedVoice) -> None:
    again = await speak(joe, SHORT[0])
    first, second = (one[SHORT[0]][0].astype(int) for one in (spoken, again))
    assert len(first) == len(second)
    assert np.abs(first - second).max() <= 4
