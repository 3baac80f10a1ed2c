"""The memory tier, and what waits for Redis: bounded, and never silence kept as speech."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cache import Phrase, PhraseCache
from gateway.cache import backlog as backlog_module
from gateway.cache.backlog import Backlog
from gateway.cache.phrase import MAX_PCM_BYTES
from gateway.cache.phrase_cache import ENTRY_OVERHEAD

SECOND = Phrase(1000, bytes(2000))


def cache(max_bytes: int = 10**6) -> PhraseCache:
    return PhraseCache(max_bytes=max_bytes, ttl_s=60, timeout_ms=50)


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


async def test_without_a_url_there_is_no_redis_and_all_else_works() -> None:
    memory = cache()
    assert memory.redis_state == "off"
    await memory.start()
    assert await memory.get(key(1)) is None
    memory.put(key(1), SECOND)
    assert memory.peek(key(1)) == SECOND
    assert await memory.get(key(1)) == (SECOND, "memory")
    await memory.aclose()
    await memory.aclose()
    assert (memory.stats.memory_hits, memory.stats.misses, memory.stats.redis_errors) == (2, 1, 0)


def test_a_miss_of_a_peek_is_not_counted_as_a_lookup_is_still_to_come() -> None:
    memory = cache()
    assert memory.peek(key(1)) is None
    assert memory.stats.misses == 0


def test_what_was_asked_longest_ago_goes_first() -> None:
    memory = cache(3 * (2000 + ENTRY_OVERHEAD))
    for number in (1, 2, 3):
        memory.put(key(number), SECOND)
    memory.peek(key(1))
    memory.put(key(4), SECOND)
    assert [number for number in (1, 2, 3, 4) if memory.peek(key(number))] == [1, 3, 4]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 400)), max_size=60))
def test_memory_never_grows_over_its_bound(puts: list[tuple[int, int]]) -> None:
    memory = cache(2000)
    for number, samples in puts:
        memory.put(key(number), Phrase(1000, bytes(2 * samples)))
        assert memory.stats.memory_bytes <= 2000
        held = [phrase for other in range(6) if (phrase := memory.peek(key(other)))]
        assert memory.stats.memory_bytes == sum(len(phrase.pcm) + ENTRY_OVERHEAD for phrase in held)


@pytest.mark.parametrize(
    "phrase",
    [Phrase(1000, b""), Phrase(1000, bytes(3)), Phrase(0, bytes(2)), Phrase(1000, bytes(MAX_PCM_BYTES + 2))],
    ids=["empty", "half a sample", "no rate", "too long"],
)
def test_what_is_no_phrase_is_not_kept(phrase: Phrase) -> None:
    """e08"""
    memory = cache(2 * MAX_PCM_BYTES)
    memory.put(key(1), phrase)
    assert memory.peek(key(1)) is None
    assert memory.stats.not_stored == 1


@pytest.mark.parametrize("max_bytes", [0, 100])
def test_a_phrase_larger_than_all_of_memory_is_let_go(max_bytes: int) -> None:
    memory = cache(max_bytes)
    memory.put(key(1), SECOND)
    assert memory.peek(key(1)) is None
    assert memory.stats.memory_bytes == 0


# ---- what waits for Redis


def test_writes_come_in_order_and_once_a_key() -> None:
    waiting = Backlog()
    for number, phrase in ((1, SECOND), (2, SECOND), (1, None), (3, None), (3, SECOND)):
        assert waiting.add(key(number), phrase)
    assert [waiting.pop() for _ in range(len(waiting))] == [(key(1), None), (key(2), SECOND), (key(3), SECOND)]
    with pytest.raises(KeyError, match="empty"):
        waiting.pop()


def test_writes_that_find_no_room_are_refused_until_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog_module, "MAX_BYTES", 5000)
    monkeypatch.setattr(backlog_module, "MAX_ENTRIES", 3)
    waiting = Backlog()
    assert waiting.add(key(1), SECOND)
    assert waiting.add(key(2), SECOND)
    assert not waiting.add(key(3), SECOND)
    assert waiting.add(key(3), None)
    assert not waiting.add(key(4), None)
    assert waiting.add(key(2), SECOND), "it takes its own place"
    waiting.pop()
    assert waiting.add(key(4), SECOND)
    assert len(waiting) == 3
