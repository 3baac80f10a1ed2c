"""What is made here for all replicas: its pieces go to Redis, behind the sound and never in its way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.types import Pace, Pcm, WordTime
from gateway.cache import leases
from gateway.cache.making import Making
from gateway.cache.phrase import BYTES_A_SAMPLE, MAX_PCM_BYTES
from gateway.cache.piece import Piece, Rest, encode_piece

RENEWALS = 4  # in the life of a lease: it outlives two that come late
LINGER_S = 5.0  # after its end a sentence can still be read, until its phrase is in Redis or everywhere known

Send = Callable[[Sequence[tuple[Any, ...]]], Any]
"""Has Redis run scripts, of the arguments of EVAL each; awaitable for a reply or an error to each, None: to none."""


class Lease:
    """The right to make a sentence for all, and what of it is made and not yet with Redis. The echo of its making."""

    def __init__(self, key: bytes, name: bytes, generation: str, pace: Pace, now: float) -> None:
        self.key, self.generation, self.pace = key, generation, pace
        self.lease, self.stream = leases.lease_name(name), leases.stream_name(name, generation)
        self.making: Making | None = None
        self.over = False  # nothing of it is for Redis any more
        self.touched = now  # when it was last renewed
        self.followed_at: float | None = None
        self.wake: Callable[[], None] = lambda: None
        self._pcm: list[Pcm] = []
        self._words: list[WordTime] = []
        self._sent = self._words_sent = 0  # samples and words that went to Redis
        self._made = 0
        self._rest = Rest.MORE

    @property
    def pressing(self) -> bool:
        """There is something to send."""
        return not self.over and bool(self._pcm or self._rest)

    @property
    def due(self) -> float | None:
        """When one who hears it elsewhere, and began when he was seen, has no more sound; None: nobody does."""
        if self.making is None or self.followed_at is None or self._rest:
            return None
        return self.followed_at + self._sent / self.making.rate_hz

    def tell(self, words: tuple[WordTime, ...]) -> None:
        self._words += words

    def give(self, pcm: Pcm) -> None:
        self._made += len(pcm)
        if self._made * BYTES_A_SAMPLE > MAX_PCM_BYTES:
            self._end(Rest.FAILED)  # no phrase
        elif not self._rest:
            self._pcm.append(pcm)
            self.wake()

    def complete(self) -> None:
        self._end(Rest.NOTHING)

    def fail(self, error: EngineError | None = None) -> None:
        self._end(Rest.FAILED)

    def _end(self, rest: Rest) -> None:
        if not self._rest:
            self._rest = rest
            self.wake()

    def script(self, life_ms: int) -> tuple[Any, ...]:
        """What Redis is to do now; it is over with the last."""
        script, piece = leases.ADD, b""
        if self._pcm or self._rest:
            piece = self._piece()
        if self._rest:
            self.over, life_ms = True, round(LINGER_S * 1000)
            if self._rest is Rest.FAILED:
                script = leases.END
        return script, 2, self.lease, self.stream, self.generation, life_ms, leases.MOST_PIECES, piece

    def _piece(self) -> bytes:
        pcm = np.concatenate([np.zeros(0, np.int16), *self._pcm])
        words, rate_hz = tuple(self._words), self.making.rate_hz if self.making is not None else 1
        at, words_at = self._sent, self._words_sent
        self._sent += len(pcm)
        self._words_sent += len(words)
        self._pcm, self._words = [], []
        return encode_piece(
            self.key, Piece(rate_hz, at, pcm.astype("<i2", copy=False).tobytes(), words_at, words, self._rest)
        )


class Publisher:
    """The leases of this process. Whatever goes wrong with one ends it, and nothing else. Event-loop thread only.

    `making_of` tells what is made under a key; leases live `life_s` seconds from their last renewal.
    """

    def __init__(self, send: Send, making_of: Callable[[bytes], Making | None], life_s: float) -> None:
        self._send, self._making_of, self._life_s = send, making_of, life_s
        self._leases: list[Lease] = []
        self._free: dict[bytes, Lease] = {}  # that nobody makes for yet
        self._wake = asyncio.Event()

    def __len__(self) -> int:
        return len(self._leases)

    def waits(self, key: bytes) -> bool:
        """There is a lease for what nobody makes here yet."""
        return key in self._free

    def grant(self, key: bytes, name: bytes, generation: str, pace: Pace) -> None:
        """Redis says that this process makes the phrase of that name."""
        lease = Lease(key, name, generation, pace, asyncio.get_running_loop().time())
        lease.wake = self._wake.set
        self._leases.append(lease)
        self._free[key] = lease
        self._wake.set()
        if making := self._making_of(key):
            self.begun(key, making)

    def begun(self, key: bytes, making: Making) -> None:
        """Something is made under a key: for all, where there is a lease."""
        lease = self._free.get(key)
        if lease is None or (making.pace is Pace.FAST and lease.pace is Pace.REALTIME):
            return
        del self._free[key]
        lease.making = making
        making.echo(lease)

    async def run(self) -> None:
        """Tell Redis what is new and that leases are held, one round trip at a time, for ever."""
        while True:
            try:
                async with asyncio.timeout(self._life_s / RENEWALS if self._leases else None):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()
            await self._tell()

    async def end(self) -> None:
        """Give all leases back."""
        for lease in self._leases:
            lease.fail()
        await self._tell()
        self._leases.clear()
        self._free.clear()

    async def _tell(self) -> None:
        now, renew_s = asyncio.get_running_loop().time(), self._life_s / RENEWALS
        for lease in self._leases:
            if lease.making is None and now - lease.touched >= renew_s:
                lease.fail()  # whoever asked has gone
        telling = [lease for lease in self._leases if lease.pressing or now - lease.touched >= renew_s]
        if not telling:
            return
        scripts = [lease.script(round(self._life_s * 1000)) for lease in telling]
        replies = await self._send(scripts)
        for lease, reply in zip(telling, replies or [None] * len(telling), strict=True):
            self._told(lease, reply, now)
        self._leases = [lease for lease in self._leases if not lease.over]
        for key in [key for key, lease in self._free.items() if lease.over]:
            del self._free[key]

    def _told(self, lease: Lease, reply: object, now: float) -> None:
        lease.touched = now
        if reply not in (0, 1):
            lease.over = True
        elif reply == 1 and lease.followed_at is None:
            lease.followed_at = now
        if not lease.over and lease.making is not None and (due := lease.due) is not None:
            lease.making.hurry(due)
