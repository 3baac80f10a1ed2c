"""What is said for the sentences of late: agents say the same things all day, and rules take a millisecond for each."""

from __future__ import annotations

from functools import lru_cache

from engine.text.normalize import Spoken, normalize

KNOWN = 2048
"""Sentences that are remembered."""

KNOWN_CHARS = 500
"""Of one of them; what is longer is hardly said twice."""


def known(text: str, language: str) -> Spoken:
    """As `normalize`, in no time where it was asked before; from any thread."""
    return _known(text, language) if len(text) <= KNOWN_CHARS else normalize(text, language)


@lru_cache(KNOWN)
def _known(text: str, language: str) -> Spoken:
    return normalize(text, language)
