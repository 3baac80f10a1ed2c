"""Which phrases are worth a place in Redis; pure, `now` is in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["second", "all", "listed"]

MOST_KEYS = 16_384
"""Keys of a generation. One that nobody asked for while so many others came is forgotten."""


@dataclass(slots=True)
class _Seen:
    """What is known of a key."""

    asked: int = 0  # times
    listed: bool = False
    written_at: float | None = None
    era: int = 0  # of Redis, when it was written


class Policy:
    """`second`: a phrase that was asked for twice. `all`: each. `listed`: those warmed, or found in Redis.

    A phrase that is still asked for when half of its time in Redis is over is written again, and so is one that was
    written in another `era`: Redis was away meanwhile, and may have come back empty.
    """

    def __init__(self, kind: Kind, ttl_s: float) -> None:
        self.kind = kind
        self._fresh_s = ttl_s / 2
        self._seen: dict[bytes, _Seen] = {}
        self._before: dict[bytes, _Seen] = {}  # the generation that is forgotten next

    def asked(self, key: bytes) -> None:
        """Somebody wants to hear it."""
        self._of(key).asked += 1

    def found(self, key: bytes, now: float, era: int) -> None:
        """Redis has it."""
        seen = self._of(key)
        seen.listed = True
        seen.written_at, seen.era = now, era

    def missed(self, key: bytes) -> None:
        """Redis does not have it."""
        self._of(key).written_at = None

    def listed(self, key: bytes) -> None:
        """It is one of those that an operator wants there."""
        self._of(key).listed = True

    def wants(self, key: bytes, now: float, era: int) -> bool:
        """Whether it is to be written now."""
        seen = self._of(key)
        if seen.written_at is not None and seen.era == era and now - seen.written_at < self._fresh_s:
            return False
        match self.kind:
            case "all":
                return True
            case "listed":
                return seen.listed
            case "second":
                return seen.listed or seen.asked > 1

    def written(self, key: bytes, now: float, era: int) -> None:
        """It is on its way to Redis."""
        seen = self._of(key)
        seen.written_at, seen.era = now, era

    def _of(self, key: bytes) -> _Seen:
        seen = self._seen.get(key)
        if seen is None:
            if len(self._seen) >= MOST_KEYS:
                self._before, self._seen = self._seen, {}
            seen = self._seen[key] = self._before.pop(key) if key in self._before else _Seen()
        return seen
