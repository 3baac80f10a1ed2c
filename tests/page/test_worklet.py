"""What the worklet does at a given frame: on an offline context, whose clock waits for whatever it is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.page.browser import open_page
from tests.page.fake import fake_gateway

pytestmark = pytest.mark.asyncio(loop_scope="session")

RATE_HZ = 48_000
QUANTUM = 128  # frames of a call of the worklet
FADE = 720
RAMP = 144
STEEPEST = 0.5 * 3 / RAMP  # step of a way down from the loudest of these sounds; what is steeper clicks

Message = dict[str, Any]


def level(frames: npt.NDArray[np.int_]) -> npt.NDArray[np.float64]:
    """The sound of these tests: flat, so that a click shows, and no sample of it like another."""
    return 0.25 + frames / 2**18


def sound(start: int, stop: int, line: str = "a") -> Message:
    return {"type": "sound", "line": line, "from": start, "to": stop}


def end(line: str = "a") -> Message:
    return {"type": "end", "line": line}


RENDER = """async ({ length, steps, rate }) => {
  const context = new OfflineAudioContext(1, length, rate);
  await context.audioWorklet.addModule("/static/player-worklet.js");
  const options = { numberOfInputs: 0, outputChannelCount: [1], processorOptions: { capture: false } };
  const node = new AudioWorkletNode(context, "player", options);
  node.connect(context.destination);
  const said = [];
  let taken = () => {};
  node.port.onmessage = ({ data }) => (data.type === "captured" ? taken() : said.push(data));
  const tell = (messages) => {
    for (const { from, to, ...message } of [...messages, { type: "captured" }]) {
      if (message.type === "sound") {
        message.samples = Float32Array.from({ length: to - from }, (_, i) => 0.25 + (from + i) / 2 ** 18);
      }
      node.port.postMessage(message);
    }
    return new Promise((resolve) => (taken = resolve)); // its answer to the last: it has them all
  };
  for (const [frame, messages] of steps) {
    context.suspend(frame / rate).then(async () => {
      await tell(messages);
      context.resume();
    });
  }
  const rendered = await context.startRendering();
  await tell([]);
  return [Array.from(rendered.getChannelData(0)), said];
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    async with fake_gateway() as gateway, open_page(browser, gateway.address) as page:
        yield page


async def render(
    page: Page, steps: list[tuple[int, list[Message]]], length: int
) -> tuple[npt.NDArray[np.float64], list[Message]]:
    """What is given out, and what is said, where the worklet is told each step's messages at its frame."""
    assert all(frame % QUANTUM == 0 for frame, _ in steps)
    samples, said = await page.evaluate(RENDER, {"length": length, "steps": steps, "rate": RATE_HZ})
    return np.array(samples), said


def of_type(said: list[Message], kind: str) -> list[Message]:
    return [message for message in said if message["type"] == kind]


async def test_sound_that_comes_while_it_is_played_is_given_out_sample_for_sample(page: Page) -> None:
    sizes = [2500, 1, 300, 127, 128, 129, 2000, 515]
    cuts = np.cumsum([0, *sizes]).tolist()
    steps = [(QUANTUM * at, [sound(cuts[at], cuts[at + 1])]) for at in range(len(sizes))]
    steps[-1][1].append(end())
    given, said = await render(page, steps, 9600)
    assert np.array_equal(given[: cuts[-1]], level(np.arange(cuts[-1])))
    assert [message["line"] for message in of_type(said, "finished")] == ["a"]
    assert of_type(said, "underrun") == []


async def test_lines_follow_one_another_without_a_gap(page: Page) -> None:
    given, said = await render(page, [(0, [sound(0, 3000), end(), sound(3000, 5000, "b"), end("b")])], 6400)
    assert np.array_equal(given[:5000], level(np.arange(5000)))
    assert [message["line"] for message in of_type(said, "finished")] == ["a", "b"]


async def test_after_an_underrun_it_goes_on_where_it_was_once_it_has_a_reserve(page: Page) -> None:
    begin = 100 * QUANTUM
    steps = [
        (0, [sound(0, 4800)]),
        (60 * QUANTUM, [sound(4800, 9600)]),  # 100 ms: too little to go on with
        (begin, [sound(9600, 12_000), end()]),
    ]
    given, said = await render(page, steps, 24_000)
    assert np.array_equal(given[:4800], level(np.arange(4800)))
    assert np.all(given[4800 + 600 : begin] == 0)
    assert np.array_equal(given[begin + RAMP : begin + 7200], level(np.arange(4800 + RAMP, 12_000)))
    assert [message["underruns"] for message in of_type(said, "underrun")] == [1]
    assert {at["at"] for at in of_type(said, "position") if at["frame"] == 4800} == {4800}  # and not when it is said
    assert np.abs(np.diff(given)).max() <= STEEPEST


async def test_an_underrun_of_a_few_samples_is_one_too(page: Page) -> None:
    steps = [(0, [sound(0, 4800)]), (38 * QUANTUM, [sound(4800, 14_400), end()])]
    given, said = await render(page, steps, 24_000)
    assert np.array_equal(given[38 * QUANTUM + RAMP :][: 9600 - RAMP], level(np.arange(4800 + RAMP, 14_400)))
    assert len(of_type(said, "underrun")) == 1


# How much is left when it is stopped: nothing, less than a fade, more.
@pytest.mark.parametrize("left", [0, 1, 40, 500, 5000])
async def test_a_stopped_sound_fades_and_never_clicks(page: Page, left: int) -> None:
    stop = 30 * QUANTUM
    given, said = await render(page, [(0, [sound(0, stop + left)]), (stop, [{"type": "stop"}])], 9600)
    faded = min(left, FADE)
    falling = 1 - np.arange(1, faded + 1) / FADE
    assert np.array_equal(given[:stop], level(np.arange(stop)))
    assert given[stop : stop + faded] == pytest.approx(level(np.arange(stop, stop + faded)) * falling, abs=1e-6)
    assert np.abs(np.diff(given)).max() <= STEEPEST
    assert np.all(given[stop + FADE + 600 :] == 0)
    assert of_type(said, "underrun") == []


async def test_a_sound_that_is_stopped_as_it_comes_back_after_an_underrun_does_not_click(page: Page) -> None:
    begin = 60 * QUANTUM
    steps = [(0, [sound(0, 4800)]), (begin, [sound(4800, 14_400)]), (begin + QUANTUM, [{"type": "stop"}])]
    given, _ = await render(page, steps, 14_400)
    assert np.abs(np.diff(given)).max() <= STEEPEST
    assert np.all(given[begin + QUANTUM + FADE + 600 :] == 0)


async def test_a_line_that_is_cut_and_then_stopped_fades_once(page: Page) -> None:
    at = 30 * QUANTUM
    steps = [
        (0, [sound(0, 9600)]),
        (at, [{"type": "cut", "line": "a", "frame": 100}]),
        (at + QUANTUM, [{"type": "stop"}]),
    ]
    given, _ = await render(page, steps, 9600)
    falling = 1 - np.arange(1, FADE + 1) / FADE
    assert given[at : at + FADE] == pytest.approx(level(np.arange(at, at + FADE)) * falling, abs=1e-6)
    assert np.all(given[at + FADE :] == 0)
