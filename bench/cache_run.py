"""How much of the phrase cache is measured in one run, and what was noted."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from bench.rows import Goal, Row

MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often, how long and how many; `QUICK` is for a look."""

    rounds: int = 60
    hits: int = 4000
    dead_rounds: int = 60
    listen_s: float = 15.0
    level_of_none: tuple[int, ...] = (4, 8, 12, 16, 18, 20, 22, 24, 28, 32)
    levels: tuple[int, ...] = (16, 24, 32, 40, 48, 56, 64, 72, 80, 96)
    tries: int = 2
    policy_sentences: int = 20_000
    sounds: int = 40


FULL = Sizes()
QUICK = Sizes(
    rounds=30,
    hits=1500,
    dead_rounds=30,
    listen_s=6.0,
    level_of_none=(4, 16, 20, 24, 28, 32),
    levels=(32, 48, 56, 64, 80, 96),
    policy_sentences=10_000,
    sounds=15,
)


@dataclass(slots=True)
class CacheRun:
    """One run of the bench."""

    sizes: Sizes
    notes: list[str] = field(default_factory=list)

    def tell(self, note: str) -> None:
        """At once, and with the table."""
        print(note, file=sys.stderr)
        self.notes.append(note)


def row(what: str, unit: str, value: float, *goals: Goal) -> Row:
    """A row of one figure."""
    return Row(what, unit, {MEASURED: value}, goals)
