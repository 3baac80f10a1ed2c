"""What a service desk says: known phrases, the frequent ones far more often, and sentences that never come again; pure.

The list is in the order of frequency: the phrase at place n is said 1/n times as often as the first one (Zipf).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

UNIQUE = 0.3
"""Of all sentences, those that are said once."""

_WHO = ("Mister", "Miss", "Doctor")
_NAMES = ("Baker", "Carter", "Dawson", "Ellis", "Foster", "Grant", "Harper", "Irving", "Jensen", "Keller", "Lawson")
_TELLS = ("your number is {0}.", "you owe {0} dollars.", "your place is {0}.", "I have order {0} here.")


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the mix."""

    text: str
    unique: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent says at once, and when, in seconds from the beginning."""

    at: float
    said: tuple[Said, ...]

    @property
    def text(self) -> str:
        return " ".join(one.text for one in self.said)


def phrases() -> list[str]:
    """The list, the most frequent first."""
    return Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8").splitlines()


def zipf(count: int) -> list[float]:
    """How probable each of so many places is."""
    weights = [1 / place for place in range(1, count + 1)]
    return [weight / sum(weights) for weight in weights]


def unique_sentences(seed: int) -> Iterator[str]:
    """Some hundred thousand different ones, in the order of `seed`; other seeds have others in other orders."""
    dice = random.Random(seed)
    before: set[str] = set()
    while True:
        who, name, tells = dice.choice(_WHO), dice.choice(_NAMES), dice.choice(_TELLS)
        text = f"{who} {name}, {tells.format(dice.randint(100, 999))}"
        if text not in before:
            before.add(text)
            yield text


def mix(known: Sequence[str], seed: int, unique: float = UNIQUE) -> Iterator[Said]:
    """Without end; the same for the same seed."""
    dice, new = random.Random(seed), unique_sentences(seed)
    up_to = list(itertools.accumulate(zipf(len(known))))
    while True:
        if dice.random() < unique:
            yield Said(next(new), True)
        else:
            yield Said(dice.choices(known, cum_weights=up_to)[0], False)


def most_times(said: Iterable[Said]) -> float:
    """All that is said over what is unique of it, by length: what a cache could save at most."""
    total = unique = 0
    for one in said:
        total += len(one.text)
        unique += len(one.text) * one.unique
    return total / unique


def turns(said: Iterator[Said], seconds: float, load: float, sentence_s: float, seed: int) -> list[Turn]:
    """Turns of one to three sentences at random times (a Poisson stream) within `seconds`, of so much sound that `load`
    listeners are being spoken to on average; `sentence_s` is what a sentence lasts."""
    dice = random.Random(seed)
    rate = load / (2 * sentence_s)
    planned: list[Turn] = []
    at = dice.expovariate(rate)
    while at < seconds:
        planned.append(Turn(at, tuple(itertools.islice(said, dice.randint(1, 3)))))
        at += dice.expovariate(rate)
    return planned
