"""What a person sees and does on the page."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Literal

import pytest
from playwright.async_api import Browser, expect

from tests.page.browser import open_page, over, ready
from tests.page.fake import fake_gateway

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_first_click_speaks_the_sample_and_says_so(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=100, pause_after_ms=300) as gateway,
        open_page(browser, gateway.address) as page,
    ):
        await expect(page.get_by_role("status").first).to_have_text("Connected")
        await page.get_by_role("button", name="Speak").click()
        await expect(page.locator("#status")).to_have_text("Speaking…")
        await expect(page.get_by_role("button", name="Stop")).to_have_attribute("aria-disabled", "false")
        gateway.proceed()
        await over(page)
        await expect(page.locator("#status")).to_have_text("0.5 s of speech, 5 sentences.")
        await expect(page.get_by_role("button", name="Stop")).to_have_attribute("aria-disabled", "true")
        assert await page.locator(".sentence[data-state=spoken]").count() == 5
        sent = "".join(message["text"] for message in gateway.of_type("text"))
        assert sent == await page.input_value("#text")


async def test_a_switch_sends_the_text_as_a_language_model_would(browser: Browser) -> None:
    text = "Grüße 👩‍🚀 an alle. Und noch ein Satz!"
    async with fake_gateway(sentence_ms=50) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.fill("#text", text)
        await page.get_by_role("switch", name="Send as a language model would").press("Space")
        await page.click("#speak")
        await over(page)
        pieces = [message["text"] for message in gateway.of_type("text")]
        assert "".join(pieces) == text
        assert all(2 <= len(piece) <= 5 for piece in pieces[:-1])
        assert [message["type"] for message in gateway.received if message["type"] != "played"][-1] == "end"


async def test_the_second_time_sentences_have_a_badge_of_the_cache(browser: Browser) -> None:
    async with fake_gateway(sentence_ms=100) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.fill("#text", "One. Two.")
        await page.click("#speak")
        await over(page)
        assert await page.locator(".badge").count() == 0
        await page.fill("#text", "One. Two. Three.")
        await page.click("#speak")
        await over(page)
        assert await page.locator(".badge").all_inner_texts() == ["cache: memory", "cache: memory"]
        await expect(page.locator("#status")).to_have_text("0.3 s of speech, 3 sentences, 2 from the cache.")


async def test_keys_speak_and_stop(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=1000, pause_after_ms=500) as gateway,
        open_page(browser, gateway.address) as page,
    ):
        await ready(page)
        await page.focus("#text")
        await page.keyboard.press("Control+Enter")
        await page.wait_for_function("onset.snapshot().speech?.heard_ms > 0")
        await page.keyboard.press("Escape")
        await gateway.until(lambda _: bool(gateway.of_type("cancel")))
        await expect(page.locator("#status")).to_have_text("Stopped.")


async def test_every_control_can_be_reached_by_the_tab_key_and_has_a_name(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        reached = []
        for _ in range(6):
            await page.keyboard.press("Tab")
            reached.append(await page.evaluate("document.activeElement.id"))
        assert reached == ["text", "voice", "speed", "slowly", "speak", "stop"]
        for role, name in [("textbox", "Text"), ("combobox", "Voice"), ("slider", "Speed"), ("button", "Speak")]:
            await expect(page.get_by_role(role, name=name)).to_be_visible()  # type: ignore[arg-type]


async def test_voice_speaker_and_speed_are_sent(browser: Browser) -> None:
    voices = [
        {"name": "en_US-joe-medium", "language": "en-US", "speakers": {}},
        {"name": "many", "language": "de-DE", "speakers": {"anna": 0, "bert": 1}},
    ]
    async with fake_gateway(voices=voices, sentence_ms=100) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await expect(page.locator("#voice option")).to_have_text(
            ["Joe, American English (medium)", "many, German (Germany)"]
        )
        await expect(page.locator("#speaker-field")).to_be_hidden()
        await page.select_option("#voice", "many")
        await page.select_option("#speaker", "bert")
        await page.fill("#speed", "1.5")
        await expect(page.locator("#speed-value")).to_have_text("1.50×")
        await page.click("#speak")
        await over(page)
        (start,) = gateway.of_type("start")
        assert (start["voice"], start["speaker"], start["speed"]) == ("many", "bert", 1.5)


async def test_a_lost_connection_is_said_and_comes_back(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address, complaints=True) as page:
        await ready(page)
        await gateway.down()
        await expect(page.locator("#connection")).to_have_text("Connection lost. Trying again…")
        await gateway.up()
        await expect(page.locator("#connection")).to_have_text("Connected")
        assert gateway.connections == 2


async def test_a_restart_of_the_server_leaves_no_trouble_on_the_page(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address, complaints=True) as page:
        await ready(page)
        await page.evaluate("document.getElementById('trouble').textContent = 'of the former connection'")
        await gateway.restart()
        await expect(page.locator("#connection")).to_have_text("The server is restarting. Trying again…")
        gateway.doors.set()
        await expect(page.locator("#connection")).to_have_text("Connected")
        assert gateway.connections == 2
        await expect(page.locator("#trouble")).to_be_empty()


async def test_what_is_spoken_while_the_connection_is_gone_waits_for_it(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=200) as gateway,
        open_page(browser, gateway.address, complaints=True) as page,
    ):
        await ready(page)
        await gateway.down()
        await expect(page.locator("#connection")).to_have_attribute("data-state", "lost")
        await page.fill("#text", "Said too early.")
        await page.click("#speak")
        await expect(page.locator("#status")).to_have_text("Waiting for the connection; it will be spoken then.")
        await gateway.up()
        await over(page)
        await expect(page.locator("#status")).to_have_text("0.2 s of speech, 1 sentence.")


async def test_a_speech_that_loses_its_connection_goes_on_with_the_sentence_that_broke_off(browser: Browser) -> None:
    async with (
        fake_gateway(sentence_ms=100, pause_after_ms=150) as gateway,
        open_page(browser, gateway.address, complaints=True) as page,
    ):
        await ready(page)
        await page.fill("#text", "One is whole.  Two breaks off. Three never came.")
        await page.click("#speak")
        await page.wait_for_function("document.querySelectorAll('.sentence').length === 2")
        await gateway.down()
        gateway.pause_after_ms = None
        await gateway.up()
        await over(page)
        texts = [message["text"] for message in gateway.of_type("text")]
        assert texts == ["One is whole.  Two breaks off. Three never came.", "  Two breaks off. Three never came."]
        assert await page.text_content("#spoken") == "One is whole.  Two breaks off. Three never came."
        assert await page.locator(".sentence[data-state=spoken]").count() == 3


async def test_an_error_of_the_server_is_said_in_plain_words(browser: Browser) -> None:
    error = {"code": "overloaded", "message": "the queue is full", "retryable": True}
    async with fake_gateway(error=error, sentence_ms=50) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.click("#speak")
        await expect(page.locator("#trouble")).to_have_text(re.compile(r"^The server is busy just now\."))
        await over(page)
        gateway.error = None
        await page.click("#speak")
        await expect(page.locator("#trouble")).to_be_empty()


async def test_blank_text_is_not_sent(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.fill("#text", "  \n ")
        await page.click("#speak")
        await expect(page.locator("#status")).to_have_text("There is nothing to speak yet: write something first.")
        await expect(page.locator("#text")).to_be_focused()
        assert gateway.received == []


async def test_text_is_shown_and_never_run(browser: Browser) -> None:
    text = "<img src=x onerror=alert(1)> is text. So is <b>this</b>."
    async with fake_gateway(sentence_ms=100) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.fill("#text", text)
        await page.click("#speak")
        await over(page)
        assert await page.text_content("#spoken") == text
        assert await page.locator("#spoken :is(img, b)").count() == 0


async def test_a_sign_that_turns_a_sentence_around_turns_no_other(browser: Browser) -> None:
    left = """() => {
      const node = [...document.querySelectorAll(".sentence")].at(-1).firstChild;
      const at = (index) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        return range.getBoundingClientRect().left;
      };
      return [at(0), at(node.length - 1)];
    }"""
    async with fake_gateway(sentence_ms=50) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        for text, forward in (("Turn\u202e it. Left.", True), ("שלום לך. עוד אחד.", False)):
            await page.fill("#text", text)
            await page.click("#speak")
            await over(page)
            first, last = await page.evaluate(left)
            assert (first < last) == forward
            assert await page.locator(".sentence").count() == 2
            boxes = [await each.bounding_box() for each in await page.locator(".sentence").all()]
            assert boxes[0] and boxes[1] and (boxes[0]["x"] < boxes[1]["x"]) == forward


async def test_nothing_is_cut_off_at_any_width_in_the_light_and_in_the_dark(browser: Browser) -> None:
    schemes: list[Literal["light", "dark"]] = ["light", "dark"]
    async with fake_gateway(sentence_ms=50) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.fill("#text", "A" * 300 + ". Then more.")
        await page.click("#speak")
        await over(page)
        for width, scheme in product((320, 360, 768, 1280), schemes):
            await page.set_viewport_size({"width": width, "height": 800})
            await page.emulate_media(color_scheme=scheme)
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            ink, card = await page.evaluate("""() => {
              const style = getComputedStyle(document.querySelector(".card"));
              return [style.color, style.backgroundColor].map((color) => Number(color.match(/\\d+/)[0]));
            }""")
            assert (ink < card) == (scheme == "light"), (width, scheme)


async def test_the_page_asks_nobody_else_for_anything(browser: Browser) -> None:
    async with fake_gateway(sentence_ms=50) as gateway:
        context = await browser.new_context()
        page = await context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(gateway.address)
        await ready(page)
        await page.click("#speak")
        await over(page)
        await context.close()
        foreign = [url for url in asked if not url.startswith(gateway.address)]
        assert (foreign, f"{gateway.address}static/app.js" in asked) == ([], True)


async def test_sentences_are_found_in_the_text_as_it_was_written(browser: Browser) -> None:
    async with fake_gateway() as gateway, open_page(browser, gateway.address) as page:
        text = "# One\n  👍 **line**.  Then Then. And the 👍 rest"
        found = await page.evaluate(
            f"""async () => {{
              const {{ Sentences }} = await import("/static/sentences.js");
              const sentences = new Sentences({json.dumps(text)});
              const add = (line, start, end) =>
                sentences.add({{ text: "as told", line, startMs: 0, cached: false, start, end }}).shown;
              sentences.begin();
              const shown = [add("a", 2, 19), add("a", 19, 19), add("a", 21, 31)];
              const before = sentences.rest;
              sentences.takeBack("a");
              sentences.begin();
              const again = [add("b", 2, 12), add("b", 13, 23)];
              return [shown, before, again, sentences.rest, sentences.takeBack("c")];
            }}"""
        )
        shown = ["One\n  👍 **line**.", "as told", "Then Then."]
        assert found == [shown, " And the 👍 rest", ["Then Then.", "And the 👍 "], "rest", None]


async def test_text_whose_marks_are_not_spoken_stays_as_it_was_written(browser: Browser) -> None:
    text = "**One** 👍 is _bold_. Two is `code`. Three"
    told_as = {"told_as": lambda text: re.sub(r"[*_`👍]", "", text)}
    async with fake_gateway(sentence_ms=100, **told_as) as gateway, open_page(browser, gateway.address) as page:
        await ready(page)
        await page.fill("#text", text)
        await page.click("#speak")
        await over(page)
        assert await page.text_content("#spoken") == text
        sentences = ["**One** 👍 is _bold_.", "Two is `code`.", "Three"]
        assert await page.locator(".sentence[data-state=spoken]").all_inner_texts() == sentences
