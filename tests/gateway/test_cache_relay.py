"""Following a maker elsewhere: how long he is waited for, and what is done when he is lost; in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
import pytest

from engine.errors import EngineError
from engine.types import Pace, Pcm, WordTime
from gateway.cache.leases import Elsewhere
from gateway.cache.phrase import Phrase
from gateway.cache.piece import Piece, Rest, encode_piece
from gateway.cache.relay import MAKERS, Gone, NoAnswer, Relay
from tests import virtual
from tests.gateway.test_cache_making import KEY, RATE_HZ, SOUND, WORDS

PATIENCE_S = 0.5

Event = tuple[str, bytes] | type[Exception]


class Ear:
    """The sink: what came, and when it ended."""

    def __init__(self) -> None:
        self.pcm: list[Pcm] = []
        self.words: tuple[WordTime, ...] = ()
        self.end = ""
        self.ended = asyncio.Event()
        self.at = 0.0

    def tell(self, words: tuple[WordTime, ...]) -> None:
        self.words += words

    def give(self, pcm: Pcm) -> None:
        self.pcm.append(pcm)

    def complete(self) -> None:
        self._end("whole")

    def fail(self, error: EngineError) -> None:
        self._end("failed")

    def _end(self, how: str) -> None:
        assert not self.end
        self.end, self.at = how, asyncio.get_running_loop().time()
        self.ended.set()

    @property
    def sound(self) -> list[int]:
        return list(np.concatenate([SOUND[:0], *self.pcm]))


class Scene:
    """Streams by generation, as they are written by hand, and the answers to further questions."""

    def __init__(self) -> None:
        self.ear = Ear()
        self.streams: dict[str, list[tuple[str, bytes]]] = {"g1": [], "g2": [], "g3": [], "g4": []}
        self.trouble: list[type[Exception]] = []  # of the next reads
        self.gone: set[str] = set()
        self.answers: list[Phrase | Elsewhere | None] = []
        self.asked: list[str] = []
        self._news = asyncio.Event()
        self.relay = Relay(KEY, "g1", Pace.REALTIME, RATE_HZ, ask=self.ask, read=self.read, patience_s=PATIENCE_S)
        self.relay.feed(self.ear)

    async def ask(self, key: bytes, pace: Pace, but: str) -> Phrase | Elsewhere | None:
        self.asked.append(but)
        return self.answers.pop(0) if self.answers else None

    async def read(self, key: bytes, generation: str, last: str, wait_s: float) -> list[tuple[str, bytes]]:
        if self.trouble:
            raise self.trouble.pop(0)
        after = int(last.partition("-")[0])
        if not self.streams[generation][after:]:
            try:
                async with asyncio.timeout(wait_s):
                    await self._news.wait()
            except TimeoutError:
                pass
        if not self.streams[generation][after:] and generation in self.gone:
            raise Gone
        return self.streams[generation][after:]

    async def write(self, generation: str, at: int, end: int, rest: Rest = Rest.MORE, words_at: int = 0) -> None:
        words = tuple(word for word in WORDS if at <= word.start_s * RATE_HZ < end)
        first = next((n for n, word in enumerate(WORDS) if word in words), words_at)
        pcm = SOUND[at:end].astype("<i2").tobytes()
        self.put(generation, encode_piece(KEY, Piece(RATE_HZ, at, pcm, first, words, rest)))
        await asyncio.sleep(0.001)

    def put(self, generation: str, entry: bytes) -> None:
        stream = self.streams[generation]
        stream.append((f"{len(stream) + 1}-0", entry))
        self._news.set()
        self._news = asyncio.Event()

    async def lose(self, generation: str) -> None:
        self.gone.add(generation)
        await asyncio.sleep(0.3)


def play(use: Callable[[Scene], Awaitable[None]]) -> None:
    async def main() -> None:
        scene = Scene()
        await use(scene)
        scene.relay.cancel()
        await asyncio.sleep(0.01)

    virtual.run(main())


def whole(scene: Scene) -> None:
    assert scene.ear.end == "whole"
    assert scene.ear.sound == SOUND.tolist()
    assert scene.ear.words == WORDS


def test_it_gives_what_comes_when_it_comes() -> None:
    async def use(scene: Scene) -> None:
        for at in range(0, 2000, 500):
            await scene.write("g1", at, at + 500, Rest.NOTHING if at == 1500 else Rest.MORE)
            assert scene.ear.sound == SOUND[: at + 500].tolist()
        whole(scene)
        assert scene.asked == []

    play(use)


def test_a_piece_that_comes_twice_is_heard_once() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 800)
        await scene.write("g1", 0, 800)
        await scene.write("g1", 500, 2000, Rest.NOTHING)
        whole(scene)

    play(use)


@pytest.mark.parametrize("had", [0, 800])
def test_a_maker_that_is_lost_is_replaced_by_another_from_where_he_was(had: int) -> None:
    async def use(scene: Scene) -> None:
        if had:
            await scene.write("g1", 0, had)
        scene.answers = [Elsewhere("g2")]
        await scene.lose("g1")
        assert scene.asked == ["g1"]
        await scene.write("g2", 0, 1200)
        assert scene.ear.sound == SOUND[:1200].tolist()
        await scene.write("g2", 1200, 2000, Rest.NOTHING)
        whole(scene)

    play(use)


def test_where_nobody_makes_it_any_more_it_fails_at_once_and_is_made_here() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 800)
        await scene.write("g1", 800, 900, Rest.FAILED)
        assert scene.ear.end == "failed"
        assert scene.ear.sound == SOUND[:800].tolist(), "what is not whole may end anywhere"
        assert scene.asked == ["g1"]

    play(use)


def test_a_phrase_that_is_there_by_now_gives_the_rest() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 800)
        scene.answers = [Phrase(RATE_HZ, SOUND.astype("<i2").tobytes(), WORDS)]
        await scene.lose("g1")
        whole(scene)

    play(use)


def test_it_follows_no_endless_row_of_makers() -> None:
    async def use(scene: Scene) -> None:
        scene.answers += [Elsewhere(generation) for generation in ("g2", "g3", "g4")] * 10
        for generation in scene.streams:
            await scene.lose(generation)
        assert scene.ear.end == "failed"
        assert len(scene.asked) == MAKERS

    play(use)


def test_a_sentence_without_sound_is_not_believed() -> None:
    """e08"""

    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 0, Rest.NOTHING)
        assert scene.ear.end == "failed"

    play(use)


# ---- how long is waited


async def times(scene: Scene) -> float:
    async with asyncio.timeout(100):
        await scene.ear.ended.wait()
    return scene.ear.at


def test_a_maker_that_lives_is_waited_for_as_long_as_nobody_needs_more() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 800)
        await asyncio.sleep(50)
        assert not scene.ear.end
        await scene.write("g1", 800, 2000, Rest.NOTHING)
        whole(scene)

    play(use)


@pytest.mark.parametrize(
    ("dues", "at"), [([3.0], 3.0), ([7.0, 4.0, 9.0], 4.0), ([0.1], PATIENCE_S), ([-5.0], PATIENCE_S)]
)
def test_one_who_waits_is_not_left_without_sound_for_longer_than_a_maker_may_be_silent(
    dues: Sequence[float], at: float
) -> None:
    async def use(scene: Scene) -> None:
        for due in dues:
            scene.relay.hurry(due)
        assert await times(scene) == pytest.approx(at, abs=0.2)
        assert scene.asked == ["g1"]

    play(use)


def test_news_are_reason_to_wait_again() -> None:
    async def use(scene: Scene) -> None:
        for number in range(10):
            scene.relay.hurry(0.0)
            await asyncio.sleep(PATIENCE_S * 0.8)
            await scene.write("g1", 100 * number, 100 * number + 100)
        assert not scene.ear.end
        scene.relay.hurry(0.0)
        assert await times(scene) <= 10 * 0.8 * PATIENCE_S + PATIENCE_S + 0.3

    play(use)


def test_a_new_maker_is_given_the_time_to_make_again_what_there_is() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 1600)
        scene.answers = [Elsewhere("g2")]
        await scene.lose("g1")
        began = asyncio.get_running_loop().time()
        await scene.write("g2", 0, 1600)  # what he had heard himself
        scene.relay.hurry(0.0)
        assert PATIENCE_S + 0.3 <= await times(scene) - began <= PATIENCE_S + 0.4 + 0.2

    play(use)


# ---- Redis


def test_a_connection_that_was_cut_is_tried_once_more() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 800)
        scene.trouble = [NoAnswer]
        await scene.write("g1", 800, 2000)
        await asyncio.sleep(0.3)
        scene.trouble = [NoAnswer]
        await scene.write("g1", 2000, 2000, Rest.NOTHING, 4)
        await asyncio.sleep(0.3)
        whole(scene)

    play(use)


def test_a_redis_that_is_gone_is_not_asked_again() -> None:
    async def use(scene: Scene) -> None:
        scene.trouble = [NoAnswer, NoAnswer]
        await scene.write("g1", 0, 800)
        await asyncio.sleep(0.3)
        await scene.write("g1", 800, 900)
        assert scene.ear.end == "failed"
        assert scene.asked == []

    play(use)


@pytest.mark.parametrize(
    "entry",
    [
        b"noise",
        encode_piece(KEY, Piece(RATE_HZ, 1000, b"\1\1", 0, (), Rest.MORE)),
        encode_piece(KEY, Piece(RATE_HZ, 0, b"\1\1", 3, (), Rest.MORE)),
        encode_piece(KEY, Piece(2 * RATE_HZ, 0, b"\1\1", 0, (), Rest.MORE)),
        encode_piece(b"o" * len(KEY), Piece(RATE_HZ, 0, b"\1\1", 0, (), Rest.MORE)),
    ],
    ids=["noise", "sound is missing", "words are missing", "another rate", "another key"],
)
def test_what_does_not_belong_is_refused_and_it_is_made_here(entry: bytes) -> None:
    """e11"""

    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 400)
        scene.put("g1", entry)
        await asyncio.sleep(0.01)
        assert scene.ear.end == "failed"
        assert scene.ear.sound == SOUND[:400].tolist()
        assert scene.asked == ["g1"]

    play(use)


# ---- the end


def test_who_wants_no_more_is_told_no_more() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 400)
        scene.relay.cancel()
        scene.relay.cancel()
        await scene.write("g1", 400, 2000, Rest.NOTHING)
        await asyncio.sleep(1)
        assert scene.ear.sound == SOUND[:400].tolist()
        assert scene.ear.end == ""
        assert scene.asked == []

    play(use)


def test_a_relay_that_is_stopped_fails_so_that_it_is_made_here() -> None:
    async def use(scene: Scene) -> None:
        await scene.write("g1", 0, 400)
        scene.relay.stop()
        await asyncio.sleep(0.01)
        assert scene.ear.end == "failed"

    play(use)
