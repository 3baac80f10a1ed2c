"""Phrases made before anybody asks for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from engine.engine import Engine
from engine.errors import Overloaded, SynthesisFailed
from engine.types import Pace, Utterance
from gateway.actions import Reply, Say
from gateway.cache import Phrase, PhraseCache, phrase_key
from gateway.errors import GatewayError
from gateway.events import Command, End, Failed, Start, Text
from gateway.session import Session

WINDOW = 8
"""Sentences under way at once: enough for many cores, and a bound for what waits in memory."""

_AGAIN_S = 1.0  # after the engine had no room
_CONTEXT = "warm"


class Store(Protocol):
    """Where phrases are kept."""

    async def renew(self, key: bytes) -> bool:
        """Whether it has a phrase, which it then keeps as if it were new."""
        ...

    async def put(self, key: bytes, phrase: Phrase) -> None: ...


class CacheStore:
    """The cache of this process."""

    def __init__(self, cache: PhraseCache) -> None:
        self._cache = cache

    async def renew(self, key: bytes) -> bool:
        found = await self._cache.get(key)
        if found is not None:
            self._cache.listed(key)
        return found is not None

    async def put(self, key: bytes, phrase: Phrase) -> None:
        self._cache.put(key, phrase, listed=True)


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence of a list, and the line that it stands in."""

    line: int
    utterance: Utterance


@dataclass(slots=True)
class Progress:
    """How far it is, in sentences."""

    total: int = 0
    new: int = 0
    known: int = 0
    failed: int = 0
    size: int = 0  # bytes of the new
    sound_s: float = 0.0  # of the new

    @property
    def done(self) -> int:
        return self.new + self.known + self.failed


def read_phrases(text: str) -> list[tuple[int, str]]:
    """The lines that are phrases, each once, with their numbers; blank ones and those that begin with # are none."""
    first: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        phrase = line.strip()
        if phrase and not phrase.startswith("#"):
            first.setdefault(phrase, number)
    return [(number, phrase) for phrase, number in first.items()]


def sentences(
    phrases: Iterable[tuple[int, str]], starts: Iterable[Start], session: Callable[[], Session]
) -> list[Asked]:
    """What clients would have spoken who send these phrases with these settings, each once, in order.

    A phrase may be sent whole or as tokens, and either may be cut differently: both are made. Raises GatewayError for
    settings that cannot be.
    """
    found: dict[bytes, Asked] = {}
    voicings = [replace(start, context=_CONTEXT) for start in starts]
    for number, text in phrases:
        for start in voicings:
            for parts in ([text], re.findall(r"\S+\s*", text)):
                for utterance in _spoken(session(), start, parts):
                    found.setdefault(phrase_key(utterance), Asked(number, utterance))
    return list(found.values())


def _spoken(session: Session, start: Start, parts: Sequence[str]) -> Iterator[Utterance]:
    commands: list[Command] = [start, *(Text(_CONTEXT, part) for part in parts), End(_CONTEXT)]
    for command in commands:
        for action in session.receive(command):
            match action:
                case Say():
                    yield action.utterance
                    session.spoken(_CONTEXT, action.chars)
                case Reply(Failed() as failed):
                    raise GatewayError(failed.code, failed.message)
                case _:
                    pass


class Warming:
    """One list being made, by an engine that has started; what is there already is not made again.

    `lost` is told of each sentence that could not be made, and why.
    """

    def __init__(
        self, engine: Engine, store: Store, asked: Sequence[Asked], lost: Callable[[Asked, str], None]
    ) -> None:
        self.progress = Progress(len(asked))
        self.moved: Callable[[], None] = lambda: None  # called when the progress has changed
        self._engine, self._store, self._lost = engine, store, lost
        self._asked = iter(asked)
        self._stopped = False

    def stop(self) -> None:
        """Begin nothing more; what is being made is finished."""
        self._stopped = True

    async def run(self) -> None:
        """Until all is there, or it was stopped. Raises EngineError or GatewayError where it cannot go on."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(WINDOW):
                    group.create_task(self._work())
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _work(self) -> None:
        for asked in self._asked:
            if self._stopped:
                return
            await self._keep(asked)
            self.moved()

    async def _keep(self, asked: Asked) -> None:
        key, progress = phrase_key(asked.utterance), self.progress
        if await self._store.renew(key):
            progress.known += 1
            return
        try:
            phrase = await self._made(asked.utterance)
        except SynthesisFailed as error:
            self._lose(asked, str(error))
            return
        if not phrase.storable:
            self._lose(asked, "it has no sound, or too much, to be kept")
            return
        await self._store.put(key, phrase)
        progress.new += 1
        progress.size += len(phrase.pcm)
        progress.sound_s += len(phrase.pcm) / 2 / phrase.rate_hz

    async def _made(self, utterance: Utterance) -> Phrase:
        listener = self._engine.listen(Pace.FAST, _CONTEXT)
        try:
            while True:
                try:
                    speech = listener.speak(utterance)
                    break
                except Overloaded:
                    await asyncio.sleep(_AGAIN_S)
            made = [np.zeros(0, np.int16), *[pcm async for pcm in speech]]
            return Phrase(utterance.voice.rate_hz, np.concatenate(made).astype("<i2").tobytes(), speech.words)
        finally:
            listener.close()

    def _lose(self, asked: Asked, why: str) -> None:
        self.progress.failed += 1
        self._lost(asked, why)
