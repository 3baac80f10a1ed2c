"""A Redis that is gone is not asked for every sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateway.cache.breaker import FAILURES, FIRST_WAIT_S, LONGEST_WAIT_S, PULSE_S, Breaker


def closed() -> Breaker:
    breaker = Breaker()
    breaker.probed(True)
    breaker.answered()
    return breaker


def test_nothing_is_asked_before_the_first_probe_succeeds() -> None:
    breaker = Breaker()
    assert breaker.open
    assert not breaker.probed(False)
    assert breaker.open
    assert breaker.probed(True)
    assert not breaker.open
    assert breaker.wait_s == PULSE_S


def test_it_opens_after_some_failures_in_a_row_and_says_so_once() -> None:
    """e23"""
    breaker = closed()
    assert [breaker.failed() for _ in range(FAILURES + 5)] == [False] * (FAILURES - 1) + [True] + [False] * 5
    assert breaker.open


def test_an_answer_between_failures_keeps_it_closed() -> None:
    breaker = closed()
    for _ in range(10):
        for _ in range(FAILURES - 1):
            assert not breaker.failed()
        breaker.answered()
    assert not breaker.open


def test_an_answer_that_was_under_way_does_not_close_it() -> None:
    breaker = closed()
    for _ in range(FAILURES):
        breaker.failed()
    breaker.answered()
    assert breaker.open


def test_probes_come_less_and_less_often_up_to_a_bound() -> None:
    breaker = closed()
    for _ in range(FAILURES):
        breaker.failed()
    waits = []
    for _ in range(8):
        waits.append(breaker.wait_s)
        breaker.probed(False)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0]


def test_a_failed_probe_opens_it() -> None:
    breaker = closed()
    assert breaker.probed(False)
    assert breaker.open
    assert not breaker.probed(False)


def test_one_failure_after_a_probe_opens_it_again_and_the_waits_go_on_growing() -> None:
    breaker = Breaker()
    breaker.probed(False)
    breaker.probed(True)
    assert breaker.failed()
    assert breaker.wait_s == 2 * FIRST_WAIT_S
    breaker.probed(True)
    breaker.answered()
    assert not breaker.failed()


@given(st.lists(st.sampled_from(["answered", "failed", "probe answered", "probe failed"]), max_size=100))
def test_every_change_is_told_and_every_wait_is_bounded(events: list[str]) -> None:
    breaker = Breaker()
    for event in events:
        before = breaker.open
        match event:
            case "answered":
                breaker.answered()
                changed = False
            case "failed":
                changed = breaker.failed()
            case "probe answered":
                changed = breaker.probed(True)
            case _:
                changed = breaker.probed(False)
        assert changed == (before != breaker.open)
        assert FIRST_WAIT_S <= breaker.wait_s <= LONGEST_WAIT_S
