"""What waits for one socket: fair, bounded, and forgotten in one place."""

from __future__ import annotations

import asyncio
import contextlib

from gateway.events import Audio, Event, Flushed, Pong
from gateway.outbox import LANE_BYTES, REPLY_BYTES, TURN_BYTES, Outbox
from tests import virtual


def sound(context: str, size: int = 2000) -> Audio:
    return Audio(context, bytes(size), "pcm_s16le", 22050, samples=size // 2)


async def rest(outbox: Outbox) -> list[Event]:
    """What is in it, in the order in which it would be sent."""
    events: list[Event] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0):
            while (event := await outbox.take()) is not None:
                events.append(event)
    return events


def test_contexts_take_turns_and_keep_their_order() -> None:
    async def main() -> None:
        outbox = Outbox()
        half, turn = sound("a", TURN_BYTES // 2), sound("b", TURN_BYTES)
        for _ in range(3):
            await outbox.put("a", half)
        await outbox.put("b", turn)
        await outbox.put("b", Flushed("b"))
        assert await rest(outbox) == [half, half, turn, half, Flushed("b")]

    virtual.run(main())


def test_in_order_a_context_waits_for_those_that_were_opened_before_it() -> None:
    async def main() -> None:
        outbox = Outbox(in_order=True)
        outbox.open("a")
        await outbox.put("b", sound("b"))
        assert await rest(outbox) == []
        await outbox.put("a", sound("a"))
        assert await rest(outbox) == [sound("a")]
        waiting = asyncio.create_task(outbox.take())
        await asyncio.sleep(0)
        outbox.drop("a")
        assert await waiting == sound("b")

    virtual.run(main())


def test_replies_go_first() -> None:
    async def main() -> None:
        outbox = Outbox()
        await outbox.put("a", sound("a"))
        outbox.reply(Pong())
        assert await rest(outbox) == [Pong(), sound("a")]

    virtual.run(main())


def test_a_full_lane_makes_its_own_speaker_wait_and_nobody_else() -> None:
    async def main() -> None:
        outbox = Outbox()

        async def fill() -> None:
            while True:
                await outbox.put("a", sound("a"))

        filling = asyncio.create_task(fill())
        await asyncio.sleep(1)
        async with asyncio.timeout(0):
            await outbox.put("b", Flushed("b"))
        filling.cancel()
        held = outbox.drop("a") * 2
        assert LANE_BYTES - 5000 < held <= LANE_BYTES

    virtual.run(main())


def test_a_drop_forgets_one_context_and_says_how_much() -> None:
    async def main() -> None:
        outbox = Outbox()
        await outbox.put("a", sound("a"))
        await outbox.put("b", sound("b"))
        await outbox.put("a", Flushed("a"))
        assert outbox.drop("a") == 1000
        assert outbox.drop("a") == 0
        assert await rest(outbox) == [sound("b")]

    virtual.run(main())


def test_a_reader_waits_when_its_replies_are_not_taken() -> None:
    async def main() -> None:
        outbox = Outbox()
        replies = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                while True:
                    await outbox.replies_room()
                    outbox.reply(Pong())
                    replies += 1
        assert replies == REPLY_BYTES // 256
        outbox.abandon()
        await outbox.replies_room()
        assert await outbox.take() is None

    virtual.run(main())


def test_a_closed_outbox_gives_its_replies_and_then_nothing() -> None:
    async def main() -> None:
        outbox = Outbox()
        await outbox.put("a", sound("a"))
        outbox.reply(Pong())
        outbox.close()
        assert await outbox.take() == Pong()
        assert await outbox.take() is None

    virtual.run(main())
