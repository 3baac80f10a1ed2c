"""The first clause of a text that is still being written leaves early, at a mark where it is safe."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.silent import audible
from engine.text.split import Splitter
from engine.types import Sentence
from tests.tables import cases

WINTER = cases("text")["f14"].text


def units(pushes: list[str] | str, max_chars: int = 400, *, early: bool = True) -> list[Sentence]:
    splitter = Splitter(max_chars, early=early)
    return [sentence for push in pushes for sentence in splitter.push(push)] + splitter.end()


def texts(text: str, *, early: bool = True) -> list[str]:
    return [sentence.text for sentence in units([text], early=early)]


def test_first_clause_of_a_long_sentence_leaves_while_it_is_written() -> None:
    splitter = Splitter(early=True)
    first = "After the long winter,"
    assert splitter.push(first + " with the ") == []
    assert splitter.push("r") == [Sentence(first, 0, len(first))]
    rest = WINTER[len(first + " with the r") :]
    assert [s.text for s in splitter.push(rest) + splitter.end()] == [WINTER[len(first) + 1 :]]


def test_without_early_a_sentence_is_whole() -> None:
    assert texts(WINTER, early=False) == [WINTER]


@pytest.mark.parametrize(
    "marked",
    [
        "That is a very good question,| and I am glad that you ask it.",
        "That is a very good question, I think,| and I am glad.",
        "That is a very good question,| I'm sure that it is.",
        "There are three things to do here:| Boil the water first.",
        "We looked for it all day long;| Nobody had seen the cat.",
        "It was an old and quiet house —| Paris was far away then.",
        "It was an old and quiet house—|the river was close to it.",
        "It was an old and quiet house – |and the river was close.",
        "She said “hello” to my old friend,| and then she went home.",
        "Nach dem langen und kalten Winter,| als alle Straßen zu waren, kam er.",
        "河边的老磨坊早已停了，|可是孩子们每天放学还会去那里看水车。",
        "昔々あるところにおじいさんがいて、|山へ柴刈りに行きました。",
        "بعد شتاء طويل وبارد جدا،| اجتمع المجلس في القاعة.",
        "My sister and I live in Dallas, Texas,| as you know.",
        "Sure!| After the long and cold winter, with the roads closed, we met.",
    ],
)
def test_the_first_unit_may_end_at_a_clause_mark(marked: str) -> None:
    text = marked.replace("|", "")
    assert texts(text) == [audible(unit) for unit in marked.split("|")]


@pytest.mark.parametrize(
    "text",
    [
        "My sister and I live in Dallas, Texas in the south.",  # a name
        "I was born in the hospital on June 4, 2012 in the night.",  # a date
        "It was given to us by Anna, Bob and Carl in the end.",
        "There were so many of them in 1,000 places at that time.",
        "The score was in the end about 10 : 3 for the home team.",
        "The result of it all was 10 – 3 for the home team there.",
        "We will buy apples, oranges, pears, and figs.",  # a list
        "Well, no, I do not think so at all my friend and guide.",  # too short before it
        "I would really like to see that, thank you.",  # too short behind it
        "I would really like to see that, my dear, I would",
        "The old house (which was built, as you know, by Ann) fell.",
        'He told me "the house is old, and the river is near" then.',
        "He told me ‘the house is old, and the river is near’ then.",
        "He told me «the house is old, and the river is near» then.",
        "The old firm of Smith &amp; sons was bought up by my aunt.",
        "It was a well-known and much-loved house-that they built.",
        "We would take the big dog, e.g., when we went to the sea.",
        "This is what we will need to buy, $5 of it will be enough.",
        "One two three four five six, seven\neight nine ten eleven.",  # a line may end more than itself
        "这个，那个，都是好的东西，好吗。",
        "The address is https://a.example/one,two,three/four five six",
    ],
)
def test_no_clause_leaves_where_it_may_be_no_clause(text: str) -> None:
    assert texts(text) == [audible(text)]


def test_later_units_are_whole_sentences() -> None:
    second = "When the long winter was over at last, the roads were open again, and we left."
    assert texts(f"{WINTER} {second}")[-1] == second


def test_the_first_unit_after_a_flush_may_leave_early_again() -> None:
    splitter = Splitter(early=True)
    for _ in range(2):
        assert [s.text for s in splitter.push(WINTER)] == ["After the long winter,"]
        assert len(splitter.flush()) == 1


def test_marks_without_a_word_are_no_first_unit() -> None:
    assert texts("?! … — ***! " + WINTER)[-2:] == ["After the long winter,", WINTER[23:]]


PARTS = st.sampled_from(
    [
        *' \n.,;:—–-!?"“”()‘’&，、。🎉I',
        *("word ", "word, ", "Word ", "two three four five ", "12 ", "河边的老磨坊", "Dr. "),
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(PARTS, max_size=60).map("".join), st.sampled_from([16, 40, 400]), st.integers(0, 2**32))
def test_any_cut_gives_the_same_units_and_no_word_is_lost(text: str, max_chars: int, seed: int) -> None:
    whole = units([text], max_chars)
    chance = random.Random(seed)
    places = sorted(chance.randrange(len(text) + 1) for _ in range(5))
    cut = [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
    assert units(text, max_chars) == units(cut, max_chars) == whole
    said = "".join(sentence.text for sentence in whole)
    assert "".join(filter(str.isalnum, said)) == "".join(filter(str.isalnum, text))
    assert all(text[s.start : s.end] and s.text == audible(text[s.start : s.end]) for s in whole)
