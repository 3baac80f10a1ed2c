"""Sentences of Markdown as it streams in: without marks, and with their places in what was written."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.path import TextPath, sentences
from engine.types import Sentence
from tests.tables import cases

CASES = cases("markdown")
WORD = re.compile(r"[^\W_]+")
MERGED = {"m04", "m09", "m69"}  # words with marks inside of them
RESAID = {"m73", "m83", "m84"}  # what is said for an entity or a formula is not what was written


def texts(tokens: list[str]) -> list[str]:
    return [sentence.text for sentence in sentences(tokens, markdown=True)]


def cut(text: str, chance: random.Random) -> list[str]:
    places = sorted(chance.randrange(len(text) + 1) for _ in range(chance.randrange(1, 12)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


@pytest.mark.parametrize("case_id", CASES)
def test_case_gives_its_sentences_whole_by_character_and_in_random_cuts(case_id: str) -> None:
    case = CASES[case_id]
    chance = random.Random(case_id)
    assert texts([case.text]) == list(case.sentences)
    whole = sentences([case.text], markdown=True)
    for tokens in (case.tokens, list(case.text), *(cut(case.text, chance) for _ in range(50))):
        assert sentences(tokens, markdown=True) == whole


@pytest.mark.parametrize("case_id", [case_id for case_id in CASES if case_id not in RESAID])
def test_words_of_a_sentence_stand_in_its_place_in_order(case_id: str) -> None:
    text = CASES[case_id].text
    at = 0
    for sentence in sentences([text], markdown=True):
        assert at <= sentence.start < sentence.end <= len(text)
        at = sentence.end
        written = text[sentence.start : sentence.end]
        if case_id in MERGED:
            assert is_within(letters(sentence.text), letters(written))
        else:
            assert is_within(WORD.findall(sentence.text), WORD.findall(written))
            assert written[0] == sentence.text[0]
            assert written.rstrip()[-1] == sentence.text[-1]


def is_within(part: list[str], whole: list[str]) -> bool:
    """Whether the items of `part` are among those of `whole`, in order."""
    rest = iter(whole)
    return all(item in rest for item in part)


def letters(text: str) -> list[str]:
    return list(filter(str.isalnum, text))


def test_places_are_those_of_the_words() -> None:
    text = "## Plan\n\n- **Boil** the `water` now\n- Add *salt*. Stir [it](http://a.example) well."
    found = sentences([text], markdown=True)
    assert [text[sentence.start : sentence.end] for sentence in found] == [
        "Plan",
        "Boil** the `water` now",
        "Add *salt*.",
        "Stir [it](http://a.example) well.",
    ]


def test_a_note_stands_for_code_as_a_sentence_of_its_own() -> None:
    path = TextPath(code="note")
    text = "Run this\n```py\nprint(1)\n```\nThen stop."
    assert path.push(text) + path.end() == [
        Sentence("Run this", 0, 8),
        Sentence("Code block.", 9, 15),
        Sentence("Then stop.", 28, 38),
    ]
    never_closed = TextPath(code="note")
    assert [s.text for s in never_closed.push("Run:\n```\nmake") + never_closed.end()] == ["Run:", "Code block."]


def test_a_note_never_reaches_past_the_text() -> None:
    path = TextPath(code="note")
    assert path.push("```\n") + path.end() == [Sentence("Code block.", 0, 4)]


@pytest.mark.parametrize("opener", ["```\n", "<think>", "<!--", "**", "[x](", "`", "$$", "~~", "|a", "    x = 1;\n"])
def test_what_is_open_at_flush_is_over_then(opener: str) -> None:
    path = TextPath()
    before = path.push("One. " + opener) + path.flush()
    after = path.push("Two is *here*.") + path.end()
    assert before[0].text == "One."
    assert [sentence.text for sentence in after] == ["Two is here."]
    assert after[0].start == len("One. " + opener)


def test_a_mark_never_closed_is_the_text_that_it_is() -> None:
    path = TextPath()
    assert path.push("This is **never closed. And `this") == []
    assert [sentence.text for sentence in path.flush()] == ["This is **never closed.", "And `this"]


def test_first_sentence_leaves_as_soon_as_its_mark_is_closed() -> None:
    path = TextPath()
    for token in ("**", "Sure", "!", "**"):
        assert path.push(token) == []
    assert path.push(" Here") == [Sentence("Sure!", 2, 7)]


def test_a_list_leaves_item_by_item() -> None:
    path = TextPath()
    assert path.push("- one *item*\n") == []
    assert [sentence.text for sentence in path.push("- t")] == ["one item"]
    assert [sentence.text for sentence in path.push("wo\n\n")] == ["two"]
    assert [sentence.text for sentence in path.push("## Head\n")] == ["Head"]
    assert [sentence.text for sentence in path.push("| a | b |\n")] == ["a, b"]


def test_first_clause_leaves_early_where_it_may() -> None:
    text = "**After the long winter, with the roads still closed**, the council met in the old hall and talked"
    early, late = TextPath(early=True), TextPath()
    assert [s for token in re.findall(r".{1,4}", text) for s in early.push(token)] != []
    assert [s for token in re.findall(r".{1,4}", text) for s in late.push(token)] == []


def test_text_that_is_no_markdown_is_taken_as_it_is() -> None:
    path = TextPath(markdown=False)
    assert path.push("# *Not* <b> ") + path.end() == [Sentence("# *Not* <b>", 0, 11)]


@pytest.mark.parametrize("markdown", [True, False])
def test_nothing_can_be_pushed_after_the_end(markdown: bool) -> None:
    path = TextPath(markdown=markdown)
    path.push("One. Two")
    assert path.buffered > 0
    assert [sentence.text for sentence in path.end()] == ["Two"]
    assert path.buffered == 0
    with pytest.raises(RuntimeError, match="ended"):
        path.push("x")


def test_offsets_go_on_after_a_flush() -> None:
    path = TextPath()
    assert path.push("# One\n") == [Sentence("One", 2, 5)]
    assert path.push("*Two*") + path.flush() == [Sentence("Two", 7, 10)]
    assert path.push(" _Three_. ") + path.flush() == [Sentence("Three.", 13, 20)]


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "**\n---\n>\n- \n", "``` ```", "|\n|-|\n", "<b></b>", "***", "$$$$", "\ud800"]
)
def test_marks_without_a_word_give_nothing(text: str) -> None:
    assert texts([text]) == texts(list(text)) == []


TOKENS = [
    *("*", "**", "***", "_", "__", "~~", "`", "``", "```", "[", "]", "(", ")", "![", "](", "](http://a.b/c)", "[^1]"),
    *("<", "<b>", "<think>", "</think>", "<sigh>", "<td>", "<!--", "-->", "$", "$$", "$5", "\\(", "\\)", "\\", "&amp;"),
    *("# ", "- ", "1. ", "> ", "|", "| ", "---", "\n", "\n\n", "    ", "\t", " ", " ", "a", "word", "Two words. "),
    *(
        "3",
        "x_y",
        "。",
        "重点",
        "!",
        "?",
        ": ",
        "http://x.y/",
        "[x]: http://f\n",
        "- [ ] ",
        "\r\n",
        "é",
        "\ud800",
        "</",
    ),
]
STREAMS = st.lists(st.sampled_from(TOKENS) | st.text(max_size=3), max_size=60).map("".join)


@settings(max_examples=100, deadline=None)
@given(STREAMS, st.integers(0, 2**32))
def test_any_cut_gives_the_same_sentences_in_places_that_hold_them(text: str, seed: int) -> None:
    whole = sentences([text], markdown=True)
    assert sentences(text, markdown=True) == whole
    assert sentences(cut(text, random.Random(seed)), markdown=True) == whole
    at = 0
    for sentence in whole:
        assert at <= sentence.start <= sentence.end <= len(text)
        at = sentence.end
        if "&" not in text and "$" not in text and "\\" not in text:
            assert is_within(letters(sentence.text), letters(text[sentence.start : sentence.end]))


@settings(deadline=None)
@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_at_all_is_taken(text: str) -> None:
    assert sentences([text], markdown=True) == sentences(text, markdown=True)


def test_what_is_held_does_not_grow() -> None:
    path = TextPath()
    for token in ("**", "*a ", "[b ", "`", "<i ", "| ", "- ", "\n", "word "):
        for _ in range(3000):
            path.push(token)
            assert path.buffered < 2000
        assert len(path._places) < 1000


def test_what_lacks_its_end_alone_is_settled_and_what_is_open_stays_so() -> None:
    path = TextPath()
    assert [sentence.text for sentence in path.push("One. Two *th")] == ["One."]
    assert path.waiting
    assert [sentence.text for sentence in path.settle()] == ["Two"]
    assert not path.waiting
    assert path.push("ree*.") == []
    assert [(s.text, s.start, s.end) for s in path.end()] == [("three.", 10, 17)]


def test_a_text_as_it_is_is_settled_too() -> None:
    path = TextPath(markdown=False)
    path.push("Two of")
    assert [(s.text, s.start, s.end) for s in path.settle()] == [("Two of", 0, 6)]
    path.push(" them")
    assert [(s.text, s.start, s.end) for s in path.end()] == [("them", 7, 11)]
