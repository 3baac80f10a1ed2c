"""One Wyoming connection: `synthesize`, whole or in chunks, `describe` and `ping`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, assert_never

from wyoming.ping import Pong as WyomingPong

from engine.types import Voice
from gateway.dialects.dialect import Close, Message, Terms
from gateway.dialects.fields import Fields
from gateway.dialects.names import Part, part_named
from gateway.dialects.wyoming.answers import Answer, Answers, error
from gateway.dialects.wyoming.frames import Unreadable, framed, read_event
from gateway.dialects.wyoming.info import PROGRAM
from gateway.errors import GatewayError, shown
from gateway.events import (
    Audio,
    Cancelled,
    Command,
    Done,
    End,
    Event,
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
from gateway.voicing import voicing

MAX_PING_CHARS = 1000
_TYPES = ("describe", "ping", "select-program", "synthesize", "synthesize-start", "synthesize-chunk", "synthesize-stop")


class Wyoming:
    """One connection. Any number of texts, each answered when those before it have been."""

    terms = Terms(in_order=True, eager=True)

    def __init__(self, voices: Mapping[str, Voice], default: Voice, info: bytes, most_bytes: int) -> None:
        """`info` answers `describe`; `most_bytes`: of an event."""
        self._voices, self._default, self._info, self._most = voices, default, info, most_bytes
        self._answers = Answers()
        self._open: str | None = None  # the context whose chunks come
        self._pongs: deque[bytes] = deque()  # what each Pong that will come stands for

    # ---- what is asked

    def decode(self, message: str | bytes) -> Sequence[Command]:
        kind, said = read_event(message if isinstance(message, bytes) else message.encode(), self._most)
        commands: Sequence[Command] = ()
        match kind:
            case "describe":
                commands = self._told(self._info)
            case "ping":
                commands = self._told(_pong(Fields(said)))
            case "select-program":
                _check_program(Fields(said))
            case "synthesize":
                if self._open is None:  # else it repeats what comes in chunks, for servers that take none
                    commands = self._whole(said)
            case "synthesize-start":
                commands = self._start(said)
            case "synthesize-chunk":
                commands = self._chunk(said)
            case "synthesize-stop":
                commands = self._stop()
            case _:
                raise GatewayError("unknown_type", f"unknown type {shown(kind)}; types: {', '.join(_TYPES)}")
        return commands

    def _told(self, answer: bytes) -> Sequence[Command]:
        self._pongs.append(answer)
        return (Ping(),)

    def _whole(self, said: Mapping[str, Any]) -> Sequence[Command]:
        answer = Answer(self._default.rate_hz, streamed=False)
        fields = Fields(said, self._answers.open(answer))
        with _refusing(answer):
            start = self._settings(fields, answer)
            return start, Text(start.context, fields.text("text")), End(start.context)

    def _start(self, said: Mapping[str, Any]) -> Sequence[Command]:
        if self._open is not None:
            what = "synthesize-start before the synthesize-stop of the text that is open; send that first"
            raise GatewayError("already_started", what)
        answer = Answer(self._default.rate_hz, streamed=True)
        self._open = self._answers.open(answer)
        with _refusing(answer):
            return (self._settings(Fields(said, self._open), answer),)

    def _chunk(self, said: Mapping[str, Any]) -> Sequence[Command]:
        name = self._started("synthesize-chunk")
        return () if self._answers[name].refused else (Text(name, Fields(said, name).text("text")),)

    def _stop(self) -> Sequence[Command]:
        name = self._started("synthesize-stop")
        self._open = None
        return (End(name),)

    def _started(self, kind: str) -> str:
        if self._open is None:
            what = f"{kind} without a synthesize-start before it; send that first, or a whole text as synthesize"
            raise GatewayError("not_started", what)
        return self._open

    def _settings(self, fields: Fields, answer: Answer) -> Start:
        start = _asked(fields, self._voices, self._default)
        answer.rate_hz = voicing(start, self._voices, self._default).voice.rate_hz
        return start

    # ---- what is told

    def encode(self, event: Event) -> Sequence[Message]:
        match event:
            case Audio():
                self._answers[event.context].sound(event.data)
                return self._answers.ready()
            case Done():
                self._answers[event.context].end()
                return self._answers.ready()
            case Failed():
                return self._failed(event)
            case Pong():
                return (self._pongs.popleft(),)
            case Ready() | SentenceStarted() | Words() | Flushed() | Cancelled() | Idle():
                return ()
            case _:
                assert_never(event)

    def _failed(self, event: Failed) -> Sequence[Message]:
        if event.context is None:
            return (error(event), Close()) if event.code in Unreadable.CODES else (error(event),)
        answer = self._answers[event.context]
        if event.code != "start_refused":  # why it was is told already
            answer.fail(event)
        if answer.refused and not answer.streamed:
            answer.end()
        return self._answers.ready()


@contextmanager
def _refusing(answer: Answer) -> Iterator[None]:
    """An error here, which names the context, is all that is answered."""
    try:
        yield
    except GatewayError:
        answer.refused = True
        raise


def _check_program(fields: Fields) -> None:
    if fields.text("name") != PROGRAM:
        raise fields.wrong("name", PROGRAM)


def _pong(fields: Fields) -> bytes:
    text = fields.string("text")
    if text is not None and len(text) > MAX_PING_CHARS:
        raise fields.wrong("text", f"up to {MAX_PING_CHARS} characters")
    return framed(WyomingPong(text).event())


def _asked(fields: Fields, voices: Mapping[str, Voice], default: Voice) -> Start:
    if fields.string("text_format") not in {None, "text"}:
        raise fields.wrong("text_format", "text")
    name, voice = fields.context or "", fields.inner("voice") or Fields({})
    asked, speaker = voice.string("name"), voice.string("speaker")
    if asked is None:
        return Start(name, None, _speaker(speaker, default), language=voice.string("language"))
    part = part_named(asked, voices) or Part(asked)
    if speaker is not None:
        part = replace(part, speaker=_speaker(speaker, voices.get(part.voice)))
    return Start(name, part.voice, part.speaker)


def _speaker(said: str | None, voice: Voice | None) -> str | int | None:
    """A name, or else a number."""
    if said is None or (voice is not None and said in voice.speakers):
        return said
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 9 else said
