"""Cartesia's sockets and requests over the wire."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from string import ascii_lowercase
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

RAW = {"container": "raw", "encoding": "pcm_s16le", "sample_rate": 22050}  # as the voice makes it
REQUEST: dict[str, Any] = {"model_id": "sonic-3", "voice": {"mode": "id", "id": "fake"}, "output_format": RAW}


class Listener:
    """A client of the socket: what came, by context; fails on anything of a context after its end."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: dict[str | None, list[dict[str, Any]]] = defaultdict(list)
        self.order: list[str | None] = []

    async def say(self, context: str, text: str, *, goes_on: bool = False, **fields: Any) -> None:
        message = {**REQUEST, "context_id": context, "transcript": text, "continue": goes_on, **fields}
        await self.socket.send(json.dumps(message))

    async def cancel(self, context: str) -> None:
        await self.socket.send(json.dumps({"context_id": context, "cancel": True}))

    async def until(self, kind: str, context: str | None) -> dict[str, Any]:
        while True:
            async with asyncio.timeout(PATIENCE_S):
                told: dict[str, Any] = json.loads(await self.socket.recv())
            name = told["context_id"]
            assert self.last(name) != "done", f"{told['type']} after the end of {name}"
            self.heard[name].append(told)
            self.order.append(name)
            if (told["type"], name) == (kind, context):
                return told

    def last(self, context: str | None) -> str | None:
        return self.heard[context][-1]["type"] if self.heard[context] else None

    def forget(self, context: str) -> None:
        """Its name is another context's from here on."""
        del self.heard[context]

    def sound(self, context: str, flush_id: int | None = None) -> bytes:
        chunks = [told for told in self.heard[context] if told["type"] == "chunk"]
        return b"".join(b64decode(told["data"]) for told in chunks if flush_id in (None, told["flush_id"]))

    def pcm(self, context: str, flush_id: int | None = None) -> Pcm:
        return np.frombuffer(self.sound(context, flush_id), "<i2")

    def of(self, kind: str, context: str | None) -> list[dict[str, Any]]:
        return [told for told in self.heard[context] if told["type"] == kind]


@asynccontextmanager
async def listening(gateway: Gateway) -> AsyncIterator[Listener]:
    url = f"ws://{gateway.host}/tts/websocket?cartesia_version=2025-04-16&api_key=any"
    async with websockets.connect(url, proxy=None, compression=None, close_timeout=0.1) as socket:
        yield Listener(socket)


async def test_a_text_in_pieces_is_one_context(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.say("a", "One fine ", goes_on=True)
        await client.say("a", "day. Two of", goes_on=True)
        await client.say("a", "")
        done = await client.until("done", "a")
    assert done == {"type": "done", "done": True, "status_code": 206, "context_id": "a"}
    assert read(client.pcm("a")) == "One fine day.Two of"


async def test_a_text_that_is_blank_is_done(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        for text in ("", "  "):
            await client.say("a", text)
            await client.until("done", "a")
            assert client.sound("a") == b""
            client.forget("a")


async def test_a_flush_in_mid_turn_is_no_end_and_says_whose_sound_is_whose(gateway: Gateway) -> None:
    """d15"""
    async with listening(gateway) as client:
        await client.say("a", "One", goes_on=True, flush=True)
        await client.say("a", "Two", goes_on=True)
        await client.say("a", "", goes_on=True, flush=True)
        await client.say("a", "Three.")
        await client.until("done", "a")
    assert [told["flush_id"] for told in client.of("flush_done", "a")] == [1, 2]
    assert [read(client.pcm("a", flush_id)) for flush_id in (1, 2, 3)] == ["One", "Two", "Three."]


async def test_word_times_are_seconds_of_the_context(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.say("a", "One fine day. Two of them.", add_timestamps=True)
        await client.say("b", "No times.")
        await client.until("done", "b")
        if client.last("a") != "done":
            await client.until("done", "a")
    times = [told["word_timestamps"] for told in client.of("timestamps", "a")]
    words = [word for told in times for word in told["words"]]
    starts = [start for told in times for start in told["start"]]
    ends = [end for told in times for end in told["end"]]
    assert words == ["One", "fine", "day.", "Two", "of", "them."]
    assert starts == sorted(starts)
    assert ends[-1] == pytest.approx(len(client.pcm("a")) / 22050, abs=0.01)
    assert starts[3] == pytest.approx(seconds("One fine day."), abs=0.01)
    assert client.of("timestamps", "b") == []


async def test_contexts_and_a_cancel_under_load_do_not_mix() -> None:
    """d31"""
    texts = {name: f"This is {name}. It says {name}." for name in ascii_lowercase[:12]}
    async with running(max_contexts=12) as gateway, listening(gateway) as client:
        for context, text in texts.items():
            for word in text.split(" "):
                await client.say(context, f"{word} ", goes_on=True)
        await client.cancel("f")
        for context in texts:
            if context != "f":
                await client.say(context, "")
        for context in texts:
            if client.last(context) != "done":
                await client.until("done", context)
    assert len(set(client.order)) == 12
    for context, text in texts.items():
        if context == "f":
            assert text.replace(". ", ".").startswith(read(client.pcm(context)))
        else:
            assert read(client.pcm(context)) == text.replace(". ", ".")


async def test_cancel_stops_the_work_and_nothing_of_it_follows() -> None:
    """c23"""
    gate = Gate()
    model = FakeModel(lag=0, gate=gate)
    async with running(fake_engine(fake_voice(model), threads=1)) as gateway, listening(gateway) as client:
        await client.say("a", "The first of many. It is never heard. Nor is that one.")
        for _ in range(2):  # the front of the first sentence and a step of its sound
            await gate.arrival()
            gate.let()
        await client.until("chunk", "a")
        await gate.arrival()  # in a step, as always when a listener loses patience
        await client.cancel("a")
        await client.until("done", "a")
        gate.open()
        await client.say("b", "Now this.")
        await client.until("done", "b")  # the listener fails on anything of "a" before it
        assert read(client.pcm("b")) == "Now this."
        client.forget("a")
        await client.say("a", "And this.")
        await client.until("done", "a")
    assert read(client.pcm("a")) == "And this."
    assert set(model.decodes) == {"The first of many.", "Now this.", "And this."}


async def test_a_cancel_of_nothing_is_done(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.cancel("never")
        await client.until("done", "never")


async def test_each_context_has_the_voice_it_was_given() -> None:
    """e05"""
    one, two = FakeModel(), FakeModel()
    engine = fake_engine(fake_voice(one, "one"), fake_voice(two, "two"))
    async with running(engine) as gateway, listening(gateway) as client:
        await client.say("a", "By the first", goes_on=True, voice={"mode": "id", "id": "one"})
        await client.say("b", "By the second.", voice={"mode": "id", "id": "two"})
        await client.say("a", " for you.", voice={"mode": "id", "id": "two"}, goes_on=True)
        refused = await client.until("error", "a")
        await client.say("a", ".", voice={"mode": "id", "id": "one"})
        await client.until("done", "a")
        if client.last("b") != "done":
            await client.until("done", "b")
        await client.say("c", "By the first.", voice={"mode": "id", "id": "two"})
        await client.until("done", "c")
    assert (refused["error_code"], refused["done"]) == ("already_started", False)
    assert (one.decodes, sorted(two.decodes)) == (["By the first."], ["By the first.", "By the second."])


@pytest.mark.parametrize(
    ("fields", "code", "status"),
    [
        ({"voice": {"mode": "id", "id": "eve"}}, "unknown_voice", 404),
        ({"output_format": {**RAW, "sample_rate": 1}}, "unsupported_format", 400),
        ({"language": "fr"}, "unknown_language", 400),
    ],
)
async def test_an_error_carries_its_context_and_the_socket_goes_on(
    gateway: Gateway, fields: dict[str, Any], code: str, status: int
) -> None:
    async with listening(gateway) as client:
        await client.say("a", "Wrong.", **fields)
        error = await client.until("error", "a")
        assert (error["error_code"], error["status_code"], error["done"]) == (code, status, True)
        await client.say("a", "Right.")
        await client.until("done", "a")
    assert read(client.pcm("a")) == "Right."


@pytest.mark.parametrize(
    "field",
    ['"max_buffer_delay_ms": %s', '"generation_config": {"speed": %s}', '"speed": %s', '"context_id": %s'],
)
async def test_a_number_out_of_all_ranges_costs_its_own_message(gateway: Gateway, field: str) -> None:
    async with listening(gateway) as client:
        await client.say("a", "Right", goes_on=True)
        said = {**REQUEST, "context_id": "b", "transcript": "Wrong."}
        await client.socket.send(f"{json.dumps(said)[:-1]}, {field % ('9' * 400)}}}")
        error = await client.until("error", None if "context_id" in field else "b")
        assert (error["error_code"], error["done"]) == ("bad_value", True)
        await client.say("a", ".")
        await client.until("done", "a")
    assert read(client.pcm("a")) == "Right."


async def test_a_message_that_is_no_json_is_an_error_of_no_context(gateway: Gateway) -> None:
    async with listening(gateway) as client:
        await client.socket.send("{")
        assert (await client.until("error", None))["error_code"] == "not_json"


async def test_too_many_contexts_are_refused_and_may_come_again() -> None:
    async with running(max_contexts=1) as gateway, listening(gateway) as client:
        await client.say("a", "One", goes_on=True)
        await client.say("b", "Two.")
        error = await client.until("error", "b")
        assert (error["error_code"], error["status_code"]) == ("too_many_contexts", 429)
        await client.say("a", ".")
        await client.until("done", "a")
        assert [told["type"] for told in client.heard["b"]] == ["error"]
        client.forget("b")
        await client.say("b", "Two.")
        await client.until("done", "b")
    assert read(client.pcm("b")) == "Two."


@pytest.mark.parametrize(("encoding", "width"), [("pcm_s16le", 2), ("pcm_f32le", 4), ("pcm_mulaw", 1), ("pcm_alaw", 1)])
async def test_the_sound_is_in_the_format_that_was_asked_for(gateway: Gateway, encoding: str, width: int) -> None:
    async with listening(gateway) as client:
        await client.say("a", "One fine day.", output_format={**RAW, "encoding": encoding, "sample_rate": 8000})
        await client.until("done", "a")
    assert len(client.sound("a")) / width / 8000 == pytest.approx(seconds("One fine day."), abs=0.01)


@pytest.mark.parametrize("hold_ms", [0, 50])
async def test_text_without_an_end_is_spoken_after_the_buffer_delay(gateway: Gateway, hold_ms: int) -> None:
    async with listening(gateway) as client:
        await client.say("a", "One fine", goes_on=True, max_buffer_delay_ms=hold_ms)
        await client.until("chunk", "a")  # before anything says that there is no more
        await client.say("a", " day.", max_buffer_delay_ms=hold_ms)
        await client.until("done", "a")
    assert read(client.pcm("a")) == "One fineday."
    assert client.of("flush_done", "a") == []


# ---- over HTTP


async def post(gateway: Gateway, path: str, **fields: Any) -> httpx.Response:
    headers = {"cartesia-version": "2025-04-16", "x-api-key": "any"}
    async with httpx.AsyncClient(base_url=gateway.http, trust_env=False, timeout=PATIENCE_S) as client:
        return await client.post(path, json={**REQUEST, **fields}, headers=headers)


@pytest.mark.parametrize(
    ("output", "content_type", "kind"),
    [
        ({"container": "wav", "encoding": "pcm_s16le", "sample_rate": 16000}, "audio/wav", None),
        ({"container": "wav", "encoding": "pcm_f32le", "sample_rate": 44100}, "audio/wav", None),
        ({"container": "wav", "encoding": "pcm_mulaw", "sample_rate": 8000}, "audio/wav", None),
        ({"container": "mp3", "sample_rate": 44100, "bit_rate": 128000}, "audio/mpeg", "mp3"),
    ],
)
async def test_bytes_are_a_file(gateway: Gateway, output: dict[str, Any], content_type: str, kind: str | None) -> None:
    answer = await post(gateway, "/tts/bytes", transcript="One fine day.", output_format=output)
    assert (answer.status_code, answer.headers["content-type"]) == (200, content_type)
    sound, rate_hz = played(answer.content, kind)
    assert rate_hz == output["sample_rate"]
    assert len(sound) / rate_hz == pytest.approx(seconds("One fine day."), abs=0.05)


async def test_raw_bytes_are_samples_alone(gateway: Gateway) -> None:
    answer = await post(gateway, "/tts/bytes", transcript="One fine day.")
    assert read(np.frombuffer(answer.content, "<i2")) == "One fine day."


async def test_sse_tells_sound_and_times(gateway: Gateway) -> None:
    answer = await post(gateway, "/tts/sse", transcript="One fine day.", add_timestamps=True, context_id="mine")
    told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
    assert {one["context_id"] for one in told} == {"mine"}
    assert told[-1]["type"] == "done"
    sound = b"".join(b64decode(one["data"]) for one in told if one["type"] == "chunk")
    assert read(np.frombuffer(sound, "<i2")) == "One fine day."
    assert [w for one in told if one["type"] == "timestamps" for w in one["word_timestamps"]["words"]] == [
        "One",
        "fine",
        "day.",
    ]


@pytest.mark.parametrize(
    ("path", "fields", "status", "code"),
    [
        ("/tts/bytes", {"voice": "eve"}, 404, "unknown_voice"),
        ("/tts/bytes", {"output_format": {"container": "mp3", "sample_rate": 7}}, 400, "unsupported_format"),
        ("/tts/bytes", {"transcript": None}, 400, "missing_field"),
        ("/tts/sse", {"output_format": {**RAW, "container": "wav"}}, 400, "unsupported_format"),
    ],
)
async def test_a_request_that_cannot_be_is_refused(
    gateway: Gateway, path: str, fields: dict[str, Any], status: int, code: str
) -> None:
    answer = await post(gateway, path, **{"transcript": "Hi.", **fields})
    assert (answer.status_code, answer.json()["error_code"]) == (status, code)


async def test_voices_are_listed_in_their_shape() -> None:
    engine = fake_engine(fake_voice(name="one"), fake_voice(name="two"))
    async with (
        running(engine, cartesia_voices="a0e99841=two") as gateway,
        httpx.AsyncClient(base_url=gateway.http, trust_env=False) as client,
    ):
        listed = (await client.get("/voices")).json()
        mapped = (await client.get("/voices/a0e99841")).json()
        unknown = await client.get("/voices/eve")
    assert [voice["id"] for voice in listed["data"]] == ["one", "two"]
    assert listed["has_more"] is False
    assert mapped == listed["data"][1]
    assert unknown.status_code == 404


async def test_a_number_out_of_all_ranges_is_refused_in_their_shape(gateway: Gateway) -> None:
    body = json.dumps({**REQUEST, "transcript": "Hi."})[:-1] + f', "generation_config": {{"speed": {"9" * 400}}}}}'
    async with httpx.AsyncClient(base_url=gateway.http) as client:
        answer = await client.post("/tts/bytes", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error_code"]) == (400, "bad_value")
