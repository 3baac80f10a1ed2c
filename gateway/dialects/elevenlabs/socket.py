"""ElevenLabs' `stream-input`, one text a socket, and `multi-stream-input`, many; sound as base64 in JSON."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.types import Voice
from gateway.dialects.dialect import Close, Message
from gateway.dialects.elevenlabs.alignment import Aligned, Timeline
from gateway.dialects.elevenlabs.asked import Asked, check_schedule, voiced
from gateway.dialects.elevenlabs.shapes import close_code, socket_error
from gateway.dialects.fields import Fields, json_object
from gateway.errors import GatewayError
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
    Idle,
    Ping,
    Pong,
    Ready,
    SentenceStarted,
    Start,
    Text,
    Words,
)

MAX_ID_CHARS = 128
TRIGGER_CHARS = 50
"""The least that `try_trigger_generation` speaks; the least that their own schedule may have, too."""

_SENTENCE_END = re.compile(r"""[.!?…。！？]["'”’)\]]*\s*$""")
_SENTENCE_START = re.compile(r"(?s).*[.!?…。！？\n]")
_CLAUSE_END = re.compile(r"""[,;:—!?…，；：、！？]["'”’)\]]*\s*$""")
_REASON_BYTES = 120  # of a close frame there are 123


@dataclass(slots=True)
class _Context:
    """What was said of one text since it was opened."""

    name: str  # to the session
    start: Start
    timeline: Timeline
    spoken: bool = False  # has had text that is not blank
    tail: str = ""  # since the last end of a sentence, or flush
    flushed: bool = True  # all of its text was
    closing: bool = False
    idle_s: float | None = None  # closed because nothing came for so long


class _Sockets:
    """What both have in common; a text's name is unknown to the session once it is over, so an id may come again."""

    def __init__(self, asked: Asked, voice: Voice) -> None:
        """`voice` is that of the settings."""
        self._asked, self._voice = asked, voice
        self._contexts: dict[str, _Context] = {}  # by name
        self._opened = 0

    @property
    def idle_s(self) -> float | None:
        return self._asked.idle_s

    # ---- messages

    def _open(self, id_: str, start: Start) -> _Context:
        self._opened += 1
        name = f"{self._opened} {id_}"
        context = _Context(name, replace(start, context=name), Timeline(self._voice.rate_hz))
        self._contexts[name] = context
        return context

    def _begin(self, id_: str, context: _Context | None, fields: Fields) -> tuple[_Context, list[Command]]:
        """The context with the settings of this message, and what the session is to know of them."""
        check_schedule(fields)
        if context is None:
            context = self._open(id_, voiced(self._asked.start, fields))
            return context, [context.start]
        start = voiced(context.start, fields)
        if not context.spoken:
            context.start = start
            return context, [start]
        # Settings that change are for another context; the session says so.
        return context, [] if start == context.start else [start]

    def _say(self, context: _Context, text: str, fields: Fields) -> list[Command]:
        """A piece of text, and what is to be spoken of all that is there."""
        commands: list[Command] = []
        if text.strip():
            context.spoken, context.flushed = True, False
        if context.spoken:
            context.tail = _SENTENCE_START.sub("", context.tail + text) if text else context.tail
            commands.append(Text(context.name, text))
        ends = self._asked.auto_mode and _SENTENCE_END.search(text) is not None
        tried = fields.flag("try_trigger_generation")
        clause = tried and len(context.tail) >= TRIGGER_CHARS and _CLAUSE_END.search(context.tail) is not None
        if fields.flag("flush") or ends or clause:
            context.tail, context.flushed = "", True
            commands.append(Flush(context.name))
        return commands

    # ---- events

    def _sound(self, event: Audio) -> dict[str, Any]:
        context = self._contexts.get(event.context)
        aligned = Aligned() if context is None else context.timeline.sound(event.samples)
        shown = _aligned_json(aligned) if aligned.chars or self._asked.sync_alignment else None
        audio = b64encode(event.data).decode()
        return {"audio": audio, "isFinal": None, "normalizedAlignment": shown, "alignment": shown}

    def _tell_timeline(self, event: SentenceStarted | Words) -> None:
        if context := self._contexts.get(event.context):
            if isinstance(event, Words):
                context.timeline.words(event.words)
            else:
                context.timeline.sentence(event.text, event.start_ms)

    def _final(self, name: str) -> tuple[list[dict[str, Any]], str]:
        """The last messages of a context, and why it ended where the client did not ask for it."""
        context = self._contexts.pop(name, None)
        final: dict[str, Any] = {"audio": None, "isFinal": True}
        if context is None:
            return [final], ""
        reason = "" if context.idle_s is None else _idle(context.idle_s)
        if reason:
            final["reason"] = reason
        aligned = context.timeline.rest()
        shown = _aligned_json(aligned)
        rest = {"audio": "", "isFinal": None, "normalizedAlignment": shown, "alignment": shown}
        return [rest, final] if aligned.chars else [final], reason


class StreamInput(_Sockets):
    """One text: the first message has its settings, an empty text ends it, and the socket with it."""

    def __init__(self, asked: Asked, voice: Voice) -> None:
        super().__init__(asked, voice)
        self._context: _Context | None = None

    def decode(self, message: str | bytes) -> Sequence[Command]:
        fields = Fields(_object(message), None if self._context is None else self._context.name)
        text = fields.text("text") if fields.has("text") else ""
        ends = fields.get("text") == ""
        if not fields.has("text") and not fields.flag("flush"):
            raise fields.wrong("text", 'a string: " " first, "" at the end')
        context = self._context
        if context is not None and context.closing:
            if ends or not text.strip():
                return ()
            raise GatewayError("context_ended", "text after the end; open another connection", context=context.name)
        if context is None and not ends and not text.strip() and not _has_settings(fields):
            return ()  # nothing has begun; a client who waits keeps his socket open so
        self._context, commands = self._begin(DEFAULT_CONTEXT, context, fields)
        commands += self._say(self._context, text, fields)
        if ends:
            self._context.closing = True
            commands.append(End(self._context.name))
        return commands

    def encode(self, event: Event) -> Sequence[Message]:
        match event:
            case Audio():
                return (json.dumps(self._sound(event)),)
            case SentenceStarted() | Words():
                self._tell_timeline(event)
            case Done() | Cancelled():
                messages, reason = self._final(event.context)
                return (*map(json.dumps, messages), Close(1000, reason))
            case Failed():
                return _refusal(event)
            case Idle(seconds=seconds, context=None):
                return (Close(1000, _idle(seconds)),)
            case Idle(seconds=seconds, context=str(name)):
                self._contexts[name].idle_s = seconds
            case _:
                pass
        return ()


class MultiStreamInput(_Sockets):
    """Many texts, each a context; what is wrong with one is told to it, and the others go on."""

    def __init__(self, asked: Asked, voice: Voice) -> None:
        super().__init__(asked, voice)
        self._ids: dict[str, _Context] = {}  # those that take text
        self._leaving = False

    def decode(self, message: str | bytes) -> Sequence[Command]:
        said = _object(message)
        id_ = _id(Fields(said))
        context = self._ids.get(id_ or DEFAULT_CONTEXT)
        # An error carries the id, whether there is such a context or not.
        fields = Fields(said, context.name if context else f"0 {id_}" if id_ else None)
        if fields.flag("close_socket"):
            return self._leave()
        if fields.flag("close_context"):
            return self._close(id_ or DEFAULT_CONTEXT, context)
        text = fields.text("text") if fields.has("text") else ""
        if self._leaving:
            raise GatewayError("context_ended", "text after close_socket; open another connection")
        if context is None and not text.strip() and not (id_ and text) and not _has_settings(fields):
            return ()  # a client who waits keeps his socket open so; what is flushed was never there
        context, commands = self._begin(id_ or DEFAULT_CONTEXT, context, fields)
        self._ids[id_ or DEFAULT_CONTEXT] = context
        return commands + self._say(context, text, fields)

    def encode(self, event: Event) -> Sequence[Message]:
        match event:
            case Audio():
                return (_named(self._sound(event), event.context),)
            case SentenceStarted() | Words():
                self._tell_timeline(event)
            case Done() | Cancelled():
                return self._over(event.context)
            case Failed():
                return (_named(socket_error(event.code, event.message), event.context),)
            case Pong() if self._leaving and not self._contexts:
                return (Close(),)
            case Idle(context=None):
                return (Close(1000, _idle(event.seconds)),)
            case Idle(seconds=seconds, context=str(name)):
                self._contexts[name].idle_s = seconds
                self._forget(name)
            case _:
                pass
        return ()

    def _close(self, id_: str, context: _Context | None) -> Sequence[Command]:
        """What was flushed is spoken to its end; anything else is not wanted any more, nor is what is closed twice."""
        if context is None:
            late = [other for other in self._contexts.values() if other.closing and _id_of(other.name) == id_]
            return [Cancel(other.name) for other in late]
        context.closing = True
        if context.flushed:
            self._forget(context.name)
            return (End(context.name),)
        self._forget(context.name)
        return (Cancel(context.name),)

    def _leave(self) -> Sequence[Command]:
        self._leaving = True
        opened = [context for context in self._contexts.values() if not context.closing]
        for context in opened:
            context.closing = True
        self._ids.clear()
        return (*(End(context.name) for context in opened), Ping())

    def _over(self, name: str) -> Sequence[Message]:
        self._forget(name)
        messages, _ = self._final(name)
        final = [_named(message, name) for message in messages]
        return (*final, Close()) if self._leaving and not self._contexts else final

    def _forget(self, name: str) -> None:
        if (context := self._ids.get(_id_of(name))) is not None and context.name == name:
            del self._ids[_id_of(name)]


class Refused:
    """A socket whose path or query is wrong: it is told so, and closed."""

    idle_s: float | None = None

    def __init__(self, error: GatewayError) -> None:
        self._error = error

    def decode(self, message: str | bytes) -> Sequence[Command]:
        return ()

    def encode(self, event: Event) -> Sequence[Message]:
        if not isinstance(event, Ready):
            return ()
        return _refusal(Failed(self._error.code, self._error.message))


def _object(message: str | bytes) -> dict[str, Any]:
    if isinstance(message, bytes):
        raise GatewayError("not_text", "a binary message; send JSON text messages only")
    return json_object(message)


def _has_settings(fields: Fields) -> bool:
    return any(fields.has(name) for name in ("voice_settings", "generation_config", "generator_config"))


def _id(fields: Fields) -> str | None:
    """The id of a message; older clients write it in another case."""
    for name in ("context_id", "contextId"):
        if (id_ := fields.string(name)) is not None:
            if not 1 <= len(id_) <= MAX_ID_CHARS:
                raise fields.wrong(name, f"a string of 1 to {MAX_ID_CHARS} characters")
            return id_
    return None


def _id_of(name: str) -> str:
    return name.partition(" ")[2]


def _named(message: dict[str, Any], name: str | None) -> str:
    return json.dumps(message if name is None else {**message, "contextId": _id_of(name)})


def _refusal(event: Failed) -> tuple[Message, ...]:
    reason = event.message.encode()[:_REASON_BYTES].decode(errors="ignore")
    return json.dumps(socket_error(event.code, event.message)), Close(close_code(event.code), reason)


def _idle(seconds: float) -> str:
    return f"idle: nothing came for {seconds:g} seconds"


def _aligned_json(aligned: Aligned) -> dict[str, Any]:
    return {
        "chars": aligned.chars,
        "charStartTimesMs": aligned.starts_ms,
        "charDurationsMs": aligned.durations_ms,
    }
