"""What a client has of a speech, also over more than one connection."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.client.account import Account
from gateway.client.told import Stopped

TEXT = "One one. Two two. Three."


def sentence(text: str, start_ms: int, *, within: str = TEXT, cached: object = False) -> dict[str, Any]:
    at = within.index(text)
    return {"text": text, "start_ms": start_ms, "cached": cached, "start": at, "end": at + len(text)}


def pcm(ms: int, level: int = 0) -> bytes:
    """At 1000 samples a second."""
    return bytes([level, 0]) * ms


@pytest.fixture
def account() -> Account:
    """Its first sentence is there, and half of its second."""
    account = Account("pcm_s16le")
    account.rate_hz = 1000
    account.give(TEXT)
    account.begin(sentence("One one.", 0), 10.0)
    account.sound(pcm(400), 10.0)
    account.begin(sentence("Two two.", 400), 10.0)
    words = [{"text": "Two", "start_ms": 400, "end_ms": 500}, {"text": "two.", "start_ms": 500, "end_ms": 800}]
    account.tell({"sentence": 1, "words": words})
    account.sound(pcm(200), 10.0)
    return account


def test_a_listener_hears_by_the_clock(account: Account) -> None:
    assert [account.heard_ms(now) for now in (10.0, 10.25, 10.6, 99.0)] == pytest.approx([0, 250, 600, 600])
    assert account.stopped(10.55) == Stopped(600, 550, "One one. Two", "One one. Two")
    assert account.stopped(10.3).text_heard == ""


def test_or_by_his_own_word(account: Account) -> None:
    account.played(450)
    account.played(420)
    assert account.heard_ms(10.0) == 450
    account.played(9000)
    assert account.heard_ms(10.0) == 600


@pytest.mark.parametrize(("ms", "rest"), [(0, TEXT), (399, "Two two. Three."), (390, TEXT), (600, "Two two. Three.")])
def test_the_rest_begins_with_the_sentence_that_was_not_heard(account: Account, ms: int, rest: str) -> None:
    assert account.rest(ms) == rest


def test_a_sentence_that_broke_off_goes_on_where_it_did(account: Account) -> None:
    rest = account.resume()
    assert rest == "Two two. Three."
    account.begin(sentence("Two two.", 0, within=rest), 20.0)
    account.tell({"sentence": 0, "words": [{"text": "Two", "start_ms": 0, "end_ms": 100}]})
    assert account.sound(pcm(150, 1), 20.0) == b""
    assert account.sound(pcm(250, 2), 20.0) == pcm(200, 2)
    account.begin(sentence("Three.", 400, within=rest), 20.0)
    account.sound(pcm(100), 20.0)
    account.end({"audio_ms": 500, "first_audio_ms": 5, "underruns": 0}, 20.0)
    assert [(s.index, s.text, s.start_ms, TEXT[s.start : s.end]) for s in account.sentences] == [
        (0, "One one.", 0, "One one."),
        (1, "Two two.", 400, "Two two."),
        (2, "Three.", 800, "Three."),
    ]
    assert [(word.text, word.start_ms, word.sentence) for word in account.words] == [("Two", 400, 1)]
    assert account.done is not None
    assert (account.done.audio_ms, account.done.sentences, account.received_ms) == (900, 3, 900)
    assert account.text_until(900) == TEXT


def test_it_goes_on_at_the_sample_though_times_are_told_in_milliseconds() -> None:
    account = Account("pcm_s16le")
    account.rate_hz = 22_050
    account.give(TEXT)
    account.begin(sentence("One one.", 0), 10.0)
    account.sound(pcm(10_007), 10.0)  # 453.83 ms
    account.begin(sentence("Two two.", 454), 10.0)
    account.sound(pcm(5000), 10.0)
    for had, more in ((5000, 1000), (6000, 2000)):  # it breaks off twice
        rest = account.resume()
        account.begin(sentence("Two two.", 0, within=rest), 20.0)
        assert account.sound(pcm(had + more), 20.0) == pcm(more)


def test_one_that_is_cut_otherwise_is_said_whole(account: Account) -> None:
    rest = account.resume()
    account.begin(sentence("Two", 0, within=rest), 20.0)
    assert account.sound(pcm(100, 1), 20.0) == pcm(100, 1)
    assert account.sentences[-1].start_ms == 600


def test_a_second_loss_takes_no_other_sentence_out(account: Account) -> None:
    assert account.resume() == account.resume() == account.rest(600) == "Two two. Three."
    assert [s.text for s in account.sentences] == ["One one."]


def test_before_the_first_sentence_all_is_said_again() -> None:
    account = Account("pcm_s16le")
    account.give(TEXT)
    assert account.resume() == account.rest(0) == TEXT


def test_of_a_compressed_format_the_sentences_say_how_long_it_is() -> None:
    account = Account("mp3")
    account.rate_hz = 44100
    account.give("One one. Two two.")
    account.begin(sentence("One one.", 0), 10.0)
    assert account.sound(b"xyz", 10.0) == b"xyz"
    account.begin(sentence("Two two.", 400), 10.0)
    assert account.received_ms == 400
    account.end({"audio_ms": 700, "first_audio_ms": 5, "underruns": 0}, 10.0)
    assert account.stopped(99.0) == Stopped(700, 700, "One one. Two two.", "One one. Two two.")
