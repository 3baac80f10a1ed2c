"""Clients who leave, who do not read, and a server that restarts."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import websockets

from tests.fakes import FakeModel, Gate, fake_engine, fake_voice
from tests.wire import Client, Gateway, running

SIXTY = " ".join(f"This is sentence {n} of many." for n in range(60))

LINE = " ".join(["slow and steady"] * 20)


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


@pytest.mark.parametrize("abrupt", [False, True])
async def test_work_stops_within_a_step_when_the_client_leaves(abrupt: bool) -> None:
    """d01, d17"""
    gate = Gate()
    model = FakeModel(gate=gate)
    engine = fake_engine(fake_voice(model), threads=1)
    async with running(engine) as gateway:
        async with gateway.client() as client:
            await client.send("text", text=SIXTY)
            await gate.arrival()
            gate.let(2)  # the front and the sound of the first sentence
            await client.until("sound")
            await gate.arrival()
            await gate.arrival()
            steps = len(model.fronts) + len(model.decodes)
            if abrupt:
                client.socket.transport.abort()
        await gateway.house.empty()
        assert engine.queued == 0
        gate.open()
        async with gateway.client() as other:
            await other.speak("Next, please.")
            assert other.ear.text() == "Next, please."
        assert len(model.fronts) + len(model.decodes) - steps <= 1 + 2  # the running step, and the other client's


@pytest.mark.parametrize("abrupt", [False, True])
async def test_a_client_gone_while_sound_is_queued_is_no_error(abrupt: bool, caplog: pytest.LogCaptureFixture) -> None:
    """d16, d18"""
    caplog.set_level(logging.INFO)
    async with running() as gateway:
        for _ in range(5):
            async with gateway.client() as client:
                await client.send("start", pace="fast")
                await client.send("text", text=SIXTY)
                await client.send("text", text=SIXTY, context="other")
                await client.until("sound")
                if abrupt:
                    client.socket.transport.abort()
        await gateway.house.empty()
        assert gateway.house.engine.queued == 0
    assert tracebacks(caplog) == []
    assert "socket.send() raised" not in caplog.text  # nobody goes on writing to a lost socket


async def test_a_connection_has_one_line_in_the_log_and_it_does_not_tell_the_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "gateway")
    async with running() as gateway:
        async with gateway.client() as client:
            await client.speak("Secret words. And more of them.")
            await client.send("text", text="Secret")
        await gateway.house.empty()
    lines = [record.getMessage() for record in caplog.records if record.name == "gateway.connection"]
    assert len(lines) == 1
    assert "2 contexts, 2 sentences, 1.4 s of audio; closed with 1000" in lines[0]
    assert [record for record in caplog.records if "ecret" in record.getMessage()] == []


@asynccontextmanager
async def narrow(gateway: Gateway) -> AsyncIterator[Client]:
    """A client whose own side holds little, and who reads only when it is told to."""
    host, port = gateway.host.split(":")
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
    one.setblocking(False)
    await asyncio.get_running_loop().sock_connect(one, (host, int(port)))
    async with gateway.client(sock=one, max_queue=1) as client:
        yield client


async def stall(slow: FakeModel, other: Client) -> int:
    """Another client is served until no more is made by the slow voice; returns how much was."""
    made = -1
    while made != (made := len(slow.decodes)):
        for _ in range(5):
            await other.speak("Here I am.", voice="quick")
    return made


async def test_a_client_who_does_not_read_is_bounded_and_slows_nobody() -> None:
    """d23"""
    slow = FakeModel()
    lines = [f"X{letter}: {LINE}" for letter in "abcdefghijklmnop"]  # 240 s of sound, 11 MB
    async with (
        running(fake_engine(fake_voice(slow, "slow"), fake_voice(name="quick"))) as gateway,
        narrow(gateway) as client,
        gateway.client() as other,
    ):
        await client.send("start", voice="slow", pace="fast")
        for line in lines:
            await client.send("text", text=f"{line}.\n")
        await client.send("end")
        assert 0 < await stall(slow, other) < 13
        done = await client.until("done")  # it reads after all, and nothing was lost
        assert done["sentences"] == len(lines)
        assert client.ear.text() == "".join(f"{line}." for line in lines)


async def test_a_client_who_neither_reads_nor_answers_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.app.server.PING_S", 0.3)
    monkeypatch.setattr("gateway.app.wire.CLOSE_S", 0.1)
    async with running() as gateway, narrow(gateway) as client:
        client.socket.transport.pause_reading()
        await client.send("start", pace="fast")
        await client.send("text", text="It is a long story and it goes on. " * 4000)
        await gateway.house.empty()
        assert gateway.house.engine.queued == 0
        client.socket.transport.abort()


async def test_a_flood_of_questions_nobody_reads_the_answers_to_is_not_read_on() -> None:
    async with running() as gateway, narrow(gateway) as client, gateway.client() as other:
        client.socket.transport.pause_reading()
        sent = 0
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                while sent < 10_000_000:
                    await client.send("x" * 1000)
                    sent += 1
        await other.speak("Here I am.")
        client.socket.transport.abort()
    assert 0 < sent < 50_000


async def test_a_restart_is_told_and_closes_with_1012(caplog: pytest.LogCaptureFixture) -> None:
    async with running() as gateway, gateway.client() as idle, gateway.client() as busy:
        await busy.send("text", text=SIXTY)
        await busy.until("sound")
        gateway.stop()
        for client in (idle, busy):
            error = await client.until("error", None)
            assert (error["code"], error["retryable"]) == ("restarting", True)
            with pytest.raises(websockets.ConnectionClosedError):
                await client.next()
            assert client.socket.close_code == 1012
    assert tracebacks(caplog) == []


async def test_a_restart_does_not_wait_for_a_client_who_does_not_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("gateway.app.wire.CLOSE_S", 0.5)
    slow = FakeModel()
    engine = fake_engine(fake_voice(slow, "slow"), fake_voice(name="quick"))
    async with running(engine) as gateway, narrow(gateway) as client:
        client.socket.transport.pause_reading()
        await client.send("start", voice="slow", pace="fast")
        await client.send("text", text="\n".join(f"{n}: {LINE}." for n in range(16)))
        await client.send("end")
        async with gateway.client() as other:
            await stall(slow, other)
        gateway.stop()
        await gateway.stopped.wait()
        client.socket.transport.abort()
    assert tracebacks(caplog) == []


async def test_one_broken_connection_is_told_and_no_others(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with gateway.client() as other, gateway.client() as client:
        monkeypatch.setattr("gateway.session.Session._receive", broken)
        await client.send("ping")
        error = await client.until("error", None)
        assert error["code"] == "internal"
        with pytest.raises(websockets.ConnectionClosedError):
            await client.next()
        assert client.socket.close_code == 1011
        monkeypatch.undo()
        await other.speak("Here I am.")
        assert other.ear.text() == "Here I am."
    assert len(tracebacks(caplog)) == 1


def broken(*_: object) -> None:
    raise RuntimeError("a bug")
