"""Wyoming: how its stream is cut, what its events ask for, and how the answers are told."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest
from wyoming.event import Event, read_event

from engine.types import Voice
from gateway.dialects.dialect import Close
from gateway.dialects.wyoming import Frames, Wyoming, info
from gateway.dialects.wyoming.frames import framed
from gateway.errors import GatewayError
from gateway.events import (
    Audio,
    Command,
    Done,
    End,
    Failed,
    Flushed,
    Idle,
    Ping,
    Pong,
    Ready,
    SentenceStarted,
    Start,
    Text,
    Words,
)
from gateway.events import Event as OurEvent

Said = tuple[str, dict[str, Any]]
"""The type of an event, and its data."""

MOST = 1000
ANN = Voice("ann", "ann-0", 22050, "en-US", 0.667, 1.0, 0.8)
BEN = Voice("ben", "ben-0", 16000, "de-DE", 0.667, 1.0, 0.8, speakers={"low": 0, "7": 1}, speaker_count=2)
VOICES = {"ann": ANN, "ben": BEN}


def socket() -> Wyoming:
    return Wyoming(VOICES, ANN, info(VOICES.values()), MOST)


def decoded(dialect: Wyoming, *events: Said) -> list[Command]:
    messages = [message for kind, said in events for message in Frames(MOST).push(framed(Event(kind, said)))]
    return [command for message in messages for command in dialect.decode(message)]


def encoded(dialect: Wyoming, *events: OurEvent) -> list[Any]:
    """Types of events, and what they say; a chunk's bytes."""
    told: list[Any] = []
    for message in (message for event in events for message in dialect.encode(event)):
        if isinstance(message, Close):
            told.append(message)
            continue
        assert isinstance(message, bytes)
        event = read_event(io.BytesIO(message))
        assert event is not None
        told.append((event.type, event.payload or {k: v for k, v in event.data.items() if v is not None}))
    return told


def done(context: str) -> Done:
    return Done(context, audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0)


def sound(context: str, data: bytes = b"\1\2", rate_hz: int = 22050) -> Audio:
    return Audio(context, data, "pcm_s16le", rate_hz)


START: Said = ("synthesize-start", {})
STOP: Said = ("synthesize-stop", {})
BEGUN = ("audio-start", {"rate": 22050, "width": 2, "channels": 1})
SOUND = ("audio-chunk", b"\1\2")
ENDED: Said = ("audio-stop", {})
STOPPED: Said = ("synthesize-stopped", {})


def chunk(text: str) -> Said:
    return "synthesize-chunk", {"text": text}


def whole(text: str, **voice: str) -> Said:
    return "synthesize", {"text": text, "voice": voice}


# ---- the stream

STREAM: list[tuple[bytes, bytes]] = [
    # What is sent, and the message that is cut out of it.
    (b'{"type": "ping"}\n', b'{"type": "ping"}\n'),
    (b'{"type": "ping", "data": {"text": "a"}}\n', b'{"type": "ping", "data": {"text": "a"}}\n'),
    (b'{"type": "a", "data_length": 8}\n{"b": 1}', b'{"type": "a", "data_length": 8}\n{"b": 1}'),
    (b'{"type": "a", "payload_length": 3}\n\n\n\n', b'{"type": "a", "payload_length": 3}\n'),
    (
        b'{"type": "a", "data_length": 2, "payload_length": 9000}\n{}' + b"{}\n" * 3000,
        b'{"type": "a", "data_length": 2, "payload_length": 9000}\n{}',
    ),
    (b'{"type": "a", "data_length": 2001}\n' + b"\n" * 2001, b'{"type": "a", "data_length": 2001}\n'),
    (b"hello\n", b"hello\n"),
    (b"\n", b"\n"),
    (b'{"data_length": "x"}\n', b'{"data_length": "x"}\n'),
    (b"x" * MOST + b"\n", b"x" * MOST + b"\n"),
]


def test_a_stream_is_cut_the_same_wherever_it_breaks() -> None:
    stream, messages = b"".join(sent for sent, _ in STREAM), [cut for _, cut in STREAM]
    assert Frames(MOST).push(stream) == messages
    frames = Frames(MOST)
    assert [cut for at in range(len(stream)) for cut in frames.push(stream[at : at + 1])] == messages
    dice = random.Random(4)
    for _ in range(20):
        at, frames, found = 0, Frames(MOST), list[bytes]()
        while at < len(stream):
            size = dice.randrange(1, 300)
            found += frames.push(stream[at : at + size])
            at += size
        assert found == messages


@pytest.mark.parametrize(
    "far",
    [
        b'{"type": "a", "data_length": 16001}\n',
        b'{"type": "a", "payload_length": 16001}\n',
        b"x" * (MOST + 1),
        b"x" * (MOST + 1) + b"\n",
        b"POST /v1/audio/speech HTTP/1.1\r\n",
    ],
)
def test_nothing_is_read_after_what_is_far_too_long(far: bytes) -> None:
    frames = Frames(MOST)
    (message,) = frames.push(far + b'{"type": "ping"}\n')
    assert frames.push(b'{"type": "ping"}\n' * 100) == []
    dialect = socket()
    with pytest.raises(GatewayError) as caught:
        dialect.decode(message)
    assert encoded(dialect, Failed(caught.value.code, "why")) == [
        ("error", {"text": "why", "code": caught.value.code}),
        Close(),
    ]


# ---- what is asked


@pytest.mark.parametrize(
    ("events", "commands"),
    [
        ([whole("Hi.")], [Start("1"), Text("1", "Hi."), End("1")]),
        ([("synthesize", {"text": ""})], [Start("1"), Text("1", ""), End("1")]),
        (
            [whole("Hi."), whole("Ho.", name="ben", speaker="low")],
            [Start("1"), Text("1", "Hi."), End("1"), Start("2", "ben", "low"), Text("2", "Ho."), End("2")],
        ),
        ([START, chunk("Hi"), chunk("."), STOP], [Start("1"), Text("1", "Hi"), Text("1", "."), End("1")]),
        ([START, chunk("Hi."), whole("Hi."), STOP], [Start("1"), Text("1", "Hi."), End("1")]),
        (
            [START, chunk("Hi."), STOP, whole("Ho.")],
            [Start("1"), Text("1", "Hi."), End("1"), Start("2"), Text("2", "Ho."), End("2")],
        ),
        ([("describe", {}), ("ping", {"text": "a"})], [Ping(), Ping()]),
        ([("select-program", {"name": "onset"})], []),
    ],
)
def test_events_are_commands(events: list[Said], commands: list[Command]) -> None:
    assert decoded(socket(), *events) == commands


@pytest.mark.parametrize(
    ("voice", "start"),
    [
        ({"name": "ann"}, Start("1", "ann")),
        ({"name": "ann", "language": "de"}, Start("1", "ann")),  # the name overrides it
        ({"name": "ben", "speaker": "0"}, Start("1", "ben", 0)),
        ({"name": "ben", "speaker": "7"}, Start("1", "ben", "7")),  # a name, although it is a number
        ({"name": "ben:low"}, Start("1", "ben", "low")),
        ({"language": "de_DE"}, Start("1", language="de_DE")),
        ({}, Start("1")),
    ],
)
def test_a_voice_is_found(voice: dict[str, str], start: Start) -> None:
    assert decoded(socket(), whole("Hi.", **voice))[0] == start


@pytest.mark.parametrize(
    ("event", "code", "said"),
    [
        (("synthesize", {}), "missing_field", "'text' is missing: a string"),
        (("synthesize", {"text": 1}), "bad_value", "'text' is 1; allowed: a string"),
        (("synthesize", {"text": "a\0"}), "bad_text", "U+0000"),
        (("synthesize", {"text": "a", "voice": "ann"}), "bad_value", "'voice' is 'ann'; allowed: an object"),
        (("synthesize", {"text": "a", "voice": {"name": 1}}), "bad_value", "'voice.name'"),
        (("synthesize", {"text": "a", "text_format": "ssml"}), "bad_value", "'text_format' is 'ssml'; allowed: text"),
        (whole("Hi.", name="cleo"), "unknown_voice", "ann, ben"),
        (("ping", {"text": 1}), "bad_value", "'text' is 1"),
        (("speak", {}), "unknown_type", "unknown type 'speak'; types: describe, ping,"),
    ],
)
def test_a_wrong_event_is_an_error_that_says_what_is_allowed(event: Said, code: str, said: str) -> None:
    dialect = socket()
    with pytest.raises(GatewayError) as caught:
        decoded(dialect, event)
    assert (caught.value.code, said in caught.value.message) == (code, True), caught.value.message


def test_two_texts_are_not_open_at_once() -> None:
    dialect = socket()
    decoded(dialect, START)
    with pytest.raises(GatewayError, match="synthesize-stop"):
        decoded(dialect, START)
    assert decoded(dialect, chunk("Hi."), STOP) == [Text("1", "Hi."), End("1")]


# ---- what is told


def test_a_text_is_answered_from_start_to_stop() -> None:
    dialect = socket()
    decoded(dialect, whole("Hi."), START, STOP)
    sentence = SentenceStarted("1", 0, "Hi.", 0, False, 0, 3)
    quiet: list[OurEvent] = [Ready(("ann",), "ann", {}), sentence, Words("1", 0, ()), Flushed("1"), Idle(1.0)]
    assert encoded(dialect, *quiet) == []
    assert encoded(dialect, sound("1"), sound("1"), done("1")) == [BEGUN, SOUND, SOUND, ENDED]
    assert encoded(dialect, sound("2"), done("2")) == [BEGUN, SOUND, ENDED, STOPPED]


def test_an_empty_sound_has_the_rate_of_its_voice() -> None:
    dialect = socket()
    decoded(dialect, whole("", name="ben"))
    assert encoded(dialect, done("1")) == [("audio-start", {"rate": 16000, "width": 2, "channels": 1}), ENDED]


def test_a_text_of_which_nothing_could_be_spoken_has_no_empty_sound() -> None:
    dialect = socket()
    decoded(dialect, whole("Hi."), START, STOP)
    failed = Failed("overloaded", "full", True, "1")
    assert encoded(dialect, failed, done("1")) == [("error", {"text": "full", "code": "overloaded"}), ENDED]
    failed = Failed("overloaded", "full", True, "2")
    assert encoded(dialect, failed, done("2")) == [("error", {"text": "full", "code": "overloaded"}), STOPPED]


def test_answers_keep_the_order_of_their_texts() -> None:
    dialect = socket()
    decoded(dialect, whole("One."), whole("Two."), whole("Three."))
    assert encoded(dialect, sound("1")) == [BEGUN, SOUND]
    assert encoded(dialect, Failed("too_much_text", "why", context="3"), done("3"), sound("2"), done("2")) == []
    after = [BEGUN, SOUND, ENDED, ("error", {"text": "why", "code": "too_much_text"}), ENDED]
    assert encoded(dialect, done("1")) == [ENDED, *after]


def test_questions_are_answered_in_their_order() -> None:
    dialect = socket()
    decoded(dialect, ("ping", {"text": "a"}), ("describe", {}), ("ping", {}))
    first, told, last = encoded(dialect, Pong(), Pong(), Pong())
    assert (first, told[0], last) == (("pong", {"text": "a"}), "info", ("pong", {}))
    names = [(voice["name"], voice["languages"], voice.get("speakers")) for voice in told[1]["tts"][0]["voices"]]
    assert names == [("ann", ["en_US"], None), ("ben", ["de_DE"], [{"name": "low"}, {"name": "7"}])]


def test_what_is_sent_says_how_long_it_is() -> None:
    dialect = socket()
    decoded(dialect, whole("Hi."))
    (_, message) = dialect.encode(sound("1", b"\0\1\n\3"))
    assert isinstance(message, bytes)
    line, _, rest = message.partition(b"\n")
    header = json.loads(line)
    assert (header["type"], header["payload_length"]) == ("audio-chunk", 4)
    assert rest[header["data_length"] :] == b"\0\1\n\3"
