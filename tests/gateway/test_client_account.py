"""What a client has of a speech, also over more than one connection."""

from __future__ import annotations

import struct
from collections.abc import Iterator
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


SENTENCES = ("One one.", "Two two.", "Three.")
RATE_HZ = 22_050


def told(first: int) -> Iterator[dict[str, Any] | bytes]:
    """What a server says of the text from a sentence on: its messages, and its sound a sample at a time."""
    start = 0
    for k, (text, samples) in enumerate(zip(SENTENCES, (1001, 2017, 1503), strict=True)):
        if k >= first:
            start_ms = round(start * 1000 / RATE_HZ, 3)
            yield sentence(text, 0, within=" ".join(SENTENCES[first:])) | {"start_ms": start_ms}
            yield from (struct.pack("<h", 5000 * k + at) for at in range(samples))
            start += samples


@pytest.mark.parametrize("cut", [*range(1, 40, 3), 1001, 1002, 1003, 2000, *range(3001, 3040, 3), 4522])
def test_over_any_number_of_connections_each_sample_comes_once(cut: int) -> None:
    account = Account("pcm_s16le")
    account.rate_hz = RATE_HZ
    account.give(TEXT)
    first, heard = 0, b""
    for connection in range(4):
        for k, message in enumerate(told(first)):
            if connection < 3 and k == cut + 7 * connection:
                break
            if isinstance(message, bytes):
                heard += account.sound(message, 1.0)
            else:
                account.begin(message, 1.0)
        if connection < 3:
            rest = account.resume()
            first = next(k for k in range(4) if rest == " ".join(SENTENCES[k:]))
    assert heard == b"".join(message for message in told(0) if isinstance(message, bytes))
    assert account.received_ms == pytest.approx(4521 * 1000 / RATE_HZ)


def test_one_that_broke_off_in_the_pause_before_it_is_said_whole(account: Account) -> None:
    account.begin(sentence("Three.", 800), 10.0)
    rest = account.resume()
    account.begin(sentence("Three.", 0, within=rest), 20.0)
    assert account.sound(pcm(100, 1), 20.0) == pcm(100, 1)
    assert (account.sentences[-1].start_ms, account.received_ms) == (600, 700)


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
