"""Where a listener is, from what was written and what he says."""

from __future__ import annotations

import pytest

from gateway.playback import Playback

RATE = 1000  # a sample is a millisecond


def send(playback: Playback, ms: int, now: float, since: float = 0.0) -> None:
    playback.post(ms, since)
    playback.written(now)


def test_sound_is_heard_from_the_moment_it_is_written() -> None:
    playback = Playback(RATE)
    send(playback, 500, 10.0)
    send(playback, 500, 10.0)
    assert playback.lead_s(10.0) == pytest.approx(1.0)
    assert playback.lead_s(10.4) == pytest.approx(0.6)
    assert playback.lead_s(99.0) == 0.0
    assert playback.heard_samples(10.4) == 400
    assert playback.heard_samples(99.0) == 1000


def test_sound_on_its_way_is_before_the_listener_and_not_heard() -> None:
    playback = Playback(RATE)
    playback.post(500, 0.0)
    assert playback.lead_s(10.0) == playback.lead_s(20.0) == pytest.approx(0.5)
    assert playback.heard_samples(20.0) == 0
    playback.written(20.0)
    assert playback.heard_samples(20.2) == 200


def test_his_own_word_is_better_than_the_clock() -> None:
    playback = Playback(RATE)
    send(playback, 1000, 0.0)
    playback.played(100, 0.5)
    assert playback.heard_samples(0.5) == 100
    assert playback.lead_s(0.5) == pytest.approx(0.9)
    assert playback.lead_s(0.7) == pytest.approx(0.7)


def test_a_listener_who_pauses_is_held_back() -> None:
    playback = Playback(RATE)
    send(playback, 1000, 0.0)
    for tick in range(100):
        playback.played(300, tick / 10)
    assert playback.lead_s(9.9) == pytest.approx(0.7)
    assert playback.heard_samples(9.9) == 300


@pytest.mark.parametrize(("says", "heard"), [(5000, 1000), (0, 0), (1e12, 1000)])
def test_he_cannot_have_heard_more_than_was_written(says: float, heard: int) -> None:
    playback = Playback(RATE)
    send(playback, 1000, 0.0)
    playback.post(1000, 0.0)
    playback.played(says, 0.5)
    assert playback.heard_samples(0.5) == heard


def test_what_he_has_heard_does_not_become_less() -> None:
    playback = Playback(RATE)
    send(playback, 1000, 0.0)
    playback.played(800, 0.8)
    playback.played(200, 0.8)
    assert playback.heard_samples(0.8) == 800


def test_running_dry_while_text_waits_is_an_underrun() -> None:
    playback = Playback(RATE)
    send(playback, 100, 0.0)
    send(playback, 100, 0.3, since=0.05)
    assert playback.underruns == 1


def test_waiting_for_the_clients_own_text_is_none() -> None:
    playback = Playback(RATE)
    send(playback, 100, 0.0)
    send(playback, 100, 0.3, since=0.29)
    assert playback.underruns == 0


def test_a_gap_that_no_player_notices_is_none() -> None:
    playback = Playback(RATE)
    send(playback, 100, 0.0)
    send(playback, 100, 0.115)
    send(playback, 100, 0.215)
    assert playback.underruns == 0


def test_the_wait_for_the_first_sound_is_none() -> None:
    playback = Playback(RATE)
    send(playback, 100, 9.0)
    assert playback.underruns == 0


def test_underruns_are_those_of_his_own_word_where_he_gives_it() -> None:
    playback = Playback(RATE)
    send(playback, 1000, 0.0)
    playback.played(0, 0.3)  # he began late, so what comes late is in time for him
    send(playback, 100, 1.2)
    assert playback.underruns == 0
    playback.played(1100, 1.5)
    playback.played(1100, 1.6)
    playback.played(1100, 1.7)
    send(playback, 100, 1.75)
    assert playback.underruns == 1


def test_what_the_clock_thought_before_his_first_word_does_not_count() -> None:
    playback = Playback(RATE)
    send(playback, 100, 0.0)
    send(playback, 100, 0.3, since=0.05)
    assert playback.underruns == 1
    playback.played(0, 0.4)
    assert playback.underruns == 0


def test_a_pause_of_the_listener_is_no_underrun() -> None:
    playback = Playback(RATE)
    send(playback, 1000, 0.0)
    for tick in range(50):
        playback.played(500, 0.5 + tick / 10)
    send(playback, 100, 5.5)
    assert playback.underruns == 0
