"""The texts of one of ElevenLabs' sockets: what is said of them in messages, and what is told of them."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.types import Voice
from gateway.dialects.answer import AudioBody
from gateway.dialects.dialect import Close, Message, Terms
from gateway.dialects.elevenlabs.alignment import Aligned, Timeline
from gateway.dialects.elevenlabs.asked import Asked, check_schedule, voiced
from gateway.dialects.elevenlabs.shapes import close_code, socket_error
from gateway.dialects.fields import Fields, json_object
from gateway.errors import GatewayError
from gateway.events import (
    Audio,
    Cancelled,
    Command,
    Done,
    Failed,
    Flush,
    SentenceStarted,
    Start,
    Text,
    Words,
)

TRIGGER_CHARS = 50
"""The least that `try_trigger_generation` speaks; the least that their own schedule may have, too."""

_SENTENCE_END = re.compile(r"""[.!?…。！？]["'”’)\]]*\s*$""")
_ENDS = ".!?…。！？\n"
_CLAUSE_END = re.compile(r"""[,;:—!?…，；：、！？]["'”’)\]]*\s*$""")
_REASON_BYTES = 120  # of a close frame there are 123


@dataclass(slots=True)
class SpokenText:
    """What was said of one text since it was opened."""

    name: str  # to the session
    start: Start
    timeline: Timeline
    spoken: bool = False  # has had text that is not blank
    tail: str = ""  # since the last end of a sentence, or flush
    flushed: bool = True  # all of its text was
    closing: bool = False
    failed: bool = False  # something of it could not be spoken, which was told
    idle_s: float | None = None  # closed because nothing came for so long


class Texts:
    """What both have in common; a text's name is unknown to the session once it is over, so an id may come again."""

    def __init__(self, asked: Asked, voice: Voice, key_fits: Callable[[str], bool] | None = None) -> None:
        """`voice` is that of the settings; `key_fits`: the first message must show a key that does."""
        self._asked, self._voice, self._key_fits = asked, voice, key_fits
        self._contexts: dict[str, SpokenText] = {}  # by name
        self._opened = 0

    @property
    def terms(self) -> Terms:
        return Terms(idle_s=self._asked.idle_s)

    # ---- messages

    def _check_key(self, fields: Fields) -> None:
        if self._key_fits is None:
            return
        shown = [fields.string(name) for name in ("xi_api_key", "xi-api-key", "authorization")]
        if not any(self._key_fits(key.removeprefix("Bearer ")) for key in shown if key):
            what = "an API key is needed: as the header xi-api-key, or in the first message as 'xi_api_key'"
            raise GatewayError("unauthorized", what)
        self._key_fits = None

    def _open(self, id_: str, start: Start) -> SpokenText:
        self._opened += 1
        name = f"{self._opened} {id_}"
        context = SpokenText(name, replace(start, context=name), Timeline(self._voice.rate_hz))
        self._contexts[name] = context
        return context

    def _begin(self, id_: str, context: SpokenText | None, fields: Fields) -> tuple[SpokenText, list[Command]]:
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

    def _say(self, context: SpokenText, text: str, fields: Fields) -> list[Command]:
        """A piece of text, and what is to be spoken of all that is there."""
        commands: list[Command] = []
        if text.strip():
            context.spoken, context.flushed = True, False
        if context.spoken:
            said = context.tail + text
            context.tail = said[max(said.rfind(end) for end in _ENDS) + 1 :][-TRIGGER_CHARS:]
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

    def _final(self, event: Done | Cancelled) -> tuple[list[dict[str, Any]], str]:
        """The last messages of a context, and why it ended where the client did not ask for it."""
        context = self._contexts.pop(event.context, None)
        final: dict[str, Any] = {"audio": None, "isFinal": True}
        if context is None:
            return [final], ""
        reason = "" if context.idle_s is None else idle_reason(context.idle_s)
        if reason:
            final["reason"] = reason
        aligned = context.timeline.rest()
        shown = _aligned_json(aligned) if aligned.chars else None
        audio = self._blank(event) if context.spoken and not context.failed else b""
        rest = {"audio": b64encode(audio).decode(), "isFinal": None, "normalizedAlignment": shown, "alignment": shown}
        return [rest, final] if audio or shown else [final], reason

    def _blank(self, event: Done | Cancelled) -> bytes:
        """The sound of a text with nothing to be said, as of emoji: an answer without any is a failure to many."""
        if isinstance(event, Cancelled) or event.audio_ms:
            return b""
        return AudioBody(self._asked.sound.codec(self._voice.rate_hz), self._voice.rate_hz, "").encode(event)


def object_of(message: str | bytes) -> dict[str, Any]:
    if isinstance(message, bytes):
        raise GatewayError("not_text", "a binary message; send JSON text messages only")
    return json_object(message)


def has_settings(fields: Fields) -> bool:
    return any(fields.has(name) for name in ("voice_settings", "generation_config", "generator_config"))


def id_of(name: str) -> str:
    return name.partition(" ")[2]


def refusal(event: Failed) -> tuple[Message, ...]:
    reason = event.message.encode()[:_REASON_BYTES].decode(errors="ignore")
    return json.dumps(socket_error(event.code, event.message)), Close(close_code(event.code), reason)


def idle_reason(seconds: float) -> str:
    return f"idle: nothing came for {seconds:g} seconds"


def _aligned_json(aligned: Aligned) -> dict[str, Any]:
    return {
        "chars": aligned.chars,
        "charStartTimesMs": aligned.starts_ms,
        "charDurationsMs": aligned.durations_ms,
    }
