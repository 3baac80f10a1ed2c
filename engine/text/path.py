"""The whole path of a text, without a clock or a listener."""

from __future__ import annotations

from collections.abc import Iterable

from engine.text.split import Splitter
from engine.types import Sentence


def sentences(tokens: Iterable[str], max_chars: int = 400) -> list[Sentence]:
    """The sentences of a text that comes in pieces; the same for any pieces of the same text."""
    splitter = Splitter(max_chars)
    found = [sentence for token in tokens for sentence in splitter.push(token)]
    return found + splitter.end()
