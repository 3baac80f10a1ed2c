"""The path of a text to sentences: what is no speech is taken out, then it is cut; without a clock or a listener."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.text.markdown import Markdown, Plain
from engine.text.places import Places
from engine.text.split import Splitter
from engine.types import Sentence

_MANY_RUNS = 64

Code = Literal["skip", "note"]
"""What is said of fenced code: nothing, or a short note that it is there."""


class TextPath:
    """One context's text, whole or in pieces of any size; pure, and linear in the text.

    The text of a sentence has no marks any more; its offsets are into all text pushed, from its first word as written
    to its last. With `markdown=False` the text is taken as it is. With `early` the first unit may end at a clause mark,
    for text that is still being written; it may be set when that shows.
    """

    def __init__(
        self,
        max_chars: int = 400,
        *,
        markdown: bool = True,
        code: Code = "skip",
        early: bool = False,
    ) -> None:
        self._markdown = Markdown(code=code) if markdown else None
        self._splitter = Splitter(max_chars, early=early)
        self._places = Places()
        self._pushed = 0  # characters of the source
        self._reached = 0  # source offset behind the last sentence
        self._ended = False

    @property
    def early(self) -> bool:
        return self._splitter.early

    @early.setter
    def early(self, early: bool) -> None:
        self._splitter.early = early

    @property
    def buffered(self) -> int:
        """Characters held."""
        return self._splitter.buffered + (self._markdown.buffered if self._markdown else 0)

    def push(self, text: str) -> list[Sentence]:
        """Adds text; gives the sentences whose end is certain now. Raises RuntimeError after `end`."""
        if self._ended:
            raise RuntimeError("the text has ended; nothing can be added")
        if self._markdown is None:
            return self._splitter.push(text)
        self._pushed += len(text)
        plain = self._markdown.push(text)
        return self._split(plain) if plain.text else []

    def flush(self) -> list[Sentence]:
        """Gives all that is held, as it stands; offsets go on. What was open, code or a thought, is over."""
        if self._markdown is None:
            return self._splitter.flush()
        return self._split(self._markdown.flush()) + self._placed(self._splitter.flush())

    @property
    def waiting(self) -> bool:
        """Whether there is text that lacks nothing but the end of its sentence."""
        return self._splitter.buffered > 0

    def settle(self) -> list[Sentence]:
        """Gives that text as it stands; what is open, code or a thought, stays so."""
        return self._placed(self._splitter.flush()) if self._markdown else self._splitter.flush()

    def end(self) -> list[Sentence]:
        """As `flush`; nothing can be pushed afterwards."""
        self._ended = True
        return self.flush()

    def _split(self, plain: Plain) -> list[Sentence]:
        self._places.add(len(plain.text), plain.places)
        found = self._placed(self._splitter.push(plain.text))
        if len(self._places) > _MANY_RUNS:
            self._places.forget(self._places.size - self._splitter.buffered)
        return found

    def _placed(self, found: list[Sentence]) -> list[Sentence]:
        """The sentences with their places in the source, none before the end of the sentence before it."""
        placed = []
        for sentence in found:
            start = max(self._reached, self._places.start(sentence.start))
            self._reached = max(start, min(self._places.end(sentence.end), self._pushed))
            placed.append(Sentence(sentence.text, start, self._reached))
        return placed


def sentences(
    tokens: Iterable[str],
    max_chars: int = 400,
    *,
    markdown: bool = False,
    code: Code = "skip",
    early: bool = False,
) -> list[Sentence]:
    """The sentences of a text that comes in pieces, of plain text if not told else; unless `early`, the same for any
    pieces of it."""
    path = TextPath(max_chars, markdown=markdown, code=code, early=early)
    found = [sentence for token in tokens for sentence in path.push(token)]
    return found + path.end()
