"""What stands in the body of an answer: events to bytes; pure."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine.pcm import silence
from gateway.codec import Codec, complete_wav
from gateway.events import Audio, Done, Event

_BLANK_MS = 100
"""A text with nothing to be said is so much silence: a file without any sound is broken to most who read one."""


class Body(Protocol):
    """One answer's; `encode` is given its events in order."""

    @property
    def content_type(self) -> str: ...

    def encode(self, event: Event) -> bytes:
        """What is sent for an event, maybe nothing. The answer begins with the first bytes."""
        ...


class AudioBody:
    """The sound alone, as a stream in the format of a codec."""

    def __init__(self, codec: Codec, voice_hz: int, content_type: str) -> None:
        self._codec, self._voice_hz, self.content_type = codec, voice_hz, content_type
        self._blank = True

    def encode(self, event: Event) -> bytes:
        match event:
            case Audio():
                self._blank = False
                return self._codec.push(np.frombuffer(event.data, "<i2").astype(np.int16, copy=False))
            case Done():
                blank = self._codec.push(silence(_BLANK_MS, self._voice_hz)) if self._blank else b""
                return blank + self._codec.end()
            case _:
                return b""


class WholeWav:
    """A complete WAV, with its true sizes; `codec` makes samples of 16 bit."""

    content_type = "audio/wav"

    def __init__(self, codec: Codec, voice_hz: int) -> None:
        self._samples, self._rate_hz = AudioBody(codec, voice_hz, ""), codec.rate_hz
        self._made = bytearray()

    def encode(self, event: Event) -> bytes:
        self._made += self._samples.encode(event)
        if isinstance(event, Done):
            return complete_wav(np.frombuffer(bytes(self._made), "<i2").astype(np.int16, copy=False), self._rate_hz)
        return b""
