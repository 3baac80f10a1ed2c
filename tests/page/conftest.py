"""One browser for all tests of the page."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.page.browser import PATIENCE_MS, open_browser

expect.set_options(timeout=PATIENCE_MS)


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        yield browser
