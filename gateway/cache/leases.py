"""Who makes a sentence for all replicas: a lease in Redis and a stream beside it, and the only ways to change them.

A lease is a hash with the `generation` that holds it, its `pace`, and `followed` where another replica hears it. The
stream of a generation has its pieces. Both are gone soon after nobody renews them; only Redis's own clock counts.
"""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = b"onset:making:"
FIELD = b"piece"
MOST_PIECES = 4096  # of a stream; more than the longest phrase has

ASK = """
if redis.call('exists', KEYS[1]) == 1 then return false end
local held = redis.call('hmget', KEYS[2], 'generation', 'pace')
if held[1] and held[1] ~= ARGV[4] and (held[2] == ARGV[3] or held[2] == 'realtime') then
  redis.call('hset', KEYS[2], 'followed', '1')
  return held[1]
end
redis.call('del', KEYS[2])
redis.call('hset', KEYS[2], 'generation', ARGV[1], 'pace', ARGV[3])
redis.call('pexpire', KEYS[2], ARGV[2])
return ARGV[1]
"""
"""Of phrase and lease, for a new generation, a life in ms, a pace and a generation that is not followed: the generation
that makes the phrase now, the new one where nobody did; nil where the phrase is there. A listener who is spoken to does
not wait for what is made at no pace: he takes its lease."""

ADD = """
if redis.call('hget', KEYS[1], 'generation') ~= ARGV[1] then return -1 end
redis.call('pexpire', KEYS[1], ARGV[2])
if ARGV[4] ~= '' then redis.call('xadd', KEYS[2], 'maxlen', ARGV[3], '*', 'piece', ARGV[4]) end
redis.call('pexpire', KEYS[2], ARGV[2])
return redis.call('hexists', KEYS[1], 'followed')
"""
"""Of lease and stream, for a generation, a life in ms, a number of pieces and a piece or nothing: both live on, and
whether they are followed; -1 where the lease is not the generation's."""

END = """
local followed = redis.call('exists', KEYS[2]) == 1
if redis.call('hget', KEYS[1], 'generation') == ARGV[1] then
  followed = followed or redis.call('hexists', KEYS[1], 'followed') == 1
  redis.call('del', KEYS[1])
end
if followed then
  redis.pcall('xadd', KEYS[2], 'maxlen', ARGV[3], '*', 'piece', ARGV[4])
  redis.call('pexpire', KEYS[2], ARGV[2])
end
return -1
"""
"""As ADD, for a piece that says that no more comes: the lease is free."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another replica makes it, as this generation."""

    generation: str


def lease_name(phrase_name: bytes) -> bytes:
    """In a cluster it lives where the phrase does."""
    return PREFIX + b"{" + phrase_name + b"}"


def stream_name(phrase_name: bytes, generation: str) -> bytes:
    return lease_name(phrase_name) + b":" + generation.encode()
