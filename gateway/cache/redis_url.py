"""A Redis URL taken apart, or a clear error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from redis.asyncio.connection import parse_url

_FORMS = (
    "redis://[user:password@]host[:port][/db], rediss:// for TLS, unix:///path/to/socket[?db=n], "
    "redis+sentinel://host:port,host:port/service[/db] or redis+cluster://host:port,host:port (rediss+ for TLS)"
)

Kind = Literal["redis", "unix", "sentinel", "cluster"]
PORTS = {"redis": 6379, "cluster": 6379, "sentinel": 26379}


class BadRedisUrl(ValueError):
    """No Redis can have this URL; the message says what is allowed, without the URL: it may hold a password."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"ONSET_REDIS_URL {problem}; it may be {_FORMS}, with special characters of a password as %XX")


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """What a URL says: whom to ask, and options of a connection in redis-py's own words."""

    kind: Kind
    tls: bool
    nodes: tuple[tuple[str, int], ...]  # one, or all that may be asked first; none of a socket
    options: dict[str, Any]
    service: str = ""  # what sentinels call the Redis

    @property
    def place(self) -> str:
        """Where the Redis is, for people, without user or password."""
        if self.kind == "unix":
            return str(self.options["path"])
        nodes = ",".join(f"{f'[{host}]' if ':' in host else host}:{port}" for host, port in self.nodes)
        return f"{nodes}/{self.service}" if self.service else nodes


def parse(url: str) -> RedisUrl:
    """Raises BadRedisUrl."""
    try:
        parts = urlsplit(url)
        base, _, topology = parts.scheme.partition("+")
        kind: Kind
        match base, topology:
            case "unix", "":
                kind = "unix"
            case (("redis" | "rediss"), ""):
                kind = "redis"
            case (("redis" | "rediss"), ("sentinel" | "cluster")):
                kind = "sentinel" if topology == "sentinel" else "cluster"
            case _:
                raise BadRedisUrl("is not a Redis URL")
        service, path = _service(parts) if kind == "sentinel" else ("", parts.path)
        user, at, hosts = parts.netloc.rpartition("@")
        # redis-py reads a URL of one host; what it says beside the hosts holds for all of them.
        one = hosts if kind in {"redis", "unix"} else ""
        options: dict[str, Any] = dict(parse_url(SplitResult(base, user + at + one, path, parts.query, "").geturl()))
        nodes = tuple(_node(node, PORTS[kind]) for node in hosts.split(",")) if kind != "unix" else ()
    except BadRedisUrl:
        raise
    except ValueError:  # its message may quote a part of the password: it goes no further
        raise BadRedisUrl("is not a Redis URL") from None
    for known in ("host", "port", "connection_class"):
        options.pop(known, None)
    _check(kind, parts, nodes, path, options)
    return RedisUrl(kind, base == "rediss", nodes, options, service)


def _service(parts: SplitResult) -> tuple[str, str]:
    """The name that sentinels know, and the rest of the path."""
    name, _, database = parts.path.strip("/").partition("/")
    if not name:
        raise BadRedisUrl("names no service of the sentinels")
    return unquote(name), f"/{database}" if database else ""


def _node(text: str, port: int) -> tuple[str, int]:
    split = urlsplit(f"//{text}")
    return split.hostname or "", split.port or port


def _check(
    kind: Kind, parts: SplitResult, nodes: tuple[tuple[str, int], ...], path: str, options: dict[str, Any]
) -> None:
    database = path.strip("/")
    if kind == "unix":
        if not options.get("path"):
            raise BadRedisUrl("names no socket")
    elif not all(host for host, _ in nodes):
        raise BadRedisUrl("names no host")
    elif kind == "redis" and len(nodes) > 1:
        raise BadRedisUrl("names several hosts")
    elif database and not database.isdecimal():
        raise BadRedisUrl("names a database that is not a number")
    elif kind == "cluster" and int(options.get("db", 0) or 0):
        raise BadRedisUrl("names a database, and a cluster has only one")
    if parts.fragment:  # an unescaped '#' cuts a password, and everything after it, off
        raise BadRedisUrl("has a '#' in it")
