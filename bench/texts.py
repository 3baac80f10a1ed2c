"""Things to say: as many distinct sentences of about sixty characters as a run asks for, the same in every run."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

WHO = (
    "The old captain",
    "My older sister",
    "A quiet teacher",
    "The night nurse",
    "Our new gardener",
    "The young baker",
)
DID = ("carried a basket of", "asked about the price of", "wrote a long letter about", "forgot to bring the")
WHAT = (
    "fresh apples",
    "green bottles",
    "winter coats",
    "paper maps",
    "garden chairs",
    "copper kettles",
    "wooden spoons",
)
WHERE = ("to the harbor", "at the station", "in the village", "on the bridge", "near the school", "by the river")


def sentences(seed: int = 1) -> Iterator[str]:
    """A thousand and eight different ones, in the order of `seed`."""
    every = [" ".join(parts) + "." for parts in itertools.product(WHO, DID, WHAT, WHERE)]
    random.Random(seed).shuffle(every)
    yield from every


def paragraph(source: Iterator[str], length: int = 5) -> tuple[str, str]:
    """A paragraph, and its first sentence alone."""
    parts = list(itertools.islice(source, length))
    return " ".join(parts), parts[0]
