"""Messages to commands, with errors that help; events to messages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types import Pace
from gateway.dialects.native import Native, decode
from gateway.errors import GatewayError, StartRefused
from gateway.events import (
    Audio,
    Cancel,
    Cancelled,
    Command,
    Done,
    End,
    Failed,
    Flush,
    Flushed,
    Ping,
    Played,
    Pong,
    Ready,
    SentenceStarted,
    Start,
    Text,
    Word,
    Words,
)


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ({"type": "text", "text": "Hi"}, Text("default", "Hi")),
        ({"type": "text", "text": "", "context": "a"}, Text("a", "")),
        ({"type": "flush"}, Flush("default")),
        ({"type": "end", "context": "x" * 128}, End("x" * 128)),
        ({"type": "cancel"}, Cancel("default")),
        ({"type": "played", "ms": 1250}, Played("default", 1250.0)),
        ({"type": "ping"}, Ping()),
        ({"type": "start"}, Start("default")),
        (
            {
                "type": "start",
                "voice": "v",
                "speaker": 3,
                "format": "pcm_s16le",
                "sample_rate": 22050,
                "speed": 2,
                "seed": 0,
                "words": True,
                "language": "de",
                "pace": "fast",
            },
            Start("default", "v", 3, "pcm_s16le", 22050, 2.0, 0, True, "de", Pace.FAST),
        ),
        (
            {"type": "start", "markdown": False, "early": True, "lexicon": {"GIF": "jif", "x": 5}},
            Start("default", markdown=False, early=True, lexicon={"GIF": "jif", "x": 5}),
        ),
        ({"type": "start", "early": None, "lexicon": None}, Start("default")),
    ],
)
def test_a_message_becomes_its_command(message: object, command: Command) -> None:
    assert decode(json.dumps(message)) == command


@pytest.mark.parametrize(
    ("message", "code", "named", "context"),
    [
        ("", "not_json", ["JSON"], None),
        ("{", "not_json", ["JSON"], None),
        ("[" * 100_000, "not_json", ["JSON"], None),
        ('["text"]', "not_json", ["an array", "object"], None),
        ("null", "not_json", ["null", "object"], None),
        ('{"type": "text", "text": NaN, "context": "a"}', "bad_value", ["'text' is NaN", "a string"], "a"),
        ('{"type": "start", "markdown": "no"}', "bad_value", ["'markdown' is 'no'", "true or false"], "default"),
        ('{"type": "start", "early": 1}', "bad_value", ["'early' is 1", "true, false, or null"], "default"),
        ('{"type": "start", "lexicon": ["a"]}', "bad_value", ["'lexicon' is [\"a\"]", "an object of words"], "default"),
        ('{"type": "start", "lexicon": {"a": "\\ud800"}}', "bad_text", ["'lexicon'", "U+D800"], "default"),
        ('{"type": "start", "lexicon": {"a\\u0000": "b"}}', "bad_text", ["'lexicon'", "U+0000"], "default"),
        ('{"type": "start", "speed": 1e400}', "bad_value", ["'speed' is 1e400", "0.25 to 4"], "default"),
        ('{"type": "start", "speed": -Infinity}', "bad_value", ["-Infinity", "0.25 to 4"], "default"),
        (f'{{"type": "start", "seed": {"9" * 5000}}}', "bad_value", ["'seed' is 999", "0 to 2^63 - 1"], "default"),
        (f'{{"type": "played", "ms": {"9" * 400}}}', "bad_value", ["'ms' is 999", "0 to"], "default"),
        ('{"type": NaN}', "unknown_type", ["NaN", "flush, end"], "default"),
        ('{"type": "text", "text": "a", "context": 1e400}', "bad_value", ["'context' is 1e400", "1 to 128"], None),
        ('{"type": "text", "\\ud800": 1, "context": "a"}', "unknown_field", ["'\\ud800'", "text, context"], "a"),
        ('{"type": "text", "text": "a\nb", "context": "a"}', "not_json", ["U+000A", "as \\n"], "a"),
        ('{"type": "text", "text": "a\x1bb"}', "not_json", ["U+001B", "\\u001b"], "default"),
        ("{}", "unknown_type", ["no type", "start, text, flush, end, cancel, played, ping"], "default"),
        ('{"type": "speak", "context": "a"}', "unknown_type", ["'speak'", "flush, end"], "a"),
        ('{"type": ["text"]}', "unknown_type", ['["text"]', "flush, end"], "default"),
        ('{"type": "text", "txt": "a"}', "unknown_field", ["'txt'", "text, context"], "default"),
        ('{"type": "ping", "context": "a"}', "unknown_field", ["'context'", "none"], None),
        ('{"type": "text"}', "missing_field", ["'text'", "a string"], "default"),
        ('{"type": "played"}', "missing_field", ["'ms'", "milliseconds"], "default"),
        ('{"type": "text", "text": 5, "context": "a"}', "bad_value", ["'text'", "5", "a string"], "a"),
        ('{"type": "text", "text": null}', "bad_value", ["null", "a string"], "default"),
        ('{"type": "text", "text": "a", "context": 7}', "bad_value", ["'context'", "7", "1 to 128"], None),
        ('{"type": "text", "text": "a", "context": ""}', "bad_value", ["''", "1 to 128"], None),
        (f'{{"type": "end", "context": "{"x" * 129}"}}', "bad_value", ["1 to 128"], None),
        ('{"type": "played", "ms": -1}', "bad_value", ["-1", "from 0 to 1,000,000,000,000"], "default"),
        ('{"type": "played", "ms": 1e13}', "bad_value", ["from 0 to 1,000,000,000,000"], "default"),
        ('{"type": "start", "speed": 0.2}', "bad_value", ["0.2", "0.25 to 4"], "default"),
        ('{"type": "start", "speed": 4.01}', "bad_value", ["4.01", "0.25 to 4"], "default"),
        ('{"type": "start", "speed": "fast"}', "bad_value", ["'fast'", "0.25 to 4"], "default"),
        ('{"type": "start", "words": 1}', "bad_value", ["1", "true or false"], "default"),
        ('{"type": "start", "seed": -1}', "bad_value", ["-1", "0 to 2^63 - 1"], "default"),
        ('{"type": "start", "seed": 9223372036854775808}', "bad_value", ["0 to 2^63 - 1"], "default"),
        ('{"type": "start", "pace": "slow"}', "bad_value", ["'slow'", "realtime, fast"], "default"),
        ('{"type": "start", "speaker": [1]}', "bad_value", ["[1]", "name or the number"], "default"),
        ('{"type": "start", "sample_rate": "22050"}', "bad_value", ["'22050'", "a whole number of hertz"], "default"),
        (
            '{"type": "start", "format": "ogg"}',
            "unsupported_format",
            ["'ogg'", "pcm_s16le, pcm_f32le, mulaw, alaw, wav, mp3, opus, webm, aac, flac"],
            "default",
        ),
        ('{"type": "start", "foo": 1, "context": "a"}', "unknown_field", ["'foo'", "voice, speaker, format"], "a"),
        ('{"type": "text", "text": "\\ud83d", "context": "a"}', "bad_text", ["surrogate", "U+D83D"], "a"),
        ('{"type": "text", "text": "x\\udc00y"}', "bad_text", ["surrogate", "U+DC00"], "default"),
        ('{"type": "text", "text": "a\\u0000b"}', "bad_text", ["U+0000"], "default"),
        (b'{"type": "ping"}', "not_text", ["binary", "text messages"], None),
    ],
)
def test_an_error_names_what_is_wrong_and_what_is_allowed(
    message: str | bytes, code: str, named: list[str], context: str | None
) -> None:
    with pytest.raises(GatewayError) as caught:
        decode(message)
    error = caught.value
    assert (error.code, error.context) == (code, context)
    assert [name for name in named if name not in error.message] == []
    error.message.encode()  # can be sent


def test_an_error_of_a_start_is_told_from_others() -> None:
    for fields in ['"speed": 9', '"foo": 1', '"voice": ""', '"speed": 1e400', '"seed": NaN', '"voice": "a\tb"']:
        message = f'{{"type": "start", {fields}}}'
        with pytest.raises(StartRefused):
            decode(message)
    with pytest.raises(GatewayError) as caught:
        decode('{"type": "text", "foo": 1}')
    assert not isinstance(caught.value, StartRefused)


def test_an_error_does_not_repeat_a_long_value() -> None:
    with pytest.raises(GatewayError) as caught:
        decode(json.dumps({"type": "text", "text": ["x" * 10_000]}))
    assert len(caught.value.message) < 200


def test_a_surrogate_pair_is_a_character() -> None:
    assert decode('{"type": "text", "text": "\\ud83d\\ude00"}') == Text("default", "😀")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["type", "text", "context", "speed", "seed", "voice", "format", "ms", "speaker", "words"])
TYPES = st.sampled_from(["start", "text", "flush", "end", "cancel", "played", "ping"])


@given(st.text() | JSON.map(json.dumps) | st.dictionaries(FIELDS, JSON | TYPES).map(json.dumps))
def test_whatever_comes_is_a_command_or_a_clear_error(message: str) -> None:
    try:
        command = decode(message)
    except GatewayError as error:
        assert error.code
        Native().encode(Failed(error.code, error.message, context=error.context))
    else:
        assert isinstance(command, Command)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (
            Ready(("a", "b"), "a", {"max_contexts": 64}),
            {
                "type": "ready",
                "voices": ["a", "b"],
                "default_voice": "a",
                "limits": {"max_contexts": 64},
                "protocol": 1,
            },
        ),
        (
            SentenceStarted("c", 2, "Hi.", 120, "memory", 7, 12),
            {
                "type": "sentence",
                "context": "c",
                "index": 2,
                "text": "Hi.",
                "start_ms": 120,
                "cached": "memory",
                "start": 7,
                "end": 12,
            },
        ),
        (Flushed("c"), {"type": "flushed", "context": "c"}),
        (
            Done("c", 1500, 2, 1, None, 0),
            {
                "type": "done",
                "context": "c",
                "audio_ms": 1500,
                "sentences": 2,
                "cached": 1,
                "first_audio_ms": None,
                "underruns": 0,
            },
        ),
        (
            Cancelled("c", 900, 400, "Hi"),
            {"type": "cancelled", "context": "c", "sent_ms": 900, "heard_ms": 400, "text_sent": "Hi"},
        ),
        (
            Cancelled("c", 900, 400, "Hi", ""),
            {"type": "cancelled", "context": "c", "sent_ms": 900, "heard_ms": 400, "text_sent": "Hi", "text_heard": ""},
        ),
        (
            Words("c", 2, (Word("Hi", 0, 210), Word("there.", 260, 700))),
            {
                "type": "words",
                "context": "c",
                "sentence": 2,
                "words": [
                    {"text": "Hi", "start_ms": 0, "end_ms": 210},
                    {"text": "there.", "start_ms": 260, "end_ms": 700},
                ],
            },
        ),
        (Failed("x", "y"), {"type": "error", "code": "x", "message": "y", "retryable": False}),
        (
            Failed("x", "y", True, "c"),
            {"type": "error", "code": "x", "message": "y", "retryable": True, "context": "c"},
        ),
        (Pong(), {"type": "pong"}),
    ],
)
def test_an_event_becomes_its_message(event: Ready, message: dict[str, object]) -> None:
    (sent,) = Native().encode(event)
    assert json.loads(sent) == message


def kinds(encoder: Native, *events: Audio | Done | Flushed) -> list[str]:
    messages = [message for event in events for message in encoder.encode(event)]
    return ["bytes" if isinstance(m, bytes) else json.loads(m)["type"] for m in messages]


def sound(context: str, rate_hz: int = 22050) -> Audio:
    return Audio(context, b"\1\0\2\0", "pcm_s16le", rate_hz)


def test_sound_is_announced_when_its_context_or_rate_changes() -> None:
    assert kinds(Native(), sound("a"), sound("a")) == ["audio", "bytes", "bytes"]
    assert kinds(Native(), sound("a"), sound("b"), sound("a")) == ["audio", "bytes"] * 3
    assert kinds(Native(), sound("a"), sound("a", 16000)) == ["audio", "bytes"] * 2
    assert kinds(Native(), sound("a"), Flushed("a"), sound("a")) == ["audio", "bytes", "flushed", "bytes"]


def test_a_new_context_of_an_old_name_is_announced() -> None:
    done = Done("a", 0, 0, 0, None, 0)
    assert kinds(Native(), sound("a"), done, sound("a")) == ["audio", "bytes", "done", "audio", "bytes"]


def test_the_announcement_says_what_the_sound_is() -> None:
    header, data = Native().encode(sound("a", 16000))
    told = {"type": "audio", "context": "a", "format": "pcm_s16le", "sample_rate": 16000, "channels": 1}
    assert json.loads(header) == told
    assert data == b"\1\0\2\0"
