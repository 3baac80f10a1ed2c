"""The reader of Markdown: from the text as it comes to plain text, in any cut."""

from __future__ import annotations

from typing import Literal

from engine.text.markdown.draft import Draft, Plain
from engine.text.markdown.lines import Lines
from engine.text.markdown.source import NeedMore, Source
from engine.text.markdown.spans import Spans
from engine.text.markdown.state import Mode, State

_NOTE = "Code block."


class Markdown:
    """Takes the marks of one text out as it streams in; pure, and linear in the text.

    What cannot change any more is given out at once; what is held is bounded. However the text is cut into pushes,
    the same comes out. No word is lost but those of code in a fence (with `code="note"` a short note is said in its
    place), of formulas that are not simple, of addresses behind a link's text, and of tags and thoughts.
    """

    def __init__(self, *, code: Literal["skip", "note"] = "skip") -> None:
        self._note = _NOTE if code == "note" else ""
        self._source = Source()
        self._draft = Draft()
        self._begin()

    def _begin(self) -> None:
        self._state = State()
        lines = Lines(self._source, self._draft, self._state, self._note)
        spans = Spans(self._source, self._draft, self._state)
        self._readers = {
            Mode.LINE: lines.read,
            Mode.TEXT: spans.read,
            Mode.FENCE: lines.read_fenced,
            Mode.CODE: lines.read_code,
            Mode.UNSAID: spans.read_unsaid,
        }

    @property
    def buffered(self) -> int:
        """Characters held."""
        return self._source.left + self._draft.held

    def push(self, text: str) -> Plain:
        """Adds text; gives what no further text can change."""
        self._source.add(text)
        self._read()
        return self._draft.take()

    def flush(self) -> Plain:
        """Gives all that is held, as it stands: what is still open is text. The next text begins anew; offsets go on."""
        source, draft = self._source, self._draft
        source.last = True
        source.text += "\n"  # so that the last line ends, and with it all that only a line's end decides
        self._read()
        draft.settle()
        plain = draft.take()
        self._source = Source(source.offset - 1)
        self._draft = Draft()
        self._begin()
        return Plain(plain.text.rstrip("\n"), plain.places)

    def _read(self) -> None:
        source, state = self._source, self._state
        size = len(source.text)
        try:
            while source.at < size:
                self._readers[state.mode]()
        except NeedMore:
            pass
        if self._draft.holds:
            self._draft.expire(source.offset)
