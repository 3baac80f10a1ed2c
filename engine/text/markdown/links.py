"""Links, images and notes: the text is said, the address is not."""

from __future__ import annotations

import regex

from engine.text.markdown.draft import Draft
from engine.text.markdown.source import Source
from engine.text.markdown.state import State
from engine.text.markdown.tags import BRACKET_END, BRACKET_TOKEN

_LONGEST_TAIL = 1000  # characters of an address with its title
_PLACE = r"(?:[^\s()\\<>]++|\\[^\n]|\((?:[^\s()\\]++|\\[^\n])*+\))*+"
_TITLE = r"""(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|\((?:[^()\\]++|\\.)*+\))"""
_ADDRESS = regex.compile(rf"\([ \t]*+\n?+[ \t]*+(?:<[^<>\n]*+>|{_PLACE})(?:[ \t\n]++{_TITLE})?+[ \t\n]*+\)")
_LABEL = regex.compile(r"\[[^\[\]\n^][^\[\]\n]{0,100}+\]|\[\]")
_NOTE = regex.compile(r"\[\^[^\]\[\s]{1,60}+\]")


def read_image(source: Source, draft: Draft, _state: State) -> None:
    if source.peek(1) == "[":
        draft.open("[", 2, *source.take(2))
    else:
        draft.say(*source.take(1))


def read_bracket(source: Source, draft: Draft, state: State) -> None:
    after = source.peek(1)
    if after == "^" and (found := source.match(_NOTE, 70)):
        source.at = found.end()
    elif after in "Tt" and (found := source.match(BRACKET_TOKEN, 8)):
        state.leave_out(BRACKET_END, source.offset)
        source.at = found.end()
    else:
        draft.open("[", 1, *source.take(1))


def read_closing_bracket(source: Source, draft: Draft, _state: State) -> None:
    mark = draft.bracket()
    if mark is None:
        draft.say(*source.take(1))
        return
    tail = _tail(source, source.since(mark.offset + mark.count))
    if tail:
        draft.close(mark)
        source.at += 1 + tail
    else:
        draft.give_up(mark)
        draft.say(*source.take(1))


def _tail(source: Source, said: str) -> int:
    """Length of `(address)` or `[label]` behind the bracket that closes `said`; 0 without. Raises NeedMore."""
    after = source.peek(1)
    if after == "(":
        found = source.match(_ADDRESS, _LONGEST_TAIL, 1)
    elif after == "[" and any(map(str.isalpha, said)):  # `[1][2]` and `m[0][1]` are no links
        found = source.match(_LABEL, _LONGEST_TAIL, 1)
    else:
        return 0
    return len(found.group()) if found else 0
