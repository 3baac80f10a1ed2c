"""A machine in virtual time: threads with set costs run what a Scheduler decides, listeners hear what comes out."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from engine.scheduler import Scheduler
from engine.types import Batch, Job, Pace, StepKind

SECONDS_AN_ID = 0.03
DECODE_COST = 0.09  # seconds of work a second of sound
FRONT_COST_S = 0.010
FRONT_COST_AN_ID_S = 0.0002


@dataclass
class Heard:
    """What a listener went through. `made` are job ids in the order in which they sounded."""

    asked: float
    first: float | None = None
    until: float = 0.0
    gaps: list[float] = field(default_factory=list)
    made: list[int] = field(default_factory=list)


class Machine:
    """Runs a scheduler on `threads` in virtual time. Listeners take at once what is made and hear it in real time."""

    def __init__(self, *, threads: int = 2, ahead_s: float = 3.0) -> None:
        self.now = 0.0
        self.scheduler = Scheduler(ahead_s=ahead_s)
        self.heard: dict[int, Heard] = {}
        self.batches: list[Batch] = []
        self.most_ahead_s = 0.0
        self.busy_s = 0.0
        self._threads, self._busy = threads, 0
        self._ids = count(1)
        self._order = count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []

    def at(self, when: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._events, (when, next(self._order), what))

    def speak(self, listener: int, length: int, pace: Pace = Pace.REALTIME) -> int:
        """A sentence of `length` phoneme ids, now."""
        job = Job(next(self._ids), listener, "voice", length, pace)
        self.heard.setdefault(listener, Heard(self.now))
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
            cost_s = cost(batch)
            self.busy_s += cost_s
            self.at(self.now + cost_s, lambda batch=batch: self._finish(batch))  # type: ignore[misc]
        if self._busy < self._threads and (again := self.scheduler.next_time(self.now)) is not None:
            self.at(again + 0.001, lambda: None)

    def _finish(self, batch: Batch) -> None:
        self._busy -= 1
        for job in self.scheduler.done(batch, [job.length * SECONDS_AN_ID for job in batch.jobs], self.now):
            if batch.kind is StepKind.DECODE:
                self._hear(job)

    def _hear(self, job: Job) -> None:
        heard, sound_s = self.heard[job.listener], job.length * SECONDS_AN_ID
        heard.made.append(job.id)
        if heard.first is None:
            heard.first = self.now
        elif self.now > heard.until:
            heard.gaps.append(self.now - heard.until)
        heard.until = max(heard.until, self.now) + sound_s
        if job.pace is Pace.REALTIME:
            self.most_ahead_s = max(self.most_ahead_s, heard.until - self.now)
        self.scheduler.taken(job.listener, sound_s, self.now)


def cost(batch: Batch) -> float:
    ids = sum(job.length for job in batch.jobs)
    if batch.kind is StepKind.FRONT:
        return FRONT_COST_S + FRONT_COST_AN_ID_S * ids
    return DECODE_COST * SECONDS_AN_ID * ids
