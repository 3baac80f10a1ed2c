"""Where each listener is: what waits for him, what he has before him, and since when he is spoken to; pure."""

from __future__ import annotations

from dataclasses import dataclass, field
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

    def speaks(self, now: float) -> bool:
        """Admitted, and not yet silent."""
        return self.turn is not None and (bool(self.tasks) or self.lead_s(now) > 0 or now < self.turn.since + _TEXT_S)

    def in_turn(self, now: float) -> bool:
        """Admitted, and silent for no longer than a pause."""
        return self.speaks(now) or (self.turn is not None and now < max(self.turn.since, self.until) + TURN_PAUSE_S)

    def left_s(self) -> float:
        """Sound that is still to be made of the jobs that are known."""
        return sum(task.left_s for task in self.tasks.values())
