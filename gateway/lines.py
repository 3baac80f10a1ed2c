"""Sentences of one context on their way to sound: looked up or asked for a few ahead of the one being sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import numpy as np

from engine.errors import EngineError
from engine.speech import Listener, Speech
from engine.types import Pcm, WordTime
from gateway.actions import Finish, FlushMark, Say
from gateway.cache import Phrase, PhraseCache, phrase_key
from gateway.events import Cached

AHEAD = 3
"""Sentences prepared and not yet begun; the rest wait as text, which costs the engine nothing."""


@dataclass(slots=True)
class Line:
    """One sentence whose sound is there, on its way, or refused; `since` is the time its text came, in seconds."""

    say: Say
    since: float
    cached: Cached = False
    phrase: Phrase | None = None
    speech: Speech | None = None
    refused: EngineError | None = None

    @property
    def words(self) -> tuple[WordTime, ...]:
        """What is known so far of its words; those of a sound are known before it."""
        if self.phrase is not None:
            return self.phrase.words
        return self.speech.words if self.speech is not None else ()

    async def sound(self) -> AsyncIterator[Pcm]:
        """Its sound as it is made; raises EngineError where there is no more."""
        if self.refused is not None:
            raise self.refused
        if self.phrase is not None:
            yield np.frombuffer(self.phrase.pcm, dtype="<i2").astype(np.int16, copy=False)
        if self.speech is not None:
            async for pcm in self.speech:
                yield pcm


class Lines:
    """A queue of sentences and marks, in order. Event-loop thread only.

    `words`: a phrase that does not know when its words sound is not what is asked for.
    """

    def __init__(self, listener: Listener, cache: PhraseCache, *, words: bool = False) -> None:
        self._listener, self._cache, self._words = listener, cache, words
        self._asked: asyncio.Queue[tuple[Say | FlushMark | Finish, float]] = asyncio.Queue()
        self._ready: asyncio.Queue[Line | FlushMark | Finish] = asyncio.Queue(AHEAD)

    def add(self, item: Say | FlushMark | Finish, now: float) -> None:
        """Behind all before it; never waits."""
        self._asked.put_nowait((item, now))

    async def next(self) -> Line | FlushMark | Finish:
        """The next item, when it is its turn to be sent."""
        return await self._ready.get()

    async def prepare(self) -> None:
        """Runs beside the reader of `next`, until the context is finished."""
        while True:
            item, since = await self._asked.get()
            await self._ready.put(await self._line(item, since) if isinstance(item, Say) else item)
            if isinstance(item, Finish):
                return

    def _serves(self, phrase: Phrase) -> bool:
        return bool(phrase.words) or not self._words

    async def _line(self, say: Say, since: float) -> Line:
        key = phrase_key(say.utterance)
        if (phrase := self._cache.peek(key)) and self._serves(phrase):
            return Line(say, since, "memory", phrase)
        if (found := await self._cache.get(key)) and self._serves(found[0]):
            phrase, tier = found
            return Line(say, since, tier, phrase)
        try:
            return Line(say, since, speech=self._listener.speak(say.utterance))
        except EngineError as error:
            return Line(say, since, refused=error)
