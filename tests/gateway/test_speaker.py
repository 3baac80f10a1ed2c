"""One context's sentences become sound in order, no further ahead of the listener than he needs."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np
import pytest

from engine.engine import Engine
from engine.text.normalize import Spoken
from engine.types import Pace, Sentence
from gateway.actions import Finish, FlushMark, Say
from gateway.cache import PhraseCache
from gateway.cache.making import Making
from gateway.events import Audio, Done, Event, Failed, Flushed, SentenceStarted
from gateway.outbox import Outbox
from gateway.speaker import Speaker
from tests import virtual
from tests.fakes import POISON, RATE_HZ, fake_engine, read, say, seconds

AHEAD_S = 2.0
LONG = "x" * 99 + "."  # 4.6 s


def nothing(_: Booth) -> None:
    pass


@dataclass
class Booth:
    """A speaker, and a client who takes all it sends at once; `after` is called when a message was taken."""

    engine: Engine
    speaker: Speaker
    outbox: Outbox
    cache: PhraseCache
    after: Callable[[Booth], None] = nothing
    told: list[tuple[float, Event]] = field(default_factory=list)  # with the time
    dealt: list[int] = field(default_factory=list)

    def say(self, *texts: str) -> None:
        for text in texts:
            self.speaker.add(Say("a", Sentence(text, 0, len(text)), Spoken(text), say(self.engine, text)))

    async def listen(self) -> None:
        while not isinstance(event := await self.outbox.take(), Done):
            assert event is not None
            self.hear(event)
        self.hear(event)

    def hear(self, event: Event) -> None:
        self.told.append((asyncio.get_running_loop().time(), event))
        if isinstance(event, Audio):
            self.speaker.written()
        self.after(self)

    @property
    def events(self) -> list[Event]:
        return [event for _, event in self.told if not isinstance(event, Audio)]

    @property
    def sound(self) -> str:
        return read(np.frombuffer(b"".join(e.data for _, e in self.told if isinstance(e, Audio)), "<i2"))

    def lead_s(self) -> float:
        """The most sound that was ever ahead of a listener who plays without a pause."""
        most, until = 0.0, 0.0
        for now, event in self.told:
            if isinstance(event, Audio):
                until = max(until, now) + len(event.data) / 2 / RATE_HZ
                most = max(most, until - now)
        return most


@asynccontextmanager
async def booth(pace: Pace = Pace.REALTIME, *, pause_ms: int = 0, ahead_s: float = AHEAD_S) -> AsyncIterator[Booth]:
    engine = fake_engine(ahead_s=ahead_s)
    await engine.start()
    outbox, dealt = Outbox(), list[int]()
    cache = PhraseCache(max_bytes=10**8, redis_url="", ttl_s=60, timeout_ms=50)
    speaker = Speaker(
        "a",
        pace,
        RATE_HZ,
        engine=engine,
        cache=cache,
        outbox=outbox,
        ahead_s=ahead_s,
        pause_ms=pause_ms,
        dealt=dealt.append,
    )
    running = asyncio.create_task(speaker.run())
    try:
        yield Booth(engine, speaker, outbox, cache, dealt=dealt)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await engine.aclose()


def spoken(use: Callable[[Booth], Awaitable[None]], **options: object) -> Booth:
    """A booth after its use, in virtual time."""

    async def main() -> Booth:
        async with booth(**options) as one:  # type: ignore[arg-type]
            await use(one)
            return one

    return virtual.run(main())


def done_of(one: Booth) -> Done:
    done = one.events[-1]
    assert isinstance(done, Done)
    return done


def test_sentences_marks_and_the_end_come_in_order() -> None:
    async def use(one: Booth) -> None:
        one.say("One.", "Two.")
        one.speaker.add(FlushMark("a"))
        one.say("Three.")
        one.speaker.add(Finish("a"))
        await one.listen()

    one = spoken(use)
    assert one.sound == "One.Two.Three."
    samples = len("One.") * 1024, len("One.Two.") * 1024, len("One.Two.Three.") * 1024
    first, second, end = (round(s * 1000 / RATE_HZ, 3) for s in samples)
    assert one.events == [
        SentenceStarted("a", 0, "One.", 0, False, 0, 4),
        SentenceStarted("a", 1, "Two.", first, False, 0, 4),
        Flushed("a"),
        SentenceStarted("a", 2, "Three.", second, False, 0, 6),
        Done("a", audio_ms=round(end), sentences=3, cached=0, first_audio_ms=0, underruns=0),
    ]
    assert one.dealt == [4, 4, 1, 6]


@pytest.mark.parametrize("ahead_s", [0.2, 2.0, 7.5])
def test_no_more_than_ahead_s_is_before_the_listener(ahead_s: float) -> None:
    async def use(one: Booth) -> None:
        one.say(*[f"{LONG}{n}." for n in range(8)])
        one.speaker.add(Finish("a"))
        await one.listen()

    one = spoken(use, ahead_s=ahead_s)
    assert ahead_s - 0.15 < one.lead_s() <= ahead_s + 1e-6
    assert done_of(one).underruns == 0
    took_s = one.told[-1][0]
    assert took_s == pytest.approx(done_of(one).audio_ms / 1000 - ahead_s, abs=0.11)


def test_a_listener_at_no_pace_waits_for_nothing() -> None:
    async def use(one: Booth) -> None:
        one.say(*[f"{LONG}{n}." for n in range(8)])
        one.speaker.add(Finish("a"))
        await one.listen()

    one = spoken(use, pace=Pace.FAST)
    assert one.told[-1][0] < 0.5
    assert done_of(one).audio_ms > 30_000


def test_a_paused_listener_is_held_back_and_goes_on() -> None:
    async def use(one: Booth) -> None:
        loop = asyncio.get_running_loop()
        one.say(*[f"{LONG}{n}." for n in range(4)])
        one.speaker.add(Finish("a"))
        listening = asyncio.create_task(one.listen())
        await asyncio.sleep(1)
        while loop.time() < 60:
            one.speaker.heard(1000)
            await asyncio.sleep(0.1)
        sent_s = one.speaker.audio_s
        assert 1.0 + AHEAD_S - 0.3 <= sent_s <= 1.0 + AHEAD_S + 0.1
        await listening

    one = spoken(use)
    assert done_of(one).audio_ms == pytest.approx(4 * 1000 * seconds(LONG + "0."), abs=2)


def test_the_engine_works_no_further_ahead_than_the_listener_needs() -> None:
    async def use(one: Booth) -> None:
        one.say(*[f"{LONG}{n}." for n in range(20)])
        one.speaker.add(Finish("a"))
        listening = asyncio.create_task(one.listen())
        await asyncio.sleep(10)
        assert one.engine.queued <= 5
        assert len(one.dealt) <= 3  # 10 s of sound, AHEAD_S and the sentence in hand
        listening.cancel()

    spoken(use)


def test_a_pause_is_put_between_sentences_and_nowhere_else() -> None:
    async def use(one: Booth) -> None:
        one.say("One.", "Two.")
        one.speaker.add(Finish("a"))
        await one.listen()

    one = spoken(use, pause_ms=1000)
    sound = np.frombuffer(b"".join(e.data for _, e in one.told if isinstance(e, Audio)), "<i2")
    first, pause, second = np.split(sound, [4096, 4096 + RATE_HZ])
    assert (read(first), read(second)) == ("One.", "Two.")
    assert not pause.any()
    started = [event.start_ms for event in one.events if isinstance(event, SentenceStarted)]
    assert started == [0, round((4096 + RATE_HZ) * 1000 / RATE_HZ, 3)]


def test_a_sentence_that_fails_is_told_in_its_place_and_the_next_are_spoken() -> None:
    async def use(one: Booth) -> None:
        one.say("One.", f"Tw{POISON}.", "Three.")
        one.speaker.add(Finish("a"))
        await one.listen()

    one = spoken(use)
    assert one.sound == "One.Three."
    names = [type(event).__name__ for event in one.events]
    assert names == ["SentenceStarted", "Failed", "SentenceStarted", "Done"]
    failed = one.events[1]
    assert isinstance(failed, Failed)
    assert (failed.code, failed.context, failed.retryable) == ("synthesis_failed", "a", True)
    assert "sentence 1" in failed.message
    assert done_of(one).sentences == 2
    assert one.dealt == [4, 4, 6]


def test_a_sentence_is_cached_when_it_is_whole_and_said_again_from_there() -> None:
    async def use(one: Booth) -> None:
        one.say("One.", f"Tw{POISON}.")
        one.speaker.add(FlushMark("a"))
        listening = asyncio.create_task(one.listen())
        await asyncio.sleep(1)
        one.say("One.", f"Tw{POISON}.")
        one.speaker.add(Finish("a"))
        await listening

    one = spoken(use)
    assert [e.cached for e in one.events if isinstance(e, SentenceStarted)] == [False, "memory"]
    assert one.sound == "One.One."
    assert done_of(one).cached == 1
    assert sum(isinstance(event, Failed) for event in one.events) == 2


def test_a_sentence_with_nothing_to_say_is_passed_over() -> None:
    async def use(one: Booth) -> None:
        one.say("...", "One.")
        one.speaker.add(Finish("a"))
        await one.listen()

    one = spoken(use)
    assert one.sound == "One."
    assert done_of(one).sentences == 1


def test_an_empty_context_is_done_at_once() -> None:
    async def use(one: Booth) -> None:
        one.speaker.add(Finish("a"))
        await one.listen()

    assert spoken(use).events == [Done("a", 0, 0, 0, None, 0)]


def test_stop_says_what_was_sent_heard_and_of_which_text() -> None:
    async def use(one: Booth) -> None:
        one.say("One two three.", "Four five six seven eight nine ten eleven twelve thirteen fourteen.", LONG)
        listening = asyncio.create_task(one.listen())
        await asyncio.sleep(0.5)
        cancelled = one.speaker.stop()
        assert cancelled.sent_ms == pytest.approx(2500, abs=70)
        assert cancelled.heard_ms == pytest.approx(500, abs=1)
        # At 46 ms a character 2.4 s are 53 of them.
        assert cancelled.text_sent == "One two three. Four five six seven eight nine ten"
        assert one.engine.queued == 0
        listening.cancel()

    spoken(use)


def test_stop_counts_what_the_listener_says_and_not_what_waits_in_the_outbox() -> None:
    async def use(one: Booth) -> None:
        one.say(LONG)
        await asyncio.sleep(0.1)
        for _ in range(4):  # the sentence and three messages of its sound; the rest waits
            event = await one.outbox.take()
            assert event is not None
            one.hear(event)
        one.speaker.heard(100)
        cancelled = one.speaker.stop()
        sent = sum(len(e.data) // 2 for _, e in one.told if isinstance(e, Audio))
        assert cancelled.sent_ms == round(sent * 1000 / RATE_HZ)
        assert cancelled.heard_ms == 100

    spoken(use)


def test_the_sound_of_a_sentence_is_gone_once_it_was_sent_though_the_context_is_open() -> None:
    def makings() -> int:
        return sum(isinstance(one, Making) for one in gc.get_objects())

    async def use(one: Booth) -> None:
        one.say(LONG)
        listening = asyncio.create_task(one.listen())
        await asyncio.sleep(1)
        meanwhile.append(makings())
        await asyncio.sleep(60)
        after.append(makings())
        one.speaker.add(Finish("a"))
        await listening

    meanwhile, after = list[int](), list[int]()
    gc.collect()
    before = makings()
    gc.disable()
    try:
        spoken(use)
    finally:
        gc.enable()
    assert (meanwhile, after) == ([before + 1], [before])
