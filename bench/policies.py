"""What each policy for Redis gives and costs on the phrase mix, by simulation; pure."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.phrase_mix import Said
from gateway.cache.policy import Kind, Policy

GATEWAYS = 4
BYTES_A_CHAR = 2540
"""Of sound at 22,050 Hz, about."""


@dataclass(slots=True)
class Outcome:
    """Of all sentences: where they were found, what was written and what Redis holds at the end."""

    sentences: int = 0
    in_memory: int = 0
    in_redis: int = 0
    made: int = 0
    writes: int = 0
    held: dict[str, int] = field(default_factory=dict)  # bytes

    @property
    def bytes_held(self) -> int:
        return sum(self.held.values())


@dataclass(slots=True)
class _Gateway:
    policy: Policy
    memory: set[str] = field(default_factory=set)


def simulate(kind: Kind, said: Iterable[Said], *, restart_every: int, listed: Iterable[str] = ()) -> Outcome:
    """Sentences go to GATEWAYS at random; after each `restart_every` of them one gateway begins anew with an empty
    memory, in turn. What is `listed` was warmed into Redis before. Memory is large enough, and no time passes."""
    came, dice = Outcome(), random.Random(1)
    came.held = {text: len(text) * BYTES_A_CHAR for text in listed}
    gateways = [_Gateway(Policy(kind, 1.0)) for _ in range(GATEWAYS)]
    restarts = itertools.cycle(range(GATEWAYS))
    for one in said:
        came.sentences += 1
        _ask(dice.choice(gateways), one.text, came)
        if came.sentences % restart_every == 0:
            gateways[next(restarts)] = _Gateway(Policy(kind, 1.0))
    return came


def _ask(gateway: _Gateway, text: str, came: Outcome) -> None:
    key, policy = text.encode(), gateway.policy
    policy.asked(key)
    if text in gateway.memory:
        came.in_memory += 1
    elif text in came.held:
        came.in_redis += 1
        policy.found(key, 0.0, 0)
    else:
        came.made += 1
        policy.missed(key)
    gateway.memory.add(text)
    if policy.wants(key, 0.0, 0):
        policy.written(key, 0.0, 0)
        came.writes += 1
        came.held[text] = len(text) * BYTES_A_CHAR
