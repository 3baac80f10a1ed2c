"""The tier of the phrase cache that replicas share and that outlives a restart: Redis, and never a need for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

from redis.exceptions import ResponseError

from engine.types import Pace
from gateway.cache.backlog import Backlog
from gateway.cache.breaker import Breaker
from gateway.cache.leases import Elsewhere
from gateway.cache.lookups import Answer, Lookups
from gateway.cache.making import Making
from gateway.cache.phrase import MARK_BYTES, BadEntry, Phrase, decode_entry, encode_entry
from gateway.cache.redis_link import TROUBLE, link
from gateway.cache.relay import Relay
from gateway.cache.sharing import Sharing
from gateway.cache.stats import CacheStats

PREFIX = b"onset:phrase:"
PATIENCE_S = 1.0  # for what nobody waits for: opening a connection, a write, an answer that comes late
DRAIN_S = 1.0  # for writes still waiting at close

Pause = Callable[[float], Awaitable[None]]

log = logging.getLogger(__name__)


class RedisTier:
    """Phrases in Redis. Every trouble with it is a miss; nothing here raises for one, and nothing waits long for it.

    Used from one event loop. `pause` is what waits between probes, in seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        ttl_s: int,
        timeout_s: float,
        stats: CacheStats,
        pause: Pause = asyncio.sleep,
        making_of: Callable[[bytes], Making | None] = lambda key: None,
    ) -> None:
        self._link = link(url)
        self._redis, self._place = self._link.redis, self._link.place
        self._ttl_s, self._timeout_s, self._stats, self._pause = ttl_s, timeout_s, stats, pause
        self._patience_s = max(PATIENCE_S, 4 * timeout_s)
        self._breaker = Breaker()
        self._backlog = Backlog()
        self._wake = asyncio.Event()
        self.era = 0  # grows whenever Redis may have lost phrases: a connection broke, or it takes them again
        self._closing = False
        self._writes_refused = False
        self._lookups = Lookups(timeout_s, self._breaker.answered, self._lookup_failed, stats.lookups.add)
        self._sharing = Sharing(
            url,
            self._redis,
            name=redis_name,
            life_s=self._patience_s,
            asks=lambda: not self._breaker.open,
            failed=self._sharing_failed,
            making_of=making_of,
        )
        self._keeper: asyncio.Task[None] | None = None
        self._writer: asyncio.Task[None] | None = None

    @property
    def breaker(self) -> Literal["closed", "open"]:
        """`open`: nothing is asked, until a probe is answered."""
        return "open" if self._breaker.open else "closed"

    @property
    def state(self) -> Literal["ok", "down"]:
        """Whether Redis is asked at present."""
        return "down" if self._breaker.open or self._closing else "ok"

    async def start(self) -> None:
        """Look once whether Redis is there, then go on looking; returns within about `PATIENCE_S`, there or not."""
        why = await self._probe()
        if why is not None:
            log.warning("Redis at %s is not there (%s): phrases are kept in memory only until it is", self._place, why)
        self._keeper = asyncio.create_task(self._keep(), name="redis keeper")
        self._writer = asyncio.create_task(self._write_behind(), name="redis writer")
        self._sharing.start()

    async def aclose(self) -> None:
        """Write what waits, within `DRAIN_S`, and take everything down; idempotent."""
        self._closing = True
        self._wake.set()
        await self._sharing.aclose()
        if self._writer is not None:
            await asyncio.wait({self._writer}, timeout=DRAIN_S)
        await self._lookups.aclose()
        tasks = {task for task in (self._keeper, self._writer) if task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        while self._backlog:
            self._stats.redis_dropped += self._backlog.pop()[1] is not None
        with suppress(*TROUBLE):
            async with asyncio.timeout(DRAIN_S):
                await self._link.aclose()

    # ---- reading

    async def get(self, key: bytes) -> Phrase | None:
        """What Redis has under `key`, within the time limit, waits for a connection included."""
        if self.state == "down":
            return None
        found = await self._lookups.one(self._look_up(key))
        return found if isinstance(found, Phrase) else None

    async def ask(self, key: bytes, pace: Pace, but: str = "") -> Answer:
        """As `get`, for one who has the phrase made where there is none: then it is made for all replicas here, where
        nobody makes it already. `but` is a generation that is not followed. Who asks while others ask waits with them.
        """
        if self.state == "down":
            return None
        found = await self._lookups.shared((key, pace, but), lambda: self._look_up(key, pace, but))
        return None if isinstance(found, Elsewhere) and self._sharing.publisher.waits(key) else found

    def begun(self, key: bytes, making: Making) -> None:
        """Something is made under a key: for all, where it was asked for with that result."""
        self._sharing.publisher.begun(key, making)

    def relay(self, key: bytes, elsewhere: Elsewhere, pace: Pace, rate_hz: int) -> Relay | None:
        """What another replica makes; None where too much is followed already."""
        return self._sharing.relay(key, elsewhere, pace, rate_hz, self.ask)

    async def _look_up(self, key: bytes, pace: Pace | None = None, but: str = "") -> Answer:
        elsewhere: Elsewhere | None = None
        async with asyncio.timeout(self._patience_s):
            try:
                if pace is None:
                    entry: object = await self._redis.get(redis_name(key))
                else:
                    entry, elsewhere = await self._sharing.look_up(key, pace, but)
                    if isinstance(entry, Exception):
                        raise entry
            except ResponseError as error:
                if not str(error).startswith("WRONGTYPE"):
                    raise
                entry = b""  # a list or a set under our name: no entry
        if entry is None:
            return elsewhere
        try:
            return decode_entry(key, entry if isinstance(entry, bytes) else b"")
        except BadEntry as error:
            log.debug("an entry in Redis is refused and deleted: %s", error)
            self._stats.redis_refused += 1
            self._later(key, None)
            return None

    # ---- writing

    def put(self, key: bytes, phrase: Phrase) -> bool:
        """Have `phrase` written soon, with a time to live; False, and counted as dropped, where Redis is down or too
        far behind."""
        taken = self.state == "ok" and self._later(key, phrase)
        self._stats.redis_dropped += not taken
        return taken

    def _later(self, key: bytes, phrase: Phrase | None) -> bool:
        taken = self._backlog.add(key, phrase)
        self._wake.set()
        return taken

    async def _write_behind(self) -> None:
        while not self._closing:
            await self._wake.wait()
            self._wake.clear()
            while self._backlog:
                await self._write(*self._backlog.pop())

    async def _write(self, key: bytes, phrase: Phrase | None) -> None:
        if self._breaker.open:
            self._stats.redis_dropped += phrase is not None
            return
        try:
            async with asyncio.timeout(self._patience_s):
                if phrase is None:
                    await self._redis.delete(redis_name(key))
                    return
                await self._redis.set(redis_name(key), encode_entry(key, phrase), ex=self._ttl_s)
        except asyncio.CancelledError:  # by aclose
            self._stats.redis_dropped += phrase is not None
            raise
        except TROUBLE as error:
            self._stats.redis_errors += 1
            self._stats.redis_dropped += phrase is not None
            if isinstance(error, ResponseError):  # full, or a read-only replica: it still answers lookups
                self._refused(_reason(error))
            else:
                self.era += 1
                self._failed(_reason(error))
            return
        self._stats.redis_writes += 1
        if self._writes_refused:
            self._writes_refused = False
            self.era += 1
            log.info("Redis at %s takes new phrases again", self._place)

    def _refused(self, why: str) -> None:
        if not self._writes_refused:
            self._writes_refused = True
            log.warning("Redis at %s takes no new phrases (%s); what it has is still used", self._place, why)

    # ---- whether it is there

    def _failed(self, why: str) -> None:
        if self._breaker.failed():
            self._gone(why)

    def _lookup_failed(self, error: BaseException | None) -> None:
        if error is None:
            self._stats.redis_timeouts += 1
            self._failed(f"no answer within {self._timeout_s * 1000:.0f} ms")
        else:
            self._stats.redis_errors += 1
            self.era += not isinstance(error, ResponseError)
            self._failed(_reason(error))

    def _sharing_failed(self, error: BaseException) -> None:
        self._stats.redis_errors += 1
        if not isinstance(error, ResponseError):
            self._failed(_reason(error))

    def _gone(self, why: str) -> None:
        log.warning("Redis at %s is gone (%s): it is asked no more until it answers again", self._place, why)

    async def _keep(self) -> None:
        """Probe for ever: a quiet gateway too knows whether Redis is there."""
        while True:
            await self._pause(self._breaker.wait_s)
            await self._probe()

    async def _probe(self) -> str | None:
        """Ask for a name that is not there, and let the breaker know; the reason where it failed.

        While the breaker is open, the answer must also come within a lookup's time on a connection that is open.
        """
        why: str | None = None
        try:
            async with asyncio.timeout(self._patience_s):
                await self._redis.get(PREFIX + b"probe")
            if self._breaker.open:
                async with asyncio.timeout(self._timeout_s):
                    await self._redis.get(PREFIX + b"probe")
        except TROUBLE as error:
            why = _reason(error)
        if self._breaker.probed(why is None):
            if why is None:
                self.era += 1
                log.info("Redis at %s answers: phrases are shared through it", self._place)
            else:
                self._gone(why)
        return why


def redis_name(key: bytes) -> bytes:
    """A key as Redis has it: voice first, so that the phrases of one can be found."""
    return PREFIX + f"{key[:MARK_BYTES].hex()}:{key[MARK_BYTES:].hex()}".encode()


def _reason(error: BaseException) -> str:
    return "no answer in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
