"""Which phrases are worth a place in Redis."""

from __future__ import annotations

import pytest

from gateway.cache.policy import MOST_KEYS, Kind, Policy

TTL_S = 100.0
KEY = b"one"


@pytest.mark.parametrize(("kind", "wanted"), [("second", [False, True, True]), ("all", [True] * 3)])
def test_a_phrase_is_wanted_when_it_was_asked_for_as_often_as_it_takes(kind: Kind, wanted: list[bool]) -> None:
    policy = Policy(kind, TTL_S)
    seen: list[bool] = []
    for _ in wanted:
        policy.asked(KEY)
        seen.append(policy.wants(KEY, 0, 0))
    assert seen == wanted


def test_only_what_is_listed_or_was_found_is_wanted_by_a_list() -> None:
    policy = Policy("listed", TTL_S)
    for _ in range(5):
        policy.asked(KEY)
    assert not policy.wants(KEY, 0, 0)
    policy.listed(KEY)
    assert policy.wants(KEY, 0, 0)
    policy.found(b"two", 0, 0)
    assert not policy.wants(b"two", TTL_S / 4, 0)
    assert policy.wants(b"two", TTL_S / 2, 0)


def test_what_is_written_is_written_again_when_half_of_its_time_is_over() -> None:
    policy = Policy("all", TTL_S)
    policy.written(KEY, 10, 0)
    assert not policy.wants(KEY, 59, 0)
    assert policy.wants(KEY, 60, 0)


def test_what_redis_lost_is_written_again() -> None:
    policy = Policy("all", TTL_S)
    policy.written(KEY, 0, 0)
    assert policy.wants(KEY, 1, 1), "it was away meanwhile"
    policy.written(KEY, 1, 1)
    policy.missed(KEY)
    assert policy.wants(KEY, 1, 1)


def test_what_nobody_asks_for_is_forgotten_and_what_is_asked_for_is_not() -> None:
    policy = Policy("second", TTL_S)
    policy.asked(b"once")
    policy.asked(KEY)
    for number in range(2 * MOST_KEYS):
        policy.asked(number.to_bytes(4, "big"))
        if number % 1000 == 0:
            policy.asked(KEY)
    assert len(policy._seen) + len(policy._before) <= 2 * MOST_KEYS
    policy.asked(b"once")
    assert not policy.wants(b"once", 0, 0)
    assert policy.wants(KEY, 0, 0)
