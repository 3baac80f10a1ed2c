"""Clients against servers that say what they were told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from bench.clients import OnsetClient, Patient, Refused, piper_say, wyoming_say
from gateway.wav import wav_header
from tests.fakes import FakeModel, Gate, fake_engine, fake_voice, seconds
from tests.wire import running

RATE_HZ = 22050
SOUND = bytes(RATE_HZ)  # half a second


@asynccontextmanager
async def answering(answer: bytes, asked: Callable[[asyncio.StreamReader], Awaitable[None]]) -> AsyncIterator[int]:
    """A server that reads one request, gives this answer, and closes; its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asked(reader)
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def http(status: str, body: bytes) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: audio/wav\r\n\r\n".encode() + body


async def http_request(reader: asyncio.StreamReader) -> None:
    await reader.readuntil(b"}")


async def line(reader: asyncio.StreamReader) -> None:
    assert json.loads(await reader.readline()) == {"type": "synthesize", "data": {"text": "Hello."}}


async def test_pipers_sound_is_all_that_follows_its_header() -> None:
    async with answering(http("200 OK", wav_header(RATE_HZ, len(SOUND)) + SOUND), http_request) as port:
        heard = await piper_say(port, "Hello.")
    assert heard.sound_s == pytest.approx(0.5)
    assert heard.first_s >= 0


async def test_a_refusal_of_pipers_is_told() -> None:
    async with answering(http("500 INTERNAL SERVER ERROR", b""), http_request) as port:
        with pytest.raises(RuntimeError, match="500"):
            await piper_say(port, "Hello.")


def event(kind: str, data: dict[str, object] | None = None, payload: bytes = b"") -> bytes:
    """As wyoming writes it: a line, the data, the sound."""
    more = json.dumps(data).encode() if data else b""
    head = {"type": kind, "version": "1.10.0", "data_length": len(more), "payload_length": len(payload) or None}
    return json.dumps(head).encode() + b"\n" + more + payload


FORMAT: dict[str, object] = {"rate": RATE_HZ, "width": 2, "channels": 1}


async def test_wyomings_sound_is_its_chunks() -> None:
    chunks = event("audio-chunk", FORMAT, SOUND) + event("audio-chunk", FORMAT, SOUND)
    async with answering(event("audio-start", FORMAT) + chunks + event("audio-stop"), line) as port:
        heard = await wyoming_say(port, "Hello.")
    assert [arrival.sound_s for arrival in heard.arrivals] == pytest.approx([0.5, 0.5])


async def test_an_error_of_wyomings_is_told() -> None:
    async with answering(event("error", {"text": "no such voice"}), line) as port:
        with pytest.raises(RuntimeError, match="no such voice"):
            await wyoming_say(port, "Hello.")


async def test_our_sound_is_heard_to_the_end_and_again() -> None:
    async with running() as gateway:
        client = await OnsetClient.open(int(gateway.host.rpartition(":")[2]))
        for text in ("Good morning.", "Good night."):
            heard = await client.say(text, pace="fast")
            assert heard.sound_s == pytest.approx(seconds(text))
        await client.aclose()


async def test_a_sound_that_is_broken_off_leaves_nothing_to_the_next() -> None:
    async with running() as gateway:
        client = await OnsetClient.open(int(gateway.host.rpartition(":")[2]))
        for text in ("Short.", "One more that is somewhat longer than the first."):
            await client.say(text, to_the_end=False)
        assert (await client.say("All of it.")).sound_s == pytest.approx(seconds("All of it."))
        await client.aclose()


async def test_who_is_refused_may_ask_again() -> None:
    gate = Gate()
    engine = fake_engine(fake_voice(FakeModel(gate=gate)), max_queue=1)
    async with running(engine) as gateway:
        port = int(gateway.host.rpartition(":")[2])
        first, second = await OnsetClient.open(port), await OnsetClient.open(port)
        saying = asyncio.create_task(first.say("The first of two."))
        await gate.arrival()
        with pytest.raises(Refused):
            await second.say("The second of two.")
        patient = Patient(second.say)
        asking = asyncio.create_task(patient("The second of two."))
        gate.open()
        await saying
        assert (await asking).sound_s == pytest.approx(seconds("The second of two."))
        await first.aclose()
        await second.aclose()
