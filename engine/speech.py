"""One line of sound and the sentences spoken on it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from engine.errors import EngineError
from engine.types import Pace, Pcm, Utterance


class Desk(Protocol):
    """What a listener and its speeches tell the engine."""

    def speak(self, speech: Speech) -> None: ...
    def cancel(self, speech: Speech) -> None: ...
    def taken(self, listener: int, samples: int, rate_hz: int) -> None: ...
    def dropped(self, listener: int, samples: int, rate_hz: int) -> None: ...
    def played(self, listener: int, until: float) -> None: ...
    def forget(self, listener: int) -> None: ...


class Speech:
    """The sound of one utterance, as it is made: an async iterator of Pcm, never empty, in order.

    Iteration ends when all was given or the speech was cancelled; it raises SynthesisFailed or EngineClosed after
    what was made before that. For one reader, on the event loop's thread.
    """

    def __init__(
        self, utterance: Utterance, listener: int, pace: Pace, desk: Desk, group: int | str | None = None
    ) -> None:
        self.utterance = utterance
        self.listener, self.pace, self.group = listener, pace, group
        self._desk = desk
        self._chunks: deque[Pcm] = deque()
        self._open = True  # more sound may come
        self._cancelled = False
        self._error: EngineError | None = None
        self._news = asyncio.Event()

    @property
    def open(self) -> bool:
        """Its sound is not complete, and still wanted."""
        return self._open

    @property
    def pending(self) -> bool:
        """Somebody may still read sound of it."""
        return self._open or bool(self._chunks)

    @property
    def finished(self) -> bool:
        """All its sound was made; it has not failed and was not cancelled."""
        return not self._open and not self._cancelled and self._error is None

    def cancel(self) -> None:
        """Nothing more is made or given. Idempotent; a speech that was read to its end stays finished."""
        if self._open:
            self._desk.cancel(self)
        if not self.pending:
            return
        self._cancelled = True
        self._error = None
        self._drop()
        self._end()

    def __aiter__(self) -> Speech:
        return self

    async def __anext__(self) -> Pcm:
        while self._open and not self._chunks:
            self._news.clear()
            await self._news.wait()
        if self._chunks:
            pcm = self._chunks.popleft()
            self._desk.taken(self.listener, len(pcm), self.utterance.voice.rate_hz)
            return pcm
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration

    # ---- the engine's side; each is harmless on a speech that has ended

    def give(self, pcm: Pcm) -> None:
        """The next sound."""
        if self._open and len(pcm):
            self._chunks.append(pcm)
            self._news.set()

    def complete(self) -> None:
        """There is no more."""
        self._end()

    def fail(self, error: EngineError) -> None:
        """There will be no more, for this reason."""
        if self._open:
            self._error = error
            self._end()

    def _end(self) -> None:
        self._open = False
        self._news.set()

    def _drop(self) -> None:
        samples = sum(len(pcm) for pcm in self._chunks)
        self._chunks.clear()
        if samples:
            self._desk.dropped(self.listener, samples, self.utterance.voice.rate_hz)


class Listener:
    """One line of sound: its sentences are made in the order in which they were spoken. Event-loop thread only."""

    def __init__(self, id_: int, pace: Pace, desk: Desk, group: int | str | None = None) -> None:
        self.id = id_
        self.pace, self.group = pace, group
        self._desk = desk
        self._speeches: list[Speech] = []
        self._closed = False

    def speak(self, utterance: Utterance) -> Speech:
        """Queue a sentence after those before it; never blocks.

        Raises Overloaded (nothing was taken), EngineClosed, UnknownVoice, UnknownSpeaker; RuntimeError on a closed
        listener.
        """
        if self._closed:
            raise RuntimeError("the listener is closed")
        speech = Speech(utterance, self.id, self.pace, self._desk, self.group)
        self._desk.speak(speech)
        self._speeches = [s for s in self._speeches if s.pending]
        self._speeches.append(speech)
        return speech

    def played(self, until: float) -> None:
        """At loop.time() `until` all that was sent will have been heard."""
        if not self._closed:
            self._desk.played(self.id, until)

    def close(self) -> None:
        """Cancel all its speeches: waiting work goes at once, a running step's result is dropped. Idempotent."""
        if self._closed:
            return
        self._closed = True
        for speech in self._speeches:
            speech.cancel()
        self._speeches.clear()
        self._desk.forget(self.id)
