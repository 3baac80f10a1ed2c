"""Makes the picture of the page, speaking with the real voice: `python -m tests.page.picture`."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from gateway.app import create_engine
from gateway.settings import Settings
from tests.page.browser import open_browser, open_page, over, ready
from tests.wire import running

FILE = Path(__file__).resolve().parents[2] / "static" / "page.png"
KNOWN = "She put on her coat, made some tea, and walked down to the water."  # spoken before: it has its badge


async def take(folder: Path) -> None:
    async with (
        running(create_engine(Settings(voices=folder)), voices=folder) as gateway,
        open_browser() as browser,
        open_page(browser, gateway.http, viewport={"width": 1200, "height": 720}) as page,
    ):
        await ready(page)
        text = await page.input_value("#text")
        for each in (KNOWN, text):
            await page.fill("#text", each)
            await page.click("#speak")
            if each == KNOWN:
                await over(page)
        await page.wait_for_function("onset.snapshot().speech.heard_ms > 7500")
        await page.screenshot(path=FILE)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        asyncio.run(take(Path(empty)))
