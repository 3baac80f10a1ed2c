"""Numbers, dates and money as the default voice says them, to an ear that knows words and no figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from engine.models.model import Decoding
from engine.pieces import to_pieces
from engine.text.normalize import Spoken, normalize
from engine.text.path import sentences
from engine.text.phonemes import Phonemizer
from engine.types import Pcm, Utterance
from engine.voices import LoadedVoice
from tests.hearing import hear, words, words_heard

WRITTEN = (
    "The fund holds $4.7 billion.",
    "The **phone** costs $99 at the store.",
    "She paid $40 for the two tickets.",
    "The bill was $1,250.",
    "The meeting is on June 4, 2012.",
    "He was born on May 5, 1987.",
    "The house was built in 1931.",
    "World War II ended in 1945.",
    "The 1st game was in the 1990s.",
    "The river is 120 miles long.",
    "There were 300 people in the house.",
    "About 1/2 of the students came late.",
    "It is -5 degrees outside.",
    "Please read pages 10-15 before Monday.",
    "The store is open 24/7.",
    "The temperature fell to 40°F last night.",
    "The company has 12k workers.",
    "The city has 2M people.",
    "Only 3 of the 50 states voted no.",
    "The doctor asked for 3 lbs of sugar.",
)
FEW = 4  # in one test, of all kinds
NOT_SAID_AS_WRITTEN = (4, 13, 17)
"""What espeak-ng by itself says otherwise: "June four", a dash, "M"."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence: what is said for all of it, for what is no word in it, and what was heard."""

    spoken: str
    figures: str
    heard: str


def said_for(spoken: Spoken) -> str:
    """The words that stand for something else."""
    return " ".join(spoken.text[span.spoken_start : span.spoken_end] for span in spoken.spans)


def sound(voice: LoadedVoice, text: str) -> Pcm:
    waves = []
    for piece in to_pieces(Utterance(text, voice.voice), Phonemizer(), voice.phonemes):
        (prior,) = voice.model.front([piece])
        ((wave, _),) = voice.model.decode([Decoding(prior)], prior.frames)
        waves.append(wave)
    wave = np.concatenate(waves)
    pcm: Pcm = (wave * (20_000 / np.abs(wave).max())).astype(np.int16)
    return pcm


def read_and_heard(voice: LoadedVoice, text: str) -> list[Said]:
    told: list[Said] = []
    for sentence in sentences([text], markdown=True):
        spoken = normalize(sentence.text, voice.voice.language)
        heard = hear(sound(voice, spoken.text), voice.voice.rate_hz)
        told.append(Said(spoken.text, said_for(spoken), heard))
    return told


@pytest.mark.parametrize("first", range(len(WRITTEN) // FEW))
def test_what_stands_for_figures_is_heard_in_its_sentence_and_in_no_other(
    first: int, real_voices: list[LoadedVoice]
) -> None:
    said = read_and_heard(real_voices[0], " ".join(WRITTEN[first :: len(WRITTEN) // FEW]))
    assert len(said) == FEW
    figures = [words_heard(one.figures, one.heard) for one in said]
    assert min(figures) >= 0.7, said
    assert sum(figures) / FEW >= 0.9, said
    whole = [words_heard(one.spoken, one.heard) for one in said]
    assert min(whole) >= 0.6, said
    assert sum(whole) / FEW >= 0.85, said
    for one in said:  # the measure fails where it should, though many a figure has a word of another one
        others = [words_heard(one.figures, other.heard) for other in said if other is not one]
        assert max(others) < 0.7, one
        assert sum(others) / len(others) < 0.5, one


def test_what_no_rule_has_put_in_words_is_heard_otherwise(real_voices: list[LoadedVoice]) -> None:
    voice = real_voices[0]
    shares = []
    for number in NOT_SAID_AS_WRITTEN:
        figures = said_for(normalize(WRITTEN[number], voice.voice.language))
        heard = hear(sound(voice, WRITTEN[number]), voice.voice.rate_hz)
        shares.append(words_heard(figures, heard))
        assert set(words(figures)) - set(words(heard)), heard
    assert sum(shares) / len(shares) < 0.7, shares
