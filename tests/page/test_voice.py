"""The page before the real gateway with the real voice: what it gives to the loudspeaker is speech."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from gateway.app import create_engine
from gateway.settings import Settings
from tests.graphs import graphs_folder
from tests.hearing import SENTENCES, hear, words_heard
from tests.page.browser import Captured, captured, held, made, open_page, over, ready
from tests.wire import Gateway, running

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gateway(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Gateway]:
    folder: Path = tmp_path_factory.mktemp("voices")  # none beside the packaged one
    async with running(
        create_engine(Settings(voices=folder, graphs=str(graphs_folder()))), voices=folder, max_start_s=60
    ) as gateway:
        yield gateway


def understood(heard: Captured) -> str:
    samples = (heard.sound * 32767).clip(-32768, 32767).astype(np.int16)
    return hear(samples, heard.rate_hz)


async def speak(page: Page, text: str) -> float:
    """Speaks it to the end; returns the milliseconds of sound that the server says it sent: all were heard."""
    await ready(page)
    await page.fill("#text", text)
    async with held(page):
        await page.click("#speak")
    await over(page)
    audio_ms: float = await page.evaluate("onset.snapshot().speech.done.audio_ms")
    await page.wait_for_function("(ms) => Math.abs(onset.snapshot().speech.heard_ms - ms) < 2", arg=audio_ms)
    return audio_ms


async def test_a_click_is_answered_with_speech_that_is_understood(browser: Browser, gateway: Gateway) -> None:
    sentences = SENTENCES[:2]
    async with open_page(browser, f"{gateway.http}/?capture") as page:
        audio_ms = await speak(page, " ".join(sentences))
        heard = await captured(page)
        assert np.sqrt(np.mean(heard.sound**2)) > 0.02
        # Silence at both ends is not part of `sound`; a voice leaves some. Only underruns make it longer.
        lasted_ms = 1000 * heard.sound.size / heard.rate_hz
        underruns = await page.evaluate("onset.snapshot().underruns")
        assert audio_ms - 500 < lasted_ms
        assert lasted_ms < audio_ms + 20 or underruns
        assert words_heard(" ".join(sentences), understood(heard)) > 0.6
        assert await page.locator(".sentence").all_inner_texts() == list(sentences)


async def test_written_as_a_language_model_would_it_is_the_same_speech(browser: Browser, gateway: Gateway) -> None:
    text = SENTENCES[0]
    async with open_page(browser, f"{gateway.http}/?capture") as page:
        await ready(page)
        await page.locator(".switch").click()
        await speak(page, text)
        assert words_heard(text, understood(await captured(page))) > 0.6
        assert await page.locator(".sentence[data-state=spoken]").count() == 1


async def test_the_second_time_it_comes_from_the_cache(browser: Browser, gateway: Gateway) -> None:
    async with open_page(browser, gateway.http) as page:
        await ready(page)
        await page.fill("#text", "We will meet again. It is the same place.")
        await page.click("#speak")
        await made(page)
        assert await page.locator(".badge").count() == 0
        await page.click("#speak")
        await made(page)
        assert await page.locator(".badge").all_inner_texts() == ["cache: memory", "cache: memory"]


async def test_stop_is_heard_by_the_server(browser: Browser, gateway: Gateway) -> None:
    async with open_page(browser, f"{gateway.http}/?capture") as page:
        await ready(page)
        await page.fill("#text", 6 * " ".join(SENTENCES))  # close to a minute
        await page.click("#speak")
        await page.wait_for_function("onset.snapshot().speech.heard_ms > 300")
        await page.keyboard.press("Escape")
        await expect(page.locator("#status")).to_have_text("Stopped.")
        assert (await captured(page)).sound.size < 30 * 48_000
        await speak(page, "Again.")


async def test_an_unknown_voice_is_said(browser: Browser, gateway: Gateway) -> None:
    async with open_page(browser, gateway.http) as page:
        await ready(page)
        await expect(page.locator("#voice option")).to_have_count(1)
        await page.evaluate("document.querySelector('#voice').options[0].value = 'nobody'")
        await page.click("#speak")
        await expect(page.locator("#trouble")).to_contain_text("That voice is not installed on the server.")
        await expect(page.locator("#status")).to_have_text("Nothing was spoken.")
