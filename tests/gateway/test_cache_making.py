"""A sentence that is being made: whoever stays hears all of it, whoever goes and whatever fails."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from engine.errors import EngineError, Overloaded, SynthesisFailed
from engine.speech import Sink
from engine.types import Pace, Pcm, WordTime
from gateway.cache import CacheStats, Makings, Phrase, Reader
from gateway.cache.phrase import KEY_BYTES
from tests import virtual

KEY = b"k" * KEY_BYTES
RATE_HZ = 1000
SOUND = np.arange(1, 2001, dtype=np.int16)
WORDS = tuple(WordTime(f"w{n}", n / 2, (n + 1) / 2) for n in range(4))


class Work:
    """A source that is moved by hand: `step` makes so many samples, and the words that begin in them before."""

    def __init__(self) -> None:
        self.sink: Sink | None = None
        self.at = 0
        self.dues: list[float] = []
        self.cancelled = False

    def feed(self, sink: Sink) -> None:
        self.sink = sink

    def hurry(self, due: float) -> None:
        self.dues.append(due)

    def cancel(self) -> None:
        self.cancelled = True

    def step(self, samples: int) -> None:
        assert self.sink is not None
        end = min(self.at + samples, len(SOUND))
        if words := tuple(word for word in WORDS if self.at <= word.start_s * RATE_HZ < end):
            self.sink.tell(words)
        made, self.at = SOUND[self.at : end], end
        self.sink.give(made)
        if self.at == len(SOUND):
            self.sink.complete()

    def fail(self) -> None:
        assert self.sink is not None
        self.sink.fail(SynthesisFailed("broken"))


@dataclass
class Shop:
    """Makings, and what became of them: the works that were begun, and what was kept."""

    joins: bool = True
    works: list[Work] = field(default_factory=list)
    kept: list[tuple[bytes, Phrase]] = field(default_factory=list)
    refusal: EngineError | None = None

    def __post_init__(self) -> None:
        self.stats = CacheStats()
        self.makings = Makings(lambda key, phrase: self.kept.append((key, phrase)), self.stats, joins=self.joins)

    def speak(self) -> Work:
        if self.refusal is not None:
            raise self.refusal
        self.works.append(Work())
        return self.works[-1]

    def ask(self, pace: Pace = Pace.REALTIME, key: bytes = KEY, *, own: bool = True) -> Reader:
        """Join, or begin."""
        joined = self.makings.join(key, pace, self.speak)
        return joined or self.makings.begin(key, pace, RATE_HZ, self.speak(), self.speak, own=own)


class Ear:
    """A reader's listener, as a task."""

    def __init__(self, reader: Reader, pause: Callable[[], float] = lambda: 0.0) -> None:
        self.reader, self.pause = reader, pause
        self.chunks: list[Pcm] = []
        self.words: tuple[WordTime, ...] = ()
        self.due = 0.0
        self.task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for pcm in self.reader.sound(lambda: self.due):
            self.chunks.append(pcm)
            self.words = self.reader.words
            await asyncio.sleep(self.pause())

    @property
    def sound(self) -> list[int]:
        return [int(sample) for chunk in self.chunks for sample in chunk]


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
async def shop() -> AsyncIterator[Shop]:
    yield Shop()


async def test_whoever_joins_hears_at_once_what_exists_and_then_the_rest_as_it_comes(shop: Shop) -> None:
    first = Ear(shop.ask())
    shop.works[0].step(700)
    await settle()
    second = Ear(shop.ask())
    await settle()
    assert (first.sound, second.sound) == (SOUND[:700].tolist(), SOUND[:700].tolist())
    assert second.words == WORDS[:2]
    shop.works[0].step(10)
    await settle()
    assert second.sound == SOUND[:710].tolist()
    shop.works[0].step(2000)
    await asyncio.gather(first.task, second.task)
    assert first.sound == second.sound == SOUND.tolist()
    assert second.words == WORDS
    assert (len(shop.works), shop.stats.joins) == (1, 1)


async def test_the_whole_is_kept_when_it_is_made_though_nobody_has_heard_it_yet(shop: Shop) -> None:
    reader = shop.ask()
    shop.works[0].step(1999)
    assert shop.kept == []
    shop.works[0].step(1)
    assert shop.kept == [(KEY, Phrase(RATE_HZ, SOUND.astype("<i2").tobytes(), WORDS))]
    assert len(shop.makings) == 0
    one = Ear(reader)
    await one.task
    assert one.sound == SOUND.tolist()


async def test_a_sentence_without_sound_is_not_kept(shop: Shop) -> None:
    """e08"""
    one = Ear(shop.ask())
    await settle()
    assert shop.works[0].sink is not None
    shop.works[0].sink.complete()
    await one.task
    assert (one.chunks, shop.kept, len(shop.makings)) == ([], [], 0)


async def test_work_goes_on_while_anybody_is_there_and_stops_with_the_last(shop: Shop) -> None:
    """e10"""
    first, second = shop.ask(), shop.ask()
    work = shop.works[0]
    work.step(800)
    first.leave()
    first.leave()
    assert not work.cancelled
    second.leave()
    assert work.cancelled
    assert (shop.kept, len(shop.makings)) == ([], 0)
    work.step(2000)
    assert shop.kept == [], "what a dead work still makes is nothing"
    third = Ear(shop.ask())
    await settle()
    shop.works[1].step(2000)
    await third.task
    assert third.sound == SOUND.tolist()


async def test_the_last_to_leave_after_the_end_cancels_nothing(shop: Shop) -> None:
    reader = shop.ask()
    shop.works[0].step(2000)
    reader.leave()
    assert not shop.works[0].cancelled


async def test_work_that_fails_is_begun_once_more_and_gives_what_was_not_given_yet(shop: Shop) -> None:
    ears = [Ear(shop.ask()) for _ in range(3)]
    shop.works[0].step(800)
    await settle()
    shop.works[0].fail()
    assert len(shop.works) == 2
    shop.works[0].step(100)
    again = shop.works[1]
    again.step(500)
    await settle()
    assert [len(ear.sound) for ear in ears] == [800] * 3
    again.step(700)
    await settle()
    assert [ear.sound for ear in ears] == [SOUND[:1200].tolist()] * 3
    again.step(2000)
    await asyncio.gather(*(ear.task for ear in ears))
    assert [ear.sound for ear in ears] == [SOUND.tolist()] * 3
    assert [ear.words for ear in ears] == [WORDS] * 3
    assert [phrase.words for _, phrase in shop.kept] == [WORDS]


async def test_a_second_failure_is_everybodys(shop: Shop) -> None:
    ears = [Ear(shop.ask()) for _ in range(3)]
    shop.works[0].step(800)
    shop.works[0].fail()
    shop.works[1].step(900)
    shop.works[1].fail()
    raised = await asyncio.gather(*(ear.task for ear in ears), return_exceptions=True)
    assert [type(error) for error in raised] == [SynthesisFailed] * 3
    assert [ear.sound for ear in ears] == [SOUND[:900].tolist()] * 3, "first all that there was"
    assert (len(shop.works), shop.kept, len(shop.makings)) == (2, [], 0)


async def test_whom_the_work_was_made_for_alone_gets_its_error_at_once(shop: Shop) -> None:
    one = Ear(shop.ask())
    shop.works[0].fail()
    with pytest.raises(SynthesisFailed):
        await one.task
    assert len(shop.works) == 1


async def test_a_source_that_is_nobodys_here_is_followed_by_a_work_even_for_one(shop: Shop) -> None:
    elsewhere = Work()
    making = shop.makings.begin(KEY, Pace.REALTIME, RATE_HZ, elsewhere, shop.speak, own=False)
    one = Ear(making)
    elsewhere.step(600)
    await settle()
    elsewhere.fail()
    shop.works[0].step(2000)
    await one.task
    assert one.sound == SOUND.tolist()


async def test_where_the_further_work_is_refused_to_all_they_get_the_error_of_the_first(shop: Shop) -> None:
    ears = [Ear(shop.ask()) for _ in range(2)]
    shop.refusal = Overloaded("full")
    shop.works[0].fail()
    raised = await asyncio.gather(*(ear.task for ear in ears), return_exceptions=True)
    assert [type(error) for error in raised] == [SynthesisFailed] * 2


async def test_those_who_wait_say_when_their_sound_ends_as_soon_as_there_are_several(shop: Shop) -> None:
    first = Ear(shop.ask())
    await settle()
    work = shop.works[0]
    assert work.dues == [], "one alone is known to the engine"
    first.due = 6.0
    second = Ear(shop.ask())
    second.due = 7.0
    await settle()
    assert (work.dues[0], sorted(work.dues[1:])) == (math.inf, [6.0, 7.0])
    first.due, second.due = 8.0, 9.0
    work.step(10)
    await settle()
    assert sorted(work.dues[3:]) == [8.0, 9.0]


async def test_a_listener_who_is_spoken_to_does_not_wait_for_what_is_made_at_no_pace(shop: Shop) -> None:
    shop.ask(Pace.FAST)
    assert shop.makings.join(KEY, Pace.REALTIME, shop.speak) is None
    realtime = Ear(shop.ask(Pace.REALTIME))
    assert len(shop.works) == 2
    joined = Ear(shop.ask(Pace.FAST))
    assert len(shop.works) == 2
    await settle()
    shop.works[0].step(2000)
    assert len(shop.makings) == 1, "the one that was replaced does not take the other's place with it"
    shop.works[1].step(2000)
    await asyncio.gather(realtime.task, joined.task)
    assert realtime.sound == joined.sound == SOUND.tolist()


async def test_other_keys_do_not_join(shop: Shop) -> None:
    shop.ask()
    shop.ask(key=b"o" * 32)
    assert (len(shop.works), len(shop.makings)) == (2, 2)


async def test_where_nothing_is_kept_nobody_joins() -> None:
    shop = Shop(joins=False)
    shop.ask()
    shop.ask()
    assert (len(shop.works), len(shop.makings)) == (2, 0)


# ---- any schedule


class Driven(Work):
    """Makes by itself, in virtual time; once it is shared only as long as somebody waits. May fail on its way."""

    def __init__(self, dice: random.Random, fails_at: int) -> None:
        super().__init__()
        self.dice, self.fails_at = dice, fails_at
        self.shared = self.wanted = self.over = False
        self._arm()

    def hurry(self, due: float) -> None:
        self.shared = True
        self.wanted |= not math.isinf(due)

    def cancel(self) -> None:
        self.over = True

    def _arm(self) -> None:
        asyncio.get_running_loop().call_later(self.dice.random() / 10, self._move)

    def _move(self) -> None:
        if self.over:
            return
        if self.wanted or not self.shared:
            self.wanted = False
            self.step(self.dice.randint(1, 700))
            self.over = self.at == len(SOUND)
            if not self.over and self.at >= self.fails_at:
                self.over = True
                self.fail()
        self._arm()


async def schedule(seed: int) -> None:
    """Up to 8 who ask at random times, are slow, and leave, of works that may fail."""
    dice, loop = random.Random(seed), asyncio.get_running_loop()
    shop = Shop()
    never = len(SOUND) + 1
    fails = [dice.choice([never, never, dice.randrange(len(SOUND))]) for _ in range(40)]
    works: list[Driven] = []
    began, begun, broken = loop.time(), 0, 0

    def speak() -> Driven:
        works.append(Driven(dice, fails[len(works)]))
        return works[-1]

    async def asker() -> None:
        nonlocal begun, broken
        await asyncio.sleep(dice.random())
        if shop.kept:
            return
        slow, stays = dice.choice([0.0, 0.01, 0.5]), dice.choice([math.inf, math.inf, dice.random()])
        reader = shop.makings.join(KEY, Pace.REALTIME, speak)
        if reader is None:
            assert all(work.over for work in works), "no two at a time"
            begun += 1
            reader = shop.makings.begin(KEY, Pace.REALTIME, RATE_HZ, speak(), speak)
        ear = Ear(reader, lambda: slow * dice.random())
        try:
            async with asyncio.timeout(None if math.isinf(stays) else stays):
                await ear.task
            assert ear.sound == SOUND.tolist()
            assert ear.words == WORDS
        except TimeoutError:
            assert ear.sound == SOUND[: len(ear.sound)].tolist()
        except SynthesisFailed:
            broken += 1
            assert ear.sound == SOUND[: len(ear.sound)].tolist()
        reader.leave()

    await asyncio.gather(*(asker() for _ in range(dice.randint(1, 8))))
    assert len(shop.makings) == 0
    assert all(work.over for work in works), "nothing is made for nobody"
    assert len(works) <= 2 * begun
    assert [phrase.pcm for _, phrase in shop.kept] in ([], [SOUND.tobytes()])
    failed = sum(work.fails_at <= work.at < len(SOUND) for work in works)
    assert sum(work.at == len(SOUND) for work in works) <= 1, "made whole once"
    if not failed:
        assert (len(works), broken) == (begun, 0)
    assert loop.time() - began < 20


@pytest.mark.parametrize("part", range(20))
def test_in_any_order_of_asking_leaving_failing_and_lagging_all_who_stay_hear_the_whole(part: int) -> None:
    async def many() -> None:
        for seed in range(100 * part, 100 * (part + 1)):
            await schedule(seed)

    with asyncio.Runner(loop_factory=virtual.VirtualLoop) as runner:  # each of 2,000 in no time: debug would take more
        runner.run(many())
