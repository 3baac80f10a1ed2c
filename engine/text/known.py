"""What is said for the sentences of late: agents say the same things all day, and rules take a millisecond for each."""

from __future__ import annotations

from collections import OrderedDict

from engine.text.normalize import Parts, Spoken, normalizing

KNOWN = 2048
"""Sentences that are remembered."""

KNOWN_CHARS = 500
"""Of one of them; what is longer is hardly said twice."""

_said: OrderedDict[tuple[str, str], Spoken] = OrderedDict()  # by text and language, the last used at the end


def known(text: str, language: str) -> Parts[Spoken]:
    """As `normalizing`, in no time where it was asked before. Event-loop thread only."""
    key = text, language
    if (spoken := _said.get(key)) is not None:
        _said.move_to_end(key)
        return spoken
    spoken = yield from normalizing(text, language)
    if len(text) <= KNOWN_CHARS:
        _said[key] = spoken
        if len(_said) > KNOWN:
            _said.popitem(last=False)
    return spoken
