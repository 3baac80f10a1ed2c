"""Blocks of code: in fences and by indentation. They are left out, or a short note is said."""

from __future__ import annotations

import regex

from engine.text.markdown.draft import Draft
from engine.text.markdown.source import NeedMore, Source
from engine.text.markdown.state import Mode, State

LONGEST_LINE = 300
"""Characters looked at to tell what a line is."""

_FENCE = regex.compile(r"(?P<marks>`{3,100}+)(?P<info>[^`\n]{0,100}+)\n|(?P<marks>~{3,100}+)(?P<info>[^\n]{0,100}+)\n")
_NO_CODE = frozenset(("markdown", "md"))  # around a whole answer
_FENCE_END = regex.compile(r"[ \t>]{0,100}+(?P<marks>`{3,100}+|~{3,100}+)[ \t\r]{0,100}+\n")
_LINE = regex.compile(r"[^\n]{0,300}+\n")
_LIKE_CODE = regex.compile(
    r"[{}=\\]|;\s*$|\w\(|::|->|</|^(?:[$>#%]|import |from \w+ import|def |class |(?:if|for|while) .*:\s*$|\w+ --?\w)"
)
_INDENT = 4  # columns


def begin_fence(source: Source, draft: Draft, state: State) -> bool:
    """Whether fenced code begins at the place. Raises NeedMore."""
    found = source.match(_FENCE, LONGEST_LINE)
    if not found:
        return False
    info = found["info"].strip().lower()
    ends_wrapping = state.wrapped and not info and found["marks"].startswith(state.wrapped)
    if (info in _NO_CODE and not draft.begun) or ends_wrapping:
        state.wrapped = found["marks"] if info else ""
        draft.part(source.offset)
        source.at = found.end()
        state.end_line(paragraph=False)
        return True
    _say_note(draft, state, source.offset, source.base + found.end())
    source.at = found.end()
    state.mode, state.fence, state.fence_quoted = Mode.FENCE, found["marks"], state.quoted
    return True


def read_fence(source: Source, _draft: Draft, state: State) -> None:
    """One step in fenced code; it ends at the marks that began it, or with the quote it is in. Raises NeedMore."""
    if state.skipping:
        _skip_line(source, state)
        return
    leaves_quote = state.fence_quoted and source.peek(0) != ">"
    found = None if leaves_quote else source.match(_FENCE_END, LONGEST_LINE)
    if found and found["marks"].startswith(state.fence):
        source.at = found.end()
    elif not leaves_quote:
        state.skipping = True
        return
    state.quoted = state.fence_quoted
    state.end_line(paragraph=False)


def begin_indented(source: Source, draft: Draft, state: State) -> bool:
    """Whether indented code begins at the place: it must look like code, for text may be indented, too."""
    if state.indent < _INDENT or state.marked or state.in_list or state.paragraph:
        return False
    if source.peek(0) in "-*+•>" and source.peek(1) in " \t":
        return False
    found = source.match(_LINE, LONGEST_LINE + 1)
    if not found or not _LIKE_CODE.search(found.group()):
        return False
    _say_note(draft, state, source.offset, source.base + found.end())
    state.mode, state.skipping = Mode.CODE, True
    return True


def read_indented(source: Source, _draft: Draft, state: State) -> None:
    """One step in indented code; it ends at a line with less before it. Raises NeedMore."""
    if state.skipping:
        _skip_line(source, state)
        return
    read_indent(source, state)
    if source.peek(0) == "\n":
        state.indent = 0
        source.at += 1
    elif state.indent >= _INDENT:
        state.skipping = True
    else:
        state.mode = Mode.LINE


def read_indent(source: Source, state: State) -> None:
    """The spaces before the first word of a line. Raises NeedMore."""
    while (char := source.peek(0)) in " \t\r":
        state.indent += 4 - state.indent % 4 if char == "\t" else 1
        source.at += 1


def _skip_line(source: Source, state: State) -> None:
    end = source.text.find("\n", source.at)
    if end < 0:
        source.at = len(source.text)
        raise NeedMore
    source.at = end + 1
    state.skipping, state.indent = False, 0


def _say_note(draft: Draft, state: State, start: int, end: int) -> None:
    """The note stands for the first line of the code, between two offsets."""
    draft.part(start)
    if state.note:
        draft.say(state.note, start)
        draft.part(end)
