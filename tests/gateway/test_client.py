"""The client for Python programs, at a real server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import numpy as np
import pytest

from gateway.client import ConnectionLost, Onset, Speech, SpeechFailed, Unreachable
from gateway.client.link import address
from tests.fakes import POISON, RATE_HZ, fake_engine, read, seconds
from tests.wire import PATIENCE_S, Gateway, running

NAMES = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima"]
LONG = "".join(f"This is the sentence of {name}. " for name in NAMES * 4)


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with running() as gateway:
        yield gateway


def heard(sound: bytes) -> str:
    return read(np.frombuffer(sound, "<i2"))


async def whole(speech: Speech) -> bytes:
    async with asyncio.timeout(PATIENCE_S):
        return b"".join([pcm async for pcm in speech])


async def slow_tokens(text: str, came: asyncio.Event | None = None) -> AsyncIterator[str]:
    """A model's: the last of them comes when `came` is set."""
    *words, last = text.split(" ")
    for word in words:
        yield word + " "
        await asyncio.sleep(0)
    if came is not None:
        await came.wait()
    yield last


async def test_a_text_is_spoken_with_its_sentences_words_and_end(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        assert (voice.voices, voice.default_voice) == (("fake",), "fake")
        speech = voice.speak("Hello there. And more.", words=True)
        assert speech.rate_hz is None
        sound = await whole(speech)
        assert heard(sound) == "Hello there.And more."
        assert speech.rate_hz == RATE_HZ
        assert [(s.index, s.text, s.start, s.end) for s in speech.sentences] == [
            (0, "Hello there.", 0, 12),
            (1, "And more.", 13, 22),
        ]
        assert [(word.text, word.sentence) for word in speech.words] == [
            ("Hello", 0),
            ("there.", 0),
            ("And", 1),
            ("more.", 1),
        ]
        assert speech.done is not None
        assert speech.done.audio_ms == round(len(sound) / 2 / RATE_HZ * 1000)
        assert (speech.done.sentences, speech.done.underruns) == (2, 0)
        assert await whole(speech) == b""  # it stays at its end


async def test_tokens_are_spoken_while_they_are_written(gateway: Gateway) -> None:
    came = asyncio.Event()
    async with Onset(gateway.host) as voice:
        speech = voice.speak(slow_tokens("The first sentence. The last one", came))
        first = await anext(speech)
        assert [sentence.text for sentence in speech.sentences] == ["The first sentence."]
        came.set()
        assert heard(first + await whole(speech)) == "The first sentence.The last one"


@pytest.mark.parametrize("text", [["One thing. ", "", "And ", "another."], ("One thing. And another.",)])
async def test_an_iterable_is_spoken(gateway: Gateway, text: list[str]) -> None:
    async with Onset(gateway.http) as voice:
        assert heard(await whole(voice.speak(text))) == "One thing.And another."


async def test_blank_text_ends_without_sound(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        speech = voice.speak(" ")
        assert await whole(speech) == b""
        assert speech.done is not None


async def test_a_text_longer_than_a_message_is_sent_in_several() -> None:
    async with running(max_message_bytes=1024) as gateway, Onset(gateway.http) as voice:
        speech = voice.speak(LONG, pace="fast")
        assert len(heard(await whole(speech))) == len(LONG) - 48


async def test_two_are_spoken_at_once_and_a_third_after_them(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        one, other = voice.speak("I am one.", format="pcm_s16le"), voice.speak("I am the other.", sample_rate=48000)
        sounds = await asyncio.gather(whole(one), whole(other))
        assert heard(sounds[0]) == "I am one."
        assert (one.rate_hz, other.rate_hz) == (RATE_HZ, 48000)
        assert len(sounds[1]) / 2 / 48000 == pytest.approx(seconds("I am the other."), abs=0.005)
        assert heard(await whole(voice.speak("And a third."))) == "And a third."


async def test_cancel_stops_and_tells_what_was_heard(gateway: Gateway) -> None:
    closed = asyncio.Event()

    async def endless() -> AsyncIterator[str]:
        try:
            while True:
                yield "One more sentence. "
                await asyncio.sleep(0.001)
        finally:
            closed.set()

    async with Onset(gateway.http) as voice:
        speech = voice.speak(endless())
        got = 0.0
        while got < 1.0:
            got += len(await anext(speech)) / 2 / RATE_HZ
        await speech.played(900)
        stopped = await speech.cancel()
        assert stopped.heard_ms == 900
        assert stopped.sent_ms >= 1000
        assert stopped.text_sent.startswith("One more sentence.")
        assert stopped.text_heard is not None
        assert len(stopped.text_heard) < len(stopped.text_sent)
        assert await whole(speech) == b""
        assert await speech.cancel() == stopped == speech.stopped
        async with asyncio.timeout(PATIENCE_S):
            await closed.wait()


async def test_the_source_itself_may_cancel(gateway: Gateway) -> None:
    async def hanging_up() -> AsyncIterator[str]:
        yield LONG
        await anext(speech)
        await speech.cancel()
        yield "Nobody hears this."

    async with Onset(gateway.http) as voice:
        speech = voice.speak(hanging_up())
        await whole(speech)
        assert speech.stopped.sent_ms > 0
        assert speech.done is None
        assert heard(await whole(voice.speak("Here I am."))) == "Here I am."


async def test_a_cancel_holds_though_who_asked_for_it_is_cancelled(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        speech = voice.speak(LONG)
        await anext(speech)
        asking = asyncio.create_task(speech.cancel())
        await asyncio.sleep(0)
        asking.cancel()
        async with asyncio.timeout(PATIENCE_S):
            await speech.cancel()
        assert speech.done is None


async def test_cancel_of_what_is_over_tells_what_was_heard_of_it(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        speech = voice.speak("Hello there. And more.")
        await whole(speech)
        assert speech.done is not None
        await speech.played(1000 * seconds("Hello there.") + 5)
        stopped = await speech.cancel()
        assert stopped.sent_ms == speech.done.audio_ms
        assert (stopped.text_sent, stopped.text_heard) == ("Hello there. And more.", "Hello there.")


async def test_a_barge_in_is_followed_by_a_turn_with_its_own_words_alone(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        async with voice.speak(LONG) as first:
            await anext(first)
        assert first.stopped.sent_ms > 0
        assert heard(await whole(voice.speak("You said stop."))) == "You said stop."


async def test_work_stops_where_the_program_leaves() -> None:
    engine = fake_engine()
    async with running(engine) as gateway:
        async with Onset(gateway.http) as voice:
            speech = voice.speak(LONG)
            await anext(speech)
        assert await whole(speech) == b""
        async with asyncio.timeout(PATIENCE_S):
            while engine.queued:  # noqa: ASYNC110 - the engine tells nobody
                await asyncio.sleep(0.01)
        with pytest.raises(RuntimeError, match="closed"):
            voice.speak("Too late.")


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"voice": "nobody"}, "unknown_voice"), ({"speed": 9.0}, "bad_value"), ({"language": "xx"}, "unknown_language")],
)
async def test_a_mistake_is_an_error_of_its_speech_alone(gateway: Gateway, settings: dict[str, str], code: str) -> None:
    async with Onset(gateway.http) as voice:
        with pytest.raises(SpeechFailed) as caught:
            await whole(voice.speak("Hello.", **settings))  # type: ignore[arg-type]
        assert (caught.value.code, caught.value.retryable, caught.value.rest) == (code, False, "Hello.")
        assert heard(await whole(voice.speak("Here I am."))) == "Here I am."


async def test_an_error_comes_after_the_sound_before_it(gateway: Gateway) -> None:
    async with Onset(gateway.http) as voice:
        speech = voice.speak(f"All is well. This {POISON} is not. Nor is this.")
        sound = bytearray()
        with pytest.raises(SpeechFailed) as caught:
            async for pcm in speech:
                sound += pcm
        assert heard(bytes(sound)) == "All is well."
        assert caught.value.stopped == speech.stopped
        assert caught.value.rest.endswith("Nor is this.")


async def test_what_the_source_raises_is_raised_and_stops_the_server() -> None:
    engine = fake_engine()

    async def broken() -> AsyncIterator[str]:
        yield LONG
        raise LookupError("no more tokens")

    async with running(engine) as gateway, Onset(gateway.http) as voice:
        with pytest.raises(LookupError, match="no more tokens"):
            await whole(voice.speak(broken()))
        async with asyncio.timeout(PATIENCE_S):
            while engine.queued:  # noqa: ASYNC110 - the engine tells nobody
                await asyncio.sleep(0.01)


async def test_a_source_that_somebody_cancels_does_not_leave_the_listener_waiting(gateway: Gateway) -> None:
    async def cancelled() -> AsyncIterator[str]:
        yield "Hello there. "
        raise asyncio.CancelledError

    async with Onset(gateway.http) as voice:
        with pytest.raises(SpeechFailed, match="source_cancelled"):
            await whole(voice.speak(cancelled()))


async def test_a_restart_tells_what_was_heard_and_the_next_speech_connects_again() -> None:
    async with running() as gateway:
        port = int(gateway.host.rpartition(":")[2])
        async with Onset(gateway.http) as voice:
            speech = voice.speak(LONG, words=True)
            sound = await anext(speech)
            gateway.stop()
            with pytest.raises(ConnectionLost) as caught:
                async for pcm in speech:
                    sound += pcm
            error = caught.value
            assert (error.code, error.retryable) == ("restarting", True)
            assert error.stopped.sent_ms == pytest.approx(len(sound) / 2 / RATE_HZ * 1000, abs=1)
            assert LONG.endswith(error.rest)
            assert LONG.startswith(error.stopped.text_heard or "")
            await gateway.stopped.wait()
            with pytest.raises(Unreachable) as nobody:
                await whole(voice.speak("Is anybody there?"))
            assert nobody.value.retryable
            async with running(port=port, ahead_s=30):
                assert heard(await whole(voice.speak("Again."))) == "Again."


async def test_with_reconnect_a_speech_goes_on_where_it_broke_off() -> None:
    text = "".join(f"This is {name}. " for name in NAMES * 2)
    came = asyncio.Event()
    async with running() as gateway, Onset(gateway.http, reconnect=True) as voice:
        port = int(gateway.host.rpartition(":")[2])
        speech = voice.speak(slow_tokens(text + "And the end.", came), pace="realtime")
        sound = await anext(speech)
        gateway.stop()
        await gateway.stopped.wait()
        before = len(speech.sentences)
        async with running(port=port, ahead_s=30):
            came.set()
            sound += await whole(speech)
            async with Onset(f"http://127.0.0.1:{port}") as another:
                assert sound == await whole(another.speak(text + "And the end.", pace="fast")), "unbroken"
        assert 0 < before < 25
        assert heard(sound) == (text + "And the end.").replace(". ", ".")
        assert [s.index for s in speech.sentences] == list(range(25))
        assert [(text + "And the end.")[s.start : s.end] for s in speech.sentences] == [
            s.text for s in speech.sentences
        ]
        starts = [s.start_ms for s in speech.sentences]
        assert starts == pytest.approx(
            [1000 * sum(seconds(s.text) for s in speech.sentences[:n]) for n in range(25)], abs=3
        )
        assert speech.done is not None
        assert speech.done.audio_ms == pytest.approx(len(sound) / 2 / RATE_HZ * 1000, abs=2)


async def test_with_reconnect_a_speech_waits_no_longer_than_it_has_patience() -> None:
    async with running() as gateway, Onset(gateway.http, reconnect=True, patience_s=0.3) as voice:
        speech = voice.speak(LONG)
        await anext(speech)
        gateway.stop()
        with pytest.raises(ConnectionLost) as caught:
            await whole(speech)
        assert caught.value.code == "restarting"


async def test_nobody_at_the_address_is_told() -> None:
    with pytest.raises(Unreachable, match=r"cannot connect to ws://127\.0\.0\.1:9/ws") as caught:
        async with Onset("127.0.0.1:9"):
            pass
    assert (caught.value.code, caught.value.retryable) == ("unreachable", True)


async def test_a_key_is_shown_and_its_refusal_told() -> None:
    async with running(api_keys="sesame") as gateway:
        async with Onset(gateway.http, api_key="sesame") as voice:
            assert heard(await whole(voice.speak("Open."))) == "Open."
        with pytest.raises(Unreachable) as caught:
            async with Onset(gateway.http):
                pass
        assert (caught.value.code, caught.value.retryable) == ("unauthorized", False)


@pytest.mark.parametrize(
    ("url", "socket"),
    [
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/ws"),
        ("https://voice.example/", "wss://voice.example/ws"),
        ("ws://127.0.0.1:8000/onset/ws", "ws://127.0.0.1:8000/onset/ws"),
        ("localhost:8000", "ws://localhost:8000/ws"),
    ],
)
def test_an_address_may_be_written_in_several_ways(url: str, socket: str) -> None:
    assert address(url) == socket


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(ValueError, match="no address"):
        Onset("ftp://127.0.0.1")


def test_it_needs_nothing_of_the_server() -> None:
    program = (
        "import sys, gateway.client; print([m for m in ('starlette', 'engine', 'numpy', 'av') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
