"""What is done to a text of any language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.normalize import Spoken, normalize
from engine.text.normalize.common import Signs, addresses, clean
from engine.text.normalize.rules import Table

SIGNS = Signs("de", {".": "Punkt", "@": "at", "/": "Schrägstrich", "-": "Minus"}, "und so weiter")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Great \ufffd\ufffd job.", "Great job."),
        ("Nice 🎉 work", "Nice work"),
        ("Nice work 🎉.", "Nice work."),
        ("Nice work 🎉", "Nice work"),
        ("🎉 Nice work", "Nice work"),
        ("👩‍👩‍👧 and 🇩🇪 and 👍🏽 too", "and and too"),
        ("5️⃣ things", "5 things"),
        ("a ❤️b", "a b"),
        ("a🎉b", "ab"),
        ("I don’t and it‘s", "I don't and it's"),
        ("co\u00adoperate\u200b here\ufeff", "cooperate here"),
        ("a\x00b\x07c", "abc"),
        ("say \ue000h\ue001 it", "say h it"),
        ("40\u00a0% and 1\u202f000", "40 % and 1 000"),
        ("cafe\u0301", "café"),
        ("𝓗𝓮𝓵𝓵𝓸 𝟒𝟐 ﬁne", "Hello 42 fine"),
        ("−5 and e‑mail", "-5 and e-mail"),
        ("می‌خواهم", "می‌خواهم"),
        ("क्‍ष", "क्‍ष"),
        ("© 5 ™", "© 5 ™"),
        ("lone \ud83d half", "lone half"),
    ],
)
def test_what_nobody_says_is_taken_out(text: str, cleaned: str) -> None:
    assert clean(text).text == cleaned


@pytest.mark.parametrize("text", ["Plain text, nothing else!", "日本語です。", "Ünïcödé — “fine” …", "", " "])
def test_what_is_said_stays(text: str) -> None:
    assert clean(text) == Spoken(text)


@given(st.text())
def test_clean_text_is_clean(text: str) -> None:
    once = clean(text).text
    assert clean(once).text == once


def test_unknown_language_has_only_what_needs_no_language() -> None:
    assert normalize("It’s 5 % 🎉.", "xx").text == "It's 5 %."


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("siehe https://www.a-b.de/x/y?q=1#z.", "siehe a Minus b Punkt de Schrägstrich x Schrägstrich y."),
        (
            "http://a.de/1/2/3/4/5/6",
            "a Punkt de Schrägstrich eins Schrägstrich zwei Schrägstrich drei Schrägstrich vier und so weiter",
        ),
        ("http://a.de/" + "x" * 500, "a Punkt de und so weiter"),
        ("auf b.de/c.", "auf b Punkt de Schrägstrich c."),
        ("und/oder, z.B./d.h.", "und/oder, z.B./d.h."),
        ("https://#", ""),
        ("an ab.c@d.de,", "an ab Punkt c at d Punkt de,"),
        ("9b854d7e292091300ab2c20f820c90850115ebf7", "neun b acht fünf vier d und so weiter"),
        ("f" * 500, "f f f f f f und so weiter"),
        ("Donaudampfschifffahrtsgesellschaftskapitän", "Donaudampfschifffahrtsgesellschaftskapitän"),
        ("covid-19-impfprogramm-2021", "covid-19-impfprogramm-2021"),
    ],
)
def test_addresses_and_identifiers_are_said_briefly(text: str, spoken: str) -> None:
    assert Table(addresses(SIGNS)).say(text).text == spoken


@given(st.text(alphabet="ab1./:@-_?#", max_size=600))
def test_an_address_is_never_said_at_length(rest: str) -> None:
    assert len(Table(addresses(SIGNS)).say(f"https://{rest}").text) < 3000
