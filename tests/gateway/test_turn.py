"""Who works in steps lets others have their turns."""

from __future__ import annotations

import asyncio

from gateway.turn import TURN_S, Turn
from tests import virtual

STEP_S = TURN_S / 3.5


async def turns(steps: int, blocks: int) -> int:
    """How often others had one while so many steps were done in so many blocks."""
    now = had = 0.0

    async def other() -> None:
        nonlocal had
        while True:
            await asyncio.sleep(0)
            had += 1

    others = asyncio.create_task(other())
    turn = Turn(lambda: now)
    for _ in range(blocks):
        with turn:
            for _ in range(steps // blocks):
                now += STEP_S
                await turn.others()
        now += 100 * TURN_S  # not worked
    others.cancel()
    return round(had)


def test_others_have_their_turn_when_one_has_lasted_long_enough() -> None:
    assert virtual.run(turns(3, 1)) == 0
    assert virtual.run(turns(40, 1)) in {9, 10}


def test_work_counts_over_several_blocks_and_waiting_does_not() -> None:
    assert virtual.run(turns(40, 40)) == virtual.run(turns(40, 1))
