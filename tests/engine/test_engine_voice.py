"""The engine on the real voice."""

from __future__ import annotations

import asyncio

import numpy as np

from engine.engine import Engine
from engine.types import Pace, Pcm, Utterance
from engine.voices import LoadedVoice


async def sound(engine: Engine, text: str, seed: int | None = None) -> Pcm:
    listener = engine.listen(Pace.FAST)
    try:
        speech = listener.speak(Utterance(text, engine.default_voice, seed=seed))
        return np.concatenate([pcm async for pcm in speech] or [np.zeros(0, np.int16)])
    finally:
        listener.close()


async def test_it_speaks_and_the_same_text_sounds_the_same_alone_and_in_company(joe: LoadedVoice) -> None:
    engine = Engine([joe])
    await engine.start()
    try:
        alone = await sound(engine, "Good morning to you.")
        texts = ["Good morning to you.", "Good evening to him.", "One. Two! Three?", "..."]
        together, other, three, nothing = await asyncio.gather(*(sound(engine, text) for text in texts))
        seeded = await sound(engine, "Good morning to you.", seed=7)
    finally:
        await engine.aclose()
    assert 0.8 < len(alone) / joe.voice.rate_hz < 2.5
    assert np.abs(alone.astype(int)).max() > 3000
    assert len(together) == len(alone)
    assert np.abs(together.astype(int) - alone).max() <= 4
    assert len(three) > len(alone) / 2
    assert len(other) > 0
    assert len(nothing) == 0
    assert len(seeded) != len(alone) or np.abs(seeded.astype(int) - alone).max() > 100
