"""Emphasis: runs of `*`, `_` and `~` that open and close."""

from __future__ import annotations

import regex

from engine.text.markdown.draft import Draft
from engine.text.markdown.marks import encloses, may_close, may_open
from engine.text.markdown.source import Source
from engine.text.markdown.state import State

_LONGEST_RUN = 100  # marks in a row; more are text
_RUNS = {char: regex.compile(rf"{regex.escape(char)}{{1,{_LONGEST_RUN + 1}}}+") for char in "*_~`"}
_STREAKS = {char: regex.compile(rf"{regex.escape(char)}++") for char in "*_~`"}


def run_length(source: Source, draft: Draft, char: str) -> int:
    """How many of `char` stand at the place; 0 where they are more than a mark has, and said. Raises NeedMore."""
    found = _RUNS[char].match(source.text, source.at)
    count = len(found.group()) if found else 0
    if count > _LONGEST_RUN or source.before() == char:
        streak = _STREAKS[char].match(source.text, source.at)
        draft.say(*source.take(len(streak.group()) if streak else 1))
        return 0
    source.peek(count)
    return count


def read_emphasis(source: Source, draft: Draft, _state: State) -> None:
    char = source.peek(0)
    count = run_length(source, draft, char)
    if not count:
        return
    before, after = source.before(), source.peek(count)
    if char != "*" and "://" in source.word():
        draft.say(*source.take(count))
    elif may_close(char, count, before, after) and _close(source, draft, char, count):
        source.at += count
    elif may_open(char, count, before, after):
        draft.open(char, count, *source.take(count))
    else:
        draft.say(*source.take(count))


def _close(source: Source, draft: Draft, char: str, count: int) -> bool:
    """Whether this run ends what a run of its length began, or a part of a longer run, or both of `**` and `*`."""
    mark = draft.opened(char, count)
    if mark is not None:
        if not encloses(source.since(mark.offset), char, count, source.char_at(mark.offset - 1)):
            draft.give_up(mark)
            return False
        draft.close(mark)
        return True
    if count < 3 and (mark := draft.opened(char, 3)) is not None:
        draft.shorten(mark, count)
        return True
    if count == 3:
        one, two = draft.opened(char, 1), draft.opened(char, 2)
        if one and two:
            draft.close(max(one, two, key=lambda mark: mark.offset))
            draft.close(min(one, two, key=lambda mark: mark.offset))
            return True
    return char == "*" and count == 2 and draft.owes()
