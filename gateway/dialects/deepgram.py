"""Deepgram's `/v1/speak`: one text a socket, binary sound; and what its query asks for, over HTTP, too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from engine.types import Voice
from gateway.codec import Samples
from gateway.dialects.dialect import Close, Message, Terms
from gateway.dialects.fields import Fields, json_object
from gateway.dialects.names import VoiceNames
from gateway.dialects.sound import Sound, kbps_of
from gateway.errors import GatewayError, shown
from gateway.events import (
    DEFAULT_CONTEXT,
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
    Format,
    Idle,
    Pong,
    Ready,
    SentenceStarted,
    Start,
    Text,
    Words,
)

_TYPES = ("Speak", "Flush", "Clear", "Close")


@dataclass(frozen=True, slots=True)
class _Encoding:
    """`containers`: the first is the one where none is asked for, over HTTP."""

    format: Format
    rate_hz: int  # where none is asked for
    containers: tuple[str, ...] = ("none",)
    kbps: bool = False


_ENCODINGS: Mapping[str, _Encoding] = {
    "linear16": _Encoding("pcm_s16le", 24_000, ("wav", "none")),
    "mulaw": _Encoding("mulaw", 8000, ("wav", "none")),
    "alaw": _Encoding("alaw", 8000, ("wav", "none")),
    "mp3": _Encoding("mp3", 22_050, kbps=True),
    "opus": _Encoding("opus", 48_000, ("ogg",), kbps=True),
    "aac": _Encoding("aac", 22_050, kbps=True),
    "flac": _Encoding("flac", 22_050),
}
_SAMPLES: Mapping[str, Samples] = {"linear16": "pcm_s16le", "mulaw": "mulaw", "alaw": "alaw"}


def asked(query: Mapping[str, str], names: VoiceNames, *, socket: bool) -> tuple[Start, Sound]:
    """What a query asks for; raises GatewayError. Parameters that change no sound are let be."""
    fields = Fields(query)
    if fields.has("callback"):
        raise fields.wrong("callback", "none; this server answers a request with its sound")
    allowed = {name: name for name in (_SAMPLES if socket else _ENCODINGS)}
    encoding = fields.choice("encoding", allowed) or ("linear16" if socket else "mp3")
    shape = _ENCODINGS[encoding]
    containers = ("none",) if socket else shape.containers
    container = fields.choice("container", {name: name for name in containers}) or containers[0]
    if fields.has("bit_rate") and not shape.kbps:
        raise fields.wrong("bit_rate", f"none for {encoding}", code="unsupported_format")
    rate_hz, kbps = _whole(query, "sample_rate") or shape.rate_hz, kbps_of(_whole(query, "bit_rate"))
    if container == "wav":
        sound = Sound("wav", rate_hz, samples=_SAMPLES[encoding])
    else:
        sound = Sound(shape.format, rate_hz, kbps)
    model = fields.string("model")
    part = None if model is None else names.part(model, "model")
    start = Start(DEFAULT_CONTEXT, speed=_speed(query))
    return (start if part is None else replace(start, voice=part.voice, speaker=part.speaker)), sound


def text_of(body: Mapping[str, Any]) -> str:
    """The text of a request over HTTP; raises GatewayError."""
    return Fields(body).text("text")


def _whole(query: Mapping[str, str], name: str) -> int | None:
    if (value := query.get(name)) is None:
        return None
    if not value.isascii() or not value.replace(".0", "").isdigit() or len(value) > 9:
        raise Fields(query).wrong(name, "a whole number")
    return int(float(value))


def _speed(query: Mapping[str, str]) -> float:
    if (value := query.get("speed")) is None:
        return 1.0
    try:
        speed = float(value)
    except ValueError:
        speed = 0.0
    if not 0.25 <= speed <= 4:
        raise Fields(query).wrong("speed", "a number from 0.25 to 4")
    return speed


class Deepgram:
    """One socket. Its text is one context for as long as nothing is cleared, so that its sound never mixes.

    Nobody is made to wait or told off for many `Flush`, and `Close` is a wish to hear the rest, and then to part.
    """

    terms = Terms()

    def __init__(self, start: Start, voice: Voice, request_id: str) -> None:
        """`voice` is that of `start`; `request_id` names the connection to its client."""
        self._start, self._voice, self._request_id = start, voice, request_id
        self._open = False  # whether the context has had its settings
        self._closing = False
        self._answers = 0

    def decode(self, message: str | bytes) -> Sequence[Command]:
        if isinstance(message, bytes):
            raise GatewayError("not_text", "a binary message; send JSON text messages only")
        fields = Fields(json_object(message))
        match fields.get("type"):
            case "Clear":
                self._open = False
                return (Cancel(DEFAULT_CONTEXT),)
            case "Speak" | "Flush" | "Close" if self._closing:
                raise GatewayError("context_ended", f"{fields.get('type')} after Close; open another connection")
            case "Speak":
                return self._speak(fields.text("text"))
            case "Flush":
                return (Flush(DEFAULT_CONTEXT),)
            case "Close":
                self._closing = True
                return (End(DEFAULT_CONTEXT),)
            case kind:
                said = "no type" if kind is None else f"unknown type {shown(kind)}"
                raise GatewayError("unknown_type", f"{said}; types: {', '.join(_TYPES)}")

    def _speak(self, text: str) -> Sequence[Command]:
        said = Text(DEFAULT_CONTEXT, text)
        if self._open:
            return (said,)
        self._open = True
        return self._start, said

    def encode(self, event: Event) -> Sequence[Message]:
        match event:
            case Audio():
                return (event.data,)
            case Ready():
                return (self._metadata(),)
            case Flushed() | Cancelled():
                return self._answers_to(event)
            case Done():
                return (Close(),)
            case Failed():
                return (json.dumps({"type": "Warning", "description": event.message, "code": event.code}),)
            case SentenceStarted() | Words() | Pong() | Idle():
                return ()

    def _answers_to(self, event: Flushed | Cancelled) -> Sequence[Message]:
        kind = "Flushed" if isinstance(event, Flushed) else "Cleared"
        number, self._answers = self._answers, self._answers + 1
        answer = json.dumps({"type": kind, "sequence_id": number})
        # What was to be heard before parting will not be: a Clear came after the Close.
        return (answer, Close()) if self._closing and isinstance(event, Cancelled) else (answer,)

    def _metadata(self) -> str:
        voice = self._voice
        return json.dumps(
            {
                "type": "Metadata",
                "request_id": self._request_id,
                "model_name": voice.name,
                "model_version": voice.fingerprint,
                "model_uuid": str(uuid5(NAMESPACE_OID, voice.fingerprint)),
                "additional_model_uuids": [],
            }
        )


def refusal(error: GatewayError, request_id: str) -> dict[str, str]:
    """An error over HTTP, or in the answer to a handshake."""
    code = "INVALID_AUTH" if error.code == "unauthorized" else error.code.upper()
    return {"err_code": code, "err_msg": error.message, "request_id": request_id}
