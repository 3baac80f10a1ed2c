"""ElevenLabs' messages to commands, and its queries to settings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.types import Voice
from gateway.dialects.dialect import Close
from gateway.dialects.elevenlabs import (
    FORMATS,
    SOCKET_FORMATS,
    Aligned,
    MultiStreamInput,
    StreamInput,
    Timeline,
    asked_of,
    voice_of,
)
from gateway.dialects.names import Part, VoiceNames
from gateway.errors import GatewayError
from gateway.events import Cancel, Command, Done, End, Failed, Flush, Idle, Ping, Pong, Start, Text, Word
from tests.growth import is_linear

JOE = Voice("joe", "abcdef012345", 22_050, "en-US", 0.6, 1.0, 0.8)
ONE = "1 default"


def single(**query: str) -> StreamInput:
    return StreamInput(asked_of(query, Part("joe")), JOE)


def multi(**query: str) -> MultiStreamInput:
    return MultiStreamInput(asked_of(query, Part("joe")), JOE)


def said(dialect: StreamInput | MultiStreamInput, **fields: Any) -> list[Command]:
    """What a message asks for, but for the settings."""
    return [command for command in dialect.decode(json.dumps(fields)) if not isinstance(command, Start)]


def done(name: str) -> Done:
    return Done(name, audio_ms=1, sentences=1, cached=0, first_audio_ms=1, underruns=0)


# ---- queries


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_what_its_name_says(name: str) -> None:
    kind, *numbers = name.split("_")
    sound = FORMATS[name]
    formats = {"pcm": "pcm_s16le", "ulaw": "mulaw", "alaw": "alaw"}
    assert sound.format == formats.get(kind, kind)
    assert [sound.rate_hz, *([sound.kbps] if sound.kbps else [])] == [int(number) for number in numbers]
    assert sound.codec(22_050).rate_hz == sound.rate_hz


def test_every_format_of_theirs_is_there() -> None:
    theirs = (
        *("mp3_22050_32", "mp3_44100_32", "mp3_44100_64", "mp3_44100_96", "mp3_44100_128", "mp3_44100_192"),
        *("pcm_8000", "pcm_16000", "pcm_22050", "pcm_24000", "pcm_44100", "pcm_48000", "ulaw_8000", "alaw_8000"),
        *("opus_48000_32", "opus_48000_64", "opus_48000_96", "opus_48000_128", "opus_48000_192"),
    )
    assert [name for name in theirs if name not in SOCKET_FORMATS] == []


def test_a_query_is_settings() -> None:
    query = {"output_format": "mp3_22050_32", "language_code": "en", "seed": "7", "inactivity_timeout": "180"}
    asked = asked_of({**query, "auto_mode": "true", "model_id": "any", "enable_logging": "false"}, Part("joe", 3))
    start = Start(
        "default",
        voice="joe",
        speaker=3,
        format="mp3",
        sample_rate=22_050,
        kbps=32,
        seed=7,
        words=True,
        language="en",
        early=False,
    )
    assert (asked.start, asked.idle_s, asked.auto_mode, asked.sync_alignment) == (start, 180, True, False)


def test_an_empty_query_is_the_defaults() -> None:
    asked = asked_of({}, Part("joe"))
    assert (asked.start.format, asked.start.sample_rate, asked.start.kbps) == ("mp3", 44_100, 128)
    assert (asked.idle_s, asked.auto_mode, asked.start.early) == (20, False, None)


@pytest.mark.parametrize(
    "query",
    [
        {"output_format": "wav_44100"},
        {"output_format": "mp3"},
        {"inactivity_timeout": "0"},
        {"inactivity_timeout": "200"},
        {"inactivity_timeout": "long"},
        {"auto_mode": "maybe"},
        {"seed": "-1"},
        {"seed": str(2**32)},
    ],
)
def test_a_query_that_cannot_be_names_its_field_and_what_is_allowed(query: dict[str, str]) -> None:
    (name,) = query
    with pytest.raises(GatewayError, match=f"'{name}' is .*; allowed: "):
        asked_of(query, Part("joe"))


@pytest.mark.parametrize(
    ("asked", "voice"), [("joe", "joe"), ("theirs", "joe"), ("abcdef", "joe"), ("ABCDEF01", "joe")]
)
def test_who_is_asked_for(asked: str, voice: str) -> None:
    voices = {"joe": JOE}
    names = VoiceNames("ONSET_ELEVENLABS_VOICES", "theirs=joe", voices, JOE)
    assert voice_of(asked, voices, names).voice == voice


@pytest.mark.parametrize("asked", ["nobody", "abc", "", "abcdeg"])
def test_nobody_speaks_for_another(asked: str) -> None:
    voices = {"joe": JOE}
    with pytest.raises(GatewayError, match="ONSET_ELEVENLABS_VOICES"):
        voice_of(asked, voices, VoiceNames("ONSET_ELEVENLABS_VOICES", "", voices, JOE))


# ---- one text


def test_the_first_message_has_the_settings() -> None:
    (start,) = single().decode('{"text": " ", "voice_settings": {"speed": 1.2, "stability": 0.3}}')
    assert isinstance(start, Start)
    assert (start.context, start.speed) == (ONE, 1.2)


def test_what_keeps_a_socket_open_before_the_text_is_nothing() -> None:
    dialect = single()
    assert said(dialect, text=" ") == []
    assert said(dialect, text="\n ") == []


def test_a_text_and_its_end() -> None:
    dialect = single()
    assert said(dialect, text="One fine ") == [Text(ONE, "One fine ")]
    assert said(dialect, text=" ") == [Text(ONE, " ")]
    assert said(dialect, text="day", flush=True) == [Text(ONE, "day"), Flush(ONE)]
    assert said(dialect, text="") == [Text(ONE, ""), End(ONE)]
    assert said(dialect, text="") == []
    with pytest.raises(GatewayError, match="after the end"):
        said(dialect, text="more")


def test_the_end_of_a_text_closes_its_socket() -> None:
    dialect = single()
    said(dialect, text="One.")
    assert [json.loads(m) if isinstance(m, str) else m for m in dialect.encode(done(ONE))] == [
        {"audio": None, "isFinal": True},
        Close(1000),
    ]


@pytest.mark.parametrize(
    ("text", "flushes"),
    [
        ("One fine day.", True),
        ('"One fine day!" ', True),
        ("Is it?", True),
        ("One fine", False),
        ("One, ", False),
    ],
)
def test_auto_mode_speaks_a_message_that_ends_its_sentence(text: str, flushes: bool) -> None:
    assert (Flush(ONE) in said(single(auto_mode="true"), text=text)) is flushes


@pytest.mark.parametrize(
    ("texts", "flushes"),
    [
        (["One, ", "two, "], False),
        (["A text of more than fifty characters that ends in a comma, "], True),
        (["A text of more than fifty characters that ends in ", "a comma, "], True),
        (["A text of more than fifty characters that ends in a word "], False),
        (["A text of more than fifty characters has ended. And, "], False),
        (["A text of more than fifty characters, as it was for Dr. "], False),
    ],
)
def test_a_trigger_speaks_a_clause_that_is_long_enough(texts: list[str], flushes: bool) -> None:
    dialect = single()
    commands = [command for text in texts for command in said(dialect, text=text, try_trigger_generation=True)]
    assert (Flush(ONE) in commands) is flushes


@pytest.mark.parametrize("text", ["word ", "a", "one, ", '."" ', ". "])
def test_a_long_text_takes_no_longer_a_character_than_a_short_one(text: str) -> None:
    def decoded(said: str) -> object:
        return single(auto_mode="true").decode(json.dumps({"text": said, "try_trigger_generation": True}))

    assert is_linear(decoded, (text * 1500)[:1500], (text * 24_000)[:24_000])


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ('{"text": 1}', "'text'"),
        ('{"text": "a", "flush": "yes"}', "'flush'"),
        ('{"text": "a", "voice_settings": {"stability": 2}}', "'voice_settings.stability'"),
        ('{"text": "a", "generation_config": {"chunk_length_schedule": "many"}}', "chunk_length_schedule"),
        ("{}", "'text' is missing"),
        ("[]", "JSON object"),
        (b"{}", "binary"),
    ],
)
def test_a_message_that_is_wrong_says_where(message: str | bytes, word: str) -> None:
    with pytest.raises(GatewayError, match=word):
        single().decode(message)


def test_an_error_ends_the_socket() -> None:
    told, closes = single().encode(Failed("overloaded", "too much", retryable=True))
    assert json.loads(str(told)) == {"message": "too much", "error": "system_busy", "code": 1013}
    assert closes == Close(1013, "too much")


def test_an_idle_socket_is_closed_without_an_error() -> None:
    assert single().encode(Idle(20)) == (Close(1000, "idle: nothing came for 20 seconds"),)


# ---- many


def test_contexts_have_names_of_their_own() -> None:
    dialect = multi()
    assert said(dialect, text="One. ", context_id="a") == [Text("1 a", "One. ")]
    assert said(dialect, text="Two. ", context_id="b c") == [Text("2 b c", "Two. ")]
    assert said(dialect, context_id="a", flush=True) == [Text("1 a", ""), Flush("1 a")]
    assert said(dialect, context_id="a", close_context=True) == [End("1 a")]
    assert said(dialect, text="Three. ", context_id="a") == [Text("3 a", "Three. ")]
    assert said(dialect, text="Four. ", contextId="a") == [Text("3 a", "Four. ")]
    (final,) = dialect.encode(done("2 b c"))
    assert json.loads(str(final)) == {"audio": None, "isFinal": True, "contextId": "b c"}


def test_a_context_is_closed_as_its_last_word_says() -> None:
    dialect = multi()
    said(dialect, text="One. And", context_id="a")
    assert said(dialect, context_id="a", close_context=True) == [Cancel("1 a")]
    said(dialect, text="One.", context_id="b", flush=True)
    assert said(dialect, context_id="b", close_context=True) == [End("2 b")]
    assert said(dialect, context_id="b", close_context=True) == [Cancel("2 b")]
    dialect.encode(done("2 b"))
    assert said(dialect, context_id="b", close_context=True) == []


def test_closing_the_socket_ends_what_is_open() -> None:
    dialect = multi()
    said(dialect, text="One", context_id="a")
    assert said(dialect, close_socket=True) == [End("1 a"), Ping()]
    assert dialect.encode(Pong()) == ()
    assert dialect.encode(done("1 a"))[-1] == Close()
    with pytest.raises(GatewayError, match="after close_socket"):
        said(dialect, text="Two", context_id="b")
    assert multi().encode(Pong()) == ()


def test_an_error_names_its_context() -> None:
    dialect = multi()
    with pytest.raises(GatewayError) as error:
        said(dialect, text=5, context_id="a b")
    (told,) = dialect.encode(Failed(error.value.code, error.value.message, context=error.value.context))
    assert json.loads(str(told))["contextId"] == "a b"
    with pytest.raises(GatewayError, match=r"'context_id' is .*1 to 128"):
        said(dialect, text="a", context_id="")


# ---- alignment


def test_word_times_are_spread_over_characters() -> None:
    timeline = Timeline(1000)
    timeline.sentence("Oh no", 0)
    timeline.words([Word("Oh", 10, 30), Word("no", 40, 70)])
    aligned = timeline.sound(100)
    assert aligned.chars == ("O", "h", " ", "n", "o", " ")
    assert aligned.starts_ms == (0, 20, 30, 40, 50, 60)  # the first one takes the silence before it
    assert aligned.durations_ms == (20, 10, 10, 10, 10, 40)


def test_times_begin_anew_in_each_piece_and_add_up_to_the_sound() -> None:
    timeline = Timeline(1000)
    timeline.sentence("abc", 0)
    timeline.words([Word("abc", 0, 80)])
    assert timeline.sound(15).starts_ms == (0,)
    second = timeline.sound(10)
    assert (second.chars, second.starts_ms, second.durations_ms) == (("b",), (0,), (10,))
    assert timeline.sound(10).chars == ()  # nothing begins in it
    third = timeline.sound(25)
    # What it lasts longer than its piece is the piece before, of which nothing was told.
    assert (third.chars, third.starts_ms, third.durations_ms) == (("c",), (0,), (35,))
    assert timeline.sound(30).chars == (" ",)
    assert timeline.sound(20).chars == ()
    assert timeline.sent_ms == 110
    rest = timeline.rest()
    assert (rest.chars, rest.starts_ms, rest.durations_ms) == ((" ",), (0,), (20,))
    assert timeline.rest() == Aligned()


@pytest.mark.parametrize("size", [7, 20, 33, 100, 1000])
def test_durations_add_up_to_the_sound_after_every_message(size: int) -> None:
    timeline = Timeline(22_050)
    summed = tiled = 0
    for sentence, begin in (("Oh no.", 0), ("(sic)", 0), ("Well, she did.", 700)):
        timeline.sentence(sentence, begin)
        words = sentence.split()
        timeline.words([Word(word, begin + 60 + 150 * k, begin + 190 + 150 * k) for k, word in enumerate(words)])
        for _ in range(0, 700, size):
            aligned = timeline.sound(round(size * 22.05))
            assert aligned.starts_ms == tuple(sorted(aligned.starts_ms))
            assert min(aligned.durations_ms, default=0) >= 0
            if aligned.chars:
                summed += sum(aligned.durations_ms)
                tiled += aligned.starts_ms[-1] + aligned.durations_ms[-1]
                assert summed == tiled == timeline.sent_ms
    summed += sum(timeline.rest().durations_ms)
    assert summed == timeline.sent_ms


def test_text_without_a_sound_of_its_own_is_told_all_the_same() -> None:
    timeline = Timeline(1000)
    timeline.sentence("Oh — no (sic)", 0)
    timeline.words([Word("Oh", 0, 30), Word("no", 40, 70)])
    told = "".join(timeline.sound(100).chars)
    timeline.sentence("Two.", 100)
    timeline.words([Word("Two.", 100, 150)])
    told += "".join(timeline.sound(60).chars)
    assert told == "Oh — no (sic) Two. "
    timeline.sentence("...", 160)
    assert "".join(timeline.rest().chars) == "... "
