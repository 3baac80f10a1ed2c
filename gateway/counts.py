"""What a server counts while it runs; plain numbers, whoever shows them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.types import Pace
from gateway.events import Audio, Event, Failed, SentenceStarted

FIRST_AUDIO_S = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 2.0, 5.0)
LOOKUP_S = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.02, 0.03, 0.05, 0.1)
LAG_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)

MADE = "made"
"""Where a sentence's sound came from that is in no cache."""


class Spread:
    """How often seconds fell where: a histogram. `bounds` are the upper ends of its parts, the last has none."""

    __slots__ = ("_parts", "bounds", "total_s")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.total_s = 0.0
        self._parts = [0] * (len(self.bounds) + 1)

    def add(self, seconds: float) -> None:
        """Count one."""
        self._parts[bisect_left(self.bounds, seconds)] += 1
        self.total_s += seconds

    @property
    def count(self) -> int:
        return sum(self._parts)

    def up_to(self) -> list[int]:
        """How many were no more than each bound, and all."""
        below, counts = 0, []
        for part in self._parts:
            below += part
            counts.append(below)
        return counts


@dataclass(slots=True)
class Counts:
    """Since the server began; they only grow, but for what is open now. Event-loop thread only."""

    connections_open: int = 0
    connections: int = 0
    contexts_open: int = 0
    contexts: int = 0
    sentences: Counter[str] = field(default_factory=Counter)  # by where their sound came from: MADE or a tier
    errors: Counter[str] = field(default_factory=Counter)  # told to clients, by code
    audio_s: float = 0.0  # of contexts that have ended
    underruns: int = 0  # of contexts that have ended
    first_audio: dict[Pace, Spread] = field(default_factory=lambda: {pace: Spread(FIRST_AUDIO_S) for pace in Pace})
    lag: Spread = field(default_factory=lambda: Spread(LAG_S))


class Tally:
    """What one connection did, for its line in the log, counted for the server as well. `now` is in seconds."""

    def __init__(self, counts: Counts) -> None:
        self.contexts = self.sentences = 0
        self.audio_s = 0.0
        self._counts = counts
        self._unheard: dict[str, tuple[float, Pace]] = {}  # contexts without a sound yet, and since when they are open

    def opened(self, context: str, pace: Pace, now: float) -> None:
        """A context has begun."""
        self.contexts += 1
        self._counts.contexts += 1
        self._counts.contexts_open += 1
        self._unheard[context] = now, pace

    def ended(self, context: str, *, sentences: int, audio_s: float, underruns: int) -> None:
        """A context that was opened is over."""
        self.sentences += sentences
        self.audio_s += audio_s
        self._counts.contexts_open -= 1
        self._counts.audio_s += audio_s
        self._counts.underruns += underruns
        self._unheard.pop(context, None)

    def sent(self, event: Event, now: float) -> None:
        """The socket took an event."""
        match event:
            case SentenceStarted():
                self._counts.sentences[event.cached or MADE] += 1
            case Failed():
                self._counts.errors[event.code] += 1
            case Audio() if event.context in self._unheard:
                since, pace = self._unheard.pop(event.context)
                self._counts.first_audio[pace].add(now - since)
            case _:
                pass
