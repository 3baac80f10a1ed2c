"""Sentences that replicas make for each other through one Redis."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import ResponseError

from engine.types import Pace
from gateway.cache import leases
from gateway.cache.leases import Elsewhere
from gateway.cache.making import Making
from gateway.cache.publisher import Publisher
from gateway.cache.redis_link import MAX_CONNECTIONS, TROUBLE, link
from gateway.cache.relay import Ask, Gone, NoAnswer, Relay

END_S = 0.5  # for giving leases back, which end by themselves, too

log = logging.getLogger(__name__)


class Sharing:
    """What this process makes for others, and what it follows of theirs. Event-loop thread only.

    `redis` is for what is answered at once; who waits for news has a connection of his own to `url`, `MAX_CONNECTIONS`
    in all. `name` gives what the phrase of a key is called in Redis; `asks` says whether it is asked at all; `failed`
    is told each failure of it.
    """

    def __init__(
        self,
        url: str,
        redis: Redis | RedisCluster,
        *,
        name: Callable[[bytes], bytes],
        life_s: float,
        asks: Callable[[], bool],
        failed: Callable[[BaseException], None],
        making_of: Callable[[bytes], Making | None],
    ) -> None:
        self._redis, self._name, self._life_s = redis, name, life_s
        self._asks, self._failed = asks, failed
        self._link = link(url)
        self._waiting = self._link.redis
        self.publisher = Publisher(self._send, making_of, life_s)
        self._relays: set[Relay] = set()
        self._publishing: asyncio.Task[None] | None = None
        self._refused = False

    def start(self) -> None:
        """Begin to publish."""
        self._publishing = asyncio.create_task(self.publisher.run(), name="redis publisher")

    async def aclose(self) -> None:
        """Give leases back and follow nothing any more; what is followed is made here. Idempotent."""
        for relay in list(self._relays):
            relay.stop()
        if self._publishing is not None:
            self._publishing.cancel()
            await asyncio.wait({self._publishing})
            with suppress(TimeoutError):
                async with asyncio.timeout(END_S):
                    await self.publisher.end()
        with suppress(*TROUBLE):
            await self._link.aclose()

    async def look_up(self, key: bytes, pace: Pace, but: str) -> tuple[object, Elsewhere | None]:
        """What Redis has under a key, and who makes it where it has nothing and that is another process than this one;
        in one round trip. `but` is a generation that does not count. Raises TROUBLE."""
        name, generation = self._name(key), secrets.token_hex(8)
        life_ms = round(self._life_s * 1000)
        asking = self._redis.pipeline(transaction=False)
        asking.get(name)
        asking.execute_command(
            "EVAL", leases.ASK, 2, name, leases.lease_name(name), generation, life_ms, pace.value, but
        )
        entry, maker = await asking.execute(raise_on_error=False)
        if isinstance(maker, ResponseError):
            self._refuses(maker)
        if not isinstance(maker, bytes):
            return entry, None
        self._refused = False
        held = maker.decode(errors="replace")
        if held != generation:
            return entry, Elsewhere(held)
        self.publisher.grant(key, name, generation, pace)
        return entry, None

    def relay(self, key: bytes, elsewhere: Elsewhere, pace: Pace, rate_hz: int, ask: Ask) -> Relay | None:
        """What another process makes; None where too much is followed already."""
        if len(self._relays) >= MAX_CONNECTIONS:
            return None
        patience_s = self._life_s / 2
        relay = Relay(key, elsewhere.generation, pace, rate_hz, ask=ask, read=self._read, patience_s=patience_s)
        self._relays.add(relay)
        relay.over = self._relays.discard
        return relay

    async def _read(self, key: bytes, generation: str, last: str, wait_s: float) -> list[tuple[str, bytes]]:
        if not self._asks():
            raise NoAnswer
        name = self._name(key)
        stream = leases.stream_name(name, generation)
        try:
            async with asyncio.timeout(wait_s + self._life_s / 2):
                reply = await self._wait(stream, last, max(1, round(wait_s * 1000)))
                if not reply:
                    holder = await self._redis.hget(leases.lease_name(name), "generation")
                    if holder != generation.encode():
                        raise Gone
        except TROUBLE as error:
            self._failed(error)
            raise NoAnswer from None
        return _entries(reply)

    async def _wait(self, stream: bytes, last: str, wait_ms: int) -> Any:
        command = "XREAD", "BLOCK", wait_ms, "STREAMS", stream, last
        if not isinstance(self._waiting, RedisCluster):
            return await self._waiting.execute_command(*command)  # type: ignore[no-untyped-call]
        # redis-py would ask a server where the key of this command is, on a connection that others use meanwhile.
        await self._waiting.initialize()
        node = self._waiting.get_node_from_key(stream.decode())
        return await self._waiting.execute_command(*command, target_nodes=node)

    async def _send(self, scripts: Sequence[tuple[Any, ...]]) -> list[object] | None:
        if not self._asks():
            return None
        sending = self._redis.pipeline(transaction=False)
        for script in scripts:
            sending.execute_command("EVAL", *script)
        try:
            async with asyncio.timeout(self._life_s):
                replies: list[object] = await sending.execute(raise_on_error=False)
        except TROUBLE as error:
            self._failed(error)
            return None
        for reply in replies:
            if isinstance(reply, ResponseError):
                self._refuses(reply)
        return replies

    def _refuses(self, error: ResponseError) -> None:
        if not self._refused:
            self._refused = True
            log.warning(
                "Redis does not let sentences be shared while they are made (%s): each gateway makes its own", error
            )


def _entries(reply: Any) -> list[tuple[str, bytes]]:
    """Of one stream, as redis-py has them."""
    return [
        (id_.decode(), fields.get(leases.FIELD, b""))
        for _, entries in reply or []
        for id_, fields in entries
        if fields is not None
    ]
