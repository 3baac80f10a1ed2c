"""From what is written to what is said: every case whole, by character and in cuts; no text fails, none is slow."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.tables
from engine.text.normalize.tables import words
from engine.text.path import TextPath
from engine.text.saying import saying
from engine.types import Sentence
from tests.engine.text.test_path import STREAMS, cut
from tests.growth import is_linear

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(tests.tables.__file__).parent / "cases" / "text.jsonl").read_text("utf-8").splitlines()
]
GENERATED = {"a29": "the lamp by the door is still on and " * 60, "a31": " " * 80_000 + "done."}
SPLIT = {row["id"]: row for row in ROWS if row["kind"] == "split"}
SPOKEN = {row["id"]: row for row in ROWS if row["kind"] == "spoken"}
CELLS = {"a45": ["Prices:", "Item, Cost", "Tea, 2", "Done."]}  # the row allows them, with pauses
GERMAN = {"b03", "b14", "b28"}

WORDS = {
    "b01": ["four point seven billion dollars"],
    "b03": ["vierundzwanzigsten November", "neunundzwanzig Euro fünfundneunzig"],
    "b04": ["twelve thousand users and three million views"],
    "b06": ["In two thousand five we", "two thousand five units", "nineteen sixty-eight"],
    "b07": ["third door", "twenty-first floor"],
    "b09": ["June fourth, twenty twelve"],
    "b10": ["plus four nine, three zero, two three one two five, zero four two;", "is zero two one three nine."],
    "b11": ["three point five kilowatt hours and twelve watts"],
    "b14": ["vierzig Prozent", "drei Kilometer"],
    "b15": ["twenty-one degrees Celsius and forty-five percent humid"],
    "b17": ["The F B I told us the U S and NASA", "okay?"],
    "b18": ["please close the door now."],
    "b20": ["World War two, Chapter four, Act three, and I agree."],
    "b21": ["It wasn't ready and we're late."],
    "b23": [],
    "b24": [],
    "b25": ["Really!' she said", "and left."],
    "b26": ["ꪁ"],
    "b28": ["Mein neues Bike mit Airbag ist da."],
    "b30": ["TODO: ask Ann", "in the wiki."],
}
LANGUAGES = ("en-US", "de-DE", "fr", "ru", "zh-CN", "ja", "xx")
STEP_CHARS = 500  # as a connection takes a long text
READINGS = [(True, False), (True, True), (False, False), (False, True)]  # markdown, early


def text_of(row: dict[str, Any]) -> str:
    return GENERATED[row["id"]] if "generate" in row else "".join(row["input"])


def tokens_of(row: dict[str, Any]) -> list[str]:
    given = row.get("input", "")
    return given if isinstance(given, list) else [text_of(row)]


def read(tokens: str | list[str], *, markdown: bool = True, early: bool = False) -> list[Sentence]:
    path = TextPath(markdown=markdown, early=early)
    return [sentence for token in tokens for sentence in path.push(token)] + path.end()


def ways(text: str, seed: str | int, cuts: int) -> list[str | list[str]]:
    chance = random.Random(seed)
    return [text, *(cut(text, chance) for _ in range(cuts))]


@pytest.mark.parametrize("case_id", SPLIT)
def test_a_text_has_its_sentences_however_it_comes(case_id: str) -> None:
    row, text = SPLIT[case_id], text_of(SPLIT[case_id])
    whole = read([text])
    if "sentences" in row:
        assert [sentence.text for sentence in whole] == CELLS.get(case_id, row["sentences"])
    else:
        assert " ".join(sentence.text for sentence in whole).split() == text.split()
    assert read(tokens_of(row)) == whole
    for tokens in ways(text, case_id, 50 if len(text) < 10_000 else 3):
        assert read(tokens) == whole


@pytest.mark.parametrize("case_id", SPOKEN)
def test_a_text_is_said_in_its_words_however_it_comes(case_id: str) -> None:
    text, language = text_of(SPOKEN[case_id]), "de-DE" if case_id in GERMAN else "en-US"

    def said(tokens: str | list[str]) -> list[str]:
        return [saying(sentence.text, language).spoken.text for sentence in read(tokens)]

    whole = said([text])
    at = 0
    for part in WORDS[case_id]:
        at = " ".join(whole).index(part, at) + len(part)
    assert bool(whole) == bool(WORDS[case_id])
    assert said(tokens_of(SPOKEN[case_id])) == whole
    assert all(said(tokens) == whole for tokens in ways(text, case_id, 50))


COMMON = words("the river was old and we saw it then she left home by a small gate")
PROSE = st.lists(
    st.sampled_from(list(COMMON))
    | st.sampled_from(
        ["Anna", "Élise", "naïve", "straße", "it's", "well-known", "ждать", "न", "say", "now.", "so?", "(or", "not)"]
    ),
    max_size=80,
).map(" ".join)


@pytest.mark.parametrize(("markdown", "early"), READINGS)
@settings(max_examples=60, deadline=None)
@given(text=PROSE)
def test_words_of_prose_come_out_as_they_went_in(markdown: bool, early: bool, text: str) -> None:
    for tokens in (text, [text]):
        found = read(tokens, markdown=markdown, early=early)
        assert " ".join(saying(sentence.text, "en-US").spoken.text for sentence in found) == text


ANY = STREAMS | st.text(alphabet=st.characters(), max_size=120)


@pytest.mark.parametrize(("markdown", "early"), READINGS)
@settings(max_examples=60, deadline=None)
@given(text=ANY, language=st.sampled_from(LANGUAGES), seed=st.integers(0, 2**32))
def test_any_text_is_said_and_any_cut_says_the_same(
    markdown: bool, early: bool, text: str, language: str, seed: int
) -> None:
    whole = read([text], markdown=markdown, early=early)
    for tokens in ways(text, seed, 1):
        assert read(tokens, markdown=markdown, early=early) == whole
    at = 0
    for sentence in whole:
        assert at <= sentence.start <= sentence.end <= len(text)
        at = sentence.end
        said = saying(sentence.text, language).spoken.text
        assert "\ue000" not in said
        assert "\ue001" not in said


STREAKS = ["(", " ", "a", '"', "[", "*", "<", "$", "1, ", "(" * 30 + "a" * 300 + '"' * 2, "Go. ", "河", "🎉"]


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("streak", STREAKS)
def test_work_grows_as_the_text_does(streak: str, early: bool) -> None:
    def said(text: str) -> None:
        parts = [text[at : at + STEP_CHARS] for at in range(0, len(text), STEP_CHARS)]
        for sentence in read(parts, early=early):
            saying(sentence.text, "en-US")

    text = streak * 16_000
    assert is_linear(said, text[:1000], text[:16_000])


@pytest.mark.parametrize("sign", ["(", " ", "a", "["])
def test_80_000_of_a_sign_are_taken_and_no_word_behind_them_is_lost(sign: str) -> None:
    for markdown, early in READINGS[1:3]:
        found = read([sign * 80_000, " Then we left."], markdown=markdown, early=early)
        assert found[-1].text.endswith("Then we left.")
        assert sum(sentence.text.count("a") for sentence in found) == (80_000 if sign == "a" else 0)
