"""The answers of one Wyoming connection, one after another: no event says to which text it belongs."""

from __future__ import annotations

from dataclasses import dataclass, field

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.tts import SynthesizeStopped

from gateway.dialects.wyoming.frames import framed
from gateway.events import Failed

_WIDTH = 2  # bytes a sample


def error(event: Failed) -> bytes:
    """As it is sent."""
    return framed(Error(text=event.message, code=event.code).event())


@dataclass(slots=True)
class Answer:
    """To one text, from its first event to its end.

    It has its end, `audio-stop` or `synthesize-stopped`, also when it was refused: there are clients who know no
    `error`, and would wait for ever. Where there is nothing to be said that is no error, and its sound is empty.
    """

    rate_hz: int
    streamed: bool  # the text comes in chunks
    refused: bool = False  # nothing of it is spoken
    begun: bool = False
    failed: bool = False
    over: bool = False
    waiting: list[bytes] = field(default_factory=list)  # not sent yet: the answer before it is not over

    def sound(self, data: bytes) -> None:
        """Samples of 16 bits."""
        self._begin()
        chunk = AudioChunk(rate=self.rate_hz, width=_WIDTH, channels=1, audio=data)
        self.waiting.append(framed(chunk.event()))

    def fail(self, event: Failed) -> None:
        self.failed = True
        self.waiting.append(error(event))

    def end(self) -> None:
        self.over = True
        if not self.failed:
            self._begin()
        if self.begun or not self.streamed:
            self.waiting.append(framed(AudioStop().event()))
        if self.streamed:
            self.waiting.append(framed(SynthesizeStopped().event()))

    def _begin(self) -> None:
        if not self.begun:
            self.begun = True
            self.waiting.append(framed(AudioStart(rate=self.rate_hz, width=_WIDTH, channels=1).event()))


class Answers:
    """By context, in the order of their texts."""

    def __init__(self) -> None:
        self._answers: dict[str, Answer] = {}
        self._opened = 0

    def __getitem__(self, context: str) -> Answer:
        return self._answers[context]

    def open(self, answer: Answer) -> str:
        """Behind all that are there; returns the name of its context."""
        self._opened += 1
        name = str(self._opened)
        self._answers[name] = answer
        return name

    def ready(self) -> list[bytes]:
        """What may be sent now: of the first one, and of those behind it when it is over."""
        ready: list[bytes] = []
        for name, answer in list(self._answers.items()):
            ready += answer.waiting
            answer.waiting.clear()
            if not answer.over:
                break
            del self._answers[name]
        return ready
