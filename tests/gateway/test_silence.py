"""How long a client has said nothing."""

from __future__ import annotations

from math import inf

from gateway.silence import Silence


def test_a_client_without_a_context_is_idle_once_in_so_long() -> None:
    silence = Silence(20, 100)
    assert silence.over(119, [], alone=True) == []
    assert silence.next_s(119) == 1
    assert silence.over(120, [], alone=True) == [None]
    assert silence.over(139, [], alone=True) == []
    assert silence.over(140, [], alone=True) == [None]


def test_what_a_client_says_keeps_him() -> None:
    silence = Silence(20, 100)
    silence.said(115)
    assert silence.over(134, [], alone=True) == []
    assert silence.over(135, [], alone=True) == [None]


def test_a_context_is_idle_by_itself() -> None:
    silence = Silence(20, 100)
    silence.said(101, "left")
    silence.said(110, "kept")
    assert silence.over(120, ["left", "kept"], alone=False) == []
    assert silence.next_s(120) == 1
    assert silence.over(121, ["left", "kept"], alone=False) == ["left"]
    assert silence.over(130, ["kept"], alone=False) == ["kept"]


def test_a_context_that_is_spoken_is_not_silent_and_begins_anew_when_it_was() -> None:
    silence = Silence(20, 100)
    silence.said(100, "a")
    assert silence.over(150, [], alone=False) == []
    silence.said(160, "a")
    assert silence.over(179, ["a"], alone=False) == []
    assert silence.over(180, ["a"], alone=False) == ["a"]


def test_the_end_of_a_context_is_news_of_a_client() -> None:
    silence = Silence(20, 100)
    silence.said(100, "a")
    assert silence.over(120, ["a"], alone=False) == ["a"]
    assert silence.over(121, [], alone=True) == []
    assert silence.over(140, [], alone=True) == [None]


def test_without_a_time_nobody_is_remembered() -> None:
    silence = Silence(inf, 100)
    silence.said(100, "a")
    assert silence.next_s(100) == inf
    assert silence.over(10**9, [], alone=True) == []
