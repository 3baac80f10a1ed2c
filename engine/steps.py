"""Steps that could run now, which of them comes first, and which run along with it; pure."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.costs import FRONT_WORTH, WORTH, Effort
from engine.lines import Line, Stage, Task
from engine.strides import FIRST_FRAMES, stride
from engine.types import Pace, StepKind

MAX_ROWS = 16

BATCH_S = 0.08
"""Rows join a batch while it takes no longer."""

PATIENCE_S = 2.0
"""A first sound that is late by more is as urgent as sound that has begun."""

_BUCKET = 32  # phoneme ids; rows of one batch are padded to no more than their own bucket
_MARGIN_S = 0.010  # a step should be over so long before its sound is due
_BEGIN_S = 0.050  # work to a first sound: who hears nothing yet is as urgent as who runs out so much before he is due
_NEXT_S = 0.3  # how far ahead it is looked whether those who have begun are served in time
_TOGETHER_S = 0.1  # new listeners who are due no further apart share a front


@dataclass(slots=True)
class Step:
    """Something that could run now, `cost_s` long; `start` is the latest time for it to begin."""

    task: Task
    line: Line
    kind: StepKind
    start: float
    cost_s: float
    new: bool = False  # the next step to the first sound of one who hears nothing
    frames: int = 0  # of a decoding

    @property
    def bucket(self) -> int:
        """Rows of up to 32 ids share a batch, of 33 to 64, and so on."""
        return -(-self.task.job.length // _BUCKET) * _BUCKET


@dataclass(frozen=True, slots=True)
class Running:
    """What was known of a batch when it began; of a decoding, its first row."""

    ends: float
    cost_s: float
    alone_s: float  # of the first row alone
    effort: Effort
    ids: int
    at: int
    frames: int
    total: int


def steps_of(line: Line, now: float, *, pace: Pace, ahead_s: float, wait_s: float) -> Iterator[Step]:
    """What could run for a listener: the next step of what sounds next, and fronts as far as its sound is to reach.

    `pace`: FAST for what may run of an eager listener though he has sound enough.
    """
    lead_s = line.lead_s(now) if pace is Pace.REALTIME else line.untaken_s
    begins = line.runs_out(now)
    before_s = 0.0  # sound of the jobs before this one
    following = next(islice(line.tasks.values(), 1, 2), None)
    for index, task in enumerate(line.tasks.values()):
        if lead_s + before_s >= ahead_s:
            return
        new = index == 0 and line.first_due is not None
        if task.stage is Stage.WAITING:
            yield _front(task, line, begins + before_s, new)
        elif task.stage is Stage.READY and index == 0:
            reserve_s = 0.0 if new else begins - now
            frames = stride(task, reserve_s if line.pace is Pace.REALTIME else ahead_s, wait_s)
            yield _decoding(task, line, begins, frames, new=new, following=following)
        before_s += task.left_s


def opens(line: Line, now: float, *, ahead_s: float) -> float | None:
    """When the first job that only waits for the listener to hear more may run."""
    before_s = line.untaken_s
    for index, task in enumerate(line.tasks.values()):
        if before_s >= ahead_s:
            return None
        blocked = line.lead_s(now) - line.untaken_s + before_s >= ahead_s
        if blocked and (task.stage is Stage.WAITING or (task.stage is Stage.READY and index == 0)):
            return line.until + before_s - ahead_s
        before_s += task.left_s
    return None


def first(steps: Sequence[Step], now: float, threads: Sequence[float]) -> Step:
    """The one to run now. `threads`: when each of the other threads will be free.

    Of those who hear already the one who runs out first; before him one who hears nothing yet and is due sooner,
    unless somebody would run out for it.
    """
    new = min((s for s in steps if s.new), key=_arrival, default=None)
    begun = min((s for s in steps if not s.new), key=_urgency, default=None)
    if new is None or begun is None:
        return new or begun or steps[0]
    late = now > new.start + PATIENCE_S
    return new if new.start < begun.start and (late or in_time(steps, now, [*threads, now + new.cost_s])) else begun


def in_time(steps: Sequence[Step], now: float, threads: Sequence[float]) -> bool:
    """Whether each listener who hears already gets his next step in time from threads that are free at these times."""
    free = [max(now, at) for at in threads]
    heapq.heapify(free)
    for start, cost_s in sorted((s.start, s.cost_s) for s in steps if not s.new and s.start < now + _NEXT_S):
        at = heapq.heappop(free)
        if at > start:
            return False
        heapq.heappush(free, at + cost_s)
    return True


def company(lead: Step, steps: Sequence[Step], now: float, *, idle: int, threads: Sequence[float]) -> list[Step]:
    """The step to run and those that run along with it in one batch: none waits for company, and none takes work
    from a thread that has none. A step that failed runs alone."""
    if lead.task.failures or not _batches(lead):
        return [lead]
    riders = [s for s in steps if s is not lead and _rides(s, lead)]
    riders.sort(key=_arrival if lead.new else _urgency)
    rows = min(MAX_ROWS, -(-(len(riders) + 1) // max(1, idle)))
    chosen = [lead]
    for rider in riders[: rows - 1]:
        cost_s = batch_s([*chosen, rider])
        if cost_s > BATCH_S or not _harmless(cost_s, lead, steps, now, threads):
            break
        chosen.append(rider)
    return chosen


def batch_s(batch: Sequence[Step]) -> float:
    """Seconds that steps take as one batch."""
    lead = batch[0]
    if len(batch) == 1:
        return lead.cost_s
    if lead.kind is StepKind.FRONT:
        return lead.task.effort.front_s(padded(batch), len(batch))
    return lead.task.effort.batch_s(lead.task.at, lead.frames, lead.task.frames, len(batch))


def padded(batch: Sequence[Step]) -> int:
    """Phoneme ids of a batch of fronts, padding counted."""
    return len(batch) * max(step.task.job.length for step in batch)


def _front(task: Task, line: Line, sounds: float, new: bool) -> Step:
    effort, length = task.effort, task.job.length
    begin_s = _BEGIN_S if new else effort.begin_s(length, FIRST_FRAMES) + _MARGIN_S
    return Step(task, line, StepKind.FRONT, sounds - begin_s, effort.front_s(length), new)


def _decoding(task: Task, line: Line, runs_out: float, frames: int, *, new: bool, following: Task | None) -> Step:
    """A step that ends a piece leaves time for the first step of the one behind it."""
    cost_s = task.effort.step_s(task.at, frames, task.frames)
    begin_s = _BEGIN_S if new else cost_s + _MARGIN_S
    if not new and following is not None and task.at + frames >= task.frames:
        begin_s += following.effort.step_s(0, following.effort.lag + FIRST_FRAMES, following.frames)
    return Step(task, line, StepKind.DECODE, runs_out - begin_s, cost_s, new, frames)


def _arrival(step: Step) -> tuple[float, bool, int]:
    """Of two who hear nothing the one whose group's turn it is, then the one nearer to sound, then the older."""
    return step.line.tag, step.kind is StepKind.FRONT, step.task.job.id


def _urgency(step: Step) -> tuple[float, bool, int]:
    return step.start, step.kind is StepKind.FRONT, step.task.job.id


def _batches(step: Step) -> bool:
    """Whether a further row saves enough to be worth that the first one waits for it."""
    effort = step.task.effort
    if step.kind is StepKind.FRONT:
        return effort.front_saving(step.task.job.length) >= FRONT_WORTH
    return effort.saving(step.task.at, step.frames, step.task.frames) >= WORTH


def _rides(step: Step, lead: Step) -> bool:
    job, led = step.task.job, lead.task.job
    if step.kind is not lead.kind or job.voice != led.voice or step.task.failures:
        return False
    if lead.new and not (step.new and step.start - lead.start <= _TOGETHER_S):
        return False
    if lead.kind is StepKind.FRONT:
        return step.bucket == lead.bucket
    return (step.task.at == 0) == (lead.task.at == 0)


def _harmless(cost_s: float, lead: Step, steps: Sequence[Step], now: float, threads: Sequence[float]) -> bool:
    """A batch that long keeps nobody from sound: not the one it began with, nor those who hear already."""
    if not lead.new and now + cost_s - lead.cost_s > lead.start:
        return False
    return in_time([s for s in steps if s is not lead], now, [*threads, now + cost_s])
