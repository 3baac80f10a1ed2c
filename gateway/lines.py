"""Sentences of one context on their way to sound: looked up or asked for a few ahead of the one being sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.errors import EngineError
from engine.speech import Speech
from engine.types import Pace, Pcm, Utterance, WordTime
from gateway.actions import Finish, FlushMark, Say
from gateway.cache import Elsewhere, Phrase, PhraseCache, Reader, phrase_key
from gateway.events import Cached

AHEAD = 3
"""Sentences prepared and not yet begun; the rest wait as text, which costs the engine nothing."""


@dataclass(slots=True)
class Line:
    """One sentence whose sound is there, being made, or refused; `since` is the time its text came, in seconds."""

    say: Say
    since: float
    cached: Cached = False
    phrase: Phrase | None = None
    reader: Reader | None = None
    speech: Speech | None = None  # where it is made for this context
    refused: EngineError | None = None

    @property
    def words(self) -> tuple[WordTime, ...]:
        """What is known so far of its words; those of a sound are known before it."""
        if self.phrase is not None:
            return self.phrase.words
        return self.reader.words if self.reader is not None else ()

    @property
    def whole(self) -> Pcm | None:
        """All of its sound, where it is there already."""
        return None if self.phrase is None else np.frombuffer(self.phrase.pcm, dtype="<i2").astype(np.int16, copy=False)

    async def sound(self, due: Callable[[], float]) -> AsyncIterator[Pcm]:
        """Else its sound as it is made; raises EngineError where there is no more. `due`: as for Reader.sound."""
        if self.refused is not None:
            raise self.refused
        if self.reader is not None:
            async for pcm in self.reader.sound(due):
                if self.speech is not None:
                    self.speech.taken(len(pcm))
                yield pcm

    def leave(self) -> None:
        """Its sound is wanted no more, or was heard to its end. Idempotent."""
        if self.reader is not None:
            self.reader.leave()


class Lines:
    """A queue of sentences and marks, in order. Event-loop thread only.

    `speak` has a sentence made for this context, and raises EngineError where that is refused. `words`: a phrase that
    does not know when its words sound is not what is asked for.
    """

    def __init__(self, pace: Pace, speak: Callable[[Utterance], Speech], cache: PhraseCache, *, words: bool) -> None:
        self._pace, self._speak, self._cache, self._words = pace, speak, cache, words
        self._lines: list[Line] = []  # that are being made
        self._asked: asyncio.Queue[tuple[Say | FlushMark | Finish, float]] = asyncio.Queue()
        self.left = 0  # of them, for `prepare` to make ready
        self._ready: asyncio.Queue[Line | FlushMark | Finish] = asyncio.Queue(AHEAD)

    def add(self, item: Say | FlushMark | Finish, now: float) -> None:
        """Behind all before it; never waits. What is there is ready at once."""
        if self.left or self._ready.full() or (ready := self._at_once(item, now)) is None:
            self.left += 1
            self._asked.put_nowait((item, now))
        else:
            self._ready.put_nowait(ready)

    async def next(self) -> Line | FlushMark | Finish:
        """The next item, when it is its turn to be sent."""
        return await self._ready.get()

    async def prepare(self) -> None:
        """Runs beside the reader of `next`, as long as the context is spoken."""
        while True:
            item, since = await self._asked.get()
            await self._ready.put(await self._line(item, since) if isinstance(item, Say) else item)
            self.left -= 1

    def close(self) -> None:
        """Nothing of it is wanted any more."""
        for line in self._lines:
            line.leave()
        self._lines.clear()

    def over(self, line: Line) -> None:
        """A line was sent, or as much of it as there was."""
        line.leave()
        if line in self._lines:
            self._lines.remove(line)

    def _serves(self, phrase: Phrase) -> bool:
        return bool(phrase.words) or not self._words

    def _at_once(self, item: Say | FlushMark | Finish, since: float) -> Line | FlushMark | Finish | None:
        return self._there(phrase_key(item.utterance), item, since) if isinstance(item, Say) else item

    async def _line(self, say: Say, since: float) -> Line:
        key = phrase_key(say.utterance)
        if line := self._there(key, say, since):
            return line
        found = await self._cache.ask(key, self._pace)
        if isinstance(found, tuple) and self._serves(found[0]):
            phrase, tier = found
            return Line(say, since, tier, phrase)
        # Somebody else may have begun it during the look.
        if line := self._there(key, say, since):
            return line
        if isinstance(found, Elsewhere) and (line := self._followed(key, say, since, found)):
            return line
        return self._made(key, say, since)

    def _there(self, key: bytes, say: Say, since: float) -> Line | None:
        """What is in memory or being made."""
        if (phrase := self._cache.peek(key)) and self._serves(phrase):
            return Line(say, since, "memory", phrase)
        speak = partial(self._speak, say.utterance)
        if reader := self._cache.makings.join(key, self._pace, speak):
            return self._keep(Line(say, since, "joined", reader=reader))
        return None

    def _followed(self, key: bytes, say: Say, since: float, elsewhere: Elsewhere) -> Line | None:
        """Hear it from the replica that makes it."""
        speak = partial(self._speak, say.utterance)
        pace, rate_hz = self._pace, say.utterance.voice.rate_hz
        reader = self._cache.follow(key, elsewhere, pace, rate_hz, speak)
        return self._keep(Line(say, since, "joined", reader=reader)) if reader is not None else None

    def _made(self, key: bytes, say: Say, since: float) -> Line:
        """Have it made for this context."""
        speak = partial(self._speak, say.utterance)
        pace, rate_hz = self._pace, say.utterance.voice.rate_hz
        try:
            speech = speak()
        except EngineError as error:
            return Line(say, since, refused=error)
        reader = self._cache.makings.begin(key, pace, rate_hz, speech, speak)
        return self._keep(Line(say, since, reader=reader, speech=speech))

    def _keep(self, line: Line) -> Line:
        self._lines.append(line)
        return line
