"""What Cartesia's requests over HTTP ask for, and the answers that are not sound alone."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from engine.types import Voice
from gateway.dialects.answer import Body
from gateway.dialects.cartesia import SENT, refusal, sound_of, start_of, word_timestamps
from gateway.dialects.fields import Fields, typed
from gateway.dialects.names import VoiceNames
from gateway.dialects.sound import Sound
from gateway.errors import GatewayError
from gateway.events import DEFAULT_CONTEXT, Done, Event, Failed, Start, Words

MAX_PAGE = 100
"""Voices in one answer; so many where no limit is asked for."""


def asked(body: Mapping[str, Any], names: VoiceNames, *, sse: bool) -> tuple[Start, Sound, str]:
    """Settings, sound and text; raises GatewayError."""
    fields = Fields(body)
    containers = ("raw",) if sse else ("raw", "wav", "mp3")
    return start_of(fields, DEFAULT_CONTEXT, names), sound_of(fields, containers), fields.text("transcript")


def context_of(body: Mapping[str, Any]) -> str | None:
    return Fields(body).string("context_id")


class SseBody:
    """Server-sent events: sound in base64, and the times of words before their sound."""

    content_type = "text/event-stream; charset=utf-8"

    def __init__(self, sound: Body, context: str, request_id: str) -> None:
        self._sound, self._context, self._request_id = sound, context, request_id

    def encode(self, event: Event) -> bytes:
        data = self._sound.encode(event)
        sent = self._told("chunk", data=b64encode(data).decode(), step_time=0) if data else b""
        match event:
            case Words():
                return sent + self._told("timestamps", word_timestamps=word_timestamps(event))
            case Done():
                return sent + self._told("done", done=True)
            case Failed():
                error = refusal(GatewayError(event.code, event.message), self._request_id)
                return sent + self._told("error", **{"done": True, **error})
            case _:
                return sent

    def _told(self, kind: str, **fields: object) -> bytes:
        about = {"type": kind, "done": False, "status_code": SENT, "context_id": self._context}
        return f"event: {kind}\ndata: {json.dumps({**about, **fields})}\n\n".encode()


def page(query: Mapping[str, str], voices: Mapping[str, Voice]) -> dict[str, object]:
    """The voices after or before one of them; their client asks until a page is empty. Raises GatewayError."""
    names = list(voices)
    after, before, fields = query.get("starting_after"), query.get("ending_before"), Fields(typed(query, ("limit",)))
    limit = fields.whole("limit", 1, MAX_PAGE) or MAX_PAGE
    if after is not None:
        names = names[names.index(after) + 1 :] if after in voices else []
    if before is not None:
        names = names[: names.index(before)] if before in names else []
    given = names[-limit:] if before is not None and after is None else names[:limit]
    more = len(given) < len(names)
    next_page = given[-1] if more else None
    return {"data": [voice_listed(voices[name]) for name in given], "has_more": more, "next_page": next_page}


def voice_listed(voice: Voice) -> dict[str, object]:
    """A voice as their list has it; what they ask of a voice and ours do not say is left plain."""
    language = voice.language.partition("-")[0]
    return {
        "id": voice.name,
        "name": voice.name,
        "tagline": "",
        "description": f"{voice.name}, {voice.language}, {voice.rate_hz} Hz",
        "language": language,
        "locales": [{"locale": voice.language, "is_native": True}],
        "access": "public",
        "visibility": "all",
        "is_owner": False,
        "is_public": True,
        "created_at": "2025-01-01T00:00:00Z",
        "gender": None,
    }
