"""The body of an answer with the times of its characters: JSON, a line a piece of sound, or one object for all."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from gateway.codec import Codec
from gateway.dialects.answer import AudioBody
from gateway.dialects.elevenlabs.alignment import Timeline
from gateway.events import Audio, Done, Event, SentenceStarted, Words


class _Timed:
    """Sound in the format of a codec, and the characters that begin in it; times are seconds of the whole sound."""

    content_type = "application/json"

    def __init__(self, codec: Codec, voice_hz: int) -> None:
        self._sound, self._timeline = AudioBody(codec, voice_hz, ""), Timeline(voice_hz)
        self._chars: list[str] = []
        self._starts_ms: list[int] = []

    def _take(self, event: Event) -> bytes:
        match event:
            case SentenceStarted():
                self._timeline.sentence(event.text, event.start_ms)
            case Words():
                self._timeline.words(event.words)
            case Audio():
                for char, at_ms in self._timeline.begun(len(event.data) // 2):
                    self._chars.append(char)
                    self._starts_ms.append(at_ms)
            case Done():
                chars = self._timeline.rest().chars
                self._chars += chars
                self._starts_ms += [self._timeline.sent_ms] * len(chars)
            case _:
                pass
        return self._sound.encode(event)

    def _piece(self, sound: bytes) -> bytes:
        """This sound and all characters that were not told yet."""
        alignment: dict[str, Any] | None = None
        if self._chars:
            ends_ms = [*self._starts_ms[1:], max(self._starts_ms[-1], self._timeline.sent_ms)]
            alignment = {
                "characters": self._chars,
                "character_start_times_seconds": [start / 1000 for start in self._starts_ms],
                "character_end_times_seconds": [end / 1000 for end in ends_ms],
            }
        self._chars, self._starts_ms = [], []
        audio = b64encode(sound).decode()
        piece = {"audio_base64": audio, "alignment": alignment, "normalized_alignment": alignment}
        return json.dumps(piece).encode() + b"\n"


class TimedLines(_Timed):
    """A line as soon as there is sound."""

    def encode(self, event: Event) -> bytes:
        sound = self._take(event)
        return self._piece(sound) if sound or (isinstance(event, Done) and self._chars) else b""


class TimedWhole(_Timed):
    """One object, when all is there."""

    def __init__(self, codec: Codec, voice_hz: int) -> None:
        super().__init__(codec, voice_hz)
        self._made = bytearray()

    def encode(self, event: Event) -> bytes:
        self._made += self._take(event)
        return self._piece(bytes(self._made)) if isinstance(event, Done) else b""
