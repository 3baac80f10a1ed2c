"""What names a phrase, and what an entry must be to be believed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.lexicon import Lexicon
from engine.types import Utterance, Voice, WordTime
from gateway.cache import Phrase, phrase_key
from gateway.cache.phrase import MAX_PCM_BYTES, BadEntry, decode_entry, encode_entry
from gateway.voicing import Voicing

VOICE_A = Voice("a", "fp-a", 22050, "en-US", noise_scale=0.667, length_scale=1.0, noise_w=0.8, speaker_count=2)
VOICE_B = replace(VOICE_A, name="b", fingerprint="fp-b")
HELLO = Utterance("Hello.", VOICE_A)
KEY = phrase_key(HELLO)
PHRASE = Phrase(22050, bytes(range(256)) * 4, (WordTime("Hell", 0.0, 100 / 22050), WordTime("ö.", 0.01, 511 / 22050)))


def test_voices_and_speakers_have_keys_of_their_own() -> None:
    """e01"""
    asked = [replace(HELLO, voice=voice, speaker=speaker) for voice in (VOICE_A, VOICE_B) for speaker in (0, 1)]
    assert len({phrase_key(utterance) for utterance in asked}) == 4


@pytest.mark.parametrize(
    "other",
    [
        replace(HELLO, text="Hello!"),
        replace(HELLO, speed=1.25),
        replace(HELLO, seed=0),
        replace(HELLO, seed=1),
        replace(HELLO, lexicon="l1"),
        replace(HELLO, lexicon="l2"),
        replace(HELLO, voice=replace(VOICE_A, rate_hz=16000)),
        replace(HELLO, voice=replace(VOICE_A, noise_scale=0.5)),
        replace(HELLO, voice=replace(VOICE_A, noise_w=0.5)),
        replace(HELLO, voice=replace(VOICE_A, length_scale=1.1)),
    ],
    ids=[
        "text",
        "speed",
        "seed 0",
        "seed 1",
        "lexicon",
        "other lexicon",
        "rate",
        "noise scale",
        "noise w",
        "length scale",
    ],
)
def test_whatever_shapes_the_sound_is_in_the_key(other: Utterance) -> None:
    """e02"""
    assert phrase_key(other) != KEY


def test_another_engine_has_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """e02"""
    monkeypatch.setattr("gateway.cache.phrase.ENGINE_VERSION", 999_999)
    assert phrase_key(HELLO) != KEY


def test_other_rules_have_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """e07"""
    monkeypatch.setattr("gateway.cache.phrase.RULES_VERSION", 999_999)
    assert phrase_key(HELLO) != KEY


def key(text: str, *lexicons: dict[str, str]) -> bytes:
    """Of a sentence as written."""
    voicing = Voicing(VOICE_A)
    return phrase_key(voicing.utterance(voicing.saying(text, [Lexicon(each) for each in lexicons])))


def test_however_it_is_written_what_is_said_the_same_has_one_key() -> None:
    """b21"""
    assert key("It wasn’t ready and we’re late.") == key("It wasn't ready and we're late.")
    assert key("Hi 🎉!") == key("Hi!") != key("Hi?")


def test_a_lexicon_changes_the_keys_of_the_sentences_that_have_its_words() -> None:
    gif = key("A GIF.")
    assert len({gif, key("A GIF.", {"GIF": "jif"}), key("A GIF.", {"GIF": "/dʒɪf/"}), key("A jif.")}) == 4
    assert key("A GIF.", {"GIF": "jif"}) != key("A GIF.", {"GIF": "jif", "SQL": "sequel"})
    assert key("A cat.", {"GIF": "jif"}) == key("A cat.")


def test_a_file_replaced_under_the_same_name_has_another_key() -> None:
    """e04"""
    assert phrase_key(replace(HELLO, voice=replace(VOICE_A, fingerprint="fp-a2"))) != KEY


def test_the_same_files_under_another_name_share_their_phrases() -> None:
    assert phrase_key(replace(HELLO, voice=replace(VOICE_A, name="renamed"))) == KEY


def test_numbers_count_by_value() -> None:
    assert phrase_key(replace(HELLO, speed=1)) == phrase_key(replace(HELLO, speed=1.0)) == KEY
    assert phrase_key(replace(HELLO, voice=replace(VOICE_A, length_scale=1))) == KEY


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_every_process_makes_the_same_key(hash_seed: str) -> None:
    """e07"""
    script = (
        "from engine.types import Utterance, Voice\n"
        "from gateway.cache import phrase_key\n"
        "voice = Voice('a', 'fp-a', 22050, 'en-US', noise_scale=0.667, length_scale=1.0, noise_w=0.8)\n"
        "print({phrase_key(Utterance('Hello.', voice)).hex() for _ in range(100)})\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == repr({KEY.hex()})


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8), st.integers(1, 7))
def test_no_character_moves_from_one_part_into_the_next(fingerprint: str, text: str, moved: int) -> None:
    there = replace(HELLO, voice=replace(VOICE_A, fingerprint=fingerprint + text[:moved]), text=text[moved:])
    here = replace(HELLO, voice=replace(VOICE_A, fingerprint=fingerprint), text=text)
    assert phrase_key(here) != phrase_key(there)


@given(st.integers(0, 99), st.integers(10_000, 99_999))
def test_no_digit_moves_from_the_rate_into_the_speaker(speaker: int, rate_hz: int) -> None:
    longer = replace(HELLO, voice=replace(VOICE_A, rate_hz=int(f"{rate_hz}{speaker}")), speaker=0)
    shorter = replace(HELLO, voice=replace(VOICE_A, rate_hz=rate_hz), speaker=int(f"{speaker}0"))
    assert phrase_key(longer) != phrase_key(shorter)


# ---- entries


@given(
    st.integers(1, 2**32 - 1),
    st.binary(min_size=1, max_size=500),
    st.lists(st.tuples(st.text(max_size=8), st.integers(0, 2**31), st.integers(0, 2**31)), max_size=5),
)
def test_an_entry_gives_back_its_phrase(rate_hz: int, half: bytes, words: list[tuple[str, int, int]]) -> None:
    phrase = Phrase(rate_hz, half * 2, tuple(WordTime(t, start / rate_hz, end / rate_hz) for t, start, end in words))
    assert decode_entry(KEY, encode_entry(KEY, phrase)) == phrase


def test_an_entry_of_another_key_is_refused() -> None:
    other = phrase_key(replace(HELLO, text="Goodbye."))
    with pytest.raises(BadEntry, match="another key"):
        decode_entry(KEY, encode_entry(other, PHRASE))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (b"", "shorter"),
        (b"\x80" * 4000, "another format"),
        (encode_entry(KEY, PHRASE)[:30], "shorter"),
        (encode_entry(KEY, PHRASE)[:-2], "cut short"),
        (encode_entry(KEY, PHRASE) + b"\0\0", "longer"),
        (b"RIFF" + encode_entry(KEY, PHRASE)[4:], "another format"),
        (encode_entry(KEY, PHRASE)[:4] + b"\0" + encode_entry(KEY, PHRASE)[5:], "another format"),
        (encode_entry(KEY, Phrase(22050, b"")), "empty"),
        (encode_entry(KEY, Phrase(22050, b"\0\0\0")), "whole samples"),
        (encode_entry(KEY, Phrase(0, b"\0\0")), "empty"),
        (encode_entry(KEY, Phrase(22050, bytes(MAX_PCM_BYTES + 2))), "too long"),
    ],
)
def test_an_entry_that_is_not_whole_is_refused(entry: bytes, why: str) -> None:
    """e08, e11"""
    with pytest.raises(BadEntry, match=why):
        decode_entry(KEY, entry)


@given(st.integers(0, len(encode_entry(KEY, PHRASE)) - 1), st.integers(1, 255))
def test_one_changed_byte_is_seen(at: int, change: int) -> None:
    """e11"""
    entry = bytearray(encode_entry(KEY, PHRASE))
    entry[at] ^= change
    with pytest.raises(BadEntry):
        decode_entry(KEY, bytes(entry))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_phrase_or_refused(noise: bytes) -> None:
    with pytest.raises(BadEntry):
        decode_entry(KEY, noise)
