"""One text being spoken to its end without a listener: samples as they are made, on every core."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from engine.engine import Engine
from engine.errors import SynthesisFailed
from engine.pcm import silence
from engine.speech import Listener, Speech
from engine.text.lexicon import Lexicon
from engine.text.path import Code, TextPath
from engine.types import Pace, Pcm, Sentence
from gateway.exits import complain
from gateway.voicing import Voicing

WINDOW = 8
"""Sentences under way at once: enough for many cores, and a bound for what waits in memory."""


@dataclass(slots=True)
class Progress:
    """How far a reading is."""

    sentences: int = 0  # spoken or failed
    found: int = 0  # in the text so far
    failed: int = 0
    complete: bool = False  # the text has ended: `found` is all


class Reading:
    """One text being spoken to its end by an engine that has started, each sentence as soon as its turn comes."""

    def __init__(
        self,
        engine: Engine,
        voicing: Voicing,
        *,
        max_chars: int,
        pause_ms: int = 0,
        code: Code = "skip",
        lexicons: Sequence[Lexicon] = (),
    ) -> None:
        self.progress = Progress()
        self._engine, self._voicing, self._lexicons = engine, voicing, lexicons
        self._path = TextPath(max_chars, markdown=voicing.markdown, code=code, early=bool(voicing.early))
        self._pause = silence(pause_ms, voicing.voice.rate_hz)
        self._speeches: asyncio.Queue[tuple[Listener, Speech] | None] = asyncio.Queue(WINDOW)

    async def speak(self, text: AsyncIterator[str], write: Callable[[Pcm], None]) -> None:
        """Every sentence of `text`, in order, to `write`. One that fails is counted, reported and left out."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._queue(text))
                await self._deliver(write)
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _queue(self, text: AsyncIterator[str]) -> None:
        async for part in text:
            await self._begin(self._path.push(part))
        await self._begin(self._path.end())
        self.progress.complete = True
        await self._speeches.put(None)

    async def _begin(self, sentences: list[Sentence]) -> None:
        for sentence in sentences:
            saying = self._voicing.saying(sentence.text, self._lexicons)
            if saying.silent:
                continue
            self.progress.found += 1
            # A listener each: those of one listener are made one after another, and here nobody waits for the first.
            listener = self._engine.listen(Pace.FAST)
            await self._speeches.put((listener, listener.speak(self._voicing.utterance(saying))))

    async def _deliver(self, write: Callable[[Pcm], None]) -> None:
        spoken = False
        while (item := await self._speeches.get()) is not None:
            listener, speech = item
            begun = False
            try:
                async for pcm in speech:
                    if spoken and not begun and self._pause.size:
                        write(self._pause)
                    begun = True
                    write(pcm)
            except SynthesisFailed as error:
                self.progress.failed += 1
                complain(f"sentence {self.progress.sentences + 1} is left out: {error}")
            finally:
                listener.close()
            spoken = spoken or begun
            self.progress.sentences += 1
