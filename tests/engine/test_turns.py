from __future__ import annotations

from engine.turns import Turns


def drain(turns: Turns[str]) -> list[str]:
    out = []
    while (item := turns.next()) is not None:
        out.append(item)
    return out


def test_listeners_take_turns_and_each_keeps_its_order() -> None:
    turns: Turns[str] = Turns()
    for item in ("a1", "a2", "a3", "b1", "b2", "c1"):
        turns.add(ord(item[0]), item)
    assert drain(turns) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_a_removed_item_is_skipped_and_removing_it_again_is_nothing() -> None:
    turns: Turns[str] = Turns()
    for item in ("a1", "a2", "b1"):
        turns.add(ord(item[0]), item)
    for listener, item in ((97, "a1"), (97, "a1"), (98, "b1"), (99, "c1")):
        turns.remove(listener, item)
    assert drain(turns) == ["a2"]


def test_a_listener_who_can_wait_is_passed_over_and_not_forgotten() -> None:
    turns: Turns[str] = Turns()
    for item in ("a1", "a2", "b1"):
        turns.add(ord(item[0]), item)
    assert turns.next(lambda listener: listener == ord("a")) == "b1"
    assert turns.next(lambda listener: listener == ord("a")) is None
    assert drain(turns) == ["a1", "a2"]
