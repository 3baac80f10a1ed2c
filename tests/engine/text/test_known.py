"""What is said for a sentence is remembered, by all that it hangs on."""

from __future__ import annotations

import pytest

from engine.text import known as module
from engine.text.known import KNOWN, KNOWN_CHARS, known
from engine.text.lexicon import Lexicon
from engine.text.normalize import Parts, Spoken, at_once, normalize
from engine.text.saying import saying


def test_a_sentence_is_known_by_its_language_too() -> None:
    for _ in range(2):
        for language, said in (("en-US", "Windows eleven"), ("de-DE", "Windows elf")):
            assert at_once(known("Windows 11", language)) == normalize("Windows 11", language)
            assert at_once(known("Windows 11", language)).text == said


def test_a_lexicon_that_changes_is_heard_in_a_known_sentence() -> None:
    def said(*lexicons: Lexicon) -> tuple[str, str]:
        one = saying("We run 3 nginx servers.", "en-US", lexicons, rules=known)
        return one.spoken.text, one.lexicon

    first, second = Lexicon({"nginx": "engine x"}), Lexicon({"nginx": "en jinx"})
    assert said() == ("We run three nginx servers.", "")
    assert said(first) == ("We run three engine x servers.", first.version)
    assert said(second) == ("We run three en jinx servers.", second.version)
    assert said() == ("We run three nginx servers.", "")


def test_no_more_and_no_longer_sentences_are_remembered_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def rules(text: str, language: str) -> Parts[Spoken]:
        asked.append(text)
        yield
        return Spoken(text)

    monkeypatch.setattr(module, "normalizing", rules)
    long, short = "x" * (KNOWN_CHARS + 1), "y" * KNOWN_CHARS
    for text in (long, long, short, short):
        at_once(known(text, "xx"))
    assert asked == [long, long, short]
    for number in range(KNOWN):
        at_once(known(f"Another one, {number}.", "xx"))
    at_once(known(short, "xx"))
    assert asked[-1] == short
