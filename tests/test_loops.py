"""The event loop of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests import virtual
from tests.loops import CheckedLoop


async def called_from_a_thread() -> None:
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    future.add_done_callback(lambda _: None)
    wrong: list[Callable[[], object]] = [
        lambda: loop.call_soon(print),
        lambda: loop.call_later(0, print),
        lambda: future.set_result(None),
    ]
    with ThreadPoolExecutor(1) as thread:
        for call in wrong:
            with pytest.raises(RuntimeError, match="another thread"):
                await loop.run_in_executor(thread, call)
        ran = loop.create_future()
        await loop.run_in_executor(thread, loop.call_soon_threadsafe, ran.set_result, None)
        await ran


async def test_no_test_runs_in_a_loop_that_may_be_called_from_another_thread() -> None:
    assert isinstance(asyncio.get_running_loop(), CheckedLoop)
    await called_from_a_thread()


def test_nor_in_virtual_time() -> None:
    virtual.run(called_from_a_thread())
