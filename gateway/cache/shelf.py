"""The phrases in Redis as an operator handles them: trouble is told, not lived with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from redis.exceptions import BusyLoadingError, ResponseError

from gateway.cache.phrase import MARK_BYTES, Phrase, encode_entry
from gateway.cache.redis_link import TROUBLE, Link, link
from gateway.cache.redis_tier import PREFIX, redis_name
from gateway.errors import GatewayError

PATIENCE_S = 10.0
"""For one command, or one batch of them."""

_BATCH = 500
_T = TypeVar("_T")


class RedisTrouble(GatewayError):
    """Redis did not do what it was asked; the message says where it is and what it said."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__("redis_trouble", f"Redis at {place} {what}")


@dataclass(slots=True)
class Stock:
    """What there is of one voice."""

    entries: int = 0
    size: int = 0  # bytes
    first_ttl_s: float | None = None  # when the first of them goes
    last_ttl_s: float | None = None
    endless: int = 0  # entries that never go

    def add(self, size: int, ttl_ms: int) -> None:
        """Count an entry; a `ttl_ms` below 0 is that of one that has none."""
        self.entries += 1
        self.size += size
        if ttl_ms < 0:
            self.endless += 1
            return
        ttl_s = ttl_ms / 1000
        self.first_ttl_s = ttl_s if self.first_ttl_s is None else min(self.first_ttl_s, ttl_s)
        self.last_ttl_s = ttl_s if self.last_ttl_s is None else max(self.last_ttl_s, ttl_s)


class Shelf:
    """For one event loop. Every method raises RedisTrouble. Only names under the one prefix are touched."""

    def __init__(self, way: Link, ttl_s: int) -> None:
        self._redis, self.place, self._ttl_s = way.redis, way.place, ttl_s

    @staticmethod
    @asynccontextmanager
    async def at(url: str, ttl_s: int) -> AsyncIterator[Shelf]:
        """The shelf at a URL, when its Redis has answered. Raises BadRedisUrl and RedisTrouble."""
        way = link(url)
        shelf = Shelf(way, ttl_s)
        try:
            await shelf._try(shelf._redis.get(PREFIX + b"probe"))
            yield shelf
        finally:
            with suppress(*TROUBLE):
                async with asyncio.timeout(PATIENCE_S):
                    await way.aclose()

    async def renew(self, key: bytes) -> bool:
        """Whether it has a phrase; one that it has begins its time anew."""
        return bool(await self._try(self._redis.expire(redis_name(key), self._ttl_s)))

    async def put(self, key: bytes, phrase: Phrase) -> None:
        """Write a phrase; returns when Redis has it."""
        await self._try(self._redis.set(redis_name(key), encode_entry(key, phrase), ex=self._ttl_s))

    async def stocks(self) -> dict[bytes, Stock]:
        """What there is, by the mark of the voice."""
        found: dict[bytes, Stock] = {}
        async for names in self._names(PREFIX + b"*"):
            pipe = self._redis.pipeline(transaction=False)
            for name in names:
                pipe.strlen(name)
                pipe.pttl(name)
            answers: list[Any] = await self._try(pipe.execute(raise_on_error=False))
            for name, size, ttl_ms in zip(names, answers[::2], answers[1::2], strict=True):
                # Gone meanwhile, or no phrase of ours.
                if isinstance(size, int) and size and isinstance(ttl_ms, int) and (mark := _mark(name)) is not None:
                    found.setdefault(mark, Stock()).add(size, ttl_ms)
        return found

    async def clear(self, mark: bytes | None = None) -> int:
        """Delete the phrases of a voice, or all; how many there were."""
        deleted = 0
        async for names in self._names(PREFIX + (f"{mark.hex()}:*".encode() if mark is not None else b"*")):
            pipe = self._redis.pipeline(transaction=False)
            for name in names:
                pipe.execute_command("UNLINK", name)  # a cluster has no `unlink` of one name in a pipeline
            deleted += sum(await self._try(pipe.execute()))
        return deleted

    async def _names(self, pattern: bytes) -> AsyncIterator[list[bytes]]:
        """Names in batches; each at least once where it is there all the time."""
        batch: list[bytes] = []
        found = self._redis.scan_iter(pattern, count=_BATCH)
        while (name := await self._try(anext(found, None))) is not None:
            batch.append(name)
            if len(batch) == _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    async def _try(self, doing: Awaitable[_T]) -> _T:
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await doing
        except TROUBLE as error:
            raise RedisTrouble(self.place, _what(error)) from error


def _mark(name: bytes) -> bytes | None:
    """Of the voice that a name is of."""
    mark = name.removeprefix(PREFIX).partition(b":")[0].decode("ascii", "replace")
    try:
        return bytes.fromhex(mark) if len(mark) == 2 * MARK_BYTES else None
    except ValueError:
        return None


def _what(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"did not answer within {PATIENCE_S:.0f} s"
    if isinstance(error, ResponseError | BusyLoadingError):
        return f"refused: {error}"
    return f"is not there: {error or type(error).__name__}"
