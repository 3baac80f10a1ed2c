"""ElevenLabs' `stream-input`, one text a socket, and `multi-stream-input`, many; sound as base64 in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from engine.types import Voice
from gateway.dialects.dialect import Close, Message, Terms
from gateway.dialects.elevenlabs.asked import Asked
from gateway.dialects.elevenlabs.shapes import socket_error
from gateway.dialects.elevenlabs.texts import SpokenText, Texts, has_settings, id_of, idle_reason, object_of, refusal
from gateway.dialects.fields import Fields
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
    Idle,
    Ping,
    Pong,
    Ready,
    SentenceStarted,
    Words,
)

MAX_ID_CHARS = 128


class StreamInput(Texts):
    """One text: the first message has its settings, an empty text ends it, and the socket with it."""

    def __init__(self, asked: Asked, voice: Voice, key_fits: Callable[[str], bool] | None = None) -> None:
        super().__init__(asked, voice, key_fits)
        self._context: SpokenText | None = None

    def decode(self, message: str | bytes) -> Sequence[Command]:
        fields = Fields(object_of(message), None if self._context is None else self._context.name)
        self._check_key(fields)
        text = fields.text("text") if fields.has("text") else ""
        ends = fields.get("text") == ""
        if not fields.has("text") and not fields.flag("flush"):
            raise fields.wrong("text", 'a string: " " first, "" at the end')
        context = self._context
        if context is not None and context.closing:
            if ends or not text.strip():
                return ()
            raise GatewayError("context_ended", "text after the end; open another connection", context=context.name)
        if context is None and not ends and not text.strip() and not has_settings(fields):
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
                messages, reason = self._final(event)
                return (*map(json.dumps, messages), Close(1000, reason))
            case Failed():
                return refusal(event)
            case Idle(seconds=seconds, context=None):
                return (Close(1000, idle_reason(seconds)),)
            case Idle(seconds=seconds, context=str(name)):
                self._contexts[name].idle_s = seconds
            case _:
                pass
        return ()


class MultiStreamInput(Texts):
    """Many texts, each a context; what is wrong with one is told to it, and the others go on."""

    def __init__(self, asked: Asked, voice: Voice, key_fits: Callable[[str], bool] | None = None) -> None:
        super().__init__(asked, voice, key_fits)
        self._ids: dict[str, SpokenText] = {}  # those that take text
        self._leaving = False

    def decode(self, message: str | bytes) -> Sequence[Command]:
        said = object_of(message)
        id_ = _id(Fields(said))
        context = self._ids.get(id_ or DEFAULT_CONTEXT)
        # An error carries the id, whether there is such a context or not.
        fields = Fields(said, context.name if context else f"0 {id_}" if id_ else None)
        self._check_key(fields)
        if fields.flag("close_socket"):
            return self._leave()
        if fields.flag("close_context"):
            return self._close(id_ or DEFAULT_CONTEXT, context)
        text = fields.text("text") if fields.has("text") else ""
        if self._leaving:
            raise GatewayError("context_ended", "text after close_socket; open another connection")
        if context is None and not text.strip() and not (id_ and text) and not has_settings(fields):
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
                return self._over(event)
            case Failed():
                return self._fail(event)
            case Pong() if self._leaving and not self._contexts:
                return (Close(),)
            case Idle(context=None):
                return (Close(1000, idle_reason(event.seconds)),)
            case Idle(seconds=seconds, context=str(name)):
                self._contexts[name].idle_s = seconds
                self._forget(name)
            case _:
                pass
        return ()

    def _close(self, id_: str, context: SpokenText | None) -> Sequence[Command]:
        """What was flushed is spoken to its end; anything else is not wanted any more, nor is what is closed twice."""
        if context is None:
            late = [other for other in self._contexts.values() if other.closing and id_of(other.name) == id_]
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

    def _over(self, event: Done | Cancelled) -> Sequence[Message]:
        self._forget(event.context)
        messages, _ = self._final(event)
        final = [_named(message, event.context) for message in messages]
        return (*final, Close()) if self._leaving and not self._contexts else final

    def _fail(self, event: Failed) -> Sequence[Message]:
        if event.code == "unauthorized":
            return refusal(event)
        if (context := self._contexts.get(event.context or "")) is not None:
            context.failed = True
        return (_named(socket_error(event.code, event.message), event.context),)

    def _forget(self, name: str) -> None:
        if (context := self._ids.get(id_of(name))) is not None and context.name == name:
            del self._ids[id_of(name)]


class Refused:
    """A socket whose path or query is wrong: it is told so, and closed."""

    terms = Terms()

    def __init__(self, error: GatewayError) -> None:
        self._error = error

    def decode(self, message: str | bytes) -> Sequence[Command]:
        return ()

    def encode(self, event: Event) -> Sequence[Message]:
        if not isinstance(event, Ready):
            return ()
        return refusal(Failed(self._error.code, self._error.message))


def _id(fields: Fields) -> str | None:
    """The id of a message; older clients write it in another case."""
    for name in ("context_id", "contextId"):
        if (id_ := fields.string(name)) is not None:
            if not 1 <= len(id_) <= MAX_ID_CHARS:
                raise fields.wrong(name, f"a string of 1 to {MAX_ID_CHARS} characters")
            return id_
    return None


def _named(message: dict[str, Any], name: str | None) -> str:
    return json.dumps(message if name is None else {**message, "contextId": id_of(name)})
