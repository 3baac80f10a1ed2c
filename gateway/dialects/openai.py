"""OpenAI's speech API: a request to what is to be spoken, events to the body of an answer; pure."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from engine.types import Pace, Voice
from gateway.codec import default_rate
from gateway.dialects.answer import Body
from gateway.dialects.names import Part
from gateway.dialects.openai_voices import BadField, Voices
from gateway.errors import GatewayError, shown
from gateway.events import DEFAULT_CONTEXT, Done, Event, Failed, Format, Start

MODELS = ("onset", "gpt-4o-mini-tts", "tts-1", "tts-1-hd")
"""What `/v1/models` lists; a request may name any."""

MAX_INPUT_CHARS = 4096
SPEEDS = (0.25, 4.0)

_RATE_HZ = 24_000  # of samples without a header that says so, and of WAV
_FORMATS: Mapping[str, Format] = {
    "mp3": "mp3",
    "opus": "opus",
    "aac": "aac",
    "flac": "flac",
    "wav": "wav",
    "pcm": "pcm_s16le",
}
_TOKEN_MS = 50  # of sound


# ---- requests


class _VoiceId(msgspec.Struct):
    id: str


class _Request(msgspec.Struct):
    """Fields that are not here are left alone: clients are newer than servers."""

    input: str
    model: str | None = None
    voice: str | _VoiceId | None = None
    response_format: Literal["mp3", "opus", "aac", "flac", "wav", "pcm"] | None = None
    speed: float | None = None
    stream_format: Literal["audio", "sse"] | None = None
    stream: bool | None = None


_ALLOWED = {
    "input": f"a string of at most {MAX_INPUT_CHARS} characters",
    "model": "a string; any will do",
    "voice": 'the name of a voice, or an object with it, as in {"id": "alloy"}',
    "response_format": f"one of {', '.join(_FORMATS)}",
    "speed": f"a number from {SPEEDS[0]} to {SPEEDS[1]:g}",
    "stream_format": "audio or sse",
    "stream": "true, or false for an answer that is sent when all of it was made",
}


@dataclass(frozen=True, slots=True)
class Speech:
    """What is to be spoken, by whom, and how it is sent."""

    start: Start
    text: str
    format: Format
    rate_hz: int
    voice: Voice
    sse: bool
    whole: bool


def decode(fields: Mapping[str, Any], voices: Voices, installed: Mapping[str, Voice], default: Voice) -> Speech:
    """A request's JSON object. Raises BadField."""
    if "input" not in fields:
        raise BadField("input", f"'input' is missing; it is {_ALLOWED['input']}", "missing_field")
    request = _converted(fields)
    if len(request.input) > MAX_INPUT_CHARS:
        what = f"'input' has {len(request.input)} characters; allowed: {MAX_INPUT_CHARS}"
        raise BadField("input", what, "string_above_max_length")
    if "\0" in request.input:
        raise BadField("input", "U+0000 in 'input'; it cannot be spoken, leave it out", "bad_text")
    speed = 1.0 if request.speed is None else request.speed
    if not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise _bad("speed", fields)
    asked = request.voice.id if isinstance(request.voice, _VoiceId) else request.voice
    choice = Part(default.name) if asked is None else voices.choice(asked)
    voice = installed[choice.voice]
    whole, sse = request.stream is False, request.stream_format == "sse"
    if whole and sse:
        raise BadField("stream", "'stream' is false and 'stream_format' is sse; one or the other")
    format_ = _FORMATS[request.response_format or "mp3"]
    rate_hz = _RATE_HZ if format_ in {"pcm_s16le", "wav"} else default_rate(format_, voice.rate_hz)
    pace = Pace.FAST if whole else Pace.REALTIME
    start = Start(DEFAULT_CONTEXT, choice.voice, choice.speaker, speed=speed, pace=pace)
    return Speech(start, request.input, format_, rate_hz, voice, sse, whole)


def _converted(fields: Mapping[str, Any]) -> _Request:
    try:
        return msgspec.convert(fields, _Request)
    except msgspec.ValidationError as error:
        # The path of the field is at the end of the message, as in `$.voice.id`.
        path = str(error).rpartition("`$.")[2].rstrip("`").partition(".")[0]
        raise _bad(path if path in _ALLOWED else "input", fields) from None


def _bad(field: str, fields: Mapping[str, Any]) -> BadField:
    return BadField(field, f"{field!r} is {shown(fields[field])}; allowed: {_ALLOWED[field]}")


# ---- answers


class SseBody:
    """Server-sent events: the sound in base64, and what it took."""

    content_type = "text/event-stream; charset=utf-8"

    def __init__(self, sound: Body, text: str) -> None:
        self._sound, self._chars = sound, len(text)

    def encode(self, event: Event) -> bytes:
        data = self._sound.encode(event)
        delta = {"type": "speech.audio.delta", "audio": base64.b64encode(data).decode()}
        sent = _sse(delta) if data else b""
        match event:
            case Done():
                made = -(-event.audio_ms // _TOKEN_MS)
                usage = {"input_tokens": self._chars, "output_tokens": made, "total_tokens": self._chars + made}
                return sent + _sse({"type": "speech.audio.done", "usage": usage})
            case Failed():
                return sent + _sse({"type": "error", **error_fields(GatewayError(event.code, event.message), 500)})
            case _:
                return sent


def _sse(fields: Mapping[str, Any]) -> bytes:
    return b"data: " + msgspec.json.encode(fields) + b"\n\n"


def error_fields(error: GatewayError, status: int) -> dict[str, Any]:
    """OpenAI's shape of an error."""
    kind = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}.get(
        status, "invalid_request_error" if status < 500 else "server_error"
    )
    field = error.field if isinstance(error, BadField) else None
    return {"error": {"message": error.message, "type": kind, "param": field, "code": error.code}}


def models() -> list[dict[str, Any]]:
    return [model(id_) for id_ in MODELS]


def model(id_: str) -> dict[str, Any]:
    return {"id": id_, "object": "model", "created": 1_735_689_600, "owned_by": "onset"}


def voices_listed(voices: Voices, installed: Mapping[str, Voice]) -> Sequence[dict[str, Any]]:
    """The names that a request may use, and who speaks by them."""
    choices = {**{name: Part(name) for name in installed}, **voices.mapped}
    return [
        {"id": name, "name": name, "voice": choice.voice, "language": installed[choice.voice].language}
        for name, choice in choices.items()
    ]
