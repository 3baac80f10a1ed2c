"""The clients that measure each dialect, at a server with a stand-in voice; and the rows that come of it."""

from __future__ import annotations

import pytest

from bench.dialect_clients import DIALECTS, Where
from bench.dialects import BOUND_MS, rows
from tests.wire import Gateway, running


def where(gateway: Gateway) -> Where:
    return Where(int(gateway.host.partition(":")[2]), gateway.wyoming_port, gateway.house.engine.default_voice.name)


async def test_every_dialect_is_heard_text_after_text() -> None:
    async with running(wyoming=True, cache_bytes=0) as gateway:
        for name, dialect in DIALECTS.items():
            async with dialect(where(gateway)) as ask:
                for text in ("Hello there.", "And good night."):
                    assert await ask(text) > 0, name


async def test_a_text_without_sound_is_not_taken_for_a_fast_one() -> None:
    async with running(wyoming=True) as gateway:
        for name in ("native", "Wyoming", "Deepgram", "Cartesia"):  # the others have a short silence then
            async with DIALECTS[name](where(gateway)) as ask:
                with pytest.raises(RuntimeError):
                    await ask("...")


def test_a_dialect_is_compared_with_the_native_protocol_text_by_text() -> None:
    native, other = rows({"native": [0.1, 0.2, 0.3], "other": [0.11, 0.23, 0.31]})
    assert not native.goals
    assert native.values["p50"] == pytest.approx(200)
    (goal,) = other.goals
    assert (goal.bound, goal.reached) == (BOUND_MS, True)
    assert goal.got == other.values["over native"] == pytest.approx(10)
