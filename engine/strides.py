"""How many frames a decoding step takes: few at first, more as the listener's reserve grows; pure."""

from __future__ import annotations

from engine.lines import Task

STEP_S = 0.040
"""No step is meant to hold a thread for longer."""

FIRST_FRAMES = 7
"""Frames of sound that a piece begins with where nothing else waits."""

_LATER_FRAMES = 8  # a later step of fewer costs more a frame
_SLOW_FRAMES = 16  # a step may always take so many: on a slow machine small ones would make it slower still
_LAST_FRAMES = 6  # what the last step takes: the decoder's lag sounds in it besides
_PLENTY_S = 10.0
_NEAR_END_FRAMES = 40
_SHARE = 1 / 3  # of its reserve that a step may take


def stride(task: Task, reserve_s: float, wait_s: float) -> int:
    """Frames that the next step of a piece consumes.

    `reserve_s`: sound that the listener has before him. `wait_s`: how long the step after this one may have to wait
    for others: until then, and for its own length, the sound must last.
    """
    effort, left = task.effort, task.frames - task.at
    if effort.whole:
        return left
    again_s = wait_s + next_s(task)
    reserve_s = min(max(0.0, reserve_s), _PLENTY_S)
    cover = max(0, int((again_s - reserve_s) / effort.frame_s) + 1)
    if task.at == 0:
        return min(left, effort.lag + max(FIRST_FRAMES, min(cover, effort.frames_in(STEP_S))))
    most = max(_SLOW_FRAMES, effort.frames_in(STEP_S))
    share = effort.frames_in(min(STEP_S, reserve_s * _SHARE))
    frames = min(most, max(_LATER_FRAMES, share, cover))
    return frames if left - frames >= _LAST_FRAMES else _closing(left)


def next_s(task: Task) -> float:
    """What the next small step of a piece takes; near its end, the last one, which is not small."""
    effort, left = task.effort, task.frames - task.at
    if left > _NEAR_END_FRAMES:
        return effort.step_s(max(1, task.at), _LATER_FRAMES, task.frames)
    last = min(left, _LAST_FRAMES) if task.at else left
    return effort.step_s(task.frames - last, last, task.frames)


def _closing(left: int) -> int:
    """The last step is long by what the decoder held back; what comes before it leaves it little."""
    return left if left <= 2 * _LAST_FRAMES else left - _LAST_FRAMES
