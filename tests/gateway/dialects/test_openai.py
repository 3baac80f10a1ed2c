from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from engine.types import Pace
from gateway.codec import codec
from gateway.dialects.answer import AudioBody, WholeWav
from gateway.dialects.openai import MAX_INPUT_CHARS, Speech, SseBody, decode, error_fields, voices_listed
from gateway.dialects.openai_voices import NAMES, BadField, Voices
from gateway.errors import GatewayError
from gateway.events import Audio, Done, Failed
from gateway.voice_names import read_mapping
from tests.fakes import RATE_HZ, fake_voice

ONE, MANY = fake_voice(name="one").voice, fake_voice(name="many", speaker_count=3).voice
INSTALLED = {"one": ONE, "many": MANY}


def voices(mapping: str = "*=default") -> Voices:
    return Voices(mapping, INSTALLED, ONE)


def decoded(mapping: str = "*=default", **fields: Any) -> Speech:
    return decode({"input": "Hello.", **fields}, voices(mapping), INSTALLED, ONE)


def wrong(**fields: Any) -> BadField:
    with pytest.raises(BadField) as caught:
        decoded(**fields)
    return caught.value


# ---- requests


def test_a_request_of_their_shortest_kind() -> None:
    asked = decoded(model="tts-1", voice="alloy")
    assert (asked.text, asked.format, asked.rate_hz, asked.sse, asked.whole) == ("Hello.", "mp3", 44_100, False, False)
    assert (asked.voice, asked.start.voice, asked.start.speed, asked.start.pace) == (ONE, "one", 1.0, Pace.REALTIME)


def test_every_field_of_theirs_is_taken() -> None:
    asked = decoded(
        model="anything",
        voice={"id": "many:2"},
        response_format="pcm",
        speed=1.5,
        stream_format="sse",
        instructions="Sing",
    )
    assert (asked.format, asked.rate_hz, asked.sse) == ("pcm_s16le", 24_000, True)
    assert (asked.voice, asked.start.speaker, asked.start.speed) == (MANY, 2, 1.5)


def test_fields_of_a_newer_client_are_left_alone() -> None:
    assert decoded(timbre={"warm": True}, voice=None, speed=None).voice is ONE


@pytest.mark.parametrize("name", ["mp3", "opus", "aac", "flac", "wav", "pcm"])
def test_every_format_has_a_rate_that_it_can_have(name: str) -> None:
    asked = decoded(response_format=name)
    codec(asked.format, asked.voice.rate_hz, asked.rate_hz)


def test_an_answer_may_be_wanted_whole_and_is_then_in_no_hurry() -> None:
    asked = decoded(stream=False)
    assert (asked.whole, asked.start.pace) == (True, Pace.FAST)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("input", 5, "a string of at most 4096 characters"),
        ("input", "x" * (MAX_INPUT_CHARS + 1), "has 4097 characters; allowed: 4096"),
        ("input", "a\0b", "U+0000"),
        ("voice", "nobody", "no voice 'nobody'; voices: alloy, "),
        ("voice", "many:3", "voices: alloy, "),
        ("voice", {"name": "alloy"}, '{"id": "alloy"}'),
        ("voice", ["alloy"], '{"id": "alloy"}'),
        ("response_format", "ogg", "mp3, opus, aac, flac, wav, pcm"),
        ("speed", 0.1, "0.25 to 4"),
        ("speed", 4.1, "0.25 to 4"),
        ("speed", "fast", "0.25 to 4"),
        ("stream_format", "chunks", "audio or sse"),
        ("stream", "no", "true, or false"),
        ("model", 3, "any will do"),
    ],
)
def test_a_wrong_field_is_named_with_what_is_allowed(field: str, value: object, said: str) -> None:
    error = wrong(**{field: value})
    assert error.field == field
    assert said in error.message


def test_a_request_without_input_says_so() -> None:
    with pytest.raises(BadField, match="'input' is missing"):
        decode({"model": "tts-1"}, voices(), INSTALLED, ONE)


def test_events_cannot_be_wanted_whole() -> None:
    assert wrong(stream=False, stream_format="sse").field == "stream"


# ---- voices


def test_their_names_are_the_default_voice_where_the_mapping_says_so() -> None:
    assert {voices().choice(name).voice for name in NAMES} == {"one"}


def test_a_mapping_of_some_names_leaves_the_others_without_a_voice() -> None:
    mapped = voices("alloy=many:1, nova=one")
    assert (mapped.choice("alloy").voice, mapped.choice("alloy").speaker) == ("many", 1)
    assert mapped.choice("nova").voice == "one"
    with pytest.raises(BadField, match=r"voices: alloy, nova, one, many$"):
        mapped.choice("echo")


def test_a_name_of_its_own_goes_before_every_name() -> None:
    mapped = voices("*=many,alloy=one")
    assert (mapped.choice("alloy").voice, mapped.choice("echo").voice) == ("one", "many")


def test_any_name_may_be_mapped() -> None:
    assert voices("rachel=many").choice("rachel").voice == "many"


def test_a_voice_that_is_not_installed_is_told_at_once() -> None:
    with pytest.raises(GatewayError, match=r"ONSET_OPENAI_VOICES: alloy=gone: no such voice; installed: one, many"):
        voices("alloy=gone")


@pytest.mark.parametrize("mapping", ["alloy", "alloy=", "=one", "alloy=one,nova"])
def test_a_mapping_that_is_none_is_told(mapping: str) -> None:
    with pytest.raises(ValueError, match="is not name=voice"):
        read_mapping(mapping)


def test_the_list_says_who_speaks_by_a_name() -> None:
    listed = {entry["id"]: entry["voice"] for entry in voices_listed(voices("alloy=many"), INSTALLED)}
    assert listed == {"one": "one", "many": "many", "alloy": "many"}


# ---- answers


def audio(pcm: list[int]) -> Audio:
    return Audio("default", np.array(pcm, "<i2").tobytes(), "pcm_s16le", RATE_HZ)


def done(ms: int = 0) -> Done:
    return Done("default", audio_ms=ms, sentences=1, cached=0, first_audio_ms=5, underruns=0)


def samples() -> AudioBody:
    return AudioBody(codec("pcm_s16le", RATE_HZ, RATE_HZ), RATE_HZ, "audio/pcm")


def sent(data: bytes) -> list[dict[str, Any]]:
    assert data.endswith(b"\n\n")
    return [json.loads(event.removeprefix(b"data: ")) for event in data.split(b"\n\n")[:-1]]


def test_events_carry_the_sound_and_then_what_it_took() -> None:
    body = SseBody(samples(), "Hello.")
    (delta,) = sent(body.encode(audio([1, 2, 3])))
    assert delta["type"] == "speech.audio.delta"
    assert base64.b64decode(delta["audio"]) == np.array([1, 2, 3], "<i2").tobytes()
    (last,) = sent(body.encode(done(ms=120)))
    usage = {"input_tokens": 6, "output_tokens": 3, "total_tokens": 9}
    assert last == {"type": "speech.audio.done", "usage": usage}


def test_an_error_among_events_is_one() -> None:
    (told,) = sent(SseBody(samples(), "x").encode(Failed("synthesis_failed", "sentence 0: no")))
    assert (told["type"], told["error"]["code"]) == ("error", "synthesis_failed")


def test_a_text_with_nothing_to_say_is_a_short_silence() -> None:
    data = samples().encode(done())
    assert len(data) == 2 * round(RATE_HZ / 10)
    assert not any(data)


def test_a_whole_wav_says_its_size() -> None:
    body = WholeWav(codec("pcm_s16le", RATE_HZ, RATE_HZ), RATE_HZ)
    assert body.encode(audio([1, 2])) == b""
    file = body.encode(done())
    assert int.from_bytes(file[4:8], "little") == len(file) - 8
    assert int.from_bytes(file[40:44], "little") == 4


@pytest.mark.parametrize(
    ("status", "kind"), [(400, "invalid_request_error"), (401, "authentication_error"), (503, "server_error")]
)
def test_an_error_has_their_shape(status: int, kind: str) -> None:
    told = error_fields(BadField("speed", "too fast"), status)
    assert told == {"error": {"message": "too fast", "type": kind, "param": "speed", "code": "bad_value"}}
