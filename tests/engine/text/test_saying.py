"""What is said for a sentence: rules, then lexicons, and what says what."""

from __future__ import annotations

import pytest

from engine.text.blocks import CLOSE, OPEN, shown
from engine.text.lexicon import Lexicon
from engine.text.normalize import Span, Spoken
from engine.text.saying import Saying, pronounced, saying

PRICE = "It holds $4.7 billion, SQL and FBI."
SAID = Spoken(
    "It holds four point seven billion dollars, SQL and F B I.", (Span(9, 41, 9, 21), Span(51, 56, 31, 34))
)  # as rules would have it


def said(entries: dict[str, str], *more: dict[str, str]) -> Saying:
    return pronounced(PRICE, SAID, [Lexicon(entries), *map(Lexicon, more)])


def parts(text: str, spoken: Spoken) -> list[tuple[str, str]]:
    """Each stretch that is not said as it is written: written, spoken."""
    return [(text[s.start : s.end], shown(spoken.text[s.spoken_start : s.spoken_end])) for s in spoken.spans]


def test_without_an_entry_nothing_changes() -> None:
    assert said({"other": "x"}) == Saying(SAID)


def test_a_word_is_said_as_its_entry_wants_it_and_rules_keep_theirs() -> None:
    one = said({"sql": "sequel"})
    assert one.spoken.text == "It holds four point seven billion dollars, sequel and F B I."
    assert parts(PRICE, one.spoken) == [
        ("$4.7 billion", "four point seven billion dollars"),
        ("SQL", "sequel"),
        ("FBI", "F B I"),
    ]
    assert one.lexicon == Lexicon({"sql": "sequel"}).version


def test_an_entry_for_what_is_written_goes_before_a_rule() -> None:
    one = said({"FBI": "the bureau", "$4.7 billion": "/lˈɒts/"})
    assert shown(one.spoken.text) == "It holds /lˈɒts/, SQL and the bureau."
    assert parts(PRICE, one.spoken) == [("$4.7 billion", "/lˈɒts/"), ("FBI", "the bureau")]


def test_a_word_that_a_rule_made_is_found_too() -> None:
    one = said({"billion": "zillion", "seven": "sebben"})
    assert one.spoken.text == "It holds four point sebben zillion dollars, SQL and F B I."
    assert parts(PRICE, one.spoken)[0] == ("$4.7 billion", "four point sebben zillion dollars")


def test_what_a_rule_left_as_it_was_is_no_part_of_an_entry() -> None:
    text = "Non-SQL’s way"
    spoken = Spoken("Non-S Q L's way", (Span(0, 11, 0, 9),))
    one = pronounced(text, spoken, [Lexicon({"SQL": "sequel"})])
    assert one.spoken.text == "Non-sequel's way"
    assert pronounced(text, spoken, [Lexicon({"non": "x", "SQL": "sequel"})]).spoken.text == "x-sequel's way"
    said = saying("I like SQL’s way, and SQL-like.", "en-US", [Lexicon({"SQL": "sequel"})])
    assert said.spoken.text == "I like sequel's way, and sequel-like."


def test_the_first_lexicon_that_has_a_word_is_meant_and_its_words_are_not_said_anew() -> None:
    first, second = {"SQL": "sequel"}, {"sql": "s q l", "sequel": "wrong", "FBI": "bureau"}
    one = said(first, second)
    assert one.spoken.text == "It holds four point seven billion dollars, sequel and bureau."
    assert one.lexicon == f"{Lexicon(first).version}+{Lexicon(second).version}"
    assert said({"x": "y"}, first).lexicon == Lexicon(first).version


@pytest.mark.parametrize("mark", [OPEN, CLOSE])
def test_no_text_brings_phonemes_of_its_own(mark: str) -> None:
    text = f"Say {OPEN}kæt{CLOSE}{mark} now{mark}"
    said = saying(text, "en-US", [Lexicon({"now": "/naʊ/"})])
    assert shown(said.spoken.text).split() == ["Say", "kæt", "/naʊ/"]
    assert said.spoken.text.count(OPEN) == said.spoken.text.count(CLOSE) == 1


def test_either_apostrophe_says_the_same() -> None:
    """b21"""
    straight, curly = "It wasn't ready and we're late.", "It wasn’t ready and we’re late."
    assert saying(straight, "en-US").spoken.text == saying(curly, "en-US").spoken.text


@pytest.mark.parametrize(("text", "silent"), [("🎉 🎉", True), ("…", True), ("Hi 🎉", False), ("5", False)])
def test_what_has_no_word_is_silent(text: str, silent: bool) -> None:
    assert saying(text, "en-US").silent == silent


def test_a_silent_sign_has_no_entry_and_harms_none() -> None:
    text = "Nice🎉 work 🎉"
    said = saying(text, "en-US", [Lexicon({"🎉": "hooray", "nice": "nize"})])
    assert said.spoken.text.split() == ["nize", "work"]
