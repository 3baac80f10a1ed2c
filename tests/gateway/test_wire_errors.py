"""What is wrong is told, and the connection, its contexts and other clients go on."""

from __future__ import annotations

import json
from typing import Any

import pytest
import websockets

from tests.fakes import POISON, fake_engine, fake_voice
from tests.wire import Client, Gateway, running


async def goes_on(client: Client) -> None:
    """This connection still speaks."""
    client.ear.sound.clear()
    await client.speak("All is well.", context="after")
    assert client.ear.text("after") == "All is well."


@pytest.mark.parametrize(
    ("message", "code", "named"),
    [
        ("not json", "not_json", "JSON"),
        (b"\x00\x01", "not_text", "binary"),
        ('{"type": "sing"}', "unknown_type", "start, text, flush, end, cancel, played, ping"),
        ('{"type": "text", "text": "a", "colour": "red"}', "unknown_field", "'colour'"),
        ('{"type": "text", "text": 7}', "bad_value", "a string"),
        ('{"type": "start", "speed": "fast"}', "bad_value", "0.25 to 4"),
        ('{"type": "start", "lexicon": {"a": "b", "SQL": 5}}', "bad_value", "'SQL' is 5; allowed: a respelling"),
        ('{"type": "start", "voice": "nobody"}', "unknown_voice", "fake"),
        ('{"type": "start", "language": "xx"}', "unknown_language", "en-US"),
        ('{"type": "start", "speaker": 9}', "unknown_speaker", "0"),
        ('{"type": "start", "format": "ogg"}', "unsupported_format", "pcm_s16le"),
        ('{"type": "start", "format": "mp3", "sample_rate": 9000}', "unsupported_format", "8000, 11025, 12000"),
        ('{"type": "text", "text": "\\ud800"}', "bad_text", "surrogate"),
        ('{"type": "text", "text": "a\\u0000b"}', "bad_text", "U+0000"),
        (json.dumps({"type": "text", "text": "x" * 300_000}), "message_too_large", "262144"),
        (json.dumps({"type": "text", "text": "é" * 140_000}, ensure_ascii=False), "message_too_large", "262144"),
        (json.dumps({"type": "text", "text": "x" * 201_000}), "too_much_text", "200000"),
    ],
)
async def test_bad_input_gets_an_error_and_all_goes_on(
    gateway: Gateway, message: str | bytes, code: str, named: str
) -> None:
    async with gateway.client() as other, gateway.client() as client:
        await client.send("text", text="Before. ", context="open")
        await other.send("text", text="Not mine. ")
        await client.socket.send(message)
        while not (errors := client.ear.of("error") + client.ear.of("error", None)):
            await client.next()
        assert [error["code"] for error in errors] == [code]
        assert named in errors[0]["message"]
        await goes_on(client)
        await client.speak("And after.", context="open")
        assert client.ear.text("open") == "Before.And after."
        await other.speak("Still here.")
        assert other.ear.text() == "Not mine.Still here."


async def test_an_unknown_voice_is_named_and_never_spoken_for(gateway: Gateway) -> None:
    """d34"""
    async with gateway.client() as client:
        done = await client.speak("Hello there.", voice="nobody")
        errors = client.ear.of("error")
        assert errors[0]["code"] == "unknown_voice"
        assert "'nobody'" in errors[0]["message"]
        assert "fake" in errors[0]["message"]
        assert [error["code"] for error in errors[1:]] == ["start_refused"]
        assert (done["sentences"], len(client.ear.sound["default"])) == (0, 0)
        await client.speak("Hello there.", voice="fake")
        assert client.ear.text() == "Hello there."


async def test_a_right_start_after_a_wrong_one_is_taken(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.send("start", voice="nobody")
        await client.until("error")
        await client.speak("Hello there.", voice="fake")
        assert client.ear.text() == "Hello there."


async def test_settings_after_the_first_text_are_refused(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.send("text", text="One.")
        await client.send("start", speed=2)
        assert (await client.until("error"))["code"] == "already_started"
        await client.speak()
        assert client.ear.text() == "One."


async def test_text_after_end_is_refused_until_done(gateway: Gateway) -> None:
    async with gateway.client() as client:
        await client.send("text", text="One. " * 3)
        await client.send("end")
        await client.send("text", text="Two.")
        await client.until("done")
        assert [error["code"] for error in client.ear.of("error")] == ["context_ended"]
        assert client.ear.text() == "One." * 3
        await goes_on(client)


@pytest.mark.parametrize("texts", [[], [""], [" \n"], ["...", "—"], ["", " ", "\t"]])
async def test_empty_and_blank_text_is_done_normally(gateway: Gateway, texts: list[str]) -> None:
    async with gateway.client() as client:
        done = await client.speak(*texts)
        numbers: dict[str, Any] = {"audio_ms": 0, "sentences": 0, "cached": 0, "first_audio_ms": None, "underruns": 0}
        assert done == {"type": "done", "context": "default", **numbers}
        assert client.ear.of("error") == []
        await goes_on(client)


async def test_a_hundred_thousand_characters_without_a_space(gateway: Gateway) -> None:
    async with gateway.client() as client, gateway.client() as other:
        await client.send("start", pace="fast")
        await client.send("text", text="x" * 100_000)
        await client.send("cancel")
        await client.until("cancelled")
        await goes_on(client)
        await goes_on(other)


async def test_too_many_contexts_leave_the_open_ones_alone() -> None:
    async with running(max_contexts=2) as gateway, gateway.client() as client:
        await client.send("text", text="One.", context="a")
        await client.send("text", text="Two.", context="b")
        await client.send("text", text="Three.", context="c")
        error = await client.until("error", "c")
        assert (error["code"], error["retryable"]) == ("too_many_contexts", True)
        await client.speak(context="a")
        await client.speak("Three.", context="c")
        await client.speak(context="b")
    assert [client.ear.text(name) for name in "abc"] == ["One.", "Two.", "Three."]


async def test_a_failing_sentence_is_told_and_the_next_are_spoken(gateway: Gateway) -> None:
    async with gateway.client() as client:
        done = await client.speak(f"One. Two{POISON}. Three.")
        (error,) = client.ear.of("error")
        assert (error["code"], error["context"]) == ("synthesis_failed", "default")
        assert POISON not in error["message"]
        assert (client.ear.text(), done["sentences"]) == ("One.Three.", 2)


async def test_a_full_engine_refuses_with_a_retryable_error() -> None:
    async with running(fake_engine(fake_voice(), max_queue=1)) as gateway, gateway.client() as client:
        await client.speak("One. Two. Three. Four.")
        errors = client.ear.of("error")
        assert {error["code"] for error in errors} == {"overloaded"}
        assert all(error["retryable"] for error in errors)
        await goes_on(client)


def frame(first_byte: int, payload: bytes) -> bytes:
    """A client's raw frame of up to 125 bytes, with a mask of zeros."""
    return bytes([first_byte, 0x80 | len(payload)]) + bytes(4) + payload


async def test_bad_utf8_closes_with_1007_and_no_traceback(gateway: Gateway, caplog: pytest.LogCaptureFixture) -> None:
    """d20"""
    async with gateway.client() as client:
        client.socket.transport.write(frame(0x81, b"\xc3\x28"))
        with pytest.raises(websockets.ConnectionClosedError):
            await client.next()
        assert client.socket.close_code == 1007
    await gateway.house.empty()
    assert [record for record in caplog.records if record.exc_info] == []
    async with gateway.client() as client:
        await goes_on(client)


async def test_a_character_split_over_two_fragments_is_one(gateway: Gateway) -> None:
    """d20"""
    async with gateway.client() as client:
        message = '{"type": "text", "text": "café"}'.encode()
        client.socket.transport.write(frame(0x01, message[:-3]) + frame(0x80, message[-3:]))
        await client.speak()
        assert client.ear.text() == "café"


async def test_fragments_do_not_go_round_the_limit(gateway: Gateway) -> None:
    """d22"""
    async with gateway.client() as client:
        start, rest = '{"type": "text", "text": "', '"}'
        await client.socket.send([start, *["x" * 1024] * 300, rest])
        assert (await client.until("error", None))["code"] == "message_too_large"
        await goes_on(client)


async def test_a_message_far_over_the_limit_closes_with_1009() -> None:
    async with running(max_message_bytes=1024) as gateway, gateway.client() as client:
        await client.socket.send("x" * 20_000)
        with pytest.raises(websockets.ConnectionClosedError):
            await client.next()
        assert client.socket.close_code == 1009
        await gateway.house.empty()
