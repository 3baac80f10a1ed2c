"""Deepgram's `/v1/speak` over a real socket and over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import numpy as np
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from engine.types import Pcm
from tests.decoding import played
from tests.fakes import FakeModel, Gate, fake_engine, fake_voice, read, seconds
from tests.wire import PATIENCE_S, Gateway, running

PLAIN = "encoding=linear16&sample_rate=22050"  # as the voice makes it


class Listener:
    """A client of the socket: what came, in order, binary as bytes."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Any] = []

    async def send(self, type_: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": type_, **fields}))

    async def speak(self, *texts: str) -> None:
        for text in texts:
            await self.send("Speak", text=text)

    async def until(self, kind: str) -> Any:
        """Listen until a message of this kind comes, or "sound"."""
        while True:
            async with asyncio.timeout(PATIENCE_S):
                message = await self.socket.recv()
            told = message if isinstance(message, bytes) else json.loads(message)
            self.heard.append(told)
            if kind == ("sound" if isinstance(told, bytes) else told["type"]):
                return told

    async def closed(self) -> int:
        """Listen until the server closes; the code that it gives."""
        async with asyncio.timeout(PATIENCE_S):
            async for message in self.socket:
                self.heard.append(message if isinstance(message, bytes) else json.loads(message))
        assert self.socket.close_code is not None
        return self.socket.close_code

    @property
    def sound(self) -> bytes:
        return b"".join(told for told in self.heard if isinstance(told, bytes))

    @property
    def pcm(self) -> Pcm:
        return np.frombuffer(self.sound, "<i2")

    @property
    def kinds(self) -> list[str]:
        """What came, with the sound between messages as one."""
        kinds = ["sound" if isinstance(told, bytes) else str(told["type"]) for told in self.heard]
        return [kind for at, kind in enumerate(kinds) if at == 0 or kind != "sound" or kinds[at - 1] != "sound"]


@asynccontextmanager
async def listening(gateway: Gateway, query: str = PLAIN) -> AsyncIterator[Listener]:
    url = f"ws://{gateway.host}/v1/speak?{query}"
    async with websockets.connect(url, proxy=None, compression=None, close_timeout=0.1) as socket:
        yield Listener(socket)


async def test_what_was_said_is_heard_and_then_flushed(gateway: Gateway) -> None:
    async with listening(gateway, f"{PLAIN}&model=fake") as client:
        await client.speak("One fine ", "day. Two of")
        await client.send("Flush")
        assert await client.until("Flushed") == {"type": "Flushed", "sequence_id": 0}
    assert client.heard[0]["model_name"] == "fake"
    assert client.kinds == ["Metadata", "sound", "Flushed"]
    assert read(client.pcm) == "One fine day.Two of"


async def test_a_flush_in_mid_turn_is_no_end(gateway: Gateway) -> None:
    """d15"""
    async with listening(gateway) as client:
        for text in ("One.", "Two."):
            await client.speak(text)
            await client.send("Flush")
        await client.speak("Three.")
        await client.send("Close")
        assert await client.closed() == 1000
    assert client.kinds == ["Metadata", "sound", "Flushed", "sound", "Flushed", "sound"]
    assert read(client.pcm) == "One.Two.Three."


async def test_close_without_a_text_closes_at_once(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.send("Close")
        assert await client.closed() == 1000
    assert client.kinds == ["Metadata"]


async def test_a_flush_with_nothing_to_be_said_is_answered(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.send("Flush")
        await client.speak("", "  ")
        await client.send("Flush")
        assert [(await client.until("Flushed"))["sequence_id"] for _ in range(2)] == [0, 1]
    assert client.kinds == ["Metadata", "Flushed", "Flushed"]


async def test_clear_stops_the_work_and_the_next_turn_has_its_own_words_alone() -> None:
    """c23"""
    gate = Gate()
    model = FakeModel(lag=0, gate=gate)
    async with running(fake_engine(fake_voice(model), threads=1)) as gateway, listening(gateway) as client:
        await client.speak("The first of many. ", "It is never heard. ", "Nor is that one.")
        await client.send("Flush")
        for _ in range(2):  # the front of the first sentence and a step of its sound
            await gate.arrival()
            gate.let()
        await client.until("sound")
        await gate.arrival()  # in a step, as always when a listener loses patience
        await client.send("Clear")
        assert await client.until("Cleared") == {"type": "Cleared", "sequence_id": 0}
        at = len(client.heard)
        gate.open()
        await client.speak("Now this.")
        await client.send("Flush")
        await client.until("Flushed")
    assert client.kinds[-2:] == ["sound", "Flushed"]
    assert read(np.frombuffer(b"".join(client.heard[at:-1]), "<i2")) == "Now this."
    assert set(model.decodes) == {"The first of many.", "Now this."}  # the others were to be next, and were not made


async def test_a_mistake_is_a_warning_and_the_socket_goes_on(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.send("Shout", text="Hey")
        warning = await client.until("Warning")
        assert (warning["code"], warning["description"]) == (
            "unknown_type",
            "unknown type 'Shout'; types: Speak, Flush, Clear, Close",
        )
        await client.speak("All well.")
        await client.send("Flush")
        await client.until("Flushed")
    assert read(client.pcm) == "All well."


@pytest.mark.parametrize(("encoding", "width"), [("linear16", 2), ("mulaw", 1), ("alaw", 1)])
async def test_the_sound_is_in_the_format_that_was_asked_for(gateway: Gateway, encoding: str, width: int) -> None:
    text = "One fine day. Two of them."
    async with listening(gateway, f"encoding={encoding}&sample_rate=8000") as client:
        await client.speak(text)
        await client.send("Close")
        await client.closed()
    assert len(client.sound) / width / 8000 == pytest.approx(seconds("One fine day.Two of them."), abs=0.01)


@pytest.mark.parametrize(
    ("query", "code", "said"),
    [
        ("model=aura-2-thalia-en", "UNKNOWN_VOICE", "'model' is 'aura-2-thalia-en'; allowed: fake. ONSET_DEEPGRAM"),
        ("encoding=mp3", "UNSUPPORTED_FORMAT", "'encoding' is 'mp3'; allowed: linear16, mulaw, alaw"),
        ("sample_rate=4000", "UNSUPPORTED_FORMAT", "'sample_rate' is 4000; allowed"),
    ],
)
async def test_a_query_that_cannot_be_is_refused_at_the_handshake(
    gateway: Gateway, query: str, code: str, said: str
) -> None:
    with pytest.raises(websockets.InvalidStatus) as caught:
        async with listening(gateway, query):
            pass
    answer = caught.value.response
    assert answer.status_code == 400
    told = json.loads(answer.body or b"")
    assert told["err_code"] == code
    assert said in told["err_msg"] == answer.headers["dg-error"]
    assert told["request_id"] == answer.headers["dg-request-id"]


async def test_names_of_models_are_mapped_by_a_setting() -> None:
    engine = fake_engine(fake_voice(name="one"), fake_voice(name="two"))
    async with running(engine, deepgram_voices="aura-zeus-en=two") as gateway:
        async with listening(gateway, "model=aura-zeus-en") as client:
            assert (await client.until("Metadata"))["model_name"] == "two"
        async with listening(gateway, "") as client:
            assert (await client.until("Metadata"))["model_name"] == "one"


# ---- over HTTP


async def post(gateway: Gateway, query: str, body: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False, timeout=PATIENCE_S) as client:
        return await client.post(f"/v1/speak?{query}", json=body)


@pytest.mark.parametrize(
    ("query", "content_type", "kind"),
    [
        ("", "audio/mpeg", "mp3"),
        ("encoding=linear16", "audio/wav", None),
        ("encoding=mulaw", "audio/wav", None),
        ("encoding=opus", "audio/ogg;codecs=opus", None),
        ("encoding=aac", "audio/aac", "aac"),
        ("encoding=flac", "audio/flac", None),
    ],
)
async def test_a_request_is_answered_with_its_sound(
    gateway: Gateway, query: str, content_type: str, kind: str | None
) -> None:
    answer = await post(gateway, query, {"text": "One fine day. Two of them."})
    assert (answer.status_code, answer.headers["content-type"]) == (200, content_type)
    assert (answer.headers["dg-model-name"], answer.headers["dg-char-count"]) == ("fake", "26")
    sound, rate_hz = played(answer.content, kind)
    assert len(sound) / rate_hz == pytest.approx(seconds("One fine day.Two of them."), abs=0.05)


async def test_a_request_without_a_header_has_samples_alone(gateway: Gateway) -> None:
    answer = await post(gateway, f"{PLAIN}&container=none", {"text": "One fine day."})
    assert read(np.frombuffer(answer.content, "<i2")) == "One fine day."


@pytest.mark.parametrize(
    ("query", "body", "code", "said"),
    [
        ("model=eve", {"text": "Hi."}, "UNKNOWN_VOICE", "'model' is 'eve'; allowed: fake"),
        ("encoding=mp3&sample_rate=7", {"text": "Hi."}, "UNSUPPORTED_FORMAT", "mp3 at 7 Hz"),
        ("encoding=mp3&bit_rate=9000", {"text": "Hi."}, "UNSUPPORTED_FORMAT", "9 kbit/s"),
        ("", {"url": "http://x"}, "MISSING_FIELD", "'text' is missing"),
        ("", ["x"], "NOT_JSON", "send a JSON object"),
    ],
)
async def test_a_request_that_cannot_be_is_refused(
    gateway: Gateway, query: str, body: Any, code: str, said: str
) -> None:
    answer = await post(gateway, query, body)
    told = answer.json()
    assert (answer.status_code, told["err_code"]) == (400, code)
    assert said in told["err_msg"]
    assert set(told) == {"err_code", "err_msg", "request_id"}


async def test_blank_text_is_a_sound_too(gateway: Gateway) -> None:
    answer = await post(gateway, "encoding=linear16", {"text": "  "})
    assert answer.status_code == 200
    sound, rate_hz = played(answer.content)
    assert 0 < len(sound) / rate_hz < 0.5


@pytest.mark.parametrize("query", ["sample_rate=2.0400.0", "sample_rate=16.0.00", "sample_rate=0", "speed=nan"])
async def test_a_number_that_is_none_is_refused_in_their_shape(gateway: Gateway, query: str) -> None:
    async with httpx.AsyncClient(base_url=gateway.http) as client:
        answer = await client.post(f"/v1/speak?encoding=linear16&{query}", json={"text": "Hi."})
    assert answer.status_code == 400
    assert {"err_code", "err_msg", "request_id"} == answer.json().keys()
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(f"ws://{gateway.host}/v1/speak?{query}", proxy=None)
    assert (refused.value.response.status_code, "err_code" in refused.value.response.body.decode()) == (400, True)


async def test_nothing_of_a_text_comes_after_its_flushed(gateway: Gateway) -> None:
    async with listening(gateway, "encoding=linear16&sample_rate=8000") as client:
        await client.speak("One fine day.")
        await client.send("Flush")
        await client.until("Flushed")
        before = len(client.sound)
        await client.send("Close")
        assert await client.closed() == 1000
    assert len(client.sound) == before
    assert before / 2 / 8000 == pytest.approx(seconds("One fine day."), abs=0.0002)
