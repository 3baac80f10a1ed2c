"""Fixtures of all tests."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.voices import LoadedVoice, load_voices
from tests.wire import Gateway, running

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """A signal that is ignored here, as a shell and nohup do it in the background, would be so in programs under test.

    One that is handled is not passed on.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    """A gateway with a stand-in voice."""
    async with running() as one:
        yield one


@pytest.fixture(scope="session")
def real_voices() -> list[LoadedVoice]:
    """The packaged voice, read once."""
    return load_voices(ROOT / "models")
