"""The reader of Markdown: from the text as it comes to plain text, in any cut."""

from __future__ import annotations

from typing import Literal

from engine.text.markdown.blocks import read_fence, read_indented
from engine.text.markdown.draft import Draft, Plain
from engine.text.markdown.lines import read_line
from engine.text.markdown.source import NeedMore, Source
from engine.text.markdown.spans import SIGNS, read_text, read_unsaid
from engine.text.markdown.state import Mode, State

_NOTE = "Code block."
_READERS = (read_line, read_text, read_fence, read_indented, read_unsaid)  # in the order of Mode


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
        self._state = State(note=self._note)

    @property
    def buffered(self) -> int:
        """Characters held."""
        return self._source.left + self._draft.held

    def push(self, text: str) -> Plain:
        """Adds text; gives what no further text can change."""
        source, draft = self._source, self._draft
        if self._state.mode is not Mode.TEXT or source.left or SIGNS.search(text):
            source.add(text)
            self._read()
        elif draft.is_plain:
            return draft.pass_on(text, source.pass_over(text))  # as most tokens are
        else:
            draft.say(text, source.pass_over(text))
            draft.expire(source.offset)
        return draft.take()

    def flush(self) -> Plain:
        """Gives all that is held, as it stands: what is open is text. The next text begins anew; offsets go on."""
        source, draft = self._source, self._draft
        source.last = True
        source.text += "\n"  # so that the last line ends, and with it all that only a line's end decides
        self._read()
        draft.settle()
        plain = draft.take()
        self._source = Source(source.base + len(source.text) - 1)
        self._draft = Draft()
        self._state = State(note=self._note)
        text = plain.text.rstrip("\n")
        return Plain(text, tuple(place for place in plain.places if place[0] < len(text)))

    def _read(self) -> None:
        source, draft, state = self._source, self._draft, self._state
        size = len(source.text)
        try:
            while source.at < size:
                _READERS[state.mode](source, draft, state)
        except NeedMore:
            pass
        if draft.holds:
            draft.expire(source.offset)
