"""Connections to a Redis of any kind: a server, a socket, one that sentinels watch, a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from redis.asyncio import BlockingConnectionPool, Connection, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import (
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from gateway.cache.redis_url import BadRedisUrl, RedisUrl, parse

MAX_CONNECTIONS = 16

NODE_S = 0.4
"""One of several that is silent for so long is left for the next: less than the patience with all of them."""

# All that a Redis which is away, ill or not a Redis at all makes redis-py and asyncio raise; ValueError and EOFError
# come from replies that are not the protocol, RuntimeError from a transport that is closing, IndexError from a cluster
# that names no node.
TROUBLE = (RedisError, RedisClusterException, OSError, EOFError, ValueError, RuntimeError, IndexError)

_FORCED: dict[str, Any] = {
    "decode_responses": False,  # samples are no text
    "protocol": 2,  # no greeting: a connection is usable one round trip sooner
    "socket_timeout": None,  # redis-py's own limits count from each read; here one limit holds for a whole lookup
    "socket_connect_timeout": None,
}
_FORCED_IN_A_POOL: dict[str, Any] = _FORCED | {
    "retry_on_timeout": False,
    "retry_on_error": [],
    "max_connections": MAX_CONNECTIONS,
    "timeout": None,
}
_ONE_OF_SEVERAL: dict[str, Any] = {"socket_timeout": NODE_S, "socket_connect_timeout": NODE_S}


class _Cut(AbstractConnection):
    """A connection that is given up is cut: nothing unsent is worth waiting for, and a silent peer must not hold it."""

    async def disconnect(self, *args: Any, **kwargs: Any) -> None:
        if self._writer is not None:
            self._writer.transport.abort()
        await super().disconnect(*args, **kwargs)


class _Tcp(_Cut, Connection):
    pass


class _Tls(_Cut, SSLConnection):
    pass


class _Unix(_Cut, UnixDomainSocketConnection):
    pass


class _WatchedTcp(_Cut, SentinelManagedConnection):
    pass


class _WatchedTls(_Cut, SentinelManagedSSLConnection):
    pass


class _WatchedPool(SentinelConnectionPool, BlockingConnectionPool):
    """A pool of connections to the master that sentinels name; who finds all in use waits."""


class _Cluster(RedisCluster):
    """Who finds all connections in use waits, as in a pool."""

    __slots__ = ("_room",)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._room = asyncio.Semaphore(MAX_CONNECTIONS)

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        async with self._room:
            return await super().execute_command(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class Link:
    """A way to Redis, not yet connected; time limits are its user's. `place` is where it leads, for people."""

    redis: Redis | RedisCluster
    place: str
    aclose: Callable[[], Awaitable[object]]


def link(url: str) -> Link:
    """The way to `url`. Raises BadRedisUrl."""
    known = parse(url)
    try:
        match known.kind:
            case "sentinel":
                return _watched(known)
            case "cluster":
                return _cluster(known)
            case _:
                return _single(known)
    except (TypeError, ValueError, OSError, RedisError, RedisClusterException):
        raise BadRedisUrl("has an option after '?' that is not known or not valid") from None


def _single(url: RedisUrl) -> Link:
    kind: type[AbstractConnection] = _Unix if url.kind == "unix" else _Tls if url.tls else _Tcp
    where: dict[str, Any] = dict(zip(("host", "port"), url.nodes[0], strict=True)) if url.nodes else {}
    pool = BlockingConnectionPool(**{**url.options, **where, **_FORCED_IN_A_POOL, "connection_class": kind})
    _check_options(pool)
    return Link(Redis(connection_pool=pool), url.place, pool.aclose)


def _watched(url: RedisUrl) -> Link:
    options = dict(url.options)
    # Sentinels have a password of their own, and what TLS wants to know is the same for all.
    asking = {name: options.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    asking |= {name: value for name, value in options.items() if name.startswith("ssl_")} | {"ssl": url.tls}
    asking |= _FORCED | _ONE_OF_SEVERAL | {"retry": Retry(NoBackoff(), 0)}
    sentinel = Sentinel(url.nodes, sentinel_kwargs=asking)  # type: ignore[no-untyped-call]
    kind = _WatchedTls if url.tls else _WatchedTcp
    options |= _FORCED_IN_A_POOL | {"connection_class": kind}
    pool = _WatchedPool(url.service, sentinel, **options)  # type: ignore[no-untyped-call]
    _check_options(pool)

    async def aclose() -> None:
        await asyncio.gather(pool.aclose(), sentinel.aclose())

    return Link(Redis(connection_pool=pool), url.place, aclose)


def _cluster(url: RedisUrl) -> Link:
    nodes = [ClusterNode(host, port) for host, port in url.nodes]
    # One further try, with the cluster asked anew who has the key.
    forced = _FORCED | _ONE_OF_SEVERAL | {"max_connections": MAX_CONNECTIONS, "retry": Retry(NoBackoff(), 1)}
    cluster = _Cluster(startup_nodes=nodes, **{**url.options, "ssl": url.tls, **forced})
    kind = _Tls if url.tls else _Tcp
    cluster.connection_kwargs["connection_class"] = kind
    for node in cluster.startup_nodes:
        node.connection_class = kind
        kind(**node.connection_kwargs)
    return Link(cluster, url.place, cluster.aclose)


def _check_options(pool: BlockingConnectionPool) -> None:
    """Connects nothing, but refuses options that it does not know."""
    pool.make_connection()  # type: ignore[no-untyped-call]
