"""Both tiers as one cache."""

from __future__ import annotations

import asyncio
from typing import Literal

from cachetools import LRUCache

from gateway.cache.makings import Makings
from gateway.cache.phrase import Phrase
from gateway.cache.redis_tier import Pause, RedisTier
from gateway.cache.stats import CacheStats

ENTRY_OVERHEAD = 256  # bytes of key, objects and bookkeeping that an entry costs beside its samples
WORD_OVERHEAD = 160  # and each of its words


class PhraseCache:
    """Phrases by `phrase_key`: in memory, bounded by `max_bytes`, and in Redis where `redis_url` is set.

    For one event loop and its thread. Raises BadRedisUrl for a URL that no Redis can have; a Redis that is away, slow,
    full or wrong is never an error: lookups then miss. `timeout_ms` bounds what one `get` may wait. `makings` are the
    phrases that are being made; where nothing is kept, nobody joins them.
    """

    def __init__(
        self, *, max_bytes: int, redis_url: str = "", ttl_s: int, timeout_ms: int, pause: Pause = asyncio.sleep
    ) -> None:
        self.stats = CacheStats()
        self._memory: LRUCache[bytes, Phrase] = LRUCache(max_bytes, getsizeof=_size)
        self.makings = Makings(self.put, self.stats, joins=bool(max_bytes or redis_url))
        self._redis = (
            RedisTier(redis_url, ttl_s=ttl_s, timeout_s=timeout_ms / 1000, stats=self.stats, pause=pause)
            if redis_url
            else None
        )

    @property
    def redis_state(self) -> Literal["off", "ok", "down"]:
        """`off`: none is set; `down`: it does not answer, and the cache lives without it until it does."""
        return "off" if self._redis is None else self._redis.state

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
        return phrase

    async def get(self, key: bytes) -> tuple[Phrase, Literal["memory", "redis"]] | None:
        """What is known under `key`, and where it was; a phrase found in Redis is in memory from then on."""
        phrase = self.peek(key)
        if phrase is not None:
            return phrase, "memory"
        if self._redis is not None:
            phrase = await self._redis.get(key)
        if phrase is None:
            self.stats.misses += 1
            return None
        self.stats.redis_hits += 1
        self._remember(key, phrase)
        return phrase, "redis"

    def put(self, key: bytes, phrase: Phrase) -> None:
        """Keep a complete phrase: in memory at once, in Redis soon. One that is empty or too long is not kept."""
        if not phrase.storable:
            self.stats.not_stored += 1
            return
        self._remember(key, phrase)
        if self._redis is not None:
            self._redis.put(key, phrase)

    def _remember(self, key: bytes, phrase: Phrase) -> None:
        if _size(phrase) <= self._memory.maxsize:
            self._memory[key] = phrase
            self.stats.memory_bytes = int(self._memory.currsize)


def _size(phrase: Phrase) -> int:
    words = sum(len(word.text) + WORD_OVERHEAD for word in phrase.words)
    return len(phrase.pcm) + words + ENTRY_OVERHEAD
