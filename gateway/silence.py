"""How long a client has said nothing, in all and of each context; pure, times are in seconds."""

from __future__ import annotations

from collections.abc import Collection
from math import inf


class Silence:
    """Of one connection. A context that is being spoken is not silent, nor is a client who has any."""

    def __init__(self, idle_s: float, now: float) -> None:
        self.idle_s, self._said = idle_s, now
        self._contexts: dict[str, float] = {}  # when each last said something, or was last spoken

    def said(self, now: float, context: str | None = None) -> None:
        """A message came, or a sentence of a context was spoken."""
        self._said = max(self._said, now)
        if context is not None and self.idle_s < inf:
            self._contexts[context] = now

    def over(self, now: float, waiting: Collection[str], *, alone: bool) -> list[str | None]:
        """Those who have been silent for too long, each told once: contexts, None for the client himself.

        `waiting`: contexts that may go on, with nothing left to be spoken; `alone`: there is no context at all.
        """
        self._contexts = {name: self._contexts.get(name, now) for name in waiting}
        idle: list[str | None] = [name for name, at in self._contexts.items() if at + self.idle_s <= now]
        if alone and self._said + self.idle_s <= now:
            idle.append(None)
        if idle:
            self._said = now
        return idle

    def next_s(self, now: float) -> float:
        """When to look again: what begins later is not over before that."""
        return max(0.0, min((self._said, *self._contexts.values())) + self.idle_s - now)
