"""How long text waits for the end of its sentence, in virtual time."""

from __future__ import annotations

import asyncio

from gateway.holds import Holds
from tests import virtual


def test_a_text_is_settled_when_it_has_waited_long_enough() -> None:
    assert settled([(0.0, {"a": (3.0, 0)})]) == [(3.0, "a")]


def test_more_of_the_same_sentence_does_not_make_it_wait_longer() -> None:
    assert settled([(at, {"a": (3.0, 0)}) for at in (0.0, 1.0, 2.5)]) == [(3.0, "a")]


def test_another_sentence_waits_from_its_own_beginning() -> None:
    assert settled([(0.0, {"a": (3.0, 0)}), (2.0, {"a": (3.0, 1)})]) == [(5.0, "a")]


def test_a_text_that_came_to_its_end_is_not_settled() -> None:
    assert settled([(0.0, {"a": (3.0, 0)}), (2.0, {}), (2.5, {"a": (3.0, 1)})]) == [(5.5, "a")]


def test_contexts_have_their_own_times() -> None:
    waiting = {"a": (3.0, 0), "b": (0.5, 0), "c": (0.5, 0)}
    assert settled([(0.0, waiting)]) == [(0.5, "b"), (0.5, "c"), (3.0, "a")]


def test_nothing_is_settled_while_more_is_being_taken() -> None:
    async def main() -> list[str]:
        loop, found = asyncio.get_running_loop(), list[str]()
        holds = Holds(found.append)
        holds.look({"a": (1.0, 0)})
        holds.pause()
        await asyncio.sleep(2)
        assert found == []
        holds.look({"a": (1.0, 0)})
        at = loop.time()
        await asyncio.sleep(0.5)
        assert at == 2.0
        return found

    assert virtual.run(main()) == ["a"]  # it has waited long enough already


def settled(looks: list[tuple[float, dict[str, tuple[float, int]]]]) -> list[tuple[float, str]]:
    """When each context was settled, given what waited at which times."""

    async def main() -> list[tuple[float, str]]:
        loop, found = asyncio.get_running_loop(), list[tuple[float, str]]()
        holds = Holds(lambda name: found.append((round(loop.time(), 6), name)))
        for at, waiting in looks:
            await asyncio.sleep(at - loop.time())
            holds.pause()
            holds.look(waiting)
        await asyncio.sleep(10)
        return found

    return virtual.run(main())
