"""A sentence that another replica makes, heard here as it comes."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable

import numpy as np

from engine.errors import SynthesisFailed
from engine.speech import Sink
from engine.types import Pace
from gateway.cache.leases import Elsewhere
from gateway.cache.phrase import BadEntry, Phrase
from gateway.cache.piece import Piece, Rest, decode_piece

MAKERS = 3  # that are followed, one after the other; then it is made here
CATCHING_UP = 4.0  # times faster than it sounds, at least, is made what somebody waits for
SLICE_S = 0.2  # without news, whether the maker still lives is looked at as often

Ask = Callable[[bytes, Pace, str], Awaitable[Phrase | Elsewhere | None]]
"""A lookup as RedisTier.ask makes it."""

Read = Callable[[bytes, str, str, float], Awaitable[list[tuple[str, bytes]]]]
"""Of a key and generation, from after an entry's id on, within about so many seconds: ids and entries. Raises Gone
where the generation does not make it any more, NoAnswer where Redis can't be read."""

log = logging.getLogger(__name__)


class Gone(Exception):
    """Who made it does not any more."""


class NoAnswer(Exception):
    """Redis was asked in vain."""


class Relay:
    """A Source. Where its maker is lost, or is silent while somebody waits who has no more sound, it asks who makes it
    now: another replica is followed from where this one has come to; else the relay fails, and it is made here.

    Without news, and whatever is needed, it waits for `patience_s`.
    """

    def __init__(
        self, key: bytes, generation: str, pace: Pace, rate_hz: int, *, ask: Ask, read: Read, patience_s: float
    ) -> None:
        self._key, self._generation, self._pace, self._rate_hz = key, generation, pace, rate_hz
        self._ask, self._read, self._patience_s = ask, read, patience_s
        self._sink: Sink | None = None
        self._given = self._told = 0  # samples and words
        self._due = math.inf  # when somebody who waits has no more sound
        self._task: asyncio.Task[bool] | None = None
        self.over: Callable[[Relay], None] = lambda relay: None

    def feed(self, sink: Sink) -> None:
        self._sink = sink
        self._task = asyncio.create_task(self._follow(), name="relay")
        self._task.add_done_callback(self._ended)

    def hurry(self, due: float) -> None:
        self._due = min(self._due, due)

    def cancel(self) -> None:
        self._sink = None
        self.stop()

    def stop(self) -> None:
        """Follow no more."""
        if self._task is not None:
            self._task.cancel()

    def _ended(self, task: asyncio.Task[bool]) -> None:
        self.over(self)
        whole = False
        if not task.cancelled():
            error = task.exception()
            if error is not None:
                log.error("a sentence that another replica makes could not be followed", exc_info=error)
            whole = error is None and task.result()
        if self._sink is None:
            return
        if whole:
            self._sink.complete()
        else:
            self._sink.fail(SynthesisFailed("the process that made it does not answer"))

    async def _follow(self) -> bool:
        """Whether all of it was given."""
        for _ in range(MAKERS):
            try:
                if await self._hear():
                    return True
            except Gone:
                pass
            except NoAnswer:
                return False
            except BadEntry as error:
                log.debug("what another replica says is refused: %s", error)
            answer = await self._ask(self._key, self._pace, self._generation)
            match answer:
                case Elsewhere(generation):
                    self._generation = generation
                case Phrase():
                    self._take(Piece(answer.rate_hz, 0, answer.pcm, 0, answer.words, Rest.NOTHING))
                    return True
                case None:
                    return False
        return False

    async def _hear(self) -> bool:
        """Give what one generation says; whether it came to the end. Raises BadEntry, Gone, NoAnswer."""
        clock = asyncio.get_running_loop().time
        last, news, failures, had = "0-0", clock(), 0, self._given
        while True:
            # One who took over first makes again what there is.
            again_s = had / self._rate_hz / CATCHING_UP if self._given == had else 0.0
            patient_until = max(news + self._patience_s + again_s, self._due)
            if clock() >= patient_until:
                return False
            wait_s = min(SLICE_S, patient_until - clock())
            try:
                entries = await self._read(self._key, self._generation, last, wait_s)
            except NoAnswer:
                failures += 1
                if failures > 1:
                    raise
                continue  # a connection that was cut is replaced once
            failures = 0
            for id_, entry in entries:
                last, news, self._due = id_, clock(), math.inf
                piece = decode_piece(self._key, entry)
                if piece.rest is Rest.FAILED:
                    return False
                self._take(piece)
                if piece.rest is Rest.NOTHING:
                    return self._given > 0

    def _take(self, piece: Piece) -> None:
        """Give what is new in a piece."""
        if piece.at > self._given or piece.words_at > self._told or piece.rate_hz != self._rate_hz:
            raise BadEntry("a piece is missing, or of another sentence")
        if self._sink is None:
            return
        if words := piece.words[self._told - piece.words_at :]:
            self._told += len(words)
            self._sink.tell(words)
        pcm = np.frombuffer(piece.pcm, dtype="<i2").astype(np.int16, copy=False)[self._given - piece.at :]
        if len(pcm):
            self._given += len(pcm)
            self._sink.give(pcm)
