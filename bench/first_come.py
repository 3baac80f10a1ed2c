"""The way of most servers, to be compared with: whole sentences, first come first served."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.costs import Effort
from engine.scheduler import Scheduler
from engine.types import Batch, Job, Pace, StepKind

WHOLE = 2**31 - 1
"""More frames than any sentence has: one step takes all."""


class FirstCome(Scheduler):
    """A Scheduler that knows no deadlines: the oldest sentence goes first, from its text to its last sample.

    A listener's sentences still sound in their order. Nobody waits for a listener to hear what he has, and nobody
    is refused.
    """

    def __init__(self, efforts: Mapping[str, Effort] | None = None, **settings: float) -> None:
        super().__init__(efforts)
        self._waiting: dict[int, tuple[Job, StepKind]] = {}  # by job id, which grow with time: the oldest first
        self._begun: dict[int, Job] = {}
        self._failures: dict[int, int] = {}

    @property
    def jobs(self) -> int:
        return len(self._waiting) + len(self._begun)

    def admit(self, listener: int, voice: str, chars: int, now: float, *, pace: Pace, group: int | str | None) -> None:
        pass

    def add(self, job: Job, now: float) -> None:
        self._waiting[job.id] = (job, StepKind.FRONT)

    def done(self, batch: Batch, sound_s: Sequence[float], now: float, took_s: float | None = None) -> tuple[Job, ...]:
        begun = [self._begun.pop(job.id, None) for job in batch.jobs]
        alive = tuple(job for job in begun if job is not None)
        if batch.kind is StepKind.FRONT:
            self._wait(alive, StepKind.DECODE)
        return alive

    def failed(self, batch: Batch) -> tuple[Job, ...]:
        begun = [self._begun.pop(job.id, None) for job in batch.jobs]
        alive = [job for job in begun if job is not None]
        lost = tuple(job for job in alive if self._failures.pop(job.id, 0))
        again = [job for job in alive if job not in lost]
        self._failures |= dict.fromkeys((job.id for job in again), 1)
        self._wait(again, batch.kind)
        return lost

    def _wait(self, jobs: Sequence[Job], kind: StepKind) -> None:
        self._waiting |= {job.id: (job, kind) for job in jobs}
        self._waiting = dict(sorted(self._waiting.items()))

    def next_batch(self, now: float) -> Batch | None:
        first: set[int] = set()  # listeners of whom an older sentence is on its way
        first.update(job.listener for job in self._begun.values())
        for job, kind in self._waiting.values():
            if job.listener not in first:
                del self._waiting[job.id]
                self._begun[job.id] = job
                return Batch(kind, job.voice, (job,), 0 if kind is StepKind.FRONT else WHOLE)
            first.add(job.listener)
        return None

    def next_time(self, now: float) -> float | None:
        return None

    def taken(self, listener: int, seconds: float, now: float) -> None:
        pass

    def dropped(self, listener: int, seconds: float) -> None:
        pass

    def played(self, listener: int, until: float) -> None:
        pass

    def share(
        self,
        listener: int,
        jobs: Collection[int],
        to: int,
        now: float,
        *,
        untaken_s: float = 0.0,
        coming_s: float = 0.0,
    ) -> None:
        for id_ in jobs:
            if id_ in self._waiting:
                job, kind = self._waiting[id_]
                self._waiting[id_] = replace(job, listener=to), kind
            elif id_ in self._begun:
                self._begun[id_] = replace(self._begun[id_], listener=to)

    def hurry(self, listener: int, due: float) -> None:
        pass

    def cancel(self, jobs: Collection[int]) -> None:
        for id_ in jobs:
            self._waiting.pop(id_, None)
            self._begun.pop(id_, None)
            self._failures.pop(id_, None)

    def forget(self, listener: int) -> None:
        self.cancel([id_ for id_, (job, _) in self._waiting.items() if job.listener == listener])
        self.cancel([id_ for id_, job in self._begun.items() if job.listener == listener])
