from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.machine import FRAME_S, LAG, effort
from engine.lines import Task
from engine.strides import FIRST_FRAMES, STEP_S, stride
from engine.types import Job, Pace

_ids = count(1)


def task(frames: int, at: int = 0, *, whole: bool = False) -> Task:
    return Task(Job(next(_ids), 1, "voice", 100, Pace.REALTIME), effort(whole=whole), frames, at)


def test_the_first_step_is_as_small_as_sound_allows() -> None:
    assert stride(task(500), 0.0, 0.0) == LAG + FIRST_FRAMES


def test_the_first_step_grows_where_others_wait() -> None:
    """Its sound lasts until the next step has waited and run."""
    frames = stride(task(500), 0.0, 0.15)
    assert (frames - LAG) * FRAME_S > 0.15 + effort().step_s(100, 8, 500)
    assert stride(task(500), 0.0, 60.0) <= LAG + effort().frames_in(STEP_S)


def test_later_steps_grow_with_the_reserve_and_hold_no_thread_for_long() -> None:
    steps = [stride(task(1000, 100), reserve_s, 0.0) for reserve_s in (0.0, 0.03, 0.06, 0.12, 1.0, 3.0)]
    assert steps == sorted(steps)
    assert 8 <= steps[0] <= 10
    assert 8 < steps[2] < 20
    assert steps[-1] == effort().frames_in(STEP_S)


def test_a_piece_of_a_few_frames_is_one_step() -> None:
    assert stride(task(20), 0.0, 0.0) == 20


def test_a_voice_without_steps_takes_all() -> None:
    assert stride(task(500, whole=True), 0.0, 0.0) == 500


@given(st.integers(1, 600), st.floats(-1.0, 5.0), st.floats(0.0, 1.0))
def test_steps_end_and_none_makes_less_sound_than_a_frame_of_audio_takes(
    frames: int, reserve_s: float, wait_s: float
) -> None:
    """f12: nothing but a whole piece is shorter than 60 ms."""
    at = 0
    while at < frames:
        step = stride(task(frames, at), reserve_s, wait_s)
        assert 0 < step <= frames - at
        assert effort().sounding(at, step, frames) * FRAME_S >= min(0.06, frames * FRAME_S)
        at += step
    assert at == frames


@pytest.mark.parametrize("left", [3, 12, 13, 20, 40])
def test_the_last_step_is_not_longer_than_what_the_decoder_held_back_makes_it(left: int) -> None:
    at, last = 500 - left, 0
    while at < 500:
        last = stride(task(500, at), 3.0, 0.0)
        at += last
    assert last <= 12
