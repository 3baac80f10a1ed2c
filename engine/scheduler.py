"""Which steps run next: earliest deadline first, a pure decision from facts; `now` is an argument, in seconds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine import admission
from engine.costs import Effort, usual_effort
from engine.errors import Overloaded
from engine.lines import Line, Stage, Task, Turn
from engine.steps import Running, Step, batch_s, company, first, opens, padded, steps_of
from engine.strides import next_s
from engine.types import Batch, Job, Pace, StepKind

FIRST_S = 0.1
"""A new listener should hear something this soon."""

FAST_WAIT_S = 120.0
"""Work at no pace is refused while what waits of it takes all threads for longer."""

_SOON_S = 0.25  # who has less sound before him than this wants a thread before long
_LET_BEGIN_S = 0.15  # steps are so much longer where many wait to begin: then there are fewer, which cost less
_FOLLOW_S = 0.050  # work to a first sound: by so much the new listeners of one group stand behind each other
_TURN_S = 3.0  # sound of a turn, until turns have told
_LEARN = 0.05  # weight of the newest turn in that


class Scheduler:
    """Holds all work that waits. One thread only.

    A listener's jobs sound in the order in which they were added: they are decoded one after another, a few frames a
    step, and their fronts may be made ahead. A listener with `ahead_s` of sound before it gets nothing; one of
    Pace.FAST gets what the others leave, and so does an eager one beyond that. `efforts`, by voice, are corrected by
    what steps take on the `threads`. Somebody who could not hear his first sound within `max_start_s` is refused.
    """

    def __init__(
        self,
        efforts: Mapping[str, Effort] | None = None,
        *,
        threads: int = 1,
        ahead_s: float = 3.0,
        first_s: float = FIRST_S,
        max_start_s: float = 2.0,
    ) -> None:
        self._efforts = dict(efforts or {})
        self._threads, self._ahead_s, self._first_s, self._max_start_s = threads, ahead_s, first_s, max_start_s
        self._lines: dict[int, Line] = {}
        self._listener_of: dict[int, int] = {}  # by job id: every job that is alive
        self._running: dict[Batch, Running] = {}
        self._tags: dict[int | str, float] = {}  # by group: the tag of its newest listener
        self._turn_s = _TURN_S

    @property
    def jobs(self) -> int:
        """Jobs waiting or running, dead ones not counted."""
        return len(self._listener_of)

    # ---- facts

    def admit(self, listener: int, voice: str, chars: int, now: float, *, pace: Pace, group: int | str | None) -> None:
        """A sentence of so many characters is to be spoken. Raises Overloaded where the listener does not fit.

        Who is admitted stays so until he has been silent for a while: his later sentences are not refused.
        """
        line = self._lines.get(listener)
        if line is not None and line.in_turn(now):
            return
        effort = self._effort(voice)
        turn = Turn(now, effort, max(effort.sound_s(chars), self._turn_s))
        if pace is Pace.REALTIME:
            self._check_room(turn, now)
        else:
            self._check_queue()
        line = self._line(listener, pace, group)
        self._learn_turn(line)
        line.turn = turn

    def add(self, job: Job, now: float) -> None:
        """A job comes last in its listener's order."""
        line = self._line(job.listener, job.pace, job.group)
        line.pace, line.eager = job.pace, job.eager
        if not line.tasks:
            silent = line.lead_s(now) <= 0.0
            line.first_due = now + self._first_s if silent else None
            if silent:
                line.tag = self._tag(line.group, now)
        effort = self._effort(job.voice)
        line.tasks[job.id] = Task(job, effort, effort.frames(job.length))
        self._listener_of[job.id] = job.listener

    def done(self, batch: Batch, sound_s: Sequence[float], now: float, took_s: float | None = None) -> tuple[Job, ...]:
        """A batch came back after `took_s` on its thread, if that is known.

        `sound_s`: seconds each job will sound in all (front), or that this step adds (decoding). Returns its jobs that
        are still wanted; what was made for others is dropped by the caller, here only.
        """
        self._learn(self._running.pop(batch, None), batch, took_s)
        alive = [(self._find(job), seconds) for job, seconds in zip(batch.jobs, sound_s, strict=True)]
        for task, seconds in alive:
            if task is None:
                continue
            if batch.kind is StepKind.FRONT:
                task.frames, task.stage = max(1, round(seconds / task.effort.frame_s)), Stage.READY
                task.effort.spoken(task.job.length, task.frames)
            else:
                task.at, task.stage = task.at + batch.frames, Stage.READY
                self._lines[task.job.listener].heard(seconds)
                if task.at >= task.frames:
                    self.cancel((task.job.id,))
        return tuple(task.job for task, _ in alive if task is not None)

    def failed(self, batch: Batch) -> tuple[Job, ...]:
        """A batch raised. Each of its jobs runs once more, alone; a second failure is final.

        Returns the jobs that have failed for good; they are gone.
        """
        self._running.pop(batch, None)
        lost: list[Job] = []
        for task in filter(None, map(self._find, batch.jobs)):
            task.failures += 1
            task.stage = Stage.WAITING if batch.kind is StepKind.FRONT else Stage.READY
            if task.failures > 1:
                lost.append(task.job)
                self.cancel((task.job.id,))
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
        line = self._line(listener, Pace.REALTIME, None)
        line.until = until
        if line.first_due is not None and until > line.first_due:
            line.first_due = None  # he hears something that was not made here

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
        """Jobs of a listener are no longer wanted by him alone: they go on as those of a new listener, `to`, whose line
        nobody has but they. `untaken_s` of their sound was made and not yet taken; `coming_s` is about the sound of
        those that are still to be added."""
        if line := self._lines.get(listener):
            self._lines[to] = own = line.part(jobs, to, now, untaken_s=untaken_s, coming_s=coming_s)
            self._listener_of |= dict.fromkeys(own.tasks, to)

    def hurry(self, listener: int, due: float) -> None:
        """Of a line that is shared: somebody took all that was made, and has no more sound at `due`."""
        if line := self._lines.get(listener):
            line.hurry(due)

    def cancel(self, jobs: Collection[int]) -> None:
        """Jobs, by id, are dead, waiting or running. Idempotent; unknown ones are none."""
        for id_ in jobs:
            listener = self._listener_of.pop(id_, None)
            if listener is not None:
                del self._lines[listener].tasks[id_]

    def forget(self, listener: int) -> None:
        """The listener has gone, and all its jobs. Idempotent."""
        if line := self._lines.pop(listener, None):
            self._learn_turn(line)
            for id_ in line.tasks:
                del self._listener_of[id_]

    def begins(self, listener: int) -> bool:
        """The listener hears nothing yet, and his first sound is being made."""
        line = self._lines.get(listener)
        return line is not None and bool(line.tasks) and line.first_due is not None

    # ---- decisions

    def next_batch(self, now: float) -> Batch | None:
        """The most urgent steps that may run now, and none held back for company; None: nothing may run.

        The caller runs it, and answers with `done` or `failed`.
        """
        threads = sorted((running.ends for running in self._running.values()), reverse=True)[: self._threads - 1]
        idle = self._threads - len(self._running)
        threads += [now] * (self._threads - 1 - len(threads))
        steps = self._steps(Pace.REALTIME, now)
        if steps:
            lead = first(steps, now, threads)
        elif steps := self._steps(Pace.FAST, now):
            lead = self._least_served(steps)
        else:
            return None
        return self._start(company(lead, steps, now, idle=idle, threads=threads), now)

    def next_time(self, now: float) -> float | None:
        """When more may run though nothing happens: a listener will have heard enough. None: never by itself."""
        times = (opens(line, now, ahead_s=self._ahead_s) for line in self._lines.values() if line.pace is Pace.REALTIME)
        return min((time for time in times if time is not None), default=None)

    def _steps(self, pace: Pace, now: float) -> list[Step]:
        fast = pace is Pace.FAST
        lines = [line for line in self._lines.values() if line.tasks and (line.pace is pace or (fast and line.eager))]
        wait_s = self._wait_s(lines, now)
        return [s for line in lines for s in steps_of(line, now, pace=pace, ahead_s=self._ahead_s, wait_s=wait_s)]

    def _wait_s(self, lines: Sequence[Line], now: float) -> float:
        """How long a step may have to wait: for those who run out soon, and for others to begin in between."""
        soon = (line for line in lines if line.first_due is None and line.runs_out(now) < now + _SOON_S)
        steps_s = sum(next_s(next(iter(line.tasks.values()))) for line in soon)
        others = max(0, sum(line.first_due is not None for line in lines) - 1)
        return steps_s / self._threads + min(_LET_BEGIN_S, others * _FOLLOW_S / self._threads)

    def _least_served(self, steps: Sequence[Step]) -> Step:
        """Groups at no pace take turns, and in each its listeners, whose work is made in order."""
        served: dict[int | str, float] = {}
        for line in self._lines.values():
            served[line.group] = max(line.served, served.get(line.group, line.served))
        return min(steps, key=lambda s: (served[s.line.group], s.line.served, s.kind is StepKind.FRONT, s.task.job.id))

    def _start(self, steps: list[Step], now: float) -> Batch:
        lead = steps[0]
        for step in steps:
            step.task.stage = Stage.FRONT if lead.kind is StepKind.FRONT else Stage.DECODE
            step.line.served = now
        batch = Batch(lead.kind, lead.task.job.voice, tuple(step.task.job for step in steps), lead.frames)
        cost_s, task = batch_s(steps), lead.task
        self._running[batch] = Running(
            now + cost_s, cost_s, lead.cost_s, task.effort, padded(steps), task.at, lead.frames, task.frames
        )
        return batch

    def _check_room(self, turn: Turn, now: float) -> None:
        speaking = [(line, line.turn) for line in self._lines.values() if line.turn and line.speaks(now)]
        speaking = [(line, t) for line, t in speaking if line.pace is Pace.REALTIME]
        demands = [admission.demand_of(line, t, now, self._max_start_s) for line, t in speaking]
        if not speaking:
            return  # whoever is alone is served, however slow the machine
        newcomer = admission.demand(turn, 0.0, None, 0.0, self._max_start_s)
        if admission.excess_s([*demands, newcomer], self._threads) > 0:
            capacity = admission.holds(turn.effort.second_s(), self._threads)
            wait_s = admission.wait_s(demands, self._threads)
            raise Overloaded(admission.refusal(len(speaking), capacity, wait_s))

    def _check_queue(self) -> None:
        fast = (line for line in self._lines.values() if line.pace is Pace.FAST)
        work_s = sum(task.left_s * task.effort.second_s() for line in fast for task in line.tasks.values())
        if work_s > FAST_WAIT_S * self._threads:
            raise Overloaded(f"{work_s / self._threads:.0f} s of work is waiting already; try again in a minute")

    def _tag(self, group: int | str, now: float) -> float:
        """Groups take turns: the time of arrival, or a little later than the one before in the group."""
        if len(self._tags) > 2 * len(self._lines) + 64:
            self._tags = {group: tag for group, tag in self._tags.items() if tag > now}
        tag = max(now, self._tags.get(group, now - _FOLLOW_S) + _FOLLOW_S)
        self._tags[group] = tag
        return tag

    def _effort(self, voice: str) -> Effort:
        return self._efforts.setdefault(voice, usual_effort())

    def _line(self, listener: int, pace: Pace, group: int | str | None) -> Line:
        return self._lines.setdefault(listener, Line(pace, -listener if group is None else group))

    def _find(self, job: Job) -> Task | None:
        listener = self._listener_of.get(job.id)  # which may be another by now
        return None if listener is None else self._lines[listener].tasks[job.id]

    def _learn(self, ran: Running | None, batch: Batch, took_s: float | None) -> None:
        if ran is None or took_s is None:
            return
        if batch.kind is StepKind.FRONT:
            ran.effort.front_took(ran.ids, len(batch.jobs), took_s)
        else:
            ran.effort.step_took(ran.at, ran.frames, ran.total, took_s * ran.alone_s / max(ran.cost_s, 1e-9))

    def _learn_turn(self, line: Line) -> None:
        """How long turns are tells what somebody new will want."""
        if line.turn and line.turn.made_s and line.pace is Pace.REALTIME and not line.shared:
            self._turn_s += _LEARN * (line.turn.made_s - self._turn_s)
