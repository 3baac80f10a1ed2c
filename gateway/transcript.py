"""Which text belongs to which sound of a context; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.types import WordTime

DETAILED = 64
"""Sentences whose words are kept; of older ones, which a listener has long heard, the text alone."""


@dataclass(slots=True)
class _Span:
    text: str
    start: int  # samples
    samples: int = 0  # made so far
    whole: bool = False
    words: list[WordTime] = field(default_factory=list)


class Transcript:
    """Sentences, their words and their places in the sound, in order."""

    def __init__(self, rate_hz: int) -> None:
        self._rate = rate_hz
        self._spans: list[_Span] = []

    def begin(self, text: str, start: int) -> None:
        """A sentence's sound begins at this sample."""
        self._spans.append(_Span(text, start))
        if len(self._spans) > DETAILED:
            self._spans[-DETAILED - 1].words.clear()

    def told(self, words: Iterable[WordTime]) -> None:
        """The next words of the last sentence."""
        self._spans[-1].words.extend(words)

    def made(self, samples: int) -> None:
        """More sound of the last sentence was made."""
        self._spans[-1].samples += samples

    def end(self) -> None:
        """The last sentence's sound is whole."""
        self._spans[-1].whole = True

    def text_until(self, sample: int) -> str:
        """The text whose sound ends before a sample: whole sentences, and of the last one whole words."""
        parts = [self._part(span, sample - span.start) for span in self._spans if span.start < sample]
        return " ".join(part for part in parts if part)

    def _part(self, span: _Span, samples: int) -> str:
        if span.whole and samples >= span.samples:
            return span.text
        end = 0
        for word in span.words:
            if round(word.end_s * self._rate) > samples:
                break
            end = span.text.find(word.text, end) + len(word.text)  # as written, spaces and all
        return span.text[:end]
