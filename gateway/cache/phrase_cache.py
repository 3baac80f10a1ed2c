"""Both tiers as one cache."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Literal

from cachetools import LRUCache

from engine.types import Pace
from gateway.cache.leases import Elsewhere
from gateway.cache.making import Making, Reader, Speak
from gateway.cache.makings import Makings
from gateway.cache.phrase import Phrase
from gateway.cache.policy import Kind, Policy
from gateway.cache.redis_tier import Pause, RedisTier
from gateway.cache.stats import CacheStats

ENTRY_OVERHEAD = 256  # bytes of key, objects and bookkeeping that an entry costs beside its samples
WORD_OVERHEAD = 160  # and each of its words

Found = tuple[Phrase, Literal["memory", "redis"]]


class PhraseCache:
    """Phrases by `phrase_key`: in memory, bounded by `max_bytes`, and in Redis where `redis_url` is set.

    For one event loop and its thread. Raises BadRedisUrl for a URL that no Redis can have; a Redis that is away, slow,
    full or wrong is never an error: lookups then miss. `timeout_ms` bounds what one `get` may wait; `policy` says
    which phrases are written to Redis. `makings` are the phrases that are being made; where nothing is kept, nobody
    joins them.
    """

    def __init__(
        self,
        *,
        max_bytes: int,
        redis_url: str = "",
        ttl_s: int,
        timeout_ms: int,
        policy: Kind = "all",
        pause: Pause = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stats, self.max_bytes = CacheStats(), max_bytes
        self._memory: LRUCache[bytes, Phrase] = LRUCache(max_bytes, getsizeof=_size)
        self._policy, self._clock = Policy(policy, ttl_s), clock
        joins = bool(max_bytes or redis_url)
        self.makings = Makings(self.put, self.stats, joins=joins, joined=self._policy.asked, begun=self._begun)
        self._redis: RedisTier | None = None
        if redis_url:
            timeout_s, making_of = timeout_ms / 1000, self.makings.of
            self._redis = RedisTier(
                redis_url, ttl_s=ttl_s, timeout_s=timeout_s, stats=self.stats, pause=pause, making_of=making_of
            )

    @property
    def redis_state(self) -> Literal["off", "ok", "down"]:
        """`off`: none is set; `down`: it does not answer, and the cache lives without it until it does."""
        return "off" if self._redis is None else self._redis.state

    @property
    def breaker(self) -> Literal["off", "closed", "open"]:
        """Of the way to Redis: `open` while nothing is asked."""
        return "off" if self._redis is None else self._redis.breaker

    async def start(self) -> None:
        """Look for Redis and start what writes to it; succeeds without Redis too."""
        if self._redis is not None:
            await self._redis.start()

    async def aclose(self) -> None:
        """Give Redis a moment to take what waits, then let go of it; idempotent. Memory stays readable."""
        if self._redis is not None:
            await self._redis.aclose()

    def peek(self, key: bytes) -> Phrase | None:
        """What is in memory under `key`, at once."""
        phrase = self._memory.get(key)
        if phrase is not None:
            self.stats.memory_hits += 1
            if self._redis is not None:
                self._policy.asked(key)
                if self._redis.state == "ok":
                    self._share(key, phrase)
        return phrase

    async def get(self, key: bytes) -> Found | None:
        """What is known under `key`, and where it was; a phrase found in Redis is in memory from then on."""
        if phrase := self.peek(key):
            return phrase, "memory"
        if self._redis is None:
            return self._found(key, None)
        self._policy.asked(key)
        return self._found(key, await self._redis.get(key))

    async def ask(self, key: bytes, pace: Pace) -> Found | Elsewhere | None:
        """As `get`, for one who has it made in this step where nothing is known. It is then made for all replicas, and
        one that another makes may be heard from there with `follow`."""
        if phrase := self.peek(key):
            return phrase, "memory"
        if self._redis is None:
            return self._found(key, None)
        self._policy.asked(key)
        if self._policy.kind == "listed":  # nothing else is to be written there, not for seconds either
            return self._found(key, await self._redis.get(key))
        answer = await self._redis.ask(key, pace)
        return answer if isinstance(answer, Elsewhere) else self._found(key, answer)

    def follow(self, key: bytes, elsewhere: Elsewhere, pace: Pace, rate_hz: int, speak: Speak) -> Reader | None:
        """A seat at what another replica makes; None where this one cannot follow, and makes it itself."""
        relay = None if self._redis is None else self._redis.relay(key, elsewhere, pace, rate_hz)
        if relay is None:
            return None
        self.stats.joins += 1
        return self.makings.begin(key, pace, rate_hz, relay, speak, own=False)

    def _begun(self, key: bytes, making: Making) -> None:
        if self._redis is not None:
            self._redis.begun(key, making)

    def _found(self, key: bytes, phrase: Phrase | None) -> Found | None:
        if self._redis is not None and phrase is None:
            self._policy.missed(key)
        elif self._redis is not None:
            self._policy.found(key, self._clock(), self._redis.era)
        if phrase is None:
            self.stats.misses += 1
            return None
        self.stats.redis_hits += 1
        self._remember(key, phrase)
        return phrase, "redis"

    def put(self, key: bytes, phrase: Phrase, *, listed: bool = False) -> None:
        """Keep a complete phrase: in memory at once, in Redis soon where the policy wants it. It wants what an operator
        has `listed`. One that is empty or too long is not kept."""
        if not phrase.storable:
            self.stats.not_stored += 1
            return
        self._remember(key, phrase)
        if self._redis is not None:
            self._policy.missed(key)  # or what is there does not serve, as a phrase without its words
            if listed:
                self._policy.listed(key)
            self._share(key, phrase)

    def listed(self, key: bytes) -> None:
        """An operator wants what is kept under it in Redis."""
        self._policy.listed(key)

    def _share(self, key: bytes, phrase: Phrase) -> None:
        """Give it to Redis, where it is wanted there."""
        assert self._redis is not None
        now, era = self._clock(), self._redis.era
        if self._policy.wants(key, now, era) and self._redis.put(key, phrase):
            self._policy.written(key, now, era)

    def _remember(self, key: bytes, phrase: Phrase) -> None:
        if _size(phrase) <= self._memory.maxsize:
            self._memory[key] = phrase
            self.stats.memory_bytes = int(self._memory.currsize)


def _size(phrase: Phrase) -> int:
    words = sum(len(word.text) + WORD_OVERHEAD for word in phrase.words)
    return len(phrase.pcm) + words + ENTRY_OVERHEAD
