"""ElevenLabs' sockets and requests over a real socket, as a client of theirs would use them."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import numpy as np
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from engine.engine import Engine
from tests.fakes import FakeModel, Gate, fake_engine, fake_voice, read
from tests.wire import PATIENCE_S, Gateway, running

Message = dict[str, Any]


class Eleven:
    """One socket of theirs, and what came over it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.messages: list[Message] = []

    async def send(self, **fields: Any) -> None:
        await self.socket.send(json.dumps(fields))

    async def next(self) -> Message:
        async with asyncio.timeout(PATIENCE_S):
            message: Message = json.loads(await self.socket.recv())
        self.messages.append(message)
        return message

    async def final(self, context: str | None = None) -> Message:
        """Listen until a context is over."""
        while True:
            message = await self.next()
            assert "error" not in message, message
            if message["isFinal"] and message.get("contextId") == context:
                return message

    async def closed(self) -> tuple[int, str]:
        """Listen until the socket is closed: its code and its reason."""
        while True:
            try:
                await self.next()
            except websockets.ConnectionClosed as error:
                assert error.rcvd is not None
                return error.rcvd.code, error.rcvd.reason

    def of(self, context: str | None = None) -> list[Message]:
        return [message for message in self.messages if message.get("contextId") == context]

    def text(self, context: str | None = None) -> str:
        """What a FakeModel's samples spell."""
        sound = b"".join(base64.b64decode(m["audio"]) for m in self.of(context) if m.get("audio"))
        return read(np.frombuffer(sound, "<i2"))

    def written(self, context: str | None = None) -> str:
        """The characters of all alignments."""
        return "".join(char for m in self.of(context) if m.get("alignment") for char in m["alignment"]["chars"])


@asynccontextmanager
async def eleven(
    gateway: Gateway,
    path: str = "stream-input",
    voice: str = "fake",
    headers: Message | None = None,
    **query: Any,
) -> AsyncIterator[Eleven]:
    asked = "&".join(f"{name}={value}" for name, value in {"output_format": "pcm_22050", **query}.items())
    url = f"ws://{gateway.host}/v1/text-to-speech/{voice}/{path}?{asked}"
    async with websockets.connect(url, proxy=None, additional_headers=headers, close_timeout=0.1) as socket:
        yield Eleven(socket)


def many(gateway: Gateway, **query: Any) -> Any:
    return eleven(gateway, "multi-stream-input", **query)


# ---- one text a socket


async def test_a_text_in_pieces_is_spoken_and_the_socket_closed(gateway: Gateway) -> None:
    async with eleven(gateway) as client:
        await client.send(text=" ", voice_settings={"stability": 0.5}, xi_api_key="any")
        for text in ("One fine ", "day. Two of them. ", "And three "):
            await client.send(text=text, try_trigger_generation=True)
        await client.send(text="")
        await client.final()
        assert await client.closed() == (1000, "")
    assert client.text() == "One fine day.Two of them.And three"
    assert client.written().rstrip() == "One fine day. Two of them. And three"


async def test_characters_are_told_with_their_sound_and_tile_it(gateway: Gateway) -> None:
    async with eleven(gateway) as client:
        await client.send(text="One fine day. Two of them. ")
        await client.send(text="")
        await client.closed()
    told = sent = 0.0
    for message in client.messages:
        if not message.get("audio"):
            continue
        length_ms = len(base64.b64decode(message["audio"])) / 44.1
        if alignment := message["alignment"]:
            starts, durations = alignment["charStartTimesMs"], alignment["charDurationsMs"]
            assert len(alignment["chars"]) == len(starts) == len(durations)
            assert starts == sorted(starts)
            assert 0 <= starts[0] <= starts[-1] <= length_ms + 1
            assert starts[0] == 0
            assert sum(durations) == starts[-1] + durations[-1]
            told += sum(durations)
            assert told == pytest.approx(sent + length_ms, abs=2)
        sent += length_ms
        assert message["normalizedAlignment"] == alignment
    every = [m["alignment"] for m in client.messages if m.get("alignment")]
    assert sum(sum(alignment["charDurationsMs"]) for alignment in every) == pytest.approx(sent, abs=2)


async def test_sync_alignment_puts_one_into_every_message(gateway: Gateway) -> None:
    async with eleven(gateway, sync_alignment="true") as client:
        await client.send(text="One fine day. ")
        await client.send(text="")
        await client.closed()
    assert all(m["alignment"] is not None for m in client.messages if m.get("audio"))


async def test_flush_speaks_what_is_there_and_ends_nothing(gateway: Gateway) -> None:
    """d15"""
    async with eleven(gateway) as client:
        for text in ("One", "Two", "Three"):
            await client.send(text=text, flush=True)
        await client.send(text="")
        await client.closed()
    assert client.text() == "OneTwoThree"
    assert [bool(m["isFinal"]) for m in client.messages].count(True) == 1


async def test_try_trigger_generation_speaks_a_clause_and_cuts_no_other_text(gateway: Gateway) -> None:
    clause = "And a clause that has by itself some sixty characters in all,"
    async with eleven(gateway) as client:
        for word in f"One fine day. {clause} then, briefly, the rest of it.".split(" "):
            await client.send(text=f"{word} ", try_trigger_generation=True)
        await client.send(text="")
        await client.closed()
    assert client.text() == f"One fine day.{clause}then, briefly, the rest of it."


@pytest.mark.parametrize("texts", [(" ", ""), ("   ", " ", ""), ("",)])
async def test_blank_text_is_answered(gateway: Gateway, texts: tuple[str, ...]) -> None:
    async with eleven(gateway) as client:
        for text in texts:
            await client.send(text=text)
        assert await client.closed() == (1000, "")
    assert [(m["audio"], m["isFinal"]) for m in client.messages] == [(None, True)]


@pytest.mark.parametrize("output_format", ["pcm_16000", "mp3_44100_64", "ulaw_8000"])
async def test_text_with_nothing_to_be_said_is_a_moment_of_silence(gateway: Gateway, output_format: str) -> None:
    async with eleven(gateway, output_format=output_format) as client:
        await client.send(text="😀 ")
        await client.send(text="")
        assert await client.closed() == (1000, "")
    sound, final = client.messages
    assert len(base64.b64decode(sound["audio"])) > 500
    assert final["isFinal"]


@pytest.mark.parametrize(
    ("headers", "query", "message", "opens"),
    [
        ({"xi-api-key": "right"}, {}, {}, True),
        ({}, {"xi-api-key": "right"}, {}, True),
        ({}, {}, {"xi_api_key": "right"}, True),
        ({}, {}, {"xi-api-key": "right"}, True),
        ({}, {}, {"authorization": "Bearer right"}, True),
        ({}, {}, {"xi_api_key": "wrong"}, False),
        ({}, {}, {}, False),
    ],
)
async def test_a_key_may_come_with_the_first_message(
    headers: Message, query: Message, message: Message, opens: bool
) -> None:
    async with running(api_keys="right") as gateway:
        for path in ("stream-input", "multi-stream-input"):
            async with eleven(gateway, path, headers=headers, **query) as client:
                await client.send(text=" ", **message)
                await client.send(text="One fine day.", flush=True)
                await client.send(close_socket=True, text="")
                code, _ = await client.closed()
            assert code == (1000 if opens else 1008)
            said = client.text() + client.text("default")
            assert said == ("One fine day." if opens else "")
            assert opens or client.messages[0]["error"] == "invalid_api_key"


async def test_a_client_who_says_nothing_is_told_that_he_is_idle(gateway: Gateway) -> None:
    async with eleven(gateway, inactivity_timeout="1") as client:
        assert await client.closed() == (1000, "idle: nothing came for 1 seconds")


async def test_an_open_text_that_does_not_go_on_is_spoken_to_its_end(gateway: Gateway) -> None:
    async with eleven(gateway, inactivity_timeout="1") as client:
        await client.send(text="One fine day. And half")
        final = await client.final()
        assert await client.closed() == (1000, "idle: nothing came for 1 seconds")
    assert final["reason"] == "idle: nothing came for 1 seconds"
    assert client.text() == "One fine day.And half"


@pytest.mark.parametrize(
    ("voice", "query", "error", "words"),
    [
        ("nobody", {}, "voice_not_found", ["'nobody'", "fake", "ONSET_ELEVENLABS_VOICES"]),
        ("fake", {"output_format": "mp3_11025_8"}, "output_format_not_allowed", ["mp3_44100_128", "opus_48000_32"]),
        ("fake", {"inactivity_timeout": "181"}, "invalid_input_message", ["inactivity_timeout", "180"]),
        ("fake", {"language_code": "xx"}, "unsupported_language", ["'xx'", "en-US"]),
        ("fake", {"seed": "many"}, "invalid_input_message", ["seed"]),
    ],
)
async def test_what_cannot_be_is_told_at_once(
    gateway: Gateway, voice: str, query: Message, error: str, words: list[str]
) -> None:
    for path in ("stream-input", "multi-stream-input"):
        async with eleven(gateway, path, voice, **query) as client:
            code, reason = await client.closed()
        (told,) = client.messages
        assert (told["error"], told["code"], code) == (error, 1008, 1008)
        assert [word for word in words if word not in told["message"]] == []
        assert told["message"].startswith(reason)


@pytest.mark.parametrize(
    "message", ["no JSON", '"a string"', '{"text": 5}', '{"voice_settings": {"speed": 9}, "text": " "}']
)
async def test_a_message_that_is_wrong_ends_the_text(gateway: Gateway, message: str) -> None:
    async with eleven(gateway) as client:
        await client.socket.send(message)
        assert (await client.closed())[0] == 1008
    assert client.messages[-1]["error"] == "invalid_input_message"


async def test_settings_that_change_in_mid_text_are_refused_and_the_same_are_not(gateway: Gateway) -> None:
    """e05"""
    async with eleven(gateway) as client:
        await client.send(text="One fine day. ", voice_settings={"speed": 1.1})
        await client.send(text="Two of them. ", voice_settings={"speed": 1.1})
        await client.send(text="And three. ", voice_settings={"speed": 1.2})
        assert (await client.closed())[0] == 1008
    assert client.messages[-1]["error"] == "already_started"


# ---- many


async def test_contexts_are_spoken_apart(gateway: Gateway) -> None:
    async with many(gateway) as client:
        for id_ in "abcdefg":  # more than the five that others allow
            await client.send(text=f"This is {id_}. ", context_id=id_)
        for id_ in "abcdefg":
            await client.send(text="", context_id=id_, flush=True)
            await client.send(context_id=id_, close_context=True)
        for id_ in "abcdefg":
            await client.final(id_) if not any(m["isFinal"] for m in client.of(id_)) else None
        await client.send(close_socket=True)
        assert await client.closed() == (1000, "")
    assert [client.text(id_) for id_ in "abcdefg"] == [f"This is {id_}." for id_ in "abcdefg"]
    assert [client.written(id_).rstrip() for id_ in "abcdefg"] == [f"This is {id_}." for id_ in "abcdefg"]


async def test_a_context_without_an_id_has_one(gateway: Gateway) -> None:
    async with many(gateway) as client:
        await client.send(text="One fine day.", flush=True)
        await client.send(close_context=True)
        await client.final("default")
    assert client.text("default") == "One fine day."


async def test_a_context_that_is_closed_with_text_waiting_is_silent_at_once() -> None:
    gate = Gate()
    async with running(engine(gate)) as gateway, many(gateway) as client:
        await client.send(text="One fine day. Two of them. Three of ", context_id="a")
        await gate.arrival()
        await client.send(context_id="a", close_context=True)
        await client.final("a")
        gate.open()
        await client.send(text="Another text.", context_id="a", flush=True)  # the id is free again
        await client.send(context_id="a", close_context=True)
        await client.final("a")
    assert client.text("a") == "Another text."


async def test_a_context_that_is_closed_twice_is_silent_at_once() -> None:
    """A client that ends each turn with a flush and a close interrupts it with one more close."""
    gate = Gate()
    async with running(engine(gate)) as gateway, many(gateway) as client:
        await client.send(text="One fine day. Two of them. ", context_id="a")
        await client.send(context_id="a", flush=True)
        await client.send(context_id="a", close_context=True)
        await gate.arrival()
        await client.send(context_id="a", close_context=True)
        await client.final("a")
        gate.open()
        await client.send(context_id="a", close_context=True)
        await client.send(text="Another text.", context_id="b", flush=True)
        await client.send(context_id="b", close_context=True)
        await client.final("b")
    assert client.text("a") == ""
    assert client.text("b") == "Another text."


async def test_a_context_without_text_is_closed_quietly(gateway: Gateway) -> None:
    """d12"""
    async with many(gateway) as client:
        await client.send(text=" ", context_id="a")
        await client.send(context_id="a", close_context=True)
        assert await client.next() == {"audio": None, "isFinal": True, "contextId": "a"}
        await client.send(text=" ", context_id="b", voice_settings={})
        await client.send(close_socket=True)
        assert await client.closed() == (1000, "")


async def test_an_idle_context_ends_with_a_reason_and_others_go_on(gateway: Gateway) -> None:
    """d12"""
    async with many(gateway, inactivity_timeout="1") as client:
        await client.send(text=" ", context_id="left")
        await client.send(text="One fine day. ", context_id="kept")
        async with asyncio.timeout(PATIENCE_S):
            while not client.of("left"):
                await client.send(text="", context_id="kept")  # keeps it
                await client.send(text="")  # opens nothing
                try:
                    async with asyncio.timeout(0.1):
                        await client.next()
                except TimeoutError:
                    continue
        await client.send(text="Two of them.", context_id="kept", flush=True)
        await client.send(context_id="kept", close_context=True)
        await client.final("kept")
    (final,) = client.of("left")
    assert (final["isFinal"], final["reason"]) == (True, "idle: nothing came for 1 seconds")
    assert client.text("kept") == "One fine day.Two of them."


@pytest.mark.parametrize(
    "keep", [{"text": ""}, {"text": " "}, {"text": "", "context_id": "a"}, {"flush": True, "context_id": "a"}]
)
async def test_what_keeps_a_socket_open_opens_nothing(gateway: Gateway, keep: Message) -> None:
    async with many(gateway) as client:
        await client.send(**keep)
        await client.send(close_socket=True)
        assert await client.closed() == (1000, "")
    assert client.messages == []


async def test_an_error_carries_its_context_and_others_go_on(gateway: Gateway) -> None:
    async with many(gateway) as client:
        await client.send(text="One fine day. ", context_id="good")
        await client.send(text=" ", context_id="bad", voice_settings={"speed": "fast"})
        await client.socket.send("no JSON")
        await client.send(context_id="good", flush=True)
        await client.send(context_id="good", close_context=True)
        while not any(m.get("isFinal") for m in client.of("good")):
            await client.next()
    (told,) = client.of("bad")
    assert (told["error"], told["code"]) == ("invalid_input_message", 1008)
    assert "voice_settings.speed" in told["message"]
    (told,) = client.of(None)
    assert told["error"] == "invalid_input_message"
    assert client.text("good") == "One fine day."


async def test_a_number_out_of_all_ranges_is_an_error_of_its_context(gateway: Gateway) -> None:
    async with many(gateway) as client:
        await client.send(text="One fine day", context_id="good")
        said = '{"text": " ", "context_id": "bad", "voice_settings": {"speed": NUMBER}}'
        await client.socket.send(said.replace("NUMBER", "9" * 400))
        await client.send(close_socket=True)
        assert await client.closed() == (1000, "")
    (told,) = client.of("bad")
    assert told["error"] == "invalid_input_message"
    assert client.text("good") == "One fine day"


async def test_a_context_that_was_refused_is_told_so_once() -> None:
    async with running(max_contexts=1) as gateway, many(gateway) as client:
        await client.send(text="One fine day", context_id="good")
        for text in ("Two ", "of ", "them. "):
            await client.send(text=text, context_id="bad", flush=True)
        await client.send(close_socket=True)
        assert await client.closed() == (1000, "")
    assert [m["error"] for m in client.of("bad") if "error" in m] == ["max_active_conversations"]
    assert client.text("good") == "One fine day"


async def test_a_socket_is_closed_when_all_has_been_spoken(gateway: Gateway) -> None:
    async with many(gateway) as client:
        await client.send(text="One fine day. And more", context_id="a")
        await client.send(text="Two of them", context_id="b")
        await client.send(close_socket=True)
        assert await client.closed() == (1000, "")
    assert (client.text("a"), client.text("b")) == ("One fine day.And more", "Two of them")


# ---- voices


async def test_a_voice_is_named_by_name_fingerprint_or_mapping() -> None:
    async with running(elevenlabs_voices="21m00Tcm4TlvDq8ikWAM=fake") as gateway:
        fingerprint = gateway.house.engine.default_voice.fingerprint
        for voice in ("fake", "21m00Tcm4TlvDq8ikWAM", fingerprint[:12]):
            async with eleven(gateway, voice=voice) as client:
                await client.send(text="One fine day.")
                await client.send(text="")
                assert await client.closed() == (1000, "")
            assert client.text() == "One fine day."


# ---- requests


async def test_speech_as_an_answer(gateway: Gateway) -> None:
    async with httpx.AsyncClient(base_url=gateway.http, headers={"xi-api-key": "any"}) as client:
        for end in ("", "/stream"):
            answer = await client.post(
                f"/v1/text-to-speech/fake{end}?output_format=pcm_22050",
                json={"text": "One fine day. Two.", "model_id": "eleven_flash_v2_5", "voice_settings": {"speed": 1}},
            )
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "audio/pcm;rate=22050"
            assert read(np.frombuffer(answer.content, "<i2")) == "One fine day.Two."


async def test_speech_with_times_as_an_answer(gateway: Gateway) -> None:
    async with httpx.AsyncClient(base_url=gateway.http, headers={"xi-api-key": "any"}) as client:
        asked = {"text": "One fine day. Two."}
        url = "/v1/text-to-speech/fake{}/with-timestamps?output_format=pcm_22050"
        whole = (await client.post(url.format(""), json=asked)).json()
        lines = (await client.post(url.format("/stream"), json=asked)).text.splitlines()
    pieces = [json.loads(line) for line in lines]
    assert len(pieces) > 1
    sound = b"".join(base64.b64decode(piece["audio_base64"]) for piece in pieces)
    assert sound == base64.b64decode(whole["audio_base64"])
    told = whole["alignment"]
    assert "".join(told["characters"]) == "One fine day. Two. "
    for key in ("characters", "character_start_times_seconds"):
        assert [item for piece in pieces if piece["alignment"] for item in piece["alignment"][key]] == told[key]
    assert told["character_end_times_seconds"][-1] == pytest.approx(len(sound) / 44_100, abs=0.002)


@pytest.mark.parametrize(
    ("path", "body", "status", "word"),
    [
        ("nobody", {"text": "One."}, 404, "voice_not_found"),
        ("fake?output_format=ogg", {"text": "One."}, 400, "output_format_not_allowed"),
        ("fake", {"words": "One."}, 400, "invalid_input_message"),
        ("fake", {"text": "One.", "seed": -1}, 400, "invalid_input_message"),
    ],
)
async def test_a_request_that_cannot_be(gateway: Gateway, path: str, body: Message, status: int, word: str) -> None:
    async with httpx.AsyncClient(base_url=gateway.http) as client:
        answer = await client.post(f"/v1/text-to-speech/{path}", json=body)
    assert (answer.status_code, answer.json()["detail"]["status"]) == (status, word)


async def test_voices_and_models_are_listed_as_their_client_knows_them(gateway: Gateway) -> None:
    theirs = {"xi-api-key": "any"}
    async with httpx.AsyncClient(base_url=gateway.http) as client:
        voices = (await client.get("/v1/voices", headers=theirs)).json()["voices"]
        assert [voice["voice_id"] for voice in voices] == ["fake"]
        assert (await client.get("/v1/voices/fake", headers=theirs)).json() == voices[0]
        assert (await client.get("/v1/models", headers=theirs)).json()[0]["can_do_text_to_speech"] is True
        assert (await client.get("/v1/voices")).json()["default"] == "fake"


def engine(gate: Gate) -> Engine:
    return fake_engine(fake_voice(FakeModel(gate=gate)))
