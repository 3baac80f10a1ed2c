"""What the page gives to the loudspeaker: every sample once, in order, at the right pitch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.async_api import Browser, Page, expect

from tests.page.browser import captured, held, made, open_page, over, ready
from tests.page.fake import AMPLITUDE, TONE_HZ, fake_gateway

pytestmark = pytest.mark.asyncio(loop_scope="session")

FADE_S = 0.015  # the worklet's, of a sound that is stopped
RAMP_S = 0.003  # and where it goes on after an underrun

# Far longer than any machine takes to stop it, and all in one message: it does not run out meanwhile.
LONG: dict[str, Any] = {"rate_hz": 48_000, "sentence_ms": 40_000, "chunk_ms": 30_000, "pause_after_ms": 30_000}


def off_tone(
    sound: npt.NDArray[np.float32], rate_hz: int, frames: npt.NDArray[np.int_] | None = None
) -> tuple[float, float]:
    """The amplitude of the tone in `sound`, and the largest distance of any sample from the one sine that fits best.

    `frames` says where its samples are, if not one after another.
    """
    angle = 2 * np.pi * TONE_HZ * (np.arange(sound.size) if frames is None else frames) / rate_hz
    basis = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    (sine, cosine), *_ = np.linalg.lstsq(basis, sound)
    return float(np.hypot(sine, cosine)), float(np.abs(sound - basis @ (sine, cosine)).max())


def whole_tone(sound: npt.NDArray[np.float32], rate_hz: int, ms: int) -> None:
    """Asserts that `sound` is `ms` of one unbroken tone; a quick way down from its last sample may follow."""
    frames = ms * rate_hz // 1000
    assert frames - 2 <= sound.size <= frames + 0.01 * rate_hz  # its first sample is 0, which is no sound
    middle = sound[40 : frames - 80]  # a tone that begins and ends at once has edges in any band
    amplitude, distance = off_tone(middle, rate_hz)
    assert amplitude == pytest.approx(AMPLITUDE, rel=0.01)
    assert distance < 0.001


# c24, c26: one cursor on one clock, whatever sizes the sound comes in and at whatever rate.
@pytest.mark.parametrize(("rate_hz", "chunk_ms"), [(16_000, 20), (22_050, 70), (24_000, 33), (48_000, 20)])
async def test_a_tone_is_one_unbroken_sine_at_its_pitch(browser: Browser, rate_hz: int, chunk_ms: int) -> None:
    async with (
        fake_gateway(rate_hz=rate_hz, chunk_ms=chunk_ms, sentence_ms=150) as gateway,
        open_page(browser, f"{gateway.address}?capture") as page,
    ):
        await ready(page)
        await page.fill("#text", "One here. Two here. Three here.")
        async with held(page):
            await page.click("#speak")
        await over(page)
        heard = await captured(page)
        assert heard.rate_hz == 48_000
        whole_tone(heard.sound, heard.rate_hz, 450)
        assert await page.evaluate("onset.snapshot().underruns") == 0


async def test_speaking_again_and_again_uses_one_audio_context_and_fresh_contexts_on_the_wire(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=100) as gateway,
        open_page(browser, f"{gateway.address}?capture") as page,
    ):
        await ready(page)
        await page.fill("#text", "One. Two.")
        for count in (1, 2, 3):
            async with held(page):
                await page.click("#speak")
            await over(page)
            heard = await captured(page)
            speeches = parts(heard.sound, apart=480)
            assert len(speeches) == count
        for speech in speeches:
            whole_tone(speech, heard.rate_hz, 200)
        assert await page.evaluate("audioContexts.length") == 1
        assert [message["context"] for message in gateway.of_type("start")] == ["page-1", "page-2", "page-3"]


async def test_an_underrun_is_counted_and_loses_no_sample(browser: Browser) -> None:
    async with (
        fake_gateway(rate_hz=48_000, sentence_ms=400, chunk_ms=190, pause_after_ms=190) as gateway,
        open_page(browser, f"{gateway.address}?capture") as page,
    ):
        await ready(page)
        await page.fill("#text", "A sentence with a hole.")
        await page.click("#speak")
        await page.wait_for_function("onset.snapshot().underruns === 1")
        await captured(page)  # it is silent: the hole is one that can be heard
        assert await page.evaluate("onset.snapshot().speech.heard_ms") == pytest.approx(190)
        async with held(page):
            gateway.proceed()
        await over(page)
        assert await page.inner_text("#underruns") == "1"
        heard = await captured(page)
        before, after = parts(heard.sound, apart=480)
        given, whole = 190 * heard.rate_hz // 1000, 400 * heard.rate_hz // 1000
        ramp = int(RAMP_S * heard.rate_hz)
        # The first sample of both is 0, which is no sound: the tone begins so, and so does the ramp after the hole.
        frames = np.r_[1:given, given + ramp : whole]
        heard_whole = np.r_[before[: given - 1], after[ramp - 1 : whole - given - 1]]
        assert off_tone(heard_whole, heard.rate_hz, frames)[1] < 0.001


def parts(sound: npt.NDArray[np.float32], *, apart: int) -> Sequence[npt.NDArray[np.float32]]:
    """Cuts at silences of more than `apart` samples."""
    loud = np.flatnonzero(np.abs(sound) > 1e-4)
    cuts = np.flatnonzero(np.diff(loud) > apart)
    begins, ends = np.r_[loud[0], loud[cuts + 1]], np.r_[loud[cuts], loud[-1]]
    return [sound[begin : end + 1] for begin, end in zip(begins, ends, strict=True)]


# c25: nothing may sound before a click, and nothing is lost by it.
async def test_sound_before_the_first_click_waits_for_it_from_the_first_sample(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=150) as gateway,
        open_page(browser, f"{gateway.address}?capture&speak&text=One. Two. Three.", complaints=True) as page,
    ):
        await page.get_by_role("button", name="Click to hear").wait_for()
        await made(page)
        before = await page.evaluate("onset.snapshot()")
        assert (before["audio"], before["speech"]["heard_ms"]) == ("suspended", 0)
        assert before["reserve_s"] == pytest.approx(0.45, abs=0.001)
        await page.get_by_role("button", name="Click to hear").click()
        await page.get_by_role("button", name="Click to hear").wait_for(state="hidden")
        await over(page)
        heard = await captured(page)
        whole_tone(heard.sound, heard.rate_hz, 450)
        assert await page.evaluate("audioContexts.length") == 1


async def test_a_listener_who_cannot_hear_yet_is_reported_as_having_heard_nothing(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=500, pause_after_ms=300) as gateway,
        open_page(browser, f"{gateway.address}?speak&text=One.", complaints=True),
    ):
        await gateway.until(lambda _: len(gateway.of_type("played")) >= 2)
        assert {message["ms"] for message in gateway.of_type("played")} == {0}


async def test_sound_kept_for_a_later_click_is_bounded(browser: Browser) -> None:
    async with (
        fake_gateway(rate_hz=48_000, sentence_ms=150_000, chunk_ms=500) as gateway,
        open_page(browser, f"{gateway.address}?speak&text=A very long one.", complaints=True) as page,
    ):
        await page.wait_for_function("onset.snapshot().speech?.state === 'over'")
        assert "More sound is waiting than the page can keep" in await page.inner_text("#trouble")
        await gateway.until(lambda _: bool(gateway.of_type("cancel")))
        assert await page.evaluate("onset.snapshot().reserve_s") == 0


async def test_stop_is_silent_within_a_fade_and_tells_the_server(browser: Browser) -> None:
    async with (
        fake_gateway(**LONG) as gateway,
        open_page(browser, f"{gateway.address}?capture") as page,
    ):
        await ready(page)
        await page.fill("#text", "A long sentence.")
        await page.click("#speak")
        await page.wait_for_function("onset.snapshot().speech.heard_ms > 100")
        await page.click("#stop")
        await gateway.until(lambda _: bool(gateway.of_type("cancel")))
        (cancel,) = gateway.of_type("cancel")
        assert cancel["context"] == "page-1"
        heard = await captured(page)
        assert 0.1 < heard.sound.size / heard.rate_hz < 29  # not all that had come
        fade = heard.sound[-int(FADE_S * heard.rate_hz) :]
        quarters = [float(np.abs(part).max()) for part in np.array_split(fade, 4)]
        assert quarters == sorted(quarters, reverse=True)
        assert quarters[-1] < AMPLITUDE / 3
        assert await page.inner_text("#status") == "Stopped."


async def test_a_new_speech_replaces_the_one_that_is_heard(browser: Browser) -> None:
    async with (
        fake_gateway(**LONG) as gateway,
        open_page(browser, f"{gateway.address}?capture") as page,
    ):
        await ready(page)
        await page.fill("#text", "The first of two.")
        await page.click("#speak")
        await page.wait_for_function("onset.snapshot().speech.heard_ms > 100")
        gateway.sentence_ms, gateway.pause_after_ms = 100, None
        await page.fill("#text", "The second.")
        await page.press("#text", "Control+Enter")
        await over(page)
        assert [message["context"] for message in gateway.of_type("cancel")] == ["page-1"]
        assert await page.inner_text("#spoken") == "The second."
        heard = await captured(page)
        assert heard.sound.size / heard.rate_hz < 29  # not all of the first


async def test_sentences_light_up_on_the_audio_clock(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=200, chunk_ms=100, pause_after_ms=100) as gateway,
        open_page(browser, gateway.address) as page,
    ):
        await ready(page)
        await page.evaluate("""() => {
          window.frames = [];
          const look = () => {
            const { speech } = onset.snapshot();
            const lit = [...document.querySelectorAll(".sentence")].findIndex((each) => each.ariaCurrent);
            if (speech?.state === "speaking") frames.push([lit, speech.heard_ms]);
            requestAnimationFrame(look);
          };
          look();
        }""")
        await page.fill("#text", "One is first. Two follows. Three ends it.")
        await page.click("#speak")
        for text, pause_ms in (("One is first.", 300), ("Two follows.", 500), ("Three ends it.", None)):
            await expect(page.locator("#spoken [aria-current]")).to_have_text(text)  # as long as its sound halts
            gateway.proceed(pause_ms)
        await over(page)
        for (_, earlier_ms), (lit, heard_ms) in pairwise(await page.evaluate("frames")):
            # Never early, and no more than a frame late, however long that is; the clock's own grain is left free.
            assert sentence_at(earlier_ms - 5) <= lit <= sentence_at(heard_ms + 5)


def sentence_at(heard_ms: float) -> int:
    """Which of sentences of 200 ms is heard; -1 before the first."""
    return int(heard_ms // 200) if heard_ms > 0 else -1


async def test_the_resampler_gives_the_same_whatever_the_cuts(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address) as page:
        results = await page.evaluate("""async () => {
          const { Resampler } = await import("/static/resample.js");
          const pcm = Int16Array.from({ length: 5000 }, (_, i) => Math.round(9000 * Math.sin(i * i / 9000)));
          const run = (sizes, from, to) => {
            const stream = new Resampler(from, to);
            const made = [];
            for (let at = 0, turn = 0; at < pcm.length; turn++) {
              const size = sizes[turn % sizes.length];
              made.push(...stream.push(pcm.subarray(at, (at += size))));
            }
            return [...made, ...stream.flush()];
          };
          return [[22050, 48000], [16000, 44100], [48000, 22050], [24000, 24000], [22051, 48000]].map(([from, to]) => {
            const whole = run([5000], from, to);
            const cut = run([1, 7, 300, 2], from, to);
            return [whole.length, Math.ceil(5000 * to / from), whole.every((each, i) => each === cut[i])];
          });
        }""")
    for length, expected, same in results:
        assert (length, same) == (expected, True)


async def test_the_first_sound_is_timed_from_the_click_to_the_first_audible_sample(browser: Browser) -> None:
    async with fake_gateway(sentence_ms=20) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.click("#speak")
        await over(page)
        speech = (await page.evaluate("onset.snapshot()"))["speech"]
        assert 0 < speech["first_byte_ms"] < speech["first_sound_ms"]
        for figure, ms in (("#first-sound", speech["first_sound_ms"]), ("#first-byte", speech["first_byte_ms"])):
            shown, unit = (await page.inner_text(figure)).split()
            assert (abs(int(shown) - ms) <= 0.5, unit) == (True, "ms")


async def test_the_page_hears_at_the_rate_that_the_device_has(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address) as page:
        await wake(page)
        assert await page.evaluate("onset.snapshot().rate") == 48_000


async def wake(page: Page) -> None:
    await page.click("h1")
    await page.wait_for_function("onset.snapshot().audio === 'running'")
