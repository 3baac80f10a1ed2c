"""The native protocol: JSON text to commands, events to JSON text and raw audio."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, assert_never

import msgspec

from engine.types import Pace
from gateway.dialects.dialect import Terms
from gateway.dialects.lenient import lenient
from gateway.errors import GatewayError, StartRefused, shown
from gateway.events import (
    DEFAULT_CONTEXT,
    SPOKEN_FORMATS,
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
    Ping,
    Played,
    Pong,
    Ready,
    SentenceStarted,
    Start,
    Text,
    Words,
)

MAX_CONTEXT_CHARS = 128
MAX_NAME_CHARS = 256
MAX_MS = 10**12

_Context = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_CONTEXT_CHARS)]
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_CHARS)]


class _Message(msgspec.Struct, forbid_unknown_fields=True):
    type: str


class _Start(_Message):
    context: _Context = DEFAULT_CONTEXT
    voice: _Name | None = None
    speaker: _Name | int | None = None  # which numbers there are depends on the voice
    format: Format = "pcm_s16le"
    sample_rate: int | None = None  # and these on the format
    kbps: int | None = None
    speed: Annotated[float, msgspec.Meta(ge=0.25, le=4)] = 1.0
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    words: bool = False
    language: _Name | None = None
    pace: Pace = Pace.REALTIME
    markdown: bool = True
    early: bool | None = None
    lexicon: dict[str, Any] | None = None  # checked with the voice: so that an error names the entry


class _Text(_Message):
    text: str
    context: _Context = DEFAULT_CONTEXT


class _Mark(_Message):
    context: _Context = DEFAULT_CONTEXT


class _Played(_Message):
    ms: Annotated[float, msgspec.Meta(ge=0, le=MAX_MS)]
    context: _Context = DEFAULT_CONTEXT


_MESSAGES: dict[str, type[_Message]] = {
    "start": _Start,
    "text": _Text,
    "flush": _Mark,
    "end": _Mark,
    "cancel": _Mark,
    "played": _Played,
    "ping": _Message,
}
_MARKS: dict[str, type[Flush] | type[End] | type[Cancel]] = {"flush": Flush, "end": End, "cancel": Cancel}
_ALLOWED = {
    "context": f"a string of 1 to {MAX_CONTEXT_CHARS} characters",
    "voice": "the name of a voice, a string",
    "speaker": "the name or the number of a speaker",
    "format": f"one of {', '.join(SPOKEN_FORMATS)}",
    "sample_rate": "a whole number of hertz, or left out for what suits the format",
    "kbps": "a whole number of kbit/s, or left out for what suits the format",
    "speed": "a number from 0.25 to 4",
    "seed": "a whole number from 0 to 2^63 - 1",
    "words": "true or false",
    "language": "a language tag, as in en-US",
    "pace": f"one of {', '.join(Pace)}",
    "markdown": "true or false",
    "early": "true, false, or null for the server's setting",
    "lexicon": "an object of words, each with a respelling, or with phonemes as in /fəʊniːmz/",
    "text": "a string",
    "ms": f"a number of milliseconds from 0 to {MAX_MS:,}",
}
_FIELD = re.compile(r"at `\$\.(\w+)|missing required field `(\w+)`")
_CODES = {"format": "unsupported_format"}
_SURROGATE = re.compile("[\ud800-\udfff]")

# ---- commands


def decode(message: str | bytes) -> Command:
    """One WebSocket message as a command; a GatewayError says what is wrong, what is allowed, and for which context."""
    if isinstance(message, bytes):
        raise GatewayError("not_text", "a binary message; send JSON text messages only")
    fields = _json(message)
    if not isinstance(fields, dict):
        raise GatewayError("not_json", f'the message is {_named(fields)}; send a JSON object, as in {{"type": "ping"}}')
    kind, context = fields.get("type"), _context_of(fields)
    shape = _MESSAGES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        said = "no type" if kind is None else f"unknown type {shown(kind)}"
        raise GatewayError("unknown_type", f"{said}; types: {', '.join(_MESSAGES)}", context=context)
    refused = StartRefused if shape is _Start else GatewayError
    allowed = shape.__struct_fields__
    unknown = [name for name in fields if name not in allowed]
    if unknown:
        known = ", ".join(name for name in allowed if name != "type") or "none"
        what = f"unknown field {', '.join(map(shown, unknown[:5]))} in {kind!r}; its fields: {known}"
        raise refused("unknown_field", what, context=context)
    for name, value in fields.items():
        for text in _strings(value):
            _check_characters(name, text, refused, context)
    try:
        return _command(msgspec.convert(fields, shape))
    except msgspec.ValidationError as error:
        raise _bad_field(str(kind), fields, error, refused, context) from None


def _json(message: str) -> Any:
    try:
        return msgspec.json.decode(message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = str(error)
    # What msgspec refuses is read once more by the standard library, which lets more through: so that the error can
    # name the field it is in, and its context.
    try:
        return lenient(message, strict=True)
    except json.JSONDecodeError as error:
        at = error.pos
    except RecursionError:
        raise _not_json(reason) from None
    try:
        fields = lenient(message, strict=False)
    except (json.JSONDecodeError, RecursionError):
        raise _not_json(reason) from None
    refused = StartRefused if isinstance(fields, dict) and fields.get("type") == "start" else GatewayError
    what = (
        f"control character U+{ord(message[at]):04X} as it is in a string; write it as {json.dumps(message[at])[1:-1]}"
    )
    raise refused("not_json", f"not JSON: {what}", context=_context_of(fields))


def _not_json(reason: str) -> GatewayError:
    return GatewayError("not_json", f"not JSON: {reason}; send one JSON object a message")


def _context_of(fields: Any) -> str | None:
    """The context of a message that may be wrong in every other way; None where it cannot be read."""
    if not isinstance(fields, dict) or fields.get("type") == "ping":
        return None
    context = fields.get("context", DEFAULT_CONTEXT)
    if isinstance(context, str) and 1 <= len(context) <= MAX_CONTEXT_CHARS and not _SURROGATE.search(context):
        return context
    return None


def _strings(value: Any) -> Iterator[str]:
    """A field's text, or the words of a lexicon and what is said for them."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    yield from (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))


def _check_characters(name: str, value: str, refused: type[GatewayError], context: str | None) -> None:
    if found := _SURROGATE.search(value):
        what = f"half of a surrogate pair (U+{ord(found[0]):04X}) in {name!r}; send whole characters"
        raise refused("bad_text", what, context=context)
    if "\0" in value:
        raise refused("bad_text", f"U+0000 in {name!r}; it cannot be spoken, leave it out", context=context)


def _bad_field(
    kind: str, fields: dict[str, Any], error: msgspec.ValidationError, refused: type[GatewayError], context: str | None
) -> GatewayError:
    found = _FIELD.search(str(error))
    name = (found[1] or found[2]) if found else ""
    if name not in _ALLOWED:
        return refused("bad_value", f"{kind!r}: {error}", context=context)
    if name not in fields:
        return refused("missing_field", f"{kind!r} needs {name!r}: {_ALLOWED[name]}", context=context)
    what = f"{name!r} is {shown(fields[name])}; allowed: {_ALLOWED[name]}"
    return refused(_CODES.get(name, "bad_value"), what, context=context)


def _named(value: Any) -> str:
    return {list: "an array", str: "a string", type(None): "null", bool: "true or false"}.get(type(value), "a number")


def _command(message: _Message) -> Command:
    match message:
        case _Start():
            fields = {name: getattr(message, name) for name in message.__struct_fields__ if name != "type"}
            return Start(**fields)
        case _Text():
            return Text(message.context, message.text)
        case _Played():
            return Played(message.context, message.ms)
        case _Mark():
            return _MARKS[message.type](message.context)
        case _:
            return Ping()


# ---- events

_NAMES: dict[type[Event], str] = {
    Ready: "ready",
    Audio: "audio",
    SentenceStarted: "sentence",
    Words: "words",
    Flushed: "flushed",
    Done: "done",
    Cancelled: "cancelled",
    Failed: "error",
    Pong: "pong",
}


class Native:
    """The native protocol of one connection; a client may be silent for as long as he likes.

    Remembers whose audio was last, for the `audio` message goes before a change of it.
    """

    terms = Terms()

    def __init__(self) -> None:
        self._audio: tuple[str, Format, int, int] | None = None

    def decode(self, message: str | bytes) -> tuple[Command]:
        return (decode(message),)

    def encode(self, event: Event) -> tuple[str | bytes, ...]:
        """The messages of one event, to be sent in this order with nothing between them."""
        match event:
            case Audio():
                return self._audio_messages(event)
            case Failed() if event.context is None:
                return (_text(event, without=("context",)),)
            case Cancelled() if event.text_heard is None:
                self._forget(event.context)
                return (_text(event, without=("text_heard",)),)
            case Done() | Cancelled():
                self._forget(event.context)
                return (_text(event),)
            case Ready() | SentenceStarted() | Words() | Flushed() | Failed() | Pong():
                return (_text(event),)
            case Idle():
                return ()
            case _:
                assert_never(event)

    def _audio_messages(self, event: Audio) -> tuple[str | bytes, ...]:
        header = (event.context, event.format, event.sample_rate, event.channels)
        if header == self._audio:
            return (event.data,)
        self._audio = header
        return _text(event, without=("data", "samples")), event.data

    def _forget(self, context: str) -> None:
        # A later context of the same name is another one: its first audio gets its own header.
        if self._audio is not None and self._audio[0] == context:
            self._audio = None


def _text(event: Event, *, without: tuple[str, ...] = ()) -> str:
    fields = {name: getattr(event, name) for name in event.__slots__ if name not in without}
    return msgspec.json.encode({"type": _NAMES[type(event)], **fields}).decode()
