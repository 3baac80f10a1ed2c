"""Many sockets ask for the same new sentence: made once, whoever leaves."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from tests.fakes import FakeModel, Gate, fake_engine, fake_voice
from tests.wire import running

LONG = "All of this is one sentence that nobody has asked for before and that many want to hear at the same moment."


async def test_fifty_sockets_ask_at_once_and_hear_one_synthesis() -> None:
    """e12"""
    model = FakeModel(lag=4)
    async with running(fake_engine(fake_voice(model))) as gateway, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(gateway.client()) for _ in range(50)]
        done = await asyncio.gather(*(client.speak(LONG, words=True, pace="fast") for client in clients))
        assert {bytes(client.ear.sound["default"]) for client in clients} == {bytes(clients[0].ear.sound["default"])}
        assert clients[0].ear.text() == LONG
        assert model.fronts == [(LONG,)]
        assert model.decodes == [LONG]
        assert sum(one["cached"] for one in done) == 49
        told = [client.ear.of("sentence")[0]["cached"] for client in clients]
        assert told.count(False) == 1
        assert set(told) <= {False, "joined", "memory"}
        words = [[word["text"] for m in client.ear.of("words") for word in m["words"]] for client in clients]
        assert words == [LONG.split()] * 50


async def test_the_first_socket_cancels_in_mid_sentence_and_is_lost_and_the_second_hears_the_whole() -> None:
    """e10"""
    gate = Gate()
    model = FakeModel(lag=4, gate=gate)
    engine = fake_engine(fake_voice(model), threads=1)
    async with running(engine) as gateway, gateway.client() as second:
        async with gateway.client() as first:
            await first.send("text", text=LONG)
            await first.send("end")
            gate.let(3)  # the front, and two steps
            await first.until("sound")
            await second.send("text", text=LONG)
            await second.send("end")
            assert (await second.until("sentence"))["cached"] == "joined"
            await first.send("cancel")
            await first.until("cancelled")
            first.socket.transport.abort()
        gate.open()
        await second.until("done")
        assert second.ear.text() == LONG
        assert model.decodes == [LONG]
        assert len(second.ear.pcm()) == len(LONG) * 4 * 256
        assert engine.queued == 0
        assert gateway.house.cache.stats.memory_bytes > 2 * len(second.ear.pcm())


async def test_a_cancelled_socket_leaves_nothing_partial_to_the_next() -> None:
    """e10"""
    gate = Gate()
    model = FakeModel(lag=4, gate=gate)
    async with running(fake_engine(fake_voice(model), threads=1)) as gateway, gateway.client() as first:
        await first.send("text", text=LONG)
        await first.send("end")
        gate.let(3)
        await first.until("sound")
        await first.send("cancel")
        await first.until("cancelled")
        gate.open()
        async with gateway.client() as second:
            done = await second.speak(LONG)
            assert (second.ear.text(), done["cached"]) == (LONG, 0)
