"""What a client heard, and the figures in it; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

GAP_S = 0.040
"""A listener notices a pause of this length inside speech."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One message of sound: when it came, in seconds of any one clock, and how long it sounds."""

    at: float
    sound_s: float


@dataclass(slots=True)
class Heard:
    """The sound of one request. `asked` is when its last character was sent, on the clock of the arrivals."""

    asked: float
    arrivals: list[Arrival] = field(default_factory=list)

    @property
    def first_s(self) -> float:
        """From the last character sent to the first sound. Raises RuntimeError where none came."""
        if not self.arrivals:
            raise RuntimeError("no sound came")
        return self.arrivals[0].at - self.asked

    @property
    def sound_s(self) -> float:
        return sum(arrival.sound_s for arrival in self.arrivals)


def gaps(arrivals: Sequence[Arrival]) -> list[float]:
    """Seconds of each silence that a player hears who begins with the first sound and holds nothing back."""
    found: list[float] = []
    until: float | None = None  # when all that came so far will have been played
    for arrival in arrivals:
        if until is not None and arrival.at > until:
            found.append(arrival.at - until)
        until = max(arrival.at, until or arrival.at) + arrival.sound_s
    return found


def longest_gap_s(heard: Sequence[Heard]) -> float:
    """Of all listeners; 0 where nobody heard one."""
    return max((gap for one in heard for gap in gaps(one.arrivals)), default=0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """Between the two nearest values in proportion, as numpy does it; `share` 0 to 1. Raises ValueError on none."""
    if not values:
        raise ValueError("a percentile of nothing")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the straight line nearest to (x, y) points, by least squares. Raises ValueError where x never changes."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if not spread:
        raise ValueError("a slope needs two places")
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
