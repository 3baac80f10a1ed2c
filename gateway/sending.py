"""A sentence on its way to its listener."""

from __future__ import annotations

from dataclasses import dataclass

from engine.text.written import WrittenWords
from engine.types import WordTime
from gateway.chunks import Chunker
from gateway.lines import Line


@dataclass(slots=True)
class Sending:
    """How far a line is, the `index`th of its context."""

    line: Line
    index: int
    chunker: Chunker
    begun: bool = False
    written: WrittenWords | None = None
    told: int = 0  # words, as spoken

    def news(self) -> list[WordTime]:
        """Words as they were written, of which nothing was told yet."""
        line = self.line
        if len(line.words) == self.told:
            return []
        self.written = self.written or WrittenWords(line.say.sentence.text, line.say.spoken)
        words = self.written.tell(line.words[self.told :])
        self.told = len(line.words)
        return words
