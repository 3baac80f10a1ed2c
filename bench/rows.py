"""Figures as rows of one table, each with what it should reach; pure but for the printing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.table import Table

from bench.programs import NAMES, ONSET


@dataclass(frozen=True, slots=True)
class Goal:
    """`got` must be at most `bound`, or at least where `least`. `of` names what `got` is a ratio to, if it is one."""

    got: float
    bound: float
    of: str = ""
    least: bool = False

    @property
    def reached(self) -> bool:
        return self.got >= self.bound if self.least else self.got <= self.bound

    def __str__(self) -> str:
        verdict = "yes" if self.reached else "NO"
        what = f"{shown(self.got)} of {self.of}" if self.of else shown(self.got)
        return f"{verdict}: {what}, {'at least' if self.least else 'at most'} {shown(self.bound)}"


@dataclass(frozen=True, slots=True)
class Row:
    """One measure: a figure for each program, or kind of input, that has one."""

    what: str
    unit: str
    values: Mapping[str, float]
    goals: Sequence[Goal] = ()
    case: str = ""  # the known trouble that it watches

    def json(self) -> dict[str, Any]:
        goals = [
            {"got": g.got, "bound": g.bound, "of": g.of, "least": g.least, "reached": g.reached} for g in self.goals
        ]
        return {"what": self.what, "unit": self.unit, "case": self.case, "values": dict(self.values), "goals": goals}


def ratio(values: Mapping[str, float], other: str, bound: float, *, least: bool = False, of: str = "") -> list[Goal]:
    """Onset's figure against another's; no goal where either is not there."""
    if ONSET not in values or not values.get(other):
        return []
    return [Goal(values[ONSET] / values[other], bound, of or f"{other}'s", least)]


def figure(values: Mapping[str, float], bound: float, *, least: bool = False) -> list[Goal]:
    """Onset's figure by itself."""
    return [Goal(values[ONSET], bound, least=least)] if ONSET in values else []


def table(rows: Sequence[Row], names: Sequence[str] = NAMES, *, markdown: bool = False) -> Table:
    """What people read, with a column for each of `names`."""
    out = Table(box=box.MARKDOWN if markdown else box.SIMPLE_HEAD, pad_edge=False)
    out.add_column("measure")
    out.add_column("unit", no_wrap=True)
    for name in names:
        out.add_column(name, justify="right", no_wrap=True)
    out.add_column("reached")
    for row in rows:
        cells = [shown(row.values[name]) if name in row.values else "" for name in names]
        what = f"{row.what} ({row.case})" if row.case else row.what
        out.add_row(what, row.unit, *cells, ("; " if markdown else "\n").join(map(str, row.goals)))
    return out


def shown(value: float) -> str:
    """Three digits that count, and no exponent."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
