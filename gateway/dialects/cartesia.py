"""Cartesia's `/tts/websocket`: many contexts a socket, sound and times as JSON."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from gateway.codec import Samples
from gateway.dialects.dialect import Message, Terms
from gateway.dialects.fields import Fields, json_object
from gateway.dialects.names import Part, VoiceNames
from gateway.dialects.sound import Sound, kbps_of
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
    Words,
)

MAX_CONTEXT_CHARS = 128
MAX_HOLD_MS = 5000
HOLD_MS = 3000
"""Text without the end of a sentence waits so long for it where a client does not say how long."""

_SAMPLES: Mapping[str, Samples] = {
    "pcm_s16le": "pcm_s16le",
    "pcm_f32le": "pcm_f32le",
    "pcm_mulaw": "mulaw",
    "pcm_alaw": "alaw",
}
_SPEEDS = {"slowest": 0.6, "slow": 0.8, "normal": 1.0, "fast": 1.25, "fastest": 1.5}
SENT = 206  # what is on its way is part of an answer
_STATUS = {  # of errors that are not 400
    "unauthorized": HTTPStatus.UNAUTHORIZED,
    "forbidden": HTTPStatus.FORBIDDEN,
    "message_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "not_json_type": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "overloaded": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_contexts": HTTPStatus.TOO_MANY_REQUESTS,
    "too_much_text": HTTPStatus.TOO_MANY_REQUESTS,
    "unknown_voice": HTTPStatus.NOT_FOUND,
    "restarting": HTTPStatus.SERVICE_UNAVAILABLE,
    "internal": HTTPStatus.INTERNAL_SERVER_ERROR,
    "synthesis_failed": HTTPStatus.INTERNAL_SERVER_ERROR,
    "encoding_failed": HTTPStatus.INTERNAL_SERVER_ERROR,
}
_OVER = {"start_refused", "too_many_contexts"}  # errors after which a context is not there

# ---- what a request asks for


def start_of(fields: Fields, context: str, names: VoiceNames) -> Start:
    """A context's settings but for its sound; raises GatewayError."""
    for name in ("add_phoneme_timestamps", "pronunciation_dict_id"):
        if fields.get(name):
            raise fields.wrong(name, "none; there are times of words, and lexicons are the server's")
    part = _part(fields, names)
    hold_ms = fields.number("max_buffer_delay_ms", 0, MAX_HOLD_MS)
    return Start(
        context,
        part.voice,
        part.speaker,
        speed=_speed(fields),
        words=fields.flag("add_timestamps"),
        language=fields.string("language") or fields.string("locale"),
        hold_s=(HOLD_MS if hold_ms is None else hold_ms) / 1000,
    )


def sound_of(fields: Fields, containers: tuple[str, ...]) -> Sound:
    """What its sound is to be; raises GatewayError."""
    output = fields.inner("output_format")
    if output is None:
        raise fields.wrong("output_format", "an object with container, encoding and sample_rate")
    container = output.choice("container", {name: name for name in containers})
    if container is None:
        raise output.wrong("container", f"one of {', '.join(containers)}")
    rate_hz = output.whole("sample_rate")
    if rate_hz is None:
        raise output.wrong("sample_rate", "a whole number of hertz")
    if container == "mp3":
        return Sound("mp3", rate_hz, kbps_of(output.whole("bit_rate")))
    samples: Samples | None = output.choice("encoding", _SAMPLES)
    if samples is None:
        raise output.wrong("encoding", f"one of {', '.join(_SAMPLES)}")
    return Sound("wav", rate_hz, samples=samples) if container == "wav" else Sound(samples, rate_hz)


def _part(fields: Fields, names: VoiceNames) -> Part:
    said: Any = fields.get("voice")
    if isinstance(said, str):
        return names.part(said, "voice", fields.context)
    voice = fields.inner("voice")
    if voice is None:
        raise fields.wrong("voice", 'an object as in {"mode": "id", "id": "name"}')
    if voice.get("mode") not in (None, "id"):
        raise voice.wrong("mode", "id; a voice is asked for by its name")
    return names.part(voice.text("id"), "voice.id", fields.context)


def _speed(fields: Fields) -> float:
    config = fields.inner("generation_config")
    if config is not None and (speed := config.number("speed", 0.25, 4)) is not None:
        return speed
    said: Any = fields.get("speed")
    if isinstance(said, str) or said is None:
        named: float | None = fields.choice("speed", _SPEEDS, code="bad_value")
        return 1.0 if named is None else named
    return fields.number("speed", 0.25, 4) or 1.0


# ---- the socket


@dataclass(slots=True)
class _Context:
    start: Start
    ended: bool = False


class Cartesia:
    """One socket. A context's settings are those of its first message, and stand until its `done`.

    `cancel` is answered by the `done` of its context, after which nothing of it comes.
    """

    terms = Terms()

    def __init__(self, names: VoiceNames, check: Callable[[Start], object], request_id: str) -> None:
        """`check` raises StartRefused for settings that cannot be; `request_id` names the connection to its client."""
        self._names, self._check, self._request_id = names, check, request_id
        self._contexts: dict[str, _Context] = {}
        self._flushes: dict[str, int] = {}  # done so far, of contexts whose sound has begun
        self._named = 0

    def decode(self, message: str | bytes) -> Sequence[Command]:
        said = json_object(message)
        name = self._name(said)
        fields = Fields(said, name)
        if fields.flag("cancel"):
            self._contexts.pop(name, None)
            return (Cancel(name),)
        text = fields.string("transcript") or ""
        goes_on, flush = fields.flag("continue"), fields.flag("flush")
        if not any(map(fields.has, ("transcript", "continue", "flush"))):
            raise fields.wrong("transcript", "a string; an empty one with continue set to false ends a context")
        context = self._contexts.get(name)
        commands: list[Command] = []
        if context is None:
            context = self._contexts[name] = self._begin(fields, name)
            commands.append(context.start)
        elif context.ended:
            what = "a transcript after the one without continue; wait for its done, or use another context"
            raise GatewayError("context_ended", what, context=name)
        else:
            self._same(fields, context.start)
        if text:
            commands.append(Text(name, text))
        if flush:
            commands.append(Flush(name))
        if not goes_on:
            context.ended = True
            commands.append(End(name))
        return commands

    def _name(self, said: Mapping[str, Any]) -> str:
        """Whose message it is; a name of ours where a client with one context at a time gives none."""
        name = Fields(said).string("context_id")
        if name is None:
            self._named += 1
            return f"{self._request_id}-{self._named}"
        if not 1 <= len(name) <= MAX_CONTEXT_CHARS:
            raise Fields(said).wrong("context_id", f"a string of 1 to {MAX_CONTEXT_CHARS} characters")
        return name

    def _begin(self, fields: Fields, name: str) -> _Context:
        try:
            start = sound_of(fields, ("raw",)).of(start_of(fields, name, self._names))
        except GatewayError as error:
            raise StartRefused(error.code, error.message, context=name) from None
        self._check(start)
        return _Context(start)

    def _same(self, fields: Fields, start: Start) -> None:
        """What is said again must be what was said: a voice does not change within a context."""
        part = _part(fields, self._names) if fields.has("voice") else None
        if part is not None and (part.voice, part.speaker) != (start.voice, start.speaker):
            allowed = f"{start.voice}, that of this context; another context may have another"
            raise fields.wrong("voice", allowed, code="already_started")
        if fields.has("output_format") and sound_of(fields, ("raw",)).of(start) != start:
            allowed = f"{start.format} at {start.sample_rate}, that of this context; another may have another"
            raise fields.wrong("output_format", allowed, code="already_started")

    def encode(self, event: Event) -> Sequence[Message]:
        match event:
            case Audio():
                return (self._told("chunk", event.context, data=b64encode(event.data).decode(), step_time=0),)
            case Words():
                return (self._told("timestamps", event.context, word_timestamps=word_timestamps(event)),)
            case Flushed():
                told = self._told("flush_done", event.context, flush_done=True)
                self._flushes[event.context] = self._flushes.get(event.context, 0) + 1
                return (told,)
            case Done() | Cancelled():
                return (self._over(event),)
            case Failed():
                return (self._failed(event),)
            case Ready() | SentenceStarted() | Pong() | Idle():
                return ()

    def _told(self, kind: str, context: str, **fields: object) -> str:
        """`flush_id`: which of a context's flushes this belongs to, counted from 1."""
        about = {"type": kind, "done": False, "status_code": SENT, "context_id": context}
        return json.dumps({**about, "flush_id": self._flushes.get(context, 0) + 1, **fields})

    def _over(self, event: Done | Cancelled) -> str:
        name = event.context
        self._flushes.pop(name, None)
        # After a cancel the name may be another context's already.
        if isinstance(event, Done) and (context := self._contexts.get(name)) is not None and context.ended:
            del self._contexts[name]
        return json.dumps({"type": "done", "done": True, "status_code": SENT, "context_id": name})

    def _failed(self, event: Failed) -> str:
        name = event.context
        if name is not None and event.code in _OVER:
            self._contexts.pop(name, None)
        told = refusal(GatewayError(event.code, event.message), self._request_id)
        return json.dumps({"type": "error", "done": name not in self._contexts, "context_id": name, **told})


def word_timestamps(event: Words) -> dict[str, object]:
    """Seconds of the context's own sound."""
    words = event.words
    return {
        "words": [word.text for word in words],
        "start": [word.start_ms / 1000 for word in words],
        "end": [word.end_ms / 1000 for word in words],
    }


def status_of(error: GatewayError) -> int:
    """The HTTP status of an error."""
    return int(_STATUS.get(error.code, HTTPStatus.BAD_REQUEST))


def refusal(error: GatewayError, request_id: str) -> dict[str, object]:
    """An error over HTTP, and what an error message of the socket says; the status is its `status_code`."""
    title = error.code.replace("_", " ").capitalize()
    return {
        "title": title,
        "message": error.message,
        "error": f"{title}: {error.message}",  # what earlier versions of their API say
        "error_code": error.code,
        "status_code": status_of(error),
        "request_id": request_id,
    }
