"""Deepgram's messages to commands and events to its messages; what a query asks for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.types import Voice
from gateway.codec import Samples
from gateway.dialects.deepgram import Deepgram, asked
from gateway.dialects.dialect import Close
from gateway.dialects.names import VoiceNames
from gateway.dialects.sound import Sound
from gateway.errors import GatewayError
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
    Words,
)

ANN = Voice("ann", "ann-0", 22050, "en-US", 0.667, 1.0, 0.8)
BEN = Voice("ben", "ben-0", 16000, "en-US", 0.667, 1.0, 0.8, speakers={"low": 0, "high": 1}, speaker_count=2)
NAMES = VoiceNames(
    "ONSET_DEEPGRAM_VOICES", "aura-asteria-en=ben:high, aura-zeus-en=default", {"ann": ANN, "ben": BEN}, ANN
)
START = Start("default", "ann", format="mulaw", sample_rate=8000)
DONE = Done("default", audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0)
CANCELLED = Cancelled("default", sent_ms=0, heard_ms=0, text_sent="")


def socket() -> Deepgram:
    return Deepgram(START, ANN, "7e57")


def decoded(dialect: Deepgram, *messages: dict[str, Any]) -> list[Command]:
    return [command for message in messages for command in dialect.decode(json.dumps(message))]


def encoded(dialect: Deepgram, *events: Event) -> list[Any]:
    sent = [message for event in events for message in dialect.encode(event)]
    return [json.loads(message) if isinstance(message, str) else message for message in sent]


SPEAK: dict[str, Any] = {"type": "Speak", "text": "Hi."}
FLUSH, CLEAR, CLOSE = {"type": "Flush"}, {"type": "Clear"}, {"type": "Close"}


@pytest.mark.parametrize(
    ("messages", "commands"),
    [
        ([SPEAK], [START, Text("default", "Hi.")]),
        ([SPEAK, SPEAK], [START, Text("default", "Hi."), Text("default", "Hi.")]),
        ([FLUSH], [Flush("default")]),
        ([SPEAK, FLUSH, SPEAK], [START, Text("default", "Hi."), Flush("default"), Text("default", "Hi.")]),
        (
            [SPEAK, CLEAR, SPEAK],
            [START, Text("default", "Hi."), Cancel("default"), START, Text("default", "Hi.")],
        ),
        ([CLOSE], [End("default")]),
        ([CLOSE, CLEAR], [End("default"), Cancel("default")]),
        ([{"type": "Speak", "text": "", "what": 1}], [START, Text("default", "")]),
    ],
)
def test_messages_are_commands(messages: list[dict[str, Any]], commands: list[Command]) -> None:
    assert decoded(socket(), *messages) == commands


@pytest.mark.parametrize(
    ("message", "code", "said"),
    [
        (b"\x00", "not_text", "binary"),
        ("{", "not_json", "JSON"),
        ("[]", "not_json", "JSON object"),
        ("{}", "unknown_type", "types: Speak, Flush, Clear, Close"),
        ('{"type": "speak"}', "unknown_type", "'speak'"),
        ('{"type": "Speak"}', "missing_field", "'text' is missing: a string"),
        ('{"type": "Speak", "text": 1}', "bad_value", "'text' is 1; allowed: a string"),
        ('{"type": "Speak", "text": "a\\u0000"}', "bad_text", "U+0000"),
        ('{"type": "Speak", "text": "a\\ud800"}', "bad_text", "U+D800"),
    ],
)
def test_a_wrong_message_is_an_error_that_says_what_is_allowed(message: str | bytes, code: str, said: str) -> None:
    dialect = socket()
    with pytest.raises(GatewayError) as caught:
        dialect.decode(message)
    assert caught.value.code == code
    assert said in caught.value.message
    assert decoded(dialect, SPEAK) == [START, Text("default", "Hi.")]  # nothing of it was done


def test_text_after_close_is_refused() -> None:
    dialect = socket()
    decoded(dialect, SPEAK, CLOSE)
    with pytest.raises(GatewayError, match="Speak after Close"):
        decoded(dialect, SPEAK)


def test_events_are_messages() -> None:
    dialect = socket()
    sound = Audio("default", b"\1\2", "mulaw", 8000)
    sentence = SentenceStarted("default", 0, "Hi.", 0, False, 0, 3)
    assert encoded(dialect, Ready(("ann",), "ann", {})) == [
        {
            "type": "Metadata",
            "request_id": "7e57",
            "model_name": "ann",
            "model_version": "ann-0",
            "model_uuid": "d97d5683-a4b9-519b-a2dd-28c24e69d6cd",
            "additional_model_uuids": [],
        }
    ]
    events: list[Event] = [sentence, Words("default", 0, ()), sound, Flushed("default"), CANCELLED, Flushed("default")]
    assert encoded(dialect, *events, Pong(), Idle(1.0)) == [
        b"\1\2",
        {"type": "Flushed", "sequence_id": 0},
        {"type": "Cleared", "sequence_id": 1},
        {"type": "Flushed", "sequence_id": 2},
    ]
    failed = Failed("too_much_text", "too much", True, "default")
    assert encoded(dialect, failed) == [{"type": "Warning", "description": "too much", "code": "too_much_text"}]


def test_the_socket_closes_when_all_has_been_said() -> None:
    dialect = socket()
    decoded(dialect, SPEAK, CLOSE)
    assert encoded(dialect, Flushed("default"), DONE) == [{"type": "Flushed", "sequence_id": 0}, Close(1000)]


def test_a_clear_after_the_close_closes_at_once() -> None:
    dialect = socket()
    decoded(dialect, SPEAK, CLOSE, CLEAR)
    assert encoded(dialect, CANCELLED) == [{"type": "Cleared", "sequence_id": 0}, Close(1000)]


@pytest.mark.parametrize(
    ("query", "sound"),
    [
        ({}, Sound("mp3", 22050)),
        ({"encoding": "mp3", "bit_rate": "48000"}, Sound("mp3", 22050, 48)),
        ({"encoding": "mp3", "bit_rate": "32000.0", "sample_rate": "44100"}, Sound("mp3", 44100, 32)),
        ({"encoding": "linear16"}, Sound("wav", 24000)),
        ({"encoding": "linear16", "container": "none", "sample_rate": "16000"}, Sound("pcm_s16le", 16000)),
        ({"encoding": "mulaw"}, Sound("wav", 8000, samples="mulaw")),
        ({"encoding": "alaw", "container": "none"}, Sound("alaw", 8000)),
        ({"encoding": "opus", "container": "ogg"}, Sound("opus", 48000)),
        ({"encoding": "aac", "bit_rate": "64000"}, Sound("aac", 22050, 64)),
        ({"encoding": "flac", "tag": "x", "mip_opt_out": "true"}, Sound("flac", 22050)),
    ],
)
def test_a_request_asks_for_a_sound(query: dict[str, str], sound: Sound) -> None:
    assert asked(query, NAMES, socket=False) == (Start("default"), sound)


@pytest.mark.parametrize("encoding", ["linear16", "mulaw", "alaw"])
def test_a_socket_has_samples_alone(encoding: str) -> None:
    formats: dict[str, Samples] = {"linear16": "pcm_s16le", "mulaw": "mulaw", "alaw": "alaw"}
    rate_hz = 24000 if encoding == "linear16" else 8000
    _, sound = asked({"encoding": encoding}, NAMES, socket=True)
    assert sound == Sound(formats[encoding], rate_hz)
    assert asked({}, NAMES, socket=True)[1] == Sound("pcm_s16le", 24000)
    with pytest.raises(GatewayError, match="'encoding' is 'mp3'; allowed: linear16, mulaw, alaw"):
        asked({"encoding": "mp3"}, NAMES, socket=True)
    with pytest.raises(GatewayError, match="'container' is 'wav'; allowed: none"):
        asked({"encoding": encoding, "container": "wav"}, NAMES, socket=True)


@pytest.mark.parametrize(
    ("model", "voice", "speaker"),
    [
        ("ann", "ann", None),
        ("ben:1", "ben", 1),
        ("ben:low", "ben", "low"),
        ("aura-asteria-en", "ben", "high"),
        ("aura-zeus-en", "ann", None),
    ],
)
def test_a_model_is_a_voice_by_its_name_or_a_mapped_one(model: str, voice: str, speaker: str | int | None) -> None:
    start, _ = asked({"model": model, "speed": "1.2"}, NAMES, socket=True)
    assert start == Start("default", voice, speaker, speed=1.2)


def test_nobody_speaks_for_another() -> None:
    with pytest.raises(GatewayError) as caught:
        asked({"model": "aura-2-thalia-en"}, NAMES, socket=True)
    allowed = "ann, ben, aura-asteria-en, aura-zeus-en. ONSET_DEEPGRAM_VOICES gives voices other names"
    assert caught.value.code == "unknown_voice"
    assert caught.value.message == f"'model' is 'aura-2-thalia-en'; allowed: {allowed}"
    every = VoiceNames("ONSET_DEEPGRAM_VOICES", "aura-asteria-en=ben,*=ann", {"ann": ANN, "ben": BEN}, BEN)
    assert [asked({"model": m}, every, socket=True)[0].voice for m in ("aura-asteria-en", "x")] == ["ben", "ann"]


def test_a_name_for_a_voice_that_is_not_there_is_told_at_start() -> None:
    with pytest.raises(GatewayError, match=r"ONSET_DEEPGRAM_VOICES: aura-zeus-en=eve: no such voice; installed: ann"):
        VoiceNames("ONSET_DEEPGRAM_VOICES", "aura-zeus-en=eve", {"ann": ANN}, ANN)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"callback": "http://x"}, "'callback'"),
        ({"encoding": "linear32"}, "allowed: linear16, mulaw, alaw, mp3, opus, aac, flac"),
        ({"encoding": "flac", "container": "ogg"}, "'container' is 'ogg'; allowed: none"),
        ({"encoding": "linear16", "bit_rate": "64000"}, "allowed: none for linear16"),
        ({"bit_rate": "48500"}, "whole thousands"),
        ({"sample_rate": "8k"}, "'sample_rate' is '8k'; allowed: a whole number"),
        ({"speed": "fast"}, "'speed' is 'fast'; allowed: a number from 0.25 to 4"),
        ({"speed": "nan"}, "'speed' is 'nan'; allowed: a number from 0.25 to 4"),
    ],
)
def test_a_wrong_query_says_what_is_allowed(query: dict[str, str], said: str) -> None:
    with pytest.raises(GatewayError) as caught:
        asked(query, NAMES, socket=False)
    assert said in caught.value.message
