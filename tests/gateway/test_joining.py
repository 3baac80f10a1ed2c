"""Several contexts that say the same: made once, heard by all, each at his own pace."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from engine.engine import Engine
from engine.text.normalize import Spoken
from engine.types import Pace, Sentence, Utterance
from gateway.actions import Finish, Say
from gateway.cache import PhraseCache
from gateway.events import Audio, Cached, Done, Event, Failed, SentenceStarted, Words
from gateway.outbox import Outbox
from gateway.speaker import Speaker
from tests import virtual
from tests.fakes import POISON, RATE_HZ, STUMBLE, FakeModel, fake_engine, fake_voice, read, say, seconds

AHEAD_S = 2.0
LONG = "".join(f"word{n:02} " for n in range(20)).strip() + "."  # 140 characters, 6.5 s
LONG_S = seconds(LONG)


@dataclass
class Client:
    """A context of a connection of its own; `listen` takes all it sends at once."""

    engine: Engine
    speaker: Speaker
    outbox: Outbox
    running: asyncio.Task[None]
    told: list[tuple[float, Event]] = field(default_factory=list)  # with the time
    listening: asyncio.Task[None] | None = None

    def say(self, *texts: str, end: bool = True, **settings: Any) -> Client:
        for text in texts:
            utterance = replace(say(self.engine, text), **settings)
            self.speaker.add(Say("a", Sentence(text, 0, len(text)), Spoken(text), utterance))
        if end:
            self.speaker.add(Finish("a"))
        return self

    def listen(self) -> Client:
        self.listening = asyncio.create_task(self._listen())
        return self

    async def _listen(self) -> None:
        event: Event | None = None
        while not isinstance(event, Done):
            event = await self.outbox.take()
            assert event is not None
            self.told.append((asyncio.get_running_loop().time(), event))
            if isinstance(event, Audio):
                self.speaker.written()

    async def done(self) -> Done:
        if self.listening is None:
            self.listen()
        assert self.listening is not None
        await self.listening
        event = self.told[-1][1]
        assert isinstance(event, Done)
        return event

    def leave(self) -> None:
        """As a connection does when it is told to cancel, or is lost."""
        if self.listening is not None:
            self.listening.cancel()
        self.running.cancel()
        self.speaker.stop()

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for _, event in self.told if isinstance(event, kind)]

    @property
    def sound(self) -> bytes:
        return b"".join(event.data for event in self.of(Audio))

    @property
    def text(self) -> str:
        return read(np.frombuffer(self.sound, "<i2"))

    @property
    def cached(self) -> list[Cached]:
        return [event.cached for event in self.of(SentenceStarted)]

    @property
    def first_s(self) -> float:
        """When the first sound came."""
        return next(at for at, event in self.told if isinstance(event, Audio))


@dataclass
class Room:
    engine: Engine
    cache: PhraseCache
    model: FakeModel
    clients: list[Client] = field(default_factory=list)

    def client(self, pace: Pace = Pace.REALTIME, *, words: bool = False) -> Client:
        outbox = Outbox()
        speaker = Speaker(
            "a",
            pace,
            RATE_HZ,
            engine=self.engine,
            cache=self.cache,
            outbox=outbox,
            ahead_s=AHEAD_S,
            pause_ms=0,
            dealt=lambda _: None,
            words=words,
        )
        one = Client(self.engine, speaker, outbox, asyncio.create_task(speaker.run()))
        self.clients.append(one)
        return one


@asynccontextmanager
async def room(*, lag: int | None = 4, max_bytes: int = 10**8, **settings: Any) -> AsyncIterator[Room]:
    model = FakeModel(lag=lag)
    engine = fake_engine(fake_voice(model), ahead_s=AHEAD_S, **settings)
    await engine.start()
    cache = PhraseCache(max_bytes=max_bytes, ttl_s=60, timeout_ms=50)
    one = Room(engine, cache, model)
    try:
        yield one
        assert len(cache.makings) == 0
        assert engine.queued == 0
    finally:
        for client in one.clients:
            client.leave()
        await asyncio.gather(*(client.running for client in one.clients), return_exceptions=True)
        await engine.aclose()


def play(use: Callable[[Room], Awaitable[None]], **settings: Any) -> None:
    """In virtual time, in which work takes none."""

    async def main() -> None:
        async with room(**settings) as one:
            await use(one)

    virtual.run(main())


def test_fifty_who_ask_at_once_hear_one_synthesis_each_of_them_whole() -> None:
    """e12"""

    async def use(one: Room) -> None:
        clients = [one.client().say(LONG).listen() for _ in range(50)]
        done = [await client.done() for client in clients]
        assert {client.sound for client in clients} == {clients[0].sound}
        assert clients[0].text == LONG
        assert one.model.fronts == [(LONG,)]
        assert one.model.decodes == [LONG]
        assert sum(frames for batch in one.model.steps for _, frames in batch) == 4 * len(LONG)
        assert [client.cached for client in clients] == [[False], *[["joined"]] * 49]
        assert [one.cached for one in done] == [0, *[1] * 49]
        assert {one.underruns for one in done} == {0}
        assert (one.cache.stats.joins, one.cache.stats.misses) == (49, 1)

    play(use)


def test_whoever_joins_hears_at_once_what_exists_and_what_comes_without_a_gap() -> None:
    async def use(one: Room) -> None:
        first = one.client().say(LONG).listen()
        await asyncio.sleep(0.4 * LONG_S)
        second = one.client().say(LONG).listen()
        done = await second.done()
        assert second.first_s == 0.4 * LONG_S
        assert (second.text, second.cached, done.underruns) == (LONG, ["joined"], 0)
        assert (await first.done()).underruns == 0
        assert one.model.decodes == [LONG]

    play(use)


def test_the_first_who_asked_leaves_in_mid_sentence_and_the_others_hear_all_of_it() -> None:
    """e10; not even a further run is needed: the work is nobody's own"""

    async def use(one: Room) -> None:
        first = one.client().say(LONG, "Something else.").listen()
        others = [one.client().say(LONG).listen() for _ in range(3)]
        await asyncio.sleep(0.4 * LONG_S)
        first.leave()
        done = [await other.done() for other in others]
        assert [other.text for other in others] == [LONG] * 3
        assert [one.underruns for one in done] == [0] * 3
        assert one.model.decodes.count(LONG) == 1
        late = one.client().say(LONG)
        await late.done()
        assert (late.text, late.cached) == (LONG, ["memory"])

    play(use)


def test_one_who_leaves_alone_leaves_nothing_behind() -> None:
    """e10"""

    async def use(one: Room) -> None:
        first = one.client().say(LONG).listen()
        await asyncio.sleep(0.4 * LONG_S)
        first.leave()
        assert (len(one.cache.makings), one.engine.queued, one.cache.stats.memory_bytes) == (0, 0, 0)
        second = one.client().say(LONG)
        await second.done()
        assert (second.text, second.cached) == (LONG, [False])

    play(use)


def test_when_all_have_left_no_further_step_is_made() -> None:
    async def use(one: Room) -> None:
        clients = [one.client().say(LONG).listen() for _ in range(3)]
        await asyncio.sleep(0.4 * LONG_S)
        for client in clients:
            client.leave()
        steps = len(one.model.steps)
        assert one.engine.queued == 0
        await asyncio.sleep(60)
        assert len(one.model.steps) == steps
        assert one.cache.stats.memory_bytes == 0

    play(use)


def test_a_follower_who_leaves_changes_nothing_for_the_first() -> None:
    async def use(one: Room) -> None:
        first = one.client().say(LONG, "And more.").listen()
        second = one.client().say(LONG).listen()
        await asyncio.sleep(0.4 * LONG_S)
        second.leave()
        done = await first.done()
        assert (first.text, done.underruns, done.cached) == (LONG + "And more.", 0, 0)
        assert one.model.decodes == [LONG, "And more."]

    play(use)


@pytest.mark.parametrize("paused", [0, 1])
def test_one_who_does_not_read_holds_nobody_up(paused: int) -> None:
    async def use(one: Room) -> None:
        clients = [one.client().say(LONG) for _ in range(3)]
        reading = [client.listen() for index, client in enumerate(clients) if index != paused]
        for client in reading:
            done = await client.done()
            assert (client.text, done.underruns) == (LONG, 0)
            assert client.first_s == 0.0
        assert asyncio.get_running_loop().time() < LONG_S
        late = clients[paused]
        await late.done()
        assert late.text == LONG
        assert one.model.decodes == [LONG]

    play(use)


def test_who_joins_a_sentence_that_stands_behind_others_does_not_wait_for_them() -> None:
    async def use(one: Room) -> None:
        first = one.client().say(LONG, LONG + "2", "Hello.").listen()
        await asyncio.sleep(0.5)
        second = one.client().say("Hello.")
        await second.done()
        assert (second.text, second.cached, second.first_s) == ("Hello.", ["joined"], 0.5)
        assert (await first.done()).underruns == 0
        assert first.text == LONG + LONG + "2Hello."
        assert one.model.decodes.count("Hello.") == 1

    play(use)


@pytest.mark.parametrize(("fault", "fronts"), [(POISON, 4), (STUMBLE, 2)])
def test_work_that_fails_is_tried_once_more_and_then_each_has_the_error_of_this_sentence(
    fault: str, fronts: int
) -> None:
    """c28"""

    async def use(one: Room) -> None:
        bad = LONG + fault
        clients = [one.client().say(bad, "Next.").listen() for _ in range(3)]
        for client in clients:
            done = await client.done()
            failed = client.of(Failed)
            assert [(event.code, event.retryable) for event in failed] == [("synthesis_failed", True)]
            assert "sentence 0" in failed[0].message
            assert client.text.endswith("Next.")
            assert done.sentences == (1 if fault == POISON else 2)
        assert sum((bad,) == batch for batch in one.model.fronts) == fronts, "the engine tries each step twice"
        again = one.client().say(bad)
        await again.done()
        assert again.cached == ([] if fault == POISON else [False]), "nothing of it is kept"

    play(use)


def test_whoever_wants_words_gets_them_of_a_sentence_begun_for_one_who_did_not() -> None:
    async def use(one: Room) -> None:
        one.client().say(LONG).listen()
        await asyncio.sleep(0.4 * LONG_S)
        second = one.client(words=True).say(LONG)
        await second.done()
        words = [word.text for event in second.of(Words) for word in event.words]
        assert words == LONG.split()

    play(use)


@pytest.mark.parametrize("other", [{"seed": 1}, {"speed": 2.0}, {"lexicon": "x"}], ids=str)
def test_another_sound_is_another_sentence(other: dict[str, Any]) -> None:
    async def use(one: Room) -> None:
        clients = [one.client().say("Hello.", **settings).listen() for settings in ({}, other)]
        for client in clients:
            await client.done()
        assert [client.cached for client in clients] == [[False], [False]]

    play(use)


def test_the_same_text_with_two_voices_is_two_sentences() -> None:
    """e01"""

    async def use(one: Room) -> None:
        amy = replace(one.engine.default_voice, fingerprint="another")
        clients = [one.client().say("Hello.").listen(), one.client().say("Hello.", voice=amy).listen()]
        for client in clients:
            await client.done()
        assert [client.cached for client in clients] == [[False], [False]]

    play(use)


def test_a_sentence_is_kept_as_it_was_when_it_was_queued() -> None:
    """e05"""

    async def use(one: Room) -> None:
        utterance = say(one.engine, "Hello.")
        first = one.client()
        first.say(LONG, "Hello.", end=False)
        later = Utterance("Hello.", utterance.voice, speed=2.0)
        first.speaker.add(Say("a", Sentence("Hello.", 0, 6), Spoken("Hello."), later))
        first.speaker.add(Finish("a"))
        await first.done()
        as_before, as_later = one.client().say("Hello."), one.client().say("Hello.", speed=2.0)
        assert (await as_before.done()).cached == (await as_later.done()).cached == 1
        assert one.model.decodes == [LONG, "Hello.", "Hello."]

    play(use)


def test_a_file_joins_a_listener_and_is_not_held_to_his_pace() -> None:
    async def use(one: Room) -> None:
        first = one.client().say(LONG)  # who does not read at all
        file = one.client(Pace.FAST).say(LONG)
        await file.done()
        assert (file.text, file.cached) == (LONG, ["joined"])
        assert asyncio.get_running_loop().time() < 0.5
        await first.done()

    play(use)


def test_a_listener_does_not_wait_for_a_file() -> None:
    async def use(one: Room) -> None:
        file = one.client(Pace.FAST).say(LONG)  # who does not read at all
        listener = one.client().say(LONG)
        await listener.done()
        assert (listener.text, listener.cached, listener.first_s) == (LONG, [False], 0.0)
        third = one.client(Pace.FAST).say(LONG)
        await third.done()
        assert third.cached == ["memory"]
        await file.done()
        assert file.text == LONG

    play(use)


def test_whom_the_machine_has_no_room_for_may_still_join_or_hear_what_is_known() -> None:
    async def use(one: Room) -> None:
        known = one.client().say("Known.")
        await known.done()
        first = one.client().say(LONG).listen()
        await asyncio.sleep(0.1)
        clients = [one.client().say(text).listen() for text in (LONG, "Known.", "New.")]
        for client in clients:
            await client.done()
        assert [client.text for client in clients] == [LONG, "Known.", ""]
        assert [[event.code for event in client.of(Failed)] for client in clients] == [[], [], ["overloaded"]]
        await first.done()

    play(use, max_queue=1)


def test_a_phrase_is_known_as_soon_as_it_is_made_and_not_when_it_has_been_sent() -> None:
    async def use(one: Room) -> None:
        first = one.client().say(LONG).listen()
        await asyncio.sleep(0.01)
        assert len(one.cache.makings) == 0
        second = one.client().say(LONG).listen()
        await asyncio.sleep(0.01)
        assert second.cached == ["memory"]
        first.leave()
        second.leave()

    play(use, lag=None)


def test_where_nothing_is_kept_each_has_his_own() -> None:
    async def use(one: Room) -> None:
        clients = [one.client().say(LONG).listen() for _ in range(3)]
        for client in clients:
            await client.done()
        assert [client.cached for client in clients] == [[False]] * 3
        assert one.model.decodes == [LONG] * 3

    play(use, max_bytes=0)


@pytest.mark.parametrize("seed", range(12))
def test_whoever_stays_hears_his_own_text_whole_whatever_the_others_do(seed: int) -> None:
    texts = [LONG, "Hello there.", "One.|Two.|Three.", LONG[:60]]

    async def use(one: Room) -> None:
        dice = random.Random(seed)

        async def visit() -> None:
            await asyncio.sleep(dice.random() * 6)
            said = dice.choices(texts, k=dice.randint(1, 3))
            client = one.client(dice.choice([Pace.REALTIME, Pace.REALTIME, Pace.FAST]), words=dice.random() < 0.5)
            client.say(*said)
            if dice.random() < 0.3:
                await asyncio.sleep(dice.random() * 3)  # reads nothing yet
            client.listen()
            if dice.random() < 0.3:
                await asyncio.sleep(dice.random() * 5)
                client.leave()
                return
            await client.done()
            assert client.text == "".join(said).replace("|", "")

        await asyncio.gather(*(visit() for _ in range(16)))

    play(use)
