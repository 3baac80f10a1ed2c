"""A sentence that is being made: heard from its first sample on by all who asked for it, and made once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from engine.errors import EngineError, SynthesisFailed
from engine.speech import Sink
from engine.types import Pace, Pcm, WordTime


class Source(Protocol):
    """Where the sound comes from: a synthesis in this process, or one that is under way elsewhere."""

    def feed(self, sink: Sink) -> None:
        """Give everything to `sink`, from now on, as it is made. Called once, when nothing was given yet."""

    def hurry(self, due: float) -> None:
        """Who waits for what comes next has no more sound at loop.time() `due`; math.inf: nobody waits, but the sound
        is no longer wanted by one alone."""

    def cancel(self) -> None:
        """Nobody wants more. Idempotent; nothing is given afterwards."""


Speak = Callable[[], Source]
"""Has the sentence made for one who asked; raises EngineError where that is refused."""


class Making:
    """One sentence on its way. It is begun by one who asks, joined by any number, and left by each at any time.

    Its work does not depend on who asked first: it goes on while anybody is there, and stops when nobody is. Work that
    fails is begun once more, where somebody is there for whom it was not made; the samples that exist are not given
    again, as the same text has the same sound. `over` is called once, at its end, whatever that is. Event-loop thread
    only.
    """

    def __init__(self, pace: Pace, rate_hz: int, over: Callable[[Making], None]) -> None:
        self.pace, self.rate_hz = pace, rate_hz
        self.chunks: list[Pcm] = []
        self.samples = 0
        self.words: tuple[WordTime, ...] = ()
        self.open = True  # more sound may come
        self.finished = False  # and all of it has come
        self.error: EngineError | None = None
        self._over = over
        self._readers: list[Reader] = []
        self._run: _Run | None = None
        self._echo: Sink | None = None
        self._again = self._shared = False
        self._news = asyncio.Event()

    def begin(self, source: Source, speak: Speak, *, own: bool = True) -> Reader:
        """The first who asks, once. `own`: the source is what his `speak` gave; one that is nobody's here may fail, and
        then the sentence is made even if nobody else is there."""
        reader = self._seat(speak)
        self._shared = not own
        self._begin(source, reader if own else None)
        return reader

    def join(self, speak: Speak) -> Reader:
        """One more who asks, while it is open."""
        if not self._shared:
            self._share()
        return self._seat(speak)

    def echo(self, sink: Sink) -> None:
        """Give it to `sink`, too, in the place of any before: what exists at once, then the rest as it comes, and how
        it ends. Nobody is there for that reason."""
        sink.tell(self.words)
        for pcm in self.chunks:
            sink.give(pcm)
        self._echo = sink

    def hurry(self, due: float) -> None:
        """Somebody who is not here hears it, too, and has no more sound at loop.time() `due`."""
        if not self._shared:
            self._share()
        if self._run is not None:
            self._run.source.hurry(due)

    async def more(self, due: Callable[[], float]) -> None:
        """Returns when there is news; `due` says until when the one who waits has sound."""
        if self._shared and self._run is not None:
            self._run.source.hurry(due())
        await self._news.wait()

    def leave(self, reader: Reader) -> None:
        """One of them goes. Idempotent."""
        if reader not in self._readers:
            return
        self._readers.remove(reader)
        if not self._readers and self.open and self._run is not None:
            self._run.source.cancel()
            self._end()

    def _seat(self, speak: Speak) -> Reader:
        reader = Reader(self, speak)
        self._readers.append(reader)
        return reader

    def _begin(self, source: Source, reader: Reader | None) -> None:
        self._run = _Run(self, source, reader)
        source.feed(self._run)

    def _share(self) -> None:
        self._shared = True
        if self._run is not None:
            self._run.source.hurry(math.inf)
        self._tell()  # who waits says until when he has sound

    # ---- what runs tell; of one that is no longer heeded it is nothing

    def told(self, run: _Run, words: tuple[WordTime, ...]) -> None:
        """All words of a run so far."""
        if run is self._run and self.open and len(words) > len(self.words):
            new, self.words = words[len(self.words) :], words
            if self._echo is not None:
                self._echo.tell(new)

    def given(self, run: _Run, pcm: Pcm) -> None:
        """Sound that follows what is there; none where a further run has made some that is there already."""
        if run is not self._run or not self.open:
            return
        if len(pcm):
            self.chunks.append(pcm)
            self.samples += len(pcm)
            if self._echo is not None:
                self._echo.give(pcm)
        self._tell()

    def completed(self, run: _Run) -> None:
        """A run came to its end."""
        if run is self._run and self.open:
            self.finished = True
            self._end()

    def failed(self, run: _Run, error: EngineError) -> None:
        """A run ended early."""
        if run is not self._run or not self.open:
            return
        others = [reader for reader in self._readers if reader is not run.reader]
        if others and not self._again:
            refusal = self._begin_again([*others, *self._readers])
            if refusal is None:
                return
            if run.reader is None:  # what went wrong elsewhere tells nobody anything
                error = refusal
        self.error = error
        self._end()

    def _begin_again(self, readers: list[Reader]) -> EngineError | None:
        """None where that was done; else why not."""
        self._again = True
        refusal: EngineError | None = None
        for reader in readers:
            try:
                source = reader.speak()
            except EngineError as error:
                refusal = error
                continue
            self._begin(source, reader)
            self._share()
            return None
        return refusal

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _end(self) -> None:
        self.open = False
        self._run = None  # it has us: the sound is to go with the last reader, and not to wait for the collector
        self._tell()
        self._over(self)
        if self._echo is not None and self.finished:
            self._echo.complete()
        elif self._echo is not None:
            self._echo.fail(self.error or SynthesisFailed("nobody hears it"))


class Reader:
    """One who asked for a making, from then until he leaves; `speak` has it made for him should that be needed."""

    def __init__(self, making: Making, speak: Speak) -> None:
        self._making, self.speak = making, speak

    @property
    def words(self) -> tuple[WordTime, ...]:
        """Its words so far; those of a sound are known before it."""
        return self._making.words

    async def sound(self, due: Callable[[], float]) -> AsyncIterator[Pcm]:
        """What exists at once, then the rest as it comes; raises EngineError where there is no more.

        `due` tells at which loop.time() the listener will have heard all that he was given.
        """
        making, at = self._making, 0
        while making.open or at < len(making.chunks):
            if at == len(making.chunks):
                await making.more(due)
                continue
            at += 1
            yield making.chunks[at - 1]
        if making.error is not None:
            raise making.error

    def leave(self) -> None:
        """Hear no more. Idempotent."""
        self._making.leave(self)


class _Run:
    """The sink of one source: a further run first makes what is there already."""

    def __init__(self, making: Making, source: Source, reader: Reader | None) -> None:
        self.source, self.reader = source, reader
        self._making = making
        self._words: tuple[WordTime, ...] = ()
        self._at = 0  # samples made

    def tell(self, words: tuple[WordTime, ...]) -> None:
        self._words += words
        self._making.told(self, self._words)

    def give(self, pcm: Pcm) -> None:
        known = max(0, self._making.samples - self._at)
        self._at += len(pcm)
        self._making.given(self, pcm[known:])

    def complete(self) -> None:
        self._making.completed(self)

    def fail(self, error: EngineError) -> None:
        self._making.failed(self, error)
