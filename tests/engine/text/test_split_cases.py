"""Texts that have brought other servers down, or lost words there: each in its own words."""

from __future__ import annotations

import random

import pytest

from engine.text.early import FirstClause
from engine.text.path import sentences
from engine.text.silent import first_seen, is_emoji, is_unseen
from engine.text.split import _DECIDES, Splitter
from engine.text.stops import DENSE, STOP_OR_LINE
from tests.tables import cases

CASES = cases("text")
MILL = "河边的老磨坊早已停了，可是孩子们每天放学还会去那里看水车，" * 20 + "天黑才回家。"  # c21
TIDE = "The tide came in slowly and the gulls moved up the sand. "  # c22
BRACKETS = "(" * 3000 + "a" * 30_000 + '"' * 200  # f11


def texts(text: str | list[str], max_chars: int = 400) -> list[str]:
    return [sentence.text for sentence in sentences(text, max_chars)]


def test_c14_a_short_last_piece_is_not_dropped() -> None:
    assert texts(list(CASES["c14"].tokens)) == ["That is all.", "Ok"]


def test_c21_a_chinese_paragraph_is_cut_at_its_commas_and_whole() -> None:
    found = texts([MILL])
    assert "".join(found) == MILL
    assert all(unit[-1] in "，。" for unit in found)
    assert all(60 < len(unit) <= 133 for unit in found)  # as long to say as 400 letters
    assert texts(MILL) == found


@pytest.mark.parametrize(("sign", "chars"), [("河", 133), ("の", 133), ("말", 133), ("é", 400), ("ж", 400), ("ก", 400)])
def test_the_limit_is_one_of_phonemes_roughly(sign: str, chars: int) -> None:
    assert [len(unit) for unit in texts([sign * 1000])][:2] == [chars, chars]


def test_the_limit_counts_syllable_signs_among_letters() -> None:
    assert max(map(len, texts([("word 河 " * 200)]))) in range(290, 312)  # 7 characters for 9
    assert texts(["a " * 20 + "河" * 60], 100) == [("a " * 20).strip(), "河" * 33, "河" * 27]
    assert texts(["a a a a a a a " + "河" * 60], 100) == ["a a a a a a a " + "河" * 28, "河" * 32]


def test_c22_a_book_comes_out_sentence_by_sentence_and_little_is_held() -> None:
    splitter, count = Splitter(), 0
    book = TIDE * 4000
    for at in range(0, len(book), 500):
        count += len(splitter.push(book[at : at + 500]))
        assert splitter.buffered < len(TIDE)
    assert count + len(splitter.end()) == 4000


@pytest.mark.parametrize("broken", ["\ud83d", "\udc00", "\ufffd", "\x00", "\U000e0001"])
def test_d20_half_a_character_neither_fails_nor_is_said(broken: str) -> None:
    found = texts([f"One {broken} two.{broken} Three{broken}", broken])
    assert [unit.replace(broken, "").split() for unit in found] == [["One", "two."], ["Three"]]
    if broken in "\ud83d\udc00\ufffd":
        assert broken not in "".join(found)


def test_d20_a_character_in_two_messages_is_whole() -> None:
    assert texts(["e", "\u0301t", "é. ", "It"]) == ["e\u0301té.", "It"]


def test_f11_brackets_and_letters_without_end_are_cut_and_whole() -> None:
    found = texts([BRACKETS])
    assert "".join(found).count("a") == 30_000
    assert max(map(len, found)) <= 400


def test_f14_is_one_sentence_when_the_text_is_whole() -> None:
    assert texts([CASES["f14"].text]) == [CASES["f14"].text]


@pytest.mark.parametrize("case_id", ["a41", "a42", "a44", "a45", "a47", "a49"])
def test_marks_that_others_take_out_do_no_harm(case_id: str) -> None:
    text = CASES[case_id].text
    words = "".join(filter(str.isalnum, text))
    assert "".join(filter(str.isalnum, "".join(texts([text])))) == words
    assert texts([text]) == texts(text)


def test_nothing_is_decided_at_the_signs_that_are_only_kept() -> None:
    """`push` does no more than keep them: none of them is a stop, silent, a syllable, or blank but for the space."""
    kept = [char for char in map(chr, range(0x110000)) if not _DECIDES.search(char)]
    assert len(kept) > 1000
    for char in kept:
        assert not STOP_OR_LINE.search("a" + char), char
        assert not STOP_OR_LINE.search("α" + char), char
        assert not (DENSE.match(char) or is_emoji(char) or is_unseen(char) or (char.isspace() and char != " ")), char


def test_a_text_of_plain_tokens_is_split_as_it_is_whole() -> None:
    chance = random.Random(7)
    text = TIDE * 3 + "She paid 4.50; he said “thank you”, and left: Nobody (not Ann) knew… Why? Τι είναι; Да."
    for size in (1, 2, 3, 4, 7):
        assert texts([text[at : at + size] for at in range(0, len(text), size)]) == texts([text])
    cut = sorted(chance.sample(range(len(text)), 40))
    assert texts([text[a:b] for a, b in zip([0, *cut], [*cut, len(text)], strict=True)]) == texts([text])


@pytest.mark.parametrize(
    ("text", "since", "seen"),
    [(" 🎉\u200d \x1f\ufeffx", 0, 6), ("x", 0, 0), ("  ", 0, 2), ("🎉", 0, 1), ("\ud83d.", 0, 1)],
)
def test_first_seen(text: str, since: int, seen: int) -> None:
    assert first_seen(text, since, len(text)) == seen


def test_a_clause_is_read_on_where_it_was_left() -> None:
    text = "xx One two three four five six, seven eight nine"
    clause = FirstClause()
    assert clause.read(text, 3, 20) is None
    assert clause.read(text, 3, len(text)) == (31, 44)
