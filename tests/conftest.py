"""Fixtures of all tests."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from engine.voices import LoadedVoice, load_voices
from tests.graphs import graph_store, share_graphs
from tests.loops import CheckedLoop
from tests.measured import measured
from tests.wire import Gateway, running

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """A signal that is ignored here, as a shell and nohup do it in the background, would be so in programs under test.

    One that is handled is not passed on.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)
    share_graphs(config)


def pytest_asyncio_loop_factories() -> Mapping[str, type[asyncio.AbstractEventLoop]]:
    return {"checked": CheckedLoop}


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    """A gateway with a stand-in voice."""
    async with running() as one:
        yield one


@pytest.fixture(scope="session")
def real_voices() -> list[LoadedVoice]:
    """The packaged voice, read and measured once."""
    return [measured(voice) for voice in load_voices(ROOT / "models", graph_store())]
