"""Cartesia's messages to commands and events to its messages; what a request asks for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.types import Voice
from gateway.dialects.cartesia import Cartesia
from gateway.dialects.cartesia_http import SseBody, asked, page, voice_listed
from gateway.dialects.names import VoiceNames
from gateway.dialects.sound import Sound
from gateway.errors import GatewayError, StartRefused
from gateway.events import (
    Audio,
    Cancel,
    Cancelled,
    Command,
    Done,
    End,
    Event,
    Failed,
    Flush,
    Flushed,
    Idle,
    Pong,
    Ready,
    SentenceStarted,
    Start,
    Text,
    Word,
    Words,
)
from gateway.voicing import voicing

ANN = Voice("ann", "ann-0", 22050, "en-US", 0.667, 1.0, 0.8)
BEN = Voice("ben", "ben-0", 16000, "de-DE", 0.667, 1.0, 0.8)
VOICES = {"ann": ANN, "ben": BEN}
NAMES = VoiceNames("ONSET_CARTESIA_VOICES", "a0e99841=ann", VOICES, ANN)
RAW = {"container": "raw", "encoding": "pcm_s16le", "sample_rate": 44100}
REQUEST: dict[str, Any] = {
    "model_id": "sonic-3",
    "transcript": "Hi.",
    "voice": {"mode": "id", "id": "ann"},
    "output_format": RAW,
    "context_id": "a",
}
START = Start("a", "ann", format="pcm_s16le", sample_rate=44100, hold_s=3.0)
HI, END = Text("a", "Hi."), End("a")


def socket() -> Cartesia:
    return Cartesia(NAMES, lambda start: voicing(start, VOICES, ANN), "7e57")


def decoded(dialect: Cartesia, *messages: dict[str, Any]) -> list[Command]:
    return [command for message in messages for command in dialect.decode(json.dumps(message))]


def encoded(dialect: Cartesia, *events: Event) -> list[Any]:
    return [json.loads(str(message)) for event in events for message in dialect.encode(event)]


def more(**fields: Any) -> dict[str, Any]:
    return {**REQUEST, **fields}


CANCEL = {"context_id": "a", "cancel": True}
GOES_ON = more(**{"continue": True})


@pytest.mark.parametrize(
    ("messages", "commands"),
    [
        ([REQUEST], [START, HI, END]),
        ([GOES_ON], [START, HI]),
        ([GOES_ON, GOES_ON], [START, HI, HI]),
        ([GOES_ON, {"context_id": "a", "transcript": "Hi.", "continue": True}], [START, HI, HI]),
        ([GOES_ON, more(transcript="", **{"continue": False})], [START, HI, END]),
        ([GOES_ON, more(transcript="", flush=True, **{"continue": True})], [START, HI, Flush("a")]),
        ([more(flush=True)], [START, HI, Flush("a"), END]),
        ([more(transcript="")], [START, END]),
        ([CANCEL], [Cancel("a")]),
        ([GOES_ON, CANCEL, REQUEST], [START, HI, Cancel("a"), START, HI, END]),
        ([REQUEST, CANCEL, REQUEST], [START, HI, END, Cancel("a"), START, HI, END]),
        ([{**CANCEL, "cancel": False, **REQUEST}], [START, HI, END]),
    ],
)
def test_messages_are_commands(messages: list[dict[str, Any]], commands: list[Command]) -> None:
    assert decoded(socket(), *messages) == commands


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"voice": "ann"}, {}),
        ({"voice": {"id": "a0e99841"}}, {}),
        ({"add_timestamps": True}, {"words": True}),
        ({"max_buffer_delay_ms": 0}, {"hold_s": 0.0}),
        ({"max_buffer_delay_ms": 250}, {"hold_s": 0.25}),
        ({"language": "en"}, {"language": "en"}),
        ({"locale": "en-US"}, {"language": "en-US"}),
        ({"speed": "slow"}, {"speed": 0.8}),
        ({"speed": "normal"}, {}),
        ({"speed": 1.5}, {"speed": 1.5}),
        ({"generation_config": {"speed": 0.6, "volume": 1.5, "emotion": "happy"}}, {"speed": 0.6}),
        ({"generation_config": None, "speed": None, "add_timestamps": None, "flush": None}, {}),
        ({"output_format": {**RAW, "encoding": "pcm_f32le"}}, {"format": "pcm_f32le"}),
        (
            {"output_format": {**RAW, "encoding": "pcm_mulaw", "sample_rate": 8000}},
            {"format": "mulaw", "sample_rate": 8000},
        ),
        (
            {"output_format": {**RAW, "encoding": "pcm_alaw", "sample_rate": 8000.0}},
            {"format": "alaw", "sample_rate": 8000},
        ),
        ({"add_phoneme_timestamps": False, "use_normalized_timestamps": True, "something_new": 1}, {}),
    ],
)
def test_settings_are_those_of_the_first_message(fields: dict[str, Any], changed: dict[str, Any]) -> None:
    assert decoded(socket(), more(**fields))[0] == replace(START, **changed)


@pytest.mark.parametrize(
    ("fields", "code", "said"),
    [
        ({"voice": {"id": "eve"}}, "unknown_voice", "'voice.id' is 'eve'; allowed: ann, ben, a0e99841. ONSET_CARTESIA"),
        ({"voice": "eve"}, "unknown_voice", "'voice' is 'eve'"),
        ({"voice": {"mode": "embedding", "embedding": [1]}}, "bad_value", "'voice.mode' is 'embedding'; allowed: id"),
        ({"voice": {"mode": "id"}}, "missing_field", "'voice.id' is missing"),
        ({"voice": None}, "missing_field", "'voice' is missing"),
        ({"output_format": None}, "missing_field", "'output_format' is missing"),
        ({"output_format": {**RAW, "container": "mp3"}}, "unsupported_format", "'output_format.container' is 'mp3'"),
        ({"output_format": {**RAW, "encoding": "opus"}}, "unsupported_format", "allowed: pcm_s16le, pcm_f32le, pcm_mu"),
        ({"output_format": {**RAW, "encoding": None}}, "missing_field", "'output_format.encoding' is missing"),
        ({"output_format": {**RAW, "sample_rate": 4000}}, "unsupported_format", "'sample_rate' is 4000"),
        ({"output_format": {**RAW, "sample_rate": "8k"}}, "bad_value", "'output_format.sample_rate' is '8k'"),
        ({"max_buffer_delay_ms": 6000}, "bad_value", "a number from 0 to 5000"),
        ({"language": "de"}, "unknown_language", "'language' is 'de'; allowed: en-US"),
        ({"generation_config": {"speed": 9}}, "bad_value", "'generation_config.speed' is 9"),
        ({"speed": "rapid"}, "bad_value", "allowed: slowest, slow, normal, fast, fastest"),
        ({"add_phoneme_timestamps": True}, "bad_value", "times of words"),
        ({"pronunciation_dict_id": "x"}, "bad_value", "lexicons"),
        ({"transcript": None}, "missing_field", "'transcript' is missing"),
        ({"transcript": "\ud800"}, "bad_text", "U+D800"),
        ({"continue": "yes"}, "bad_value", "'continue' is 'yes'; allowed: true or false"),
    ],
)
def test_a_refusal_carries_its_context_and_says_what_is_allowed(fields: dict[str, Any], code: str, said: str) -> None:
    dialect = socket()
    with pytest.raises(GatewayError) as caught:
        decoded(dialect, more(**fields))
    assert (caught.value.code, caught.value.context) == (code, "a")
    assert said in caught.value.message
    assert decoded(dialect, REQUEST) == [START, HI, END]  # a right one is spoken


@pytest.mark.parametrize("message", ["x", "[]", '{"context_id": 1}', '{"context_id": ""}', b"\xff"])
def test_a_message_of_no_context_is_refused(message: str | bytes) -> None:
    with pytest.raises(GatewayError) as caught:
        socket().decode(message)
    assert caught.value.context is None


def test_the_settings_of_a_context_stand() -> None:
    """e05"""
    dialect = socket()
    decoded(dialect, GOES_ON)
    with pytest.raises(GatewayError, match="allowed: ann, that of this context") as caught:
        decoded(dialect, {**GOES_ON, "voice": "ben"})
    assert not isinstance(caught.value, StartRefused)
    with pytest.raises(GatewayError, match="allowed: pcm_s16le at 44100, that of this context"):
        decoded(dialect, {**GOES_ON, "output_format": {**RAW, "sample_rate": 8000}})
    assert decoded(dialect, {**GOES_ON, "voice": {"id": "a0e99841"}}) == [HI]


def test_text_after_the_end_is_refused_until_its_done() -> None:
    dialect = socket()
    decoded(dialect, REQUEST)
    with pytest.raises(GatewayError, match="wait for its done") as caught:
        decoded(dialect, REQUEST)
    assert (caught.value.code, caught.value.context) == ("context_ended", "a")
    dialect.encode(done("a"))
    assert decoded(dialect, REQUEST) == [START, HI, END]


def test_a_message_without_a_context_has_one_of_its_own() -> None:
    dialect = socket()
    nameless = {name: value for name, value in REQUEST.items() if name != "context_id"}
    contexts = [command.context for command in decoded(dialect, nameless, nameless) if isinstance(command, Text)]
    assert contexts == ["7e57-1", "7e57-2"]


def done(context: str) -> Done:
    return Done(context, audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0)


def told(kind: str, context: str = "a", **fields: Any) -> dict[str, Any]:
    return {"type": kind, "done": False, "status_code": 206, "context_id": context, **fields}


def test_events_are_messages() -> None:
    dialect = socket()
    sound = Audio("a", b"\1\2", "pcm_s16le", 44100)
    words = Words("a", 0, (Word("Hi", 0, 250), Word("you.", 250, 500)))
    times = {"words": ["Hi", "you."], "start": [0.0, 0.25], "end": [0.25, 0.5]}
    quiet: list[Event] = [Ready(("ann",), "ann", {}), SentenceStarted("a", 0, "Hi.", 0, False, 0, 3), Pong(), Idle(1.0)]
    assert encoded(dialect, *quiet) == []
    assert encoded(
        dialect, words, sound, Flushed("a"), sound, replace(sound, context="b"), Flushed("a"), done("a")
    ) == [
        told("timestamps", word_timestamps=times, flush_id=1),
        told("chunk", data="AQI=", step_time=0, flush_id=1),
        told("flush_done", flush_done=True, flush_id=1),
        told("chunk", data="AQI=", step_time=0, flush_id=2),
        told("chunk", "b", data="AQI=", step_time=0, flush_id=1),
        told("flush_done", flush_done=True, flush_id=2),
        told("done") | {"done": True},
    ]
    assert encoded(dialect, sound)[0]["flush_id"] == 1  # another context of this name


def test_a_cancelled_context_is_done_and_its_name_is_free() -> None:
    dialect = socket()
    decoded(dialect, REQUEST, CANCEL, REQUEST)
    cancelled = Cancelled("a", sent_ms=0, heard_ms=0, text_sent="")
    assert encoded(dialect, cancelled) == [told("done") | {"done": True}]
    with pytest.raises(GatewayError, match="wait for its done"):
        decoded(dialect, REQUEST)  # it is the second one that has ended


def test_a_context_that_was_refused_has_one_error_and_no_other_end() -> None:
    dialect = socket()
    decoded(dialect, REQUEST)
    done = Done("a", audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0)
    refused = Failed("too_many_contexts", "no", True, "a")
    told = encoded(dialect, refused, Failed("start_refused", "no", context="a"), done)
    assert [(message["error_code"], message["done"]) for message in told] == [("too_many_contexts", True)]
    assert decoded(dialect, REQUEST) == [START, HI, END], "its name is free"
    assert [message["type"] for message in encoded(dialect, done)] == ["done"]


@pytest.mark.parametrize(
    ("code", "status", "over"),
    [
        ("synthesis_failed", 500, False),
        ("overloaded", 429, False),
        ("unknown_language", 400, False),
        ("too_many_contexts", 429, True),
    ],
)
def test_an_error_carries_its_context_and_a_status(code: str, status: int, over: bool) -> None:
    dialect = socket()
    decoded(dialect, GOES_ON)
    (error,) = encoded(dialect, Failed(code, "no", True, "a"))
    title = code.replace("_", " ").capitalize()
    assert error == {
        "type": "error",
        "done": over,
        "context_id": "a",
        "status_code": status,
        "title": title,
        "message": "no",
        "error": f"{title}: no",
        "error_code": code,
        "request_id": "7e57",
    }
    assert decoded(dialect, GOES_ON) == ([START, HI] if over else [HI])


def test_an_error_of_no_context_says_so() -> None:
    (error,) = encoded(socket(), Failed("not_json", "no"))
    assert (error["context_id"], error["done"], error["status_code"]) == (None, True, 400)


# ---- over HTTP


@pytest.mark.parametrize(
    ("output", "sound"),
    [
        (RAW, Sound("pcm_s16le", 44100)),
        ({**RAW, "encoding": "pcm_mulaw", "sample_rate": 8000}, Sound("mulaw", 8000)),
        ({**RAW, "container": "wav"}, Sound("wav", 44100)),
        ({**RAW, "container": "wav", "encoding": "pcm_f32le"}, Sound("wav", 44100, samples="pcm_f32le")),
        ({"container": "mp3", "sample_rate": 44100, "bit_rate": 128000}, Sound("mp3", 44100, 128)),
        ({"container": "mp3", "sample_rate": 24000}, Sound("mp3", 24000)),
    ],
)
def test_a_request_asks_for_a_sound(output: dict[str, Any], sound: Sound) -> None:
    start = Start("default", "ann", hold_s=3.0)
    assert asked(more(output_format=output), NAMES, sse=False) == (start, sound, "Hi.")


def test_sse_has_samples_alone() -> None:
    with pytest.raises(GatewayError, match="allowed: raw"):
        asked(more(output_format={**RAW, "container": "wav"}), NAMES, sse=True)


class Joined:
    """Sound as it is; nothing more at the end."""

    content_type = ""

    def encode(self, event: Event) -> bytes:
        return event.data if isinstance(event, Audio) else b""


def test_sse_tells_sound_times_and_the_end() -> None:
    body = SseBody(Joined(), "a", "7e57")
    words = Words("default", 0, (Word("Hi.", 0, 250),))
    events: list[Event] = [
        words,
        Audio("default", b"\1\2", "pcm_s16le", 22050),
        done("default"),
        Failed("overloaded", "no"),
    ]
    sent = b"".join([body.encode(event) for event in events]).decode().split("\n\n")
    assert [event.splitlines()[0] for event in sent[:-1]] == [
        f"event: {n}" for n in ("timestamps", "chunk", "done", "error")
    ]
    messages = [json.loads(event.splitlines()[1].removeprefix("data: ")) for event in sent[:-1]]
    times = {"words": ["Hi."], "start": [0.0], "end": [0.25]}
    assert messages[:3] == [
        told("timestamps", word_timestamps=times),
        told("chunk", data="AQI=", step_time=0),
        told("done") | {"done": True},
    ]
    assert (messages[3]["status_code"], messages[3]["done"], messages[3]["error_code"]) == (429, True, "overloaded")


@pytest.mark.parametrize(
    ("query", "ids", "has_more"),
    [
        ({}, ["ann", "ben"], False),
        ({"limit": "1"}, ["ann"], True),
        ({"starting_after": "ann"}, ["ben"], False),
        ({"starting_after": "ben"}, [], False),
        ({"ending_before": "ben", "limit": "1"}, ["ann"], False),
        ({"starting_after": "eve"}, [], False),
        ({"starting_after": "ben", "ending_before": "ann"}, [], False),
        ({"starting_after": "eve", "ending_before": "ben"}, [], False),
    ],
)
def test_voices_come_in_pages(query: dict[str, str], ids: list[str], has_more: bool) -> None:
    listed: Any = page(query, VOICES)
    assert ([voice["id"] for voice in listed["data"]], listed["has_more"]) == (ids, has_more)


@pytest.mark.parametrize("limit", ["0", "101", "-1", "1.5", "ten", "9" * 4400])
def test_a_page_of_no_size_is_refused(limit: str) -> None:
    with pytest.raises(GatewayError, match=r"'limit' is .*; allowed: a whole number from 1 to 100"):
        page({"limit": limit}, VOICES)


def test_a_voice_is_listed_by_its_name_and_language() -> None:
    listed = voice_listed(BEN)
    assert (listed["id"], listed["name"], listed["language"]) == ("ben", "ben", "de")
    assert listed["locales"] == [{"locale": "de-DE", "is_native": True}]
