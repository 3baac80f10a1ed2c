"""A machine in virtual time: threads with set costs run what a scheduler decides, listeners hear what comes out."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from engine.costs import Effort
from engine.types import Batch, Cost, Costs, Job, Pace, StepKind

SECONDS_AN_ID = 0.025
FRAME_S = 256 / 22050
LAG = 42

CPU = Costs(front=Cost(0.014, 0.0002), first=Cost(0.0, 0.0011, row_s=0.013), decode=Cost(0.0, 0.00105, row_s=0.0013))
"""The default voice on one core: a front of 60 ids 26 ms; 6 frames of sound after 20 ms; 32 further ones 35 ms."""

GPU = Costs(front=Cost(0.006, 0.000004), first=Cost(0.006, 0.000004), decode=Cost(0.006, 0.000004))
"""A device to which a row more is as good as nothing."""


class Decides(Protocol):
    """What the machine asks of a scheduler."""

    def admit(
        self, listener: int, voice: str, chars: int, now: float, *, pace: Pace, group: int | str | None
    ) -> None: ...
    def add(self, job: Job, now: float) -> None: ...
    def next_batch(self, now: float) -> Batch | None: ...
    def next_time(self, now: float) -> float | None: ...
    def done(
        self, batch: Batch, sound_s: Sequence[float], now: float, took_s: float | None = None
    ) -> tuple[Job, ...]: ...
    def taken(self, listener: int, seconds: float, now: float) -> None: ...


@dataclass
class Heard:
    """What a listener went through. `made` are job ids in the order in which they sounded."""

    asked: float
    group: int | str | None = None
    first: float | None = None
    until: float = 0.0
    gaps: list[float] = field(default_factory=list)
    made: list[int] = field(default_factory=list)

    @property
    def waited(self) -> float:
        """Seconds to the first sound."""
        return float("inf") if self.first is None else self.first - self.asked


def frames_of(length: int) -> int:
    """Frames that so many phoneme ids sound for."""
    return max(1, round(length * SECONDS_AN_ID / FRAME_S))


def effort(costs: Costs = CPU, *, whole: bool = False) -> Effort:
    """What the machine's voice is said to take."""
    return Effort(costs, frame_s=FRAME_S, lag=0 if whole else LAG, whole=whole)


class Machine:
    """Runs a scheduler on `threads` in virtual time. Listeners take at once what is made and hear it in real time.

    `noise(seconds)` is what a step of so many seconds really takes.
    """

    def __init__(
        self,
        scheduler: Decides,
        *,
        threads: int = 2,
        costs: Costs = CPU,
        whole: bool = False,
        noise: Callable[[float], float] = lambda seconds: seconds,
    ) -> None:
        self.now = 0.0
        self.scheduler = scheduler
        self.heard: dict[int, Heard] = {}
        self.batches: list[Batch] = []
        self.most_ahead_s = self.busy_s = 0.0
        self._effort, self._noise = effort(costs, whole=whole), noise
        self._threads, self._busy = threads, 0
        self._ids, self._order = count(1), count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._at: dict[int, int] = {}  # frames decoded, by job id
        self._asked: dict[int, float] = {}  # by job id

    def at(self, when: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._events, (when, next(self._order), what))

    def speak(self, listener: int, length: int, pace: Pace = Pace.REALTIME, *, group: int | str | None = None) -> int:
        """A sentence of `length` phoneme ids, now. Raises Overloaded."""
        self.scheduler.admit(listener, "voice", length * 2 // 5, self.now, pace=pace, group=group)
        job = Job(next(self._ids), listener, "voice", length, pace, group)
        self.heard.setdefault(listener, Heard(self.now, group))
        self._at[job.id], self._asked[job.id] = 0, self.now
        self.scheduler.add(job, self.now)
        return job.id

    def run(self, until: float = float("inf")) -> None:
        self._fill()
        while self._events and self._events[0][0] <= until:
            self.now, _, what = heapq.heappop(self._events)
            what()
            self._fill()

    def _fill(self) -> None:
        while self._busy < self._threads and (batch := self.scheduler.next_batch(self.now)):
            self._busy += 1
            self.batches.append(batch)
            took_s = self._noise(self._cost_s(batch))
            self.busy_s += took_s
            self.at(self.now + took_s, lambda batch=batch, took_s=took_s: self._finish(batch, took_s))  # type: ignore[misc]
        if self._busy < self._threads and (again := self.scheduler.next_time(self.now)) is not None:
            self.at(again + 0.001, lambda: None)

    def _cost_s(self, batch: Batch) -> float:
        rows = len(batch.jobs)
        if batch.kind is StepKind.FRONT:
            return self._effort.front_s(rows * max(job.length for job in batch.jobs), rows)
        lead = batch.jobs[0]
        return self._effort.batch_s(self._at[lead.id], batch.frames, frames_of(lead.length), rows)

    def _finish(self, batch: Batch, took_s: float) -> None:
        self._busy -= 1
        if batch.kind is StepKind.FRONT:
            sound_s = [frames_of(job.length) * FRAME_S for job in batch.jobs]
        else:
            sound_s = [self._advance(job, batch.frames) * FRAME_S for job in batch.jobs]
        for job in self.scheduler.done(batch, sound_s, self.now, took_s):
            if batch.kind is StepKind.DECODE:
                self._hear(job, sound_s[batch.jobs.index(job)])

    def _advance(self, job: Job, frames: int) -> int:
        """Frames of sound that the step made."""
        at, total = self._at[job.id], frames_of(job.length)
        self._at[job.id] = min(total, at + frames)
        return self._effort.sounding(at, frames, total)

    def _hear(self, job: Job, sound_s: float) -> None:
        heard = self.heard[job.listener]
        if self._at[job.id] == frames_of(job.length):
            heard.made.append(job.id)
        if sound_s <= 0:
            return
        if heard.first is None:
            heard.first = self.now
        elif self.now > heard.until > self._asked[job.id]:
            heard.gaps.append(self.now - heard.until)
        heard.until = max(heard.until, self.now) + sound_s
        if job.pace is Pace.REALTIME:
            self.most_ahead_s = max(self.most_ahead_s, heard.until - self.now)
        self.scheduler.taken(job.listener, sound_s, self.now)
