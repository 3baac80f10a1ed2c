"""What the cache counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from gateway.counts import LOOKUP_S, Spread


@dataclass(slots=True)
class CacheStats:
    """Counters since start; they only grow, `memory_bytes` excepted."""

    memory_hits: int = 0
    redis_hits: int = 0
    misses: int = 0  # asked in full, found nowhere
    joins: int = 0  # asked for while it was being made
    not_stored: int = 0  # given to be kept, but empty or too large
    memory_bytes: int = 0  # held now
    redis_refused: int = 0  # entries found in Redis that were not what they should be: deleted
    redis_timeouts: int = 0  # lookups without an answer in time
    redis_errors: int = 0  # commands that failed, lookups and writes
    redis_writes: int = 0  # entries that Redis took
    redis_dropped: int = 0  # entries that Redis was never given or did not take
    lookups: Spread = field(default_factory=lambda: Spread(LOOKUP_S))  # in Redis, answered or not
