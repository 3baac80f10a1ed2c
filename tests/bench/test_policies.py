"""What the policies for Redis do on sentences whose outcome is plain."""

from __future__ import annotations

import itertools

from bench.phrase_mix import Said, mix, phrases
from bench.policies import BYTES_A_CHAR, GATEWAYS, simulate


def said(*texts: str) -> list[Said]:
    return [Said(text, False) for text in texts]


def test_all_writes_each_once() -> None:
    came = simulate("all", said("a", "b", "a", "b", "a"), restart_every=99)
    assert (came.made, came.writes, came.bytes_held) == (2, 2, 2 * BYTES_A_CHAR)
    assert came.in_memory + came.in_redis == 3


def test_second_does_not_write_what_comes_once() -> None:
    came = simulate("second", said("a", "b", "c", "d"), restart_every=99)
    assert (came.made, came.writes, came.bytes_held) == (4, 0, 0)


def test_second_writes_what_a_gateway_is_asked_for_twice() -> None:
    came = simulate("second", said(*"a" * 9), restart_every=99)
    assert came.bytes_held == BYTES_A_CHAR
    assert 1 <= came.writes <= GATEWAYS  # one that made it before does not know that another wrote it
    assert came.sentences == 9 == came.made + came.in_redis + came.in_memory


def test_listed_holds_its_list_and_no_more() -> None:
    came = simulate("listed", said("a", "b", "b"), restart_every=99, listed=["a"])
    assert (came.writes, came.bytes_held) == (0, BYTES_A_CHAR)
    assert came.made >= 1


def test_a_gateway_that_begins_anew_finds_in_redis_what_was_in_its_memory() -> None:
    came = simulate("all", said(*"a" * 40), restart_every=4)
    assert came.made == 1
    assert came.in_redis > 4


def test_second_writes_far_less_of_the_mix_and_finds_nearly_as_much() -> None:
    every, second = (
        simulate(kind, itertools.islice(mix(phrases(), 5), 10_000), restart_every=1250) for kind in ("all", "second")
    )
    assert second.writes < 0.2 * every.writes
    assert second.made < 1.2 * every.made
