"""Which text was sent, from how much sound was."""

from __future__ import annotations

import pytest

from engine.types import WordTime
from gateway.transcript import DETAILED, Transcript

RATE = 1000


def words(*told: tuple[str, int, int]) -> list[WordTime]:
    return [WordTime(text, start / RATE, end / RATE) for text, start, end in told]


def transcript() -> Transcript:
    one = Transcript(RATE)
    one.begin("One two three.", 0)
    one.told(words(("One", 100, 300), ("two", 350, 700), ("three.", 750, 1300)))
    one.made(1400)
    one.end()
    one.begin("Four  — five six.", 1500)
    one.told(words(("Four  —", 100, 400)))
    one.made(500)
    one.told(words(("five", 550, 800), ("six.", 900, 1200)))
    one.made(900)
    one.end()
    return one


@pytest.mark.parametrize(
    ("samples", "text"),
    [
        (0, ""),
        (1, ""),
        (299, ""),
        (300, "One"),
        (650, "One"),
        (749, "One two"),
        (1299, "One two"),
        (1300, "One two three."),
        (1400, "One two three."),
        (1500, "One two three."),
        (1899, "One two three."),
        (1900, "One two three. Four  —"),
        (2300, "One two three. Four  — five"),
        (2900, "One two three. Four  — five six."),
        (9999, "One two three. Four  — five six."),
    ],
)
def test_text_is_whole_sentences_and_the_words_that_have_sounded(samples: int, text: str) -> None:
    assert transcript().text_until(samples) == text


def test_words_of_a_sentence_still_being_made_count() -> None:
    one = Transcript(RATE)
    one.begin("One one two.", 0)
    one.told(words(("One", 0, 200), ("one", 200, 400), ("two.", 500, 900)))
    one.made(450)
    assert one.text_until(450) == "One one"
    assert one.text_until(399) == "One"


def test_a_word_that_sounds_until_after_the_end_is_sent_with_the_last_sample() -> None:
    one = Transcript(RATE)
    one.begin("One.", 0)
    one.told(words(("One.", 0, 500)))
    one.made(450)
    one.end()
    assert one.text_until(449) == ""
    assert one.text_until(450) == "One."


def test_a_sentence_of_unknown_words_counts_when_it_is_whole() -> None:
    one = Transcript(RATE)
    one.begin("One two.", 0)
    one.made(450)
    assert one.text_until(450) == ""
    one.end()
    assert one.text_until(450) == "One two."


def test_of_long_past_sentences_the_text_is_kept() -> None:
    one = Transcript(RATE)
    for number in range(DETAILED + 10):
        one.begin("One two.", 1000 * number)
        one.told(words(("One", 0, 300), ("two.", 400, 900)))
        one.made(1000)
        one.end()
    everything = one.text_until(10**9)
    assert everything == " ".join(["One two."] * (DETAILED + 10))
    assert one.text_until(1000 * (DETAILED + 9) + 350) == everything.removesuffix(" two.")


def test_nothing_said_is_nothing_sent() -> None:
    assert Transcript(RATE).text_until(100) == ""
