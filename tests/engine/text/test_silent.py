"""Emoji, broken and invisible characters in a sentence: never said, and no trace of them is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.silent import audible, is_emoji
from engine.text.split import Splitter


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("Nice 🎉 work", "Nice work"),
        ("Nice🎉work", "Nice work"),
        ("See you soon ☕️.", "See you soon."),
        ("🎉 Party 🎉🎉", "Party"),
        ("It is (🎉 fun 🎉) here", "It is (fun) here"),
        ("A family 👨‍👩‍👧‍👦 and a flag 🇩🇪 wave 👋🏽", "A family and a flag wave"),
        ("1️⃣ First", "1 First"),
        ("f\ufffd\ufffdr dich", "fr dich"),
        ("lone \ud83d\tone", "lone one"),
        ("© 2024 ®, ™ ℹ and #1 * 2", "© 2024 ®, ™ ℹ and #1 * 2"),
        ("می‌خواهم क्‍ष", "می‌خواهم क्‍ष"),  # joiners that shape a word stay
        ("plain  text\n here", "plain text here"),
    ],
)
def test_what_is_heard(written: str, heard: str) -> None:
    assert audible(written) == heard


@given(st.text(st.sampled_from("ab 🎉☕\ufe0f\u200d\ufffd\ud83d👋🏽🇩.,()é")))
def test_no_word_is_touched_and_no_space_doubled(written: str) -> None:
    heard = audible(written)
    assert "".join(filter(str.isalnum, heard)) == "".join(filter(str.isalnum, written))
    assert "  " not in heard
    assert heard == heard.strip()
    assert not any(map(is_emoji, heard))
    assert audible(heard) == heard


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Thanks!🎉 See you. 👍🏽", [("Thanks!", 0, 7), ("See you.", 9, 17)]),
        ("Great!🎉Let us go", [("Great!", 0, 6), ("Let us go", 7, 16)]),
        ("🎉🎉 Gloves, etc. 🎉 and hats ☕️.", [("Gloves, etc. and hats.", 3, 30)]),
        ("Wow‼️ Next", [("Wow‼", 0, 4), ("Next", 6, 10)]),
        ("نعم.\u200f ثم", [("نعم.", 0, 4), ("ثم", 6, 8)]),
        ("好。🎉好", [("好。", 0, 2), ("好", 3, 4)]),
        ("🎉🎉\ufffd\u200b", []),
    ],
)
def test_silent_signs_neither_hide_an_end_nor_make_a_unit(text: str, wanted: list[tuple[str, int, int]]) -> None:
    for pushes in ([text], list(text)):
        splitter = Splitter()
        found = [s for push in pushes for s in splitter.push(push)] + splitter.end()
        assert [(s.text, s.start, s.end) for s in found] == wanted
