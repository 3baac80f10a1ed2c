"""Stand-ins at the engine's one seam: a model with set costs and faults, whose samples spell the text they speak."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.engine import Engine
from engine.models.model import Decoding, Model, Prior
from engine.pcm import UNSHAPED
from engine.speech import Speech
from engine.text.blocks import shown
from engine.text.phonemes import PhonemeConfig
from engine.types import Cost, Costs, Pace, Pcm, Piece, Spelling, Utterance, Voice, Wave, WordIds
from engine.voices import LoadedVoice

HOP = 256
FRAMES_AN_ID = 4
RATE_HZ = 22050
CUT = "ᚅ"
"""Where an espeak sentence ends inside of one of ours; "|" does so too, where no rule says it in words."""

POISON = "ᚁ"
"""A text with this character fails in the model, each time."""

HALF_POISON = "ᚂ"
"""A text with this character fails in the model once."""

STUMBLE = "ᚃ"
"""A text with this character fails in the decoding, each time that its frames are reached."""

HALF_STUMBLE = "ᚄ"
"""The same, once."""

CHEAP = Costs(front=Cost(0.001, 0.0), first=Cost(0.001, 0.00001), decode=Cost(0.0, 0.00001))

_CONFIG = PhonemeConfig.from_json(
    {
        "num_symbols": 256,
        "num_speakers": 1,
        "audio": {"sample_rate": RATE_HZ},
        "espeak": {"voice": "en-us"},
        "phoneme_id_map": {"_": [0], "^": [1], "$": [2]},
    }
)


class FakePhonemes:
    """An id for each character: its code point. Pieces are cut at CUT and "|"; a text of dots alone says nothing."""

    def __init__(self, before: Callable[[str], None] = lambda _: None) -> None:
        self.before = before
        self.texts: list[str] = []

    def ids(self, text: str, config: PhonemeConfig) -> list[tuple[int, ...]]:
        return [_ids(part) for part in self._parts(text)]

    def spell(self, text: str, config: PhonemeConfig) -> list[Spelling]:
        parts = self._parts(text)
        words = [tuple(WordIds(word[0], *word.span()) for word in re.finditer(r"\S+", part)) for part in parts]
        return [Spelling(_ids(part), own) for part, own in zip(parts, words, strict=True)]

    def _parts(self, text: str) -> list[str]:
        self.before(text)
        self.texts.append(text)
        return [part for part in re.split(rf"[|{CUT}]", text) if part.strip(" .")]


def _ids(part: str) -> tuple[int, ...]:
    """Phonemes stand between slashes: a sample has no room for their marks."""
    return tuple(map(ord, shown(part)))


class Gate:
    """Where threads stop until they are let through."""

    def __init__(self) -> None:
        self._arrived, self._permits = threading.Semaphore(0), threading.Semaphore(0)
        self._is_open = False

    def stop(self) -> None:
        """A thread comes to the gate."""
        self._arrived.release()
        if not self._is_open:
            self._permits.acquire(timeout=20)  # a test that failed must end too

    async def arrival(self) -> None:
        """Wait for the next thread that comes."""
        assert await asyncio.to_thread(self._arrived.acquire, timeout=10), "nobody came"

    def let(self, threads: int = 1) -> None:
        """So many may pass."""
        self._permits.release(threads)

    def open(self) -> None:
        """All may pass from now on."""
        self._is_open = True
        self._permits.release(1000)


class FakeModel:
    """Each id sounds FRAMES_AN_ID frames of a level that is the id itself, so that `read` gives the text back.

    `lag`: frames its decoder holds back; None for one that decodes a piece whole. `gate`: each step stops there.
    `cost_s`: seconds a step takes for each second of its sound. `costs`: what it says that its steps take.
    `fronts` are the texts of all fronts so far, `decodes` those whose decoding has begun, `steps` the texts and frames
    of each decoding step.
    """

    def __init__(
        self, *, lag: int | None = None, cost_s: float = 0.0, costs: Costs = CHEAP, gate: Gate | None = None
    ) -> None:
        self.lag, self.whole = lag or 0, "a stand-in" if lag is None else ""
        self.cost_s, self.gate = cost_s, gate
        self._costs = costs
        self.fronts: list[tuple[str, ...]] = []
        self.decodes: list[str] = []
        self.steps: list[tuple[tuple[str, int], ...]] = []
        self.running = 0
        self.most_running = 0
        self._lock = threading.Lock()
        self._failed: set[tuple[int, ...]] = set()
        self._stumbled = False

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        self.fronts.append(tuple(spell(p.ids) for p in pieces))
        self._step(0.1 * sum(len(p.ids) for p in pieces))
        for piece in pieces:
            self._fault(piece.ids)
        return [_prior(piece) for piece in pieces]

    def decode(self, decodings: Sequence[Decoding], frames: int) -> list[tuple[Wave, Decoding]]:
        if any(decoding.done for decoding in decodings):
            raise ValueError("a decoding is done")
        counts = [one.left if self.whole else min(frames, one.left) for one in decodings]
        texts = [spell(one.prior.z_p[0, ::FRAMES_AN_ID].astype(int).tolist()) for one in decodings]
        self.decodes += [text for text, one in zip(texts, decodings, strict=True) if one.at == 0]
        self.steps.append(tuple(zip(texts, counts, strict=True)))
        self._step(0.9 * sum(counts) / FRAMES_AN_ID)
        for one, count in zip(decodings, counts, strict=True):
            self._stumble(one.prior.z_p[0, one.at :][:count])
        return [self._next(one, count) for one, count in zip(decodings, counts, strict=True)]

    def _stumble(self, frames: npt.NDArray[np.float32]) -> None:
        if ord(STUMBLE) in frames:
            raise IndexError("stumbled")
        if ord(HALF_STUMBLE) in frames and not self._stumbled:
            self._stumbled = True
            raise IndexError("stumbled once")

    def _next(self, one: Decoding, count: int) -> tuple[Wave, Decoding]:
        """The state is the frames held back: a decoding that is not passed on loses them."""
        held = np.concatenate(
            [one.prior.z_p[0, :0] if one.state is None else one.state, one.prior.z_p[0, one.at :][:count]]
        )
        after = Decoding(one.prior, one.at + count)
        end = len(held) if after.done else max(0, len(held) - self.lag)
        wave = np.repeat(held[:end] / 32767, HOP).astype(np.float32)
        return wave, Decoding(one.prior, after.at, held[end:])

    def warm_up(self) -> None:
        pass

    def costs(self) -> Costs:
        return self._costs

    def _step(self, ids: float) -> None:
        with self._lock:
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        if self.gate is not None:
            self.gate.stop()
        if self.cost_s:
            time.sleep(self.cost_s * ids * FRAMES_AN_ID * HOP / RATE_HZ)
        with self._lock:
            self.running -= 1

    def _fault(self, ids: tuple[int, ...]) -> None:
        if ord(POISON) in ids:
            raise ValueError("poison")
        if ord(HALF_POISON) in ids and ids not in self._failed:
            self._failed.add(ids)
            raise ValueError("half poison")


def _prior(piece: Piece) -> Prior:
    z_p = np.repeat(np.array([piece.ids], np.float32), FRAMES_AN_ID, axis=1)
    return Prior(z_p, np.full(len(piece.ids), FRAMES_AN_ID, np.int64), piece.speaker)


def whole(model: Model, prior: Prior) -> Wave:
    """All sound of a piece, decoded in one step."""
    ((wave, after),) = model.decode([Decoding(prior)], prior.frames)
    assert after.done
    return wave


def fake_voice(model: FakeModel | None = None, name: str = "fake", speaker_count: int = 1) -> LoadedVoice:
    voice = Voice(
        name=name,
        fingerprint=f"{name}-0",
        rate_hz=RATE_HZ,
        language="en-US",
        noise_scale=0.667,
        length_scale=1.0,
        noise_w=0.8,
        hop=HOP,
        speaker_count=speaker_count,
    )
    return LoadedVoice(voice, model or FakeModel(), _CONFIG, UNSHAPED)


def fake_engine(*voices: LoadedVoice, **settings: Any) -> Engine:
    """An engine that needs neither a real voice nor espeak-ng; not started."""
    settings.setdefault("phonemes", FakePhonemes())
    return Engine(voices or [fake_voice()], **{"threads": 2, **settings})


def say(engine: Engine, text: str) -> Utterance:
    return Utterance(text, engine.default_voice)


def seconds(text: str) -> float:
    """What a text sounds for in a FakeModel."""
    return len(text) * FRAMES_AN_ID * HOP / RATE_HZ


def read(pcm: Pcm) -> str:
    """The text that a FakeModel's samples speak."""
    return spell(pcm[:: FRAMES_AN_ID * HOP].tolist())


def spell(ids: Sequence[int]) -> str:
    return "".join(map(chr, ids))


async def sound_of(speech: Speech) -> Pcm:
    """All that comes of a speech."""
    return np.concatenate([np.zeros(0, np.int16), *[pcm async for pcm in speech]])


async def hear(engine: Engine, text: str, pace: Pace = Pace.FAST) -> str:
    """Speak a text on a listener of its own, and read what came."""
    listener = engine.listen(pace)
    try:
        return read(await sound_of(listener.speak(say(engine, text))))
    finally:
        listener.close()
