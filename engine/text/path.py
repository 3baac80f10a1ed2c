"""The path of a text to sentences: what is no speech is taken out, then it is cut; without a clock or a listener."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.text.split import Splitter
from engine.types import Sentence

Code = Literal["skip", "note"]
"""What becomes of fenced code: nothing, or a short note that it is there."""


class TextPath:
    """One context's text, whole or in pieces of any size; pure, and linear in the text.

    The offsets of a sentence are into all text pushed. `early`: the first clause of a sentence that is still being
    written may leave by itself; it may be set while text comes.
    """

    def __init__(
        self, max_chars: int = 400, *, markdown: bool = True, code: Code = "skip", early: bool = False
    ) -> None:
        self._splitter = Splitter(max_chars, early=early)

    @property
    def early(self) -> bool:
        return self._splitter.early

    @early.setter
    def early(self, early: bool) -> None:
        self._splitter.early = early

    @property
    def buffered(self) -> int:
        """Characters held."""
        return self._splitter.buffered

    def push(self, text: str) -> list[Sentence]:
        """Adds text; gives the sentences whose end is certain now. Raises RuntimeError after `end`."""
        return self._splitter.push(text)

    def flush(self) -> list[Sentence]:
        """Gives all that is held, as it stands; offsets go on."""
        return self._splitter.flush()

    def end(self) -> list[Sentence]:
        """As `flush`; nothing can be pushed afterwards."""
        return self._splitter.end()


def sentences(
    tokens: Iterable[str],
    max_chars: int = 400,
    *,
    markdown: bool = True,
    code: Code = "skip",
    early: bool = False,
) -> list[Sentence]:
    """The sentences of a text that comes in pieces; unless `early`, the same for any pieces of the same text."""
    path = TextPath(max_chars, markdown=markdown, code=code, early=early)
    found = [sentence for token in tokens for sentence in path.push(token)]
    return found + path.end()
