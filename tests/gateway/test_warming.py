"""Phrases made ahead are those that clients ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.engine import Engine
from gateway.cache import Phrase, Shelf
from gateway.errors import GatewayError
from gateway.events import Start
from gateway.parts import new_session
from gateway.settings import Settings
from gateway.warming import WINDOW, Asked, Warming, read_phrases, sentences
from tests.fakes import POISON, FakeModel, Gate, fake_engine, fake_voice
from tests.redis_server import RedisServer
from tests.wire import PATIENCE_S, Gateway, running

LIMIT_MS = 1000  # that a loaded machine keeps too


class Kept:
    """A store in hand."""

    def __init__(self) -> None:
        self.phrases: dict[bytes, Phrase] = {}

    async def renew(self, key: bytes) -> bool:
        return key in self.phrases

    async def put(self, key: bytes, phrase: Phrase) -> None:
        self.phrases[key] = phrase


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


def asked_of(engine: Engine, text: str, *starts: Start) -> list[Asked]:
    settings = Settings()
    return sentences(
        read_phrases(text), starts or [Start("x")], lambda: new_session(engine, settings, lambda voice: ())
    )


def numbers(warming: Warming) -> tuple[int, int, int]:
    did = warming.progress
    return did.new, did.known, did.failed


def lines_lost(lost: list[int]) -> Callable[[Asked, str], None]:
    return lambda asked, why: lost.append(asked.line)


def test_a_phrase_is_a_line_that_is_neither_blank_nor_a_comment() -> None:
    text = "Good morning.\r\n\n  # a comment\n  Good evening.  \nGood morning.\n#none"
    assert read_phrases(text) == [(1, "Good morning."), (4, "Good evening.")]


def test_each_sentence_of_a_line_is_one_and_each_is_made_once() -> None:
    engine = fake_engine()
    found = asked_of(engine, "One moment. Thank you.\n\nThank you.\nThird line")
    assert [(one.line, one.utterance.text) for one in found] == [
        (1, "One moment."),
        (1, "Thank you."),
        (4, "Third line"),
    ]


def test_every_voice_speaker_and_speed_has_its_own() -> None:
    engine = fake_engine(fake_voice(name="one"), fake_voice(name="two", speaker_count=2))
    starts = [Start("x", voice="one", speed=speed) for speed in (1, 2)] + [Start("x", voice="two", speaker=1)]
    found = asked_of(engine, "Hello.", *starts)
    assert [(u.voice.name, u.speaker, u.speed) for u in (one.utterance for one in found)] == [
        ("one", 0, 1),
        ("one", 0, 2),
        ("two", 1, 1),
    ]
    with pytest.raises(GatewayError, match="'speaker' is 5"):
        asked_of(engine, "Hello.", Start("x", speaker=5))


async def heard_of(gateway: Gateway, *texts: str, **settings: Any) -> list[object]:
    """Where the sentences that a new client hears came from."""
    async with gateway.client() as client:
        await client.speak(*texts, **settings)
        return [told["cached"] for told in client.ear.of("sentence")]


async def test_what_was_warmed_is_heard_from_redis_however_it_is_sent(server: RedisServer) -> None:
    engine = fake_engine()
    await engine.start()
    async with Shelf.at(server.url, 1000) as shelf:
        text = "How can I help? Tell me, please.\nOne moment."
        warming = Warming(engine, shelf, asked_of(engine, text, Start("x"), Start("x", speed=1.5)), print)
        await warming.run()
        assert numbers(warming) == (6, 0, 0)
        again = Warming(engine, shelf, asked_of(engine, text + "\nNew."), print)
        await again.run()
        assert numbers(again) == (1, 3, 0)
    await engine.aclose()
    options: dict[str, Any] = {"redis_url": server.url, "redis_timeout_ms": LIMIT_MS, "cache_bytes": 0}
    async with running(**options) as gateway:
        assert await heard_of(gateway, "How can I help? Tell me, please.") == ["redis"] * 2
        assert await heard_of(gateway, "How can ", "I help? Tell ", "me, ", "please.", speed=1.5) == ["redis"] * 2
        assert await heard_of(gateway, "One moment. Another.") == ["redis", False]


async def test_a_sentence_that_fails_is_told_with_its_line_and_the_rest_is_made() -> None:
    engine, kept, lost = fake_engine(), Kept(), list[int]()
    await engine.start()
    warming = Warming(engine, kept, asked_of(engine, f"One.\nTwo {POISON}.\nThree."), lines_lost(lost))
    await warming.run()
    await engine.aclose()
    assert (numbers(warming), lost) == ((2, 0, 1), [2])
    assert warming.progress.size == sum(len(phrase.pcm) for phrase in kept.phrases.values())


async def test_when_it_is_stopped_what_runs_is_finished_and_nothing_more_is_begun() -> None:
    gate, kept = Gate(), Kept()
    engine = fake_engine(fake_voice(FakeModel(gate=gate)))
    starting = asyncio.create_task(engine.start())
    await starting
    text = "\n".join(f"Number {number}." for number in range(5 * WINDOW))
    warming = Warming(engine, kept, asked_of(engine, text), print)
    running = asyncio.create_task(warming.run())
    await gate.arrival()
    warming.stop()
    gate.open()
    await running
    assert numbers(warming) == (WINDOW, 0, 0)
    assert len(kept.phrases) == WINDOW
    rest = Warming(engine, kept, asked_of(engine, text), print)
    await rest.run()
    await engine.aclose()
    assert numbers(rest) == (4 * WINDOW, WINDOW, 0)


async def test_where_the_engine_has_no_room_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.warming._AGAIN_S", 0.0)
    engine, kept = fake_engine(max_queue=2), Kept()
    await engine.start()
    warming = Warming(engine, kept, asked_of(engine, "\n".join(f"Number {number}." for number in range(20))), print)
    await warming.run()
    await engine.aclose()
    assert numbers(warming) == (20, 0, 0)


async def test_a_store_that_fails_ends_it() -> None:
    class Full(Kept):
        async def put(self, key: bytes, phrase: Phrase) -> None:
            raise GatewayError("full", "no room")

    engine = fake_engine()
    await engine.start()
    with pytest.raises(GatewayError, match="no room"):
        await Warming(engine, Full(), asked_of(engine, "One.\nTwo.\nThree."), print).run()
    await engine.aclose()


async def test_a_server_has_the_phrases_of_its_list_ready(tmp_path: Path, server: RedisServer) -> None:
    file = tmp_path / "phrases.txt"
    file.write_text("# said often\nGood morning.\nOne moment. Thank you.\n", encoding="utf-8")
    options: dict[str, Any] = {"redis_url": server.url, "redis_timeout_ms": LIMIT_MS, "cache_redis": "listed"}
    async with running(warm=str(file), **options) as gateway:
        stats = gateway.house.cache.stats
        async with asyncio.timeout(PATIENCE_S):
            while stats.redis_writes < 3:  # noqa: ASYNC110
                await asyncio.sleep(0)
        assert await heard_of(gateway, "Good morning. Another.") == ["memory", False]
        assert await heard_of(gateway, "Thank you. Another.") == ["memory", "memory"]
        assert stats.redis_writes == 3
    async with running(warm=str(file), **options) as second:
        async with asyncio.timeout(PATIENCE_S):
            while second.house.cache.stats.redis_hits < 3:  # noqa: ASYNC110
                await asyncio.sleep(0)
        assert await heard_of(second, "One moment.") == ["memory"]


async def test_a_list_that_cannot_be_read_stops_no_server(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "phrases.txt"
    file.write_bytes(b"Gr\xfc\xdfe")
    async with running(warm=str(file)) as gateway:
        assert await heard_of(gateway, "Hello.") == [False]
        async with asyncio.timeout(PATIENCE_S):
            while "are not ready" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0)
