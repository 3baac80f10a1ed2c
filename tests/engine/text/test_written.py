"""Words as written, from those that are spoken."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.lexicon import Lexicon
from engine.text.normalize import Span, Spoken
from engine.text.saying import saying
from engine.text.words import split_words
from engine.text.written import WrittenWords
from engine.types import WordTime

LEXICON = Lexicon({"SQL": "see quell", "New York": "/nuː jɔːk/", "and so on": "etc"})


def spoken_words(spoken: Spoken) -> list[WordTime]:
    """Each word a second long."""
    return [WordTime(spoken.text[a:b], at, at + 1) for at, (a, b) in enumerate(split_words(spoken.text))]


def told(text: str, spoken: Spoken, *cuts: int) -> list[tuple[str, float, float]]:
    """What is told of all spoken words, given in parts."""
    words = spoken_words(spoken)
    written = WrittenWords(text, spoken)
    ends = [*cuts, len(words)]
    parts = [words[start:end] for start, end in zip([0, *cuts], ends, strict=True)]
    return [(word.text, word.start_s, word.end_s) for part in parts for word in written.tell(part)]


def said(text: str) -> Spoken:
    return saying(text, "en-US", [LEXICON]).spoken


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As it is.", [("As", 0, 1), ("it", 1, 2), ("is.", 2, 3)]),
        (
            "I like SQL’s 🎉 New York, too 🎉",
            [("I", 0, 1), ("like", 1, 2), ("SQL’s 🎉", 2, 4), ("New York,", 4, 6), ("too 🎉", 6, 7)],
        ),
        ("🎉 Hi there", [("🎉 Hi", 0, 1), ("there", 1, 2)]),
        ("One and so on.", [("One", 0, 1), ("and so on.", 1, 2)]),
        ("Don’t!", [("Don’t!", 0, 1)]),
    ],
)
def test_words_are_told_as_they_are_written(text: str, expected: list[tuple[str, float, float]]) -> None:
    assert told(text, said(text)) == expected


def test_what_is_said_in_one_is_one_word() -> None:
    text = "It holds $4.7 billion now."
    spoken = Spoken("It holds four point seven billion dollars now.", (Span(9, 41, 9, 21),))
    expected = [("It", 0, 1), ("holds", 1, 2), ("$4.7 billion", 2, 7), ("now.", 7, 8)]
    assert told(text, spoken) == expected
    assert told(text, spoken, 2, 7) == expected


def test_a_word_that_was_told_is_not_told_again_when_more_of_it_sounds() -> None:
    text = "It holds $4.7 billion now."
    spoken = Spoken("It holds four point seven billion dollars now.", (Span(9, 41, 9, 21),))
    assert told(text, spoken, 4) == [("It", 0, 1), ("holds", 1, 2), ("$4.7 billion", 2, 4), ("now.", 7, 8)]


def test_a_span_inside_a_word_and_one_that_says_more_than_stands_there() -> None:
    text = "A x2y b"
    spoken = Spoken("A x two y indeed b", (Span(3, 8, 3, 4), Span(9, 16, 5, 5)))
    assert told(text, spoken) == [("A", 0, 1), ("x2y", 1, 5), ("b", 5, 6)]


def test_a_word_that_the_phonemizer_joined_to_another_is_joined_here_too() -> None:
    text = "Tea ’n’ cake"
    written = WrittenWords(text, said(text))
    words = [WordTime("Tea 'n'", 0, 1), WordTime("cake", 1, 2)]
    assert [word.text for word in written.tell(words)] == ["Tea ’n’", "cake"]


TEXTS = st.lists(
    st.sampled_from(["SQL", "New York", "it’s", "🎉", "a", "—", ",", "and so on", "SQL.", "5"]), min_size=1
)


@given(TEXTS, st.integers(0, 4))
def test_the_words_of_a_sentence_are_the_sentence(tokens: list[str], cut: int) -> None:
    text = " ".join(tokens)
    spoken = said(text)
    words = told(text, spoken, min(cut, len(spoken_words(spoken))))
    if words:
        assert " ".join(word for word, _, _ in words).split() == text.split()
    assert all(start < end for _, start, end in words)
    assert all(before[2] <= after[1] for before, after in pairwise(words))
