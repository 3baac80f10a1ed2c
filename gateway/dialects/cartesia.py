"""Cartesia's `/tts/websocket`: many contexts a socket, sound and times as JSON; and what is asked for over HTTP."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from gateway.dialects.dialect import Message
from gateway.dialects.fields import Fields, json_object
from gateway.dialects.names import VoiceNames
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
    Format,
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

SAMPLES: Mapping[str, Format] = {
    "pcm_s16le": "pcm_s16le",
    "pcm_f32le": "pcm_f32le",
    "pcm_mulaw": "mulaw",
    "pcm_alaw": "alaw",
}
_SPEEDS = {"slowest": 0.6, "slow": 0.8, "normal": 1.0, "fast": 1.25, "fastest": 1.5}
_SENT = 206  # what is on its way is part of an answer
_STATUS = {  # of errors that are not the client's own
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


@dataclass(frozen=True, slots=True)
class Asked:
    """A request's text and settings; `wav`: with the header of a WAV before the samples."""

    start: Start
    text: str
    wav: bool = False


def asked(body: bytes, context: str, names: VoiceNames) -> Asked:
    """A request over HTTP; raises GatewayError."""
    fields = Fields(json_object(body), context)
    start, container = _start(fields, context, names, ("raw", "wav", "mp3"))
    return Asked(start, fields.text("transcript"), container == "wav")


def _start(fields: Fields, context: str, names: VoiceNames, containers: tuple[str, ...]) -> tuple[Start, str]:
    for name in ("add_phoneme_timestamps", "pronunciation_dict_id"):
        if fields.get(name):
            raise fields.wrong(name, "none; there are times of words, and lexicons are the server's")
    voice = _voice(fields, names)
    output = fields.inner("output_format")
    if output is None:
        raise fields.wrong("output_format", "an object with container, encoding and sample_rate")
    container = output.choice("container", {name: name for name in containers})
    if container is None:
        raise output.wrong("container", f"one of {', '.join(containers)}")
    format_: Format | None = "mp3" if container == "mp3" else output.choice("encoding", SAMPLES)
    if format_ is None:
        raise output.wrong("encoding", f"one of {', '.join(SAMPLES)}")
    rate_hz = output.whole("sample_rate")
    if rate_hz is None:
        raise output.wrong("sample_rate", "a whole number of hertz")
    hold_ms = fields.number("max_buffer_delay_ms", 0, MAX_HOLD_MS)
    start = Start(
        context,
        voice=voice,
        format=format_,
        sample_rate=rate_hz,
        kbps=_kbps(output) if container == "mp3" else None,
        speed=_speed(fields),
        words=fields.flag("add_timestamps"),
        language=fields.string("language") or fields.string("locale"),
        hold_s=(HOLD_MS if hold_ms is None else hold_ms) / 1000,
    )
    return start, container


def _voice(fields: Fields, names: VoiceNames) -> str:
    said: Any = fields.get("voice")
    if isinstance(said, str):
        return names.voice(said, "voice", fields.context)
    voice = fields.inner("voice")
    if voice is None:
        raise fields.wrong("voice", 'an object as in {"mode": "id", "id": "name"}')
    if voice.get("mode") not in (None, "id"):
        raise voice.wrong("mode", "id; a voice is asked for by its name")
    return names.voice(voice.text("id"), "voice.id", fields.context)


def _speed(fields: Fields) -> float:
    config = fields.inner("generation_config")
    if config is not None and (speed := config.number("speed", 0.25, 4)) is not None:
        return speed
    said: Any = fields.get("speed")
    if isinstance(said, str) or said is None:
        named: float | None = fields.choice("speed", _SPEEDS)
        return 1.0 if named is None else named
    return fields.number("speed", 0.25, 4) or 1.0


def _kbps(output: Fields) -> int | None:
    bits = output.whole("bit_rate")
    if bits is not None and bits % 1000:
        raise output.wrong("bit_rate", "whole thousands of bits a second, as in 128000")
    return None if bits is None else bits // 1000


# ---- the socket


@dataclass(slots=True)
class _Context:
    start: Start
    ended: bool = False


class Cartesia:
    """One socket. A context's settings are those of its first message, and stand until its `done`.

    `cancel` is answered by the `done` of its context, after which nothing of it comes.
    """

    idle_s: float | None = None

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
            start, _ = _start(fields, name, self._names, ("raw",))
        except GatewayError as error:
            raise StartRefused(error.code, error.message, context=name) from None
        self._check(start)
        return _Context(start)

    def _same(self, fields: Fields, start: Start) -> None:
        """What is said again must be what was said: a voice does not change within a context."""
        if fields.has("voice") and (voice := _voice(fields, self._names)) != start.voice:
            allowed = f"{start.voice}, that of this context; another context may have another"
            raise GatewayError("already_started", f"'voice' is {voice!r}; allowed: {allowed}", context=fields.context)

    def encode(self, event: Event) -> Sequence[Message]:
        match event:
            case Audio():
                return (self._told("chunk", event.context, data=b64encode(event.data).decode(), step_time=0),)
            case Words():
                times = {
                    "words": [word.text for word in event.words],
                    "start": [word.start_ms / 1000 for word in event.words],
                    "end": [word.end_ms / 1000 for word in event.words],
                }
                return (self._told("timestamps", event.context, word_timestamps=times),)
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
        about = {"type": kind, "done": False, "status_code": _SENT, "context_id": context}
        return json.dumps({**about, "flush_id": self._flushes.get(context, 0) + 1, **fields})

    def _over(self, event: Done | Cancelled) -> str:
        name = event.context
        self._flushes.pop(name, None)
        # After a cancel the name may be another context's already.
        if isinstance(event, Done) and (context := self._contexts.get(name)) is not None and context.ended:
            del self._contexts[name]
        return json.dumps({"type": "done", "done": True, "status_code": _SENT, "context_id": name})

    def _failed(self, event: Failed) -> str:
        name = event.context
        if name is not None and event.code in _OVER:
            self._contexts.pop(name, None)
        told = refusal(GatewayError(event.code, event.message), self._request_id)
        return json.dumps({"type": "error", "done": name not in self._contexts, "context_id": name, **told})


def refusal(error: GatewayError, request_id: str) -> dict[str, object]:
    """An error over HTTP, and what an error message of the socket says; the status is its `status_code`."""
    title = error.code.replace("_", " ").capitalize()
    return {
        "title": title,
        "message": error.message,
        "error": f"{title}: {error.message}",  # what earlier versions of their API say
        "error_code": error.code,
        "status_code": int(_STATUS.get(error.code, HTTPStatus.BAD_REQUEST)),
        "request_id": request_id,
    }
