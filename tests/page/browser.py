"""A real Chromium, and what its page has given to the loudspeaker."""

from __future__ import annotations

import base64
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from playwright.async_api import Browser, Page, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--autoplay-policy=document-user-activation-required",  # the strictest rule for Web Audio: no sound before a click
)
PATIENCE_MS = 60_000  # for what a page does at once: only a page that never does it takes so long
MISSING = (
    "the tests of the page need a Chromium: install one so that `chromium`, `chromium-browser` or `google-chrome` is "
    "on PATH (Debian, Ubuntu: `apt-get install chromium`), or run `python -m playwright install chromium`"
)


def chromium(own: Path) -> Path:
    """The path of a Chromium: one on PATH, else Playwright's `own`; where there is none, it says what to install."""
    for name in NAMES:
        if path := shutil.which(name):
            return Path(path)
    if not own.exists():
        raise FileNotFoundError(MISSING)
    return own


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        path = chromium(Path(playwright.chromium.executable_path))
        browser = await playwright.chromium.launch(executable_path=path, args=list(ARGS))
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def open_page(browser: Browser, address: str, *, complaints: bool = False, **options: Any) -> AsyncIterator[Page]:
    """A page that is closed at the end; unless `complaints`, its console must have stayed free of errors, warnings."""
    context = await browser.new_context(**options)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    await page.add_init_script(CONTEXTS)
    await page.goto(address)
    try:
        yield page
        assert complaints or said == []
    finally:
        await context.close()


# Every audio context of the page, at a rate that is known; while they are held, their clock stands still.
CONTEXTS = """
window.audioContexts = [];
window.audioHeld = false;
window.AudioContext = class extends AudioContext {
  constructor(options) {
    super({ ...options, sampleRate: 48000 });
    audioContexts.push(this);
    if (audioHeld) this.suspend();
  }
  async resume() {
    if (!audioHeld) await super.resume();
  }
};
window.holdAudio = async (held) => {
  audioHeld = held;
  await Promise.all(audioContexts.map((each) => (held ? each.suspend() : each.resume())));
};
"""


@asynccontextmanager
async def held(page: Page) -> AsyncIterator[None]:
    """Stops the clock of the sound until a speech has come, or 2 s of it: slowness alone makes no hole in it."""
    await page.evaluate("holdAudio(true)")
    yield
    await page.wait_for_function("onset.snapshot().speech?.done || onset.snapshot().reserve_s > 2")
    await page.evaluate("holdAudio(false)")


@dataclass(frozen=True)
class Captured:
    """What the page has given to its audio device."""

    rate_hz: int
    samples: npt.NDArray[np.float32]

    @property
    def sound(self) -> npt.NDArray[np.float32]:
        """From the first sample that is not silence to the last."""
        loud = np.flatnonzero(np.abs(self.samples) > 1e-4)
        return self.samples[loud[0] : loud[-1] + 1] if loud.size else self.samples[:0]


async def captured(page: Page) -> Captured:
    """All that the page has given to its audio device, once it is silent."""
    await page.wait_for_function(
        "async () => (await onset.captured()).samples.slice(-4800).every((each) => each === 0)"
    )
    taken = await page.evaluate("""async () => {
      const { rate, samples } = await onset.captured();
      let bytes = "";
      const raw = new Uint8Array(samples.buffer);
      for (let at = 0; at < raw.length; at += 32768) bytes += String.fromCharCode(...raw.subarray(at, at + 32768));
      return { rate, samples: btoa(bytes) };
    }""")
    return Captured(taken["rate"], np.frombuffer(base64.b64decode(taken["samples"]), np.float32))


async def ready(page: Page) -> None:
    await page.wait_for_function("onset.snapshot().connected")


async def made(page: Page) -> None:
    """Waits until the server has sent all of the last speech."""
    await page.wait_for_function("onset.snapshot().speech?.done")


async def over(page: Page) -> None:
    """Waits until the last speech has been heard to its end."""
    await page.wait_for_function("onset.snapshot().speech?.state === 'over'")
