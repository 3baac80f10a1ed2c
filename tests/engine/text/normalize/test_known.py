"""What is said for a sentence is remembered, by all that it hangs on."""

from __future__ import annotations

import pytest

from engine.text import normalize as module
from engine.text.lexicon import Lexicon
from engine.text.normalize import KNOWN, KNOWN_CHARS, Spoken, normalize
from engine.text.saying import saying


def test_a_sentence_is_known_by_its_language_too() -> None:
    for _ in range(2):
        assert normalize("Windows 11", "en-US").text == "Windows eleven"
        assert normalize("Windows 11", "de-DE").text == "Windows elf"


def test_a_lexicon_that_changes_is_heard_in_a_known_sentence() -> None:
    def said(*lexicons: Lexicon) -> tuple[str, str]:
        one = saying("We run 3 nginx servers.", "en-US", lexicons)
        return one.spoken.text, one.lexicon

    plain, first, second = (), Lexicon({"nginx": "engine x"}), Lexicon({"nginx": "en jinx"})
    assert said(*plain) == ("We run three nginx servers.", "")
    assert said(first) == ("We run three engine x servers.", first.version)
    assert said(second) == ("We run three en jinx servers.", second.version)
    assert said(*plain) == ("We run three nginx servers.", "")


def test_no_more_and_no_longer_sentences_are_remembered_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def clean(text: str) -> Spoken:
        made.append(text)
        return Spoken(text)

    monkeypatch.setattr(module, "clean", clean)
    long, short = "x" * (KNOWN_CHARS + 1), "y" * KNOWN_CHARS
    for text in (long, long, short, short):
        normalize(text, "xx")
    assert made == [long, long, short]
    for number in range(KNOWN):
        normalize(f"Another one, {number}.", "xx")
    normalize(short, "xx")
    assert made[-1] == short
