"""Where each listener is: what waits for him, what he has before him, and since when he is spoken to; pure."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.costs import Effort
from engine.types import Job, Pace

TURN_PAUSE_S = 5.0
"""A listener who heard all and is spoken to again within this time is still in the same turn."""

_TEXT_S = 0.5  # an admitted sentence becomes phonemes in less


class Stage(Enum):
    """What a job waits for, or what runs for it."""

    WAITING = "waiting"  # for its front
    FRONT = "front"  # running
    READY = "ready"  # for its next frames
    DECODE = "decode"  # running


@dataclass(slots=True)
class Task:
    """A job on its way. `frames` is known after its front, estimated before; `at` of them are decoded."""

    job: Job
    effort: Effort
    frames: int
    at: int = 0
    stage: Stage = Stage.WAITING
    failures: int = 0

    @property
    def left_s(self) -> float:
        """Sound that is still to be made."""
        return self.effort.sounding(self.at, self.frames, self.frames) * self.effort.frame_s


@dataclass(slots=True)
class Turn:
    """What a listener was admitted for."""

    since: float
    effort: Effort  # of the voice that it began with
    expected_s: float  # sound, when it was admitted
    made_s: float = 0.0


@dataclass(slots=True)
class Line:
    """A listener: jobs in the order in which they must sound, and where the listener is."""

    pace: Pace
    group: int | str
    tasks: dict[int, Task] = field(default_factory=dict)  # by job id, in order
    until: float = 0.0  # when all that was taken will have been heard
    untaken_s: float = 0.0  # made, and not yet taken
    first_due: float | None = None  # when one who hears nothing yet should hear something
    tag: float = 0.0  # the turn of one who hears nothing yet among the others; see Scheduler.add
    served: float = 0.0  # when a step of this listener last began
    turn: Turn | None = None
    shared: bool = False  # one sentence that many listeners hear
    eager: bool = False  # beyond what the listener needs it is made as at no pace

    def lead_s(self, now: float) -> float:
        """Sound before the listener that is made. A listener at no pace hears nothing in real time."""
        heard_later = max(self.until - now, 0.0) if self.pace is Pace.REALTIME else 0.0
        return heard_later + self.untaken_s

    def runs_out(self, now: float) -> float:
        """When the listener begins to wait for sound; in the past for one who waits already, the longer the earlier."""
        if self.first_due is not None:
            return self.first_due
        return max(self.until, now) + self.untaken_s if self.untaken_s else self.until

    def heard(self, seconds: float) -> None:
        """So much more sound was made."""
        if seconds > 0:
            self.untaken_s += seconds
            self.first_due = None
            if self.turn:
                self.turn.made_s += seconds

    def part(self, jobs: Collection[int], listener: int, now: float, *, untaken_s: float, coming_s: float) -> Line:
        """Jobs that follow each other go over to a line of their own, with `listener` as its number; it is needed when
        they would sound here, until somebody says more. `untaken_s` of theirs was made, and is not missed here;
        `coming_s` is about what jobs will sound that were not added yet."""
        sounds, begins = self.runs_out(now), False
        for index, (id_, task) in enumerate(self.tasks.items()):
            if id_ in jobs:
                begins = index == 0 and self.first_due is not None
                break
            sounds += task.left_s
        own = Line(self.pace, self.group, until=sounds, tag=self.tag, served=self.served, shared=True, eager=self.eager)
        for id_ in [id_ for id_ in self.tasks if id_ in jobs]:
            task = own.tasks[id_] = self.tasks.pop(id_)
            task.job = replace(task.job, listener=listener)
        left_s = own.left_s() + coming_s
        # What comes behind them here sounds after them, and is no first sound any more.
        if begins:
            own.first_due, own.until = self.first_due, 0.0
            self.first_due, self.until = None, sounds + left_s
        elif not self.tasks and self.lead_s(now) <= 0.0:
            self.until = now + left_s
        self.untaken_s = max(0.0, self.untaken_s - untaken_s)
        if self.turn:
            own.turn = Turn(now, self.turn.effort, 0.0)
            self.turn.expected_s = max(0.0, self.turn.expected_s - left_s)
        return own

    def hurry(self, due: float) -> None:
        """Of a shared line: somebody who took all that was made has no more sound at `due`."""
        if math.isinf(due):
            return
        if self.first_due is not None:
            self.first_due = min(self.first_due, due)
        elif self.untaken_s > 0 or due < self.until:
            self.until, self.untaken_s = due, 0.0

    def speaks(self, now: float) -> bool:
        """Admitted, and not yet silent."""
        return self.turn is not None and (bool(self.tasks) or self.lead_s(now) > 0 or now < self.turn.since + _TEXT_S)

    def in_turn(self, now: float) -> bool:
        """Admitted, and silent for no longer than a pause."""
        return self.speaks(now) or (self.turn is not None and now < max(self.turn.since, self.until) + TURN_PAUSE_S)

    def left_s(self) -> float:
        """Sound that is still to be made of the jobs that are known."""
        return sum(task.left_s for task in self.tasks.values())
