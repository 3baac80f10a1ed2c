"""What a maker tells Redis: all of it, in order, soon, and no more once anything is wrong."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine.types import Pace, WordTime
from gateway.cache import Making, Makings, leases
from gateway.cache.piece import Piece, Rest, decode_piece
from gateway.cache.publisher import LINGER_S, RENEWALS, Publisher
from tests import virtual
from tests.gateway.test_cache_making import KEY, RATE_HZ, SOUND, WORDS, Shop, Work

LIFE_S = 1.0


class Wire:
    """A Redis that takes all, each time after `delay_s`; `reply` is what it says to each script."""

    def __init__(self) -> None:
        self.sent: list[tuple[float, tuple[Any, ...]]] = []  # with the time
        self.reply: object = 0
        self.delay_s = 0.001

    async def __call__(self, scripts: Sequence[tuple[Any, ...]]) -> list[object] | None:
        self.sent += [(asyncio.get_running_loop().time(), script) for script in scripts]
        await asyncio.sleep(self.delay_s)
        return None if self.reply is None else [self.reply] * len(scripts)

    @property
    def pieces(self) -> list[Piece]:
        return [decode_piece(KEY, script[-1]) for _, script in self.sent if script[-1]]

    @property
    def sound(self) -> list[int]:
        return list(np.frombuffer(b"".join(piece.pcm for piece in self.pieces), "<i2"))

    @property
    def words(self) -> tuple[WordTime, ...]:
        return tuple(word for piece in self.pieces for word in piece.words)


class Scene:
    def __init__(self) -> None:
        self.wire, self.shop = Wire(), Shop()
        self.publisher = Publisher(self.wire, self._making_of, LIFE_S)
        self.shop.makings = Makings(
            lambda key, phrase: self.shop.kept.append((key, phrase)),
            self.shop.stats,
            joins=True,
            begun=self.publisher.begun,
        )
        self.running = asyncio.create_task(self.publisher.run())

    def _making_of(self, key: bytes) -> Making | None:
        return self.shop.makings.of(key)

    def grant(self, pace: Pace = Pace.REALTIME) -> None:
        self.publisher.grant(KEY, b"name", "g1", pace)

    @property
    def work(self) -> Work:
        return self.shop.works[-1]


def play(use: Callable[[Scene], Awaitable[None]]) -> None:
    async def main() -> None:
        scene = Scene()
        await use(scene)
        scene.running.cancel()
        await asyncio.gather(scene.running, return_exceptions=True)

    virtual.run(main())


def test_all_of_it_is_told_in_order_and_then_that_it_is_whole() -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        scene.shop.ask()
        for _ in range(8):
            scene.work.step(250)
            await asyncio.sleep(0.01)
        assert scene.wire.sound == SOUND.tolist()
        assert scene.wire.words == WORDS
        assert [piece.rest for piece in scene.wire.pieces] == [Rest.MORE] * 7 + [Rest.NOTHING]
        assert [piece.at for piece in scene.wire.pieces] == list(range(0, 2000, 250))
        assert {script[0] for _, script in scene.wire.sent} == {leases.ADD}
        assert scene.wire.sent[-1][1][5] == LINGER_S * 1000
        assert len(scene.publisher) == 0

    play(use)


def test_what_is_made_while_redis_answers_slowly_goes_together() -> None:
    async def use(scene: Scene) -> None:
        scene.wire.delay_s = 0.1
        scene.grant()
        scene.shop.ask()
        for _ in range(8):
            scene.work.step(250)
            await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        assert scene.wire.sound == SOUND.tolist()
        assert len(scene.wire.pieces) == 2

    play(use)


def test_a_lease_is_renewed_some_times_in_its_life_while_nothing_is_made() -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        scene.shop.ask()
        await asyncio.sleep(10 * LIFE_S)
        times = [at for at, _ in scene.wire.sent]
        assert len(times) >= 10 * 3
        assert max(b - a for a, b in pairwise(times)) <= LIFE_S / 3
        assert len(times) <= 10 * RENEWALS
        assert scene.wire.pieces == []

    play(use)


def test_a_lease_that_comes_late_is_for_what_is_made_already() -> None:
    async def use(scene: Scene) -> None:
        scene.shop.ask()
        scene.work.step(700)
        scene.grant()
        scene.work.step(2000)
        await asyncio.sleep(0.01)
        assert scene.wire.sound == SOUND.tolist()
        assert scene.wire.words == WORDS

    play(use)


def test_a_lease_that_nobody_makes_for_is_given_back() -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        assert scene.publisher.waits(KEY)
        await asyncio.sleep(LIFE_S)
        assert [script[0] for _, script in scene.wire.sent] == [leases.END]
        assert not scene.publisher.waits(KEY)
        assert len(scene.publisher) == 0

    play(use)


def test_what_is_made_at_no_pace_is_not_what_a_listener_who_is_spoken_to_was_promised() -> None:
    async def use(scene: Scene) -> None:
        scene.shop.ask(Pace.FAST)
        scene.grant(Pace.REALTIME)
        assert scene.publisher.waits(KEY)
        scene.shop.ask(Pace.REALTIME)
        assert not scene.publisher.waits(KEY)

    play(use)


@pytest.mark.parametrize("end", ["leaves", "fails"])
def test_what_ends_early_says_so(end: str) -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        reader = scene.shop.ask()
        scene.work.step(700)
        if end == "leaves":
            reader.leave()
        else:
            scene.work.fail()
        await asyncio.sleep(0.01)
        assert scene.wire.sound == SOUND[:700].tolist()
        assert scene.wire.pieces[-1].rest is Rest.FAILED
        assert scene.wire.sent[-1][1][0] == leases.END
        assert len(scene.publisher) == 0

    play(use)


def test_a_further_run_here_is_no_end_for_those_elsewhere() -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        scene.shop.ask()
        scene.shop.ask()
        scene.work.step(700)
        scene.work.fail()
        scene.work.step(2000)
        await asyncio.sleep(0.01)
        assert len(scene.shop.works) == 2
        assert scene.wire.sound == SOUND.tolist()
        assert scene.wire.words == WORDS
        assert scene.wire.pieces[-1].rest is Rest.NOTHING

    play(use)


@pytest.mark.parametrize("reply", [-1, None, OSError("gone"), b"noise", []])
def test_a_lease_that_is_lost_or_a_redis_that_fails_is_the_end_of_it_and_the_sound_goes_on(reply: object) -> None:
    async def use(scene: Scene) -> None:
        scene.wire.reply = reply
        scene.grant()
        scene.shop.ask()
        scene.work.step(700)
        await asyncio.sleep(0.01)
        scene.work.step(2000)
        await asyncio.sleep(3 * LIFE_S)
        assert len(scene.wire.sent) == 1
        assert len(scene.publisher) == 0
        assert len(scene.shop.kept) == 1

    play(use)


def test_who_hears_it_elsewhere_needs_it_as_one_who_began_when_he_was_seen() -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        scene.shop.ask()
        scene.work.step(100)
        await asyncio.sleep(1.5 * LIFE_S)
        assert scene.work.dues == []
        scene.wire.reply = 1
        await asyncio.sleep(0.3)
        assert scene.work.dues[0] == math.inf
        began = scene.work.dues[1] - 100 / RATE_HZ
        assert 1.5 <= began <= 1.8
        scene.work.step(500)
        await asyncio.sleep(0.01)
        assert scene.work.dues[-1] == pytest.approx(began + 600 / RATE_HZ)
        scene.work.step(2000)
        await asyncio.sleep(0.01)
        assert scene.work.dues[-1] == pytest.approx(began + 600 / RATE_HZ), "it is whole: nobody needs more"

    play(use)


def test_what_is_too_long_for_a_phrase_is_not_told_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.cache.publisher.MAX_PCM_BYTES", 2000)

    async def use(scene: Scene) -> None:
        scene.grant()
        scene.shop.ask()
        for _ in range(4):
            scene.work.step(500)
            await asyncio.sleep(0.01)
        assert scene.wire.sound == SOUND[:1000].tolist()
        assert [piece.rest for piece in scene.wire.pieces] == [Rest.MORE, Rest.MORE, Rest.FAILED]

    play(use)


def test_at_the_end_all_leases_are_given_back() -> None:
    async def use(scene: Scene) -> None:
        scene.grant()
        scene.shop.ask()
        scene.work.step(500)
        scene.running.cancel()
        await scene.publisher.end()
        assert scene.wire.sound == SOUND[:500].tolist()
        assert scene.wire.sent[-1][1][0] == leases.END
        scene.work.step(2000)
        await scene.publisher.end()
        assert len(scene.wire.sent) == 1

    play(use)
