"""Which text was sent, from how much sound was."""

from __future__ import annotations

import pytest

from gateway.transcript import Transcript

RATE = 1000


def transcript() -> Transcript:
    one = Transcript(RATE)
    one.begin("One two three.", 0)
    one.made(1400)  # 100 a character
    one.end()
    one.begin("Four five six.", 1500)
    one.made(1400)
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
        (750, "One two"),
        (1400, "One two three."),
        (1450, "One two three."),
        (1500, "One two three."),
        (1950, "One two three. Four"),
        (2900, "One two three. Four five six."),
        (9999, "One two three. Four five six."),
    ],
)
def test_text_is_whole_sentences_and_whole_words(samples: int, text: str) -> None:
    assert transcript().text_until(samples) == text


def test_a_sentence_still_being_made_is_in_proportion_to_what_it_usually_takes() -> None:
    one = Transcript(RATE)
    one.begin("One two three four", 0)
    one.made(300)
    assert one.text_until(300) == "One"


def test_a_sentence_still_being_made_is_expected_to_be_as_fast_as_the_one_before() -> None:
    one = Transcript(RATE)
    one.begin("One two three.", 0)
    one.made(280)  # 20 a character
    one.end()
    one.begin("Four five six seven", 280)
    one.made(100)
    assert one.text_until(380) == "One two three. Four"


def test_a_script_without_spaces_is_cut_at_a_character() -> None:
    one = Transcript(RATE)
    one.begin("天黑才回家。", 0)
    one.made(600)
    one.end()
    assert one.text_until(300) == "天黑才"


def test_nothing_said_is_nothing_sent() -> None:
    assert Transcript(RATE).text_until(100) == ""
