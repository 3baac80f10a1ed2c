"""Which steps run next: earliest deadline first, a pure decision from facts; `now` is an argument, in seconds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.types import Batch, Job, Pace, StepKind

FIRST_S = 0.1
"""A new listener should hear something this soon."""

MAX_ROWS = 8
MAX_AREA = 256
"""A front's rows times their padded length. Past this a batch saves nothing and is too long for one step."""

_BUCKET = 32  # phoneme ids; rows of one batch are padded to no more than their own bucket
_SECONDS_AN_ID = 0.03  # what a phoneme id sounds for, until a voice's fronts have told
_LEARN = 0.1  # weight of the newest front in that


class _Stage(Enum):
    WAITING = "waiting"  # for its front
    FRONT = "front"  # running
    READY = "ready"  # waiting for its decoding
    DECODE = "decode"  # running


@dataclass(slots=True)
class _Task:
    """A job on its way. `sound_s` is known after its front, estimated before."""

    job: Job
    sound_s: float
    stage: _Stage = _Stage.WAITING
    failures: int = 0


@dataclass(slots=True)
class _Line:
    """A listener: jobs in the order in which they must sound, and where the listener is."""

    pace: Pace = Pace.REALTIME
    tasks: dict[int, _Task] = field(default_factory=dict)  # by job id, in order
    until: float = 0.0  # when all that was taken will have been heard
    untaken_s: float = 0.0  # made, and not yet taken
    first_due: float | None = None  # the deadline of a listener who hears nothing yet
    served: float = 0.0  # when a step of this listener last began

    def lead_s(self, now: float) -> float:
        """Sound before the listener that is made. A listener at no pace hears nothing in real time."""
        heard_later = max(self.until - now, 0.0) if self.pace is Pace.REALTIME else 0.0
        return heard_later + self.untaken_s

    def runs_out(self, now: float) -> float:
        """When the listener begins to wait for sound; in the past for one who waits already, the longer the earlier."""
        if self.first_due is not None:
            return self.first_due
        return max(self.until, now) + self.untaken_s if self.untaken_s else self.until


@dataclass(frozen=True, slots=True)
class _Step:
    """Something that could run now."""

    task: _Task
    kind: StepKind
    deadline: float
    first: bool  # its job is the listener's next to sound

    @property
    def bucket(self) -> int:
        return _bucket(self.task.job.length)


class Scheduler:
    """Holds all work that waits. One thread only.

    A listener's jobs sound in the order in which they were added: they are decoded one after another, and their
    fronts may be made ahead. A listener with `ahead_s` of sound before it gets nothing; one of Pace.FAST gets what
    the others leave.
    """

    def __init__(self, *, ahead_s: float, first_s: float = FIRST_S) -> None:
        self._ahead_s, self._first_s = ahead_s, first_s
        self._lines: dict[int, _Line] = {}
        self._listener_of: dict[int, int] = {}  # by job id: every job that is alive
        self._seconds_an_id: dict[str, float] = {}

    @property
    def jobs(self) -> int:
        """Jobs waiting or running, dead ones not counted."""
        return len(self._listener_of)

    # ---- facts

    def add(self, job: Job, now: float) -> None:
        """A job comes last in its listener's order."""
        line = self._line(job.listener)
        line.pace = job.pace
        if not line.tasks:
            silent = line.lead_s(now) <= 0.0
            line.first_due = now + self._first_s if silent else None
        sound_s = job.length * self._seconds_an_id.get(job.voice, _SECONDS_AN_ID)
        line.tasks[job.id] = _Task(job, sound_s)
        self._listener_of[job.id] = job.listener

    def done(self, batch: Batch, sound_s: Sequence[float], now: float) -> tuple[Job, ...]:
        """A batch came back. `sound_s`: seconds each job will sound (front) or sounds (decode).

        Returns its jobs that are still wanted; what was made for others is dropped by the caller, here only.
        """
        alive = [(self._find(job), seconds) for job, seconds in zip(batch.jobs, sound_s, strict=True)]
        for task, seconds in alive:
            if task is None:
                continue
            if batch.kind is StepKind.FRONT:
                self._learn(task.job, seconds)
                task.sound_s, task.stage = seconds, _Stage.READY
            else:
                line = self._lines[task.job.listener]
                line.untaken_s += seconds
                line.first_due = line.first_due if seconds <= 0 else None
                self._remove(task.job)
        return tuple(task.job for task, _ in alive if task is not None)

    def failed(self, batch: Batch) -> tuple[Job, ...]:
        """A batch raised. Each of its jobs runs once more, alone; a second failure is final.

        Returns the jobs that have failed for good; they are gone.
        """
        lost: list[Job] = []
        for task in filter(None, map(self._find, batch.jobs)):
            task.failures += 1
            task.stage = _Stage.WAITING if batch.kind is StepKind.FRONT else _Stage.READY
            if task.failures > 1:
                lost.append(task.job)
                self._remove(task.job)
        return tuple(lost)

    def taken(self, listener: int, seconds: float, now: float) -> None:
        """The listener's side took sound; until it says more, it is heard from now on."""
        if line := self._lines.get(listener):
            line.untaken_s = max(0.0, line.untaken_s - seconds)
            line.until = max(line.until, now) + seconds

    def dropped(self, listener: int, seconds: float) -> None:
        """Sound was made that nobody will take: its speech was cancelled."""
        if line := self._lines.get(listener):
            line.untaken_s = max(0.0, line.untaken_s - seconds)

    def played(self, listener: int, until: float) -> None:
        """The listener will have heard all that it was sent at `until`, were it made here or not."""
        self._line(listener).until = until

    def cancel(self, jobs: Collection[int]) -> None:
        """Jobs, by id, are dead, waiting or running. Idempotent; unknown ones are none."""
        for id_ in jobs:
            listener = self._listener_of.pop(id_, None)
            if listener is not None:
                del self._lines[listener].tasks[id_]

    def forget(self, listener: int) -> None:
        """The listener has gone, and all its jobs. Idempotent."""
        line = self._lines.pop(listener, None)
        for id_ in line.tasks if line else ():
            del self._listener_of[id_]

    # ---- decisions

    def next_batch(self, now: float) -> Batch | None:
        """The most urgent steps that may run now, and none held back for company; None: nothing may run.

        The caller runs it, and answers with `done` or `failed`.
        """
        for pace in (Pace.REALTIME, Pace.FAST):
            steps = [step for line in self._lines.values() if line.pace is pace for step in self._steps(line, now)]
            if steps:
                return self._start(_fill(steps), now)
        return None

    def next_time(self, now: float) -> float | None:
        """When more may run though nothing happens: a listener will have heard enough. None: never by itself."""
        times = (self._opens(line, now) for line in self._lines.values() if line.pace is Pace.REALTIME)
        return min((time for time in times if time is not None), default=None)

    def _steps(self, line: _Line, now: float) -> Iterator[_Step]:
        """What could run for a listener: its next decoding, and fronts as far as its sound is to reach."""
        lead_s = line.lead_s(now)
        begins = line.runs_out(now)
        before_s = 0.0  # sound of the jobs before this one
        for index, task in enumerate(line.tasks.values()):
            if lead_s + before_s >= self._ahead_s:
                return
            deadline = begins + before_s if line.pace is Pace.REALTIME else line.served  # FAST: the least served first
            if task.stage is _Stage.WAITING:
                yield _Step(task, StepKind.FRONT, deadline, first=index == 0)
            elif task.stage is _Stage.READY and index == 0:
                yield _Step(task, StepKind.DECODE, deadline, first=True)
            before_s += task.sound_s

    def _opens(self, line: _Line, now: float) -> float | None:
        """When the first job that only waits for the listener to hear more may run."""
        before_s = line.untaken_s
        for index, task in enumerate(line.tasks.values()):
            if before_s >= self._ahead_s:
                return None
            blocked = line.lead_s(now) - line.untaken_s + before_s >= self._ahead_s
            if blocked and (task.stage is _Stage.WAITING or (task.stage is _Stage.READY and index == 0)):
                return line.until + before_s - self._ahead_s
            before_s += task.sound_s
        return None

    def _start(self, steps: list[_Step], now: float) -> Batch:
        kind = steps[0].kind
        for step in steps:
            step.task.stage = _Stage.FRONT if kind is StepKind.FRONT else _Stage.DECODE
            self._lines[step.task.job.listener].served = now
        return Batch(kind, steps[0].task.job.voice, tuple(step.task.job for step in steps))

    def _line(self, listener: int) -> _Line:
        return self._lines.setdefault(listener, _Line())

    def _find(self, job: Job) -> _Task | None:
        line = self._lines.get(job.listener)
        return line.tasks.get(job.id) if line else None

    def _remove(self, job: Job) -> None:
        self.cancel((job.id,))

    def _learn(self, job: Job, sound_s: float) -> None:
        known = self._seconds_an_id.get(job.voice, _SECONDS_AN_ID)
        self._seconds_an_id[job.voice] = known + _LEARN * (sound_s / max(1, job.length) - known)


def _fill(steps: list[_Step]) -> list[_Step]:
    """The most urgent step, and those that ride along in the same front.

    Rows of one voice and one length bucket. A first job takes only first jobs of other listeners with it, and those
    no less urgent by more than FIRST_S: more rows delay it, and what has time can wait.
    """
    steps.sort(key=_urgency)
    lead = steps[0]
    if lead.kind is not StepKind.FRONT or lead.task.failures:
        return [lead]
    rows = max(1, min(MAX_ROWS, MAX_AREA // lead.bucket))
    return [step for step in steps if step is lead or _rides(step, lead)][:rows]


def _rides(step: _Step, lead: _Step) -> bool:
    job, led = step.task.job, lead.task.job
    same = step.kind is lead.kind and job.voice == led.voice and step.bucket == lead.bucket
    urgent = step.first and step.deadline - lead.deadline <= FIRST_S
    return same and not step.task.failures and (urgent or not lead.first)


def _urgency(step: _Step) -> tuple[float, bool, int]:
    """Of two equally urgent steps the one nearer to sound comes first, then the older."""
    return step.deadline, step.kind is StepKind.FRONT, step.task.job.id


def _bucket(length: int) -> int:
    """Rows of up to 32 ids share a batch, of 33 to 64, and so on."""
    return -(-length // _BUCKET) * _BUCKET
