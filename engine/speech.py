"""One line of sound and the sentences spoken on it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from engine.errors import EngineError
from engine.types import Pace, Pcm, Utterance, WordTime


class Desk(Protocol):
    """What a listener and its speeches tell the engine."""

    def speak(self, speech: Speech) -> None: ...
    def cancel(self, speech: Speech) -> None: ...
    def taken(self, listener: int, samples: int, rate_hz: int) -> None: ...
    def dropped(self, listener: int, samples: int, rate_hz: int) -> None: ...
    def share(self, speech: Speech, untaken: int) -> None: ...
    def hurry(self, speech: Speech, due: float) -> None: ...
    def played(self, listener: int, until: float) -> None: ...
    def forget(self, listener: int) -> None: ...


class Sink(Protocol):
    """Who is given the sound of a speech as it is made."""

    def tell(self, words: tuple[WordTime, ...]) -> None: ...
    def give(self, pcm: Pcm) -> None: ...
    def complete(self) -> None: ...
    def fail(self, error: EngineError) -> None: ...


class Speech:
    """The sound of one utterance, as it is made: an async iterator of Pcm, never empty, in order.

    Iteration ends when all was given or the speech was cancelled; it raises SynthesisFailed or EngineClosed after
    what was made before that. For one reader, on the event loop's thread, or fed to a sink in place of it.
    """

    def __init__(
        self,
        utterance: Utterance,
        listener: int,
        pace: Pace,
        desk: Desk,
        group: int | str | None = None,
        *,
        eager: bool = False,
    ) -> None:
        self.utterance = utterance
        self.listener, self.pace, self.group, self.eager = listener, pace, group, eager
        self._desk = desk
        self._chunks: deque[Pcm] = deque()
        self._words: tuple[WordTime, ...] = ()
        self._samples = self._taken = 0
        self._sink: Sink | None = None
        self._shared = False
        self._open = True  # more sound may come
        self._cancelled = False
        self._error: EngineError | None = None
        self._news = asyncio.Event()

    @property
    def open(self) -> bool:
        """Its sound is not complete, and still wanted."""
        return self._open

    @property
    def words(self) -> tuple[WordTime, ...]:
        """Its words so far and when they sound; those of a sound are there before it is given."""
        return self._words

    @property
    def samples(self) -> int:
        """Samples made so far."""
        return self._samples

    @property
    def pending(self) -> bool:
        """Somebody may still read sound of it."""
        return self._open or self._taken < self._samples

    @property
    def shared(self) -> bool:
        """It is no listener's own any more."""
        return self._shared

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
            self.taken(len(pcm))
            return pcm
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration

    # ---- for one that many hear

    def feed(self, sink: Sink) -> None:
        """All goes to `sink`, at once as it is made; nothing is left to iterate over. Before anything was made.

        Its listener says what of that he took, with `taken`. A cancel is not told.
        """
        self._sink = sink

    def taken(self, samples: int) -> None:
        """The listener took so many more samples."""
        self._taken += samples
        if not self._shared:
            self._desk.taken(self.listener, samples, self.utterance.voice.rate_hz)

    def hurry(self, due: float) -> None:
        """Somebody waits who has no more sound at loop.time() `due`; math.inf: nobody does yet, but somebody will.

        From the first call on it is no listener's own: it is made for who waits, apart from the order and the place in
        time of the one who asked for it, and goes on when he closes, until `cancel`. The sooner of several dues holds,
        until more sound is made.
        """
        if not self._open:
            return
        if not self._shared:
            self._shared = True
            self._desk.share(self, self._samples - self._taken)
        self._desk.hurry(self, due)

    # ---- the engine's side; each is harmless on a speech that has ended

    def give(self, pcm: Pcm) -> None:
        """The next sound."""
        if not self._open or not len(pcm):
            return
        self._samples += len(pcm)
        if self._sink is not None:
            self._sink.give(pcm)
            return
        self._chunks.append(pcm)
        self._news.set()

    def tell(self, words: tuple[WordTime, ...]) -> None:
        """The words of the sound that is given next."""
        self._words += words
        if self._sink is not None:
            self._sink.tell(words)

    def complete(self) -> None:
        """There is no more."""
        if not self._open:
            return
        sink = self._sink
        self._end()
        if sink is not None:
            sink.complete()

    def fail(self, error: EngineError) -> None:
        """There will be no more, for this reason."""
        if self._open:
            self._error = error
            sink = self._sink
            self._end()
            if sink is not None:
                sink.fail(error)

    def _end(self) -> None:
        self._open = False
        self._sink = None  # who has the sound, and would be kept by it
        self._news.set()

    def _drop(self) -> None:
        samples, self._taken = self._samples - self._taken, self._samples
        self._chunks.clear()
        if samples and not self._shared:
            self._desk.dropped(self.listener, samples, self.utterance.voice.rate_hz)


class Listener:
    """One line of sound: its sentences are made in the order in which they were spoken. Event-loop thread only."""

    def __init__(
        self, id_: int, pace: Pace, desk: Desk, group: int | str | None = None, *, eager: bool = False
    ) -> None:
        self.id = id_
        self.pace, self.group, self.eager = pace, group, eager
        self._desk = desk
        self.asked = False  # for anything: until then it is nothing to the engine what it hears
        self._speeches: list[Speech] = []
        self._closed = False

    def speak(self, utterance: Utterance) -> Speech:
        """Queue a sentence after those before it; never blocks.

        Raises Overloaded (nothing was taken), EngineClosed, UnknownVoice, UnknownSpeaker; RuntimeError on a closed
        listener.
        """
        if self._closed:
            raise RuntimeError("the listener is closed")
        speech = Speech(utterance, self.id, self.pace, self._desk, self.group, eager=self.eager)
        self._desk.speak(speech)
        self.asked = True
        self._speeches = [s for s in self._speeches if s.pending and not s.shared]
        self._speeches.append(speech)
        return speech

    def played(self, until: float) -> None:
        """At loop.time() `until` all that was sent will have been heard."""
        if not self._closed:
            self._desk.played(self.id, until)

    def close(self) -> None:
        """Cancel its speeches but those that are shared: waiting work goes at once, a running step's result is dropped.

        Idempotent.
        """
        if self._closed:
            return
        self._closed = True
        for speech in self._speeches:
            if not speech.shared:
                speech.cancel()
        self._speeches.clear()
        self._desk.forget(self.id)
