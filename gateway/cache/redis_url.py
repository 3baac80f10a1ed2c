"""A Redis URL made into a pool of connections, or a clear error."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Connection, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection, parse_url
from redis.exceptions import RedisError

MAX_CONNECTIONS = 16

# All that a Redis which is away, ill or not a Redis at all makes redis-py and asyncio raise; ValueError and EOFError
# come from replies that are not the protocol, RuntimeError from a transport that is closing.
TROUBLE = (RedisError, OSError, EOFError, ValueError, RuntimeError)

_FORMS = "redis://[user:password@]host[:port][/db], rediss:// for TLS, or unix:///path/to/socket[?db=n]"


class BadRedisUrl(ValueError):
    """No Redis can have this URL; the message says what is allowed, without the URL: it may hold a password."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"ONSET_REDIS_URL {problem}; it may be {_FORMS}, with special characters of a password as %XX")


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


_KINDS: dict[str, type[AbstractConnection]] = {"redis": _Tcp, "rediss": _Tls, "unix": _Unix}


def redis_pool(url: str) -> BlockingConnectionPool:
    """A pool for `url`, not yet connected; time limits are the caller's. Raises BadRedisUrl."""
    options = _options(url)
    options |= {
        "decode_responses": False,  # samples are no text
        "protocol": 2,  # no greeting: a connection is usable one round trip sooner
        "socket_timeout": None,  # redis-py's own limits count from each read; here one limit holds for a whole lookup
        "socket_connect_timeout": None,
        "retry_on_timeout": False,
        "retry_on_error": [],
        "max_connections": MAX_CONNECTIONS,
        "timeout": None,
    }
    try:
        pool = BlockingConnectionPool(**options)
        pool.make_connection()  # type: ignore[no-untyped-call]  # connects nothing, but refuses options that it does not know
    except (TypeError, ValueError, OSError, RedisError):
        raise BadRedisUrl("has an option after '?' that is not known or not valid") from None
    return pool


def place(pool: BlockingConnectionPool) -> str:
    """Where the Redis is, for people, without user or password."""
    known = pool.connection_kwargs
    if "path" in known:
        return str(known["path"])
    host = str(known["host"])
    return f"{f'[{host}]' if ':' in host else host}:{known.get('port', 6379)}"


def _options(url: str) -> dict[str, Any]:
    try:
        parts = urlsplit(url)
        options: dict[str, Any] = dict(parse_url(url))
    except ValueError:  # its message may quote a part of the password: it goes no further
        raise BadRedisUrl("is not a Redis URL") from None
    if parts.scheme == "unix":
        if not options.get("path"):
            raise BadRedisUrl("names no socket")
    elif not options.get("host"):
        raise BadRedisUrl("names no host")
    elif parts.path.strip("/") and not parts.path.strip("/").isdecimal():
        raise BadRedisUrl("names a database that is not a number")
    if parts.fragment:  # an unescaped '#' cuts a password, and everything after it, off
        raise BadRedisUrl("has a '#' in it")
    return options | {"connection_class": _KINDS[parts.scheme]}
