"""What stands at the beginning of a line: headings, items, quotes, rows, rules, definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import regex

from engine.text.markdown.blocks import LONGEST_LINE, begin_fence, begin_indented, read_indent
from engine.text.markdown.draft import Draft
from engine.text.markdown.source import Source
from engine.text.markdown.state import Mode, State

_RULE_CHARS = r"[-=_*+:| \t\r]"
_BULLETS = "•◦‣▪▫●○■□⁃∙·"

_RULE = regex.compile(rf"{_RULE_CHARS}{{0,300}}+(?:\n|(?P<long>{_RULE_CHARS}))")
_HEADING = regex.compile(r"(?P<marks>#{1,6}+)[ \t\r\n]")
_BULLET = regex.compile(rf"[-*+{_BULLETS}][ \t\r]")
_NUMBER = regex.compile(r"(?P<said>(?P<value>[0-9]{1,9}+)[.)])[ \t]")
_TASK = regex.compile(r"\[[ xX]\][ \t]")
_ROW = regex.compile(r"\|(?:[ \t]|[^\n]{0,300}+\n)")
_FOOTNOTE = regex.compile(r"\[\^[^\]\s]{1,60}+\]:[ \t]*+")
_DEFINITION = regex.compile(
    r"\[[^\]\[\n^][^\]\[\n]{0,100}+\]:[ \t]{0,10}+(?:<[^<>\n]*+>|(?:[a-z]{2,10}+:|www\.|[/#.])[^\s]*+)"
    r"""[ \t]{0,10}+(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\))?+[ \t\r]{0,10}+\n"""
)
_LONGEST_DEFINITION = 1000  # characters

Reader = Callable[[Source, Draft, State], bool]
"""Reads a line's beginning, if it is what the reader is for."""


def read_line(source: Source, draft: Draft, state: State) -> None:
    """One step before the first word of a line. Raises NeedMore."""
    read_indent(source, state)
    char = source.peek(0)
    if char == "\n":
        draft.settle()
        draft.newline(source.offset)
        source.at += 1
        state.end_line(paragraph=False)
    elif not begin_indented(source, draft, state):
        for reader in _READERS.get(char, ()):
            if reader(source, draft, state):
                return
        _begin_text(source, state)


def _begin_text(source: Source, state: State) -> None:
    if not state.paragraph and not state.marked and state.indent < 2:
        state.in_list = False
    state.mode, state.begun = Mode.TEXT, source.offset


def _begin_part(source: Source, draft: Draft, state: State) -> None:
    """What is no paragraph begins here; behind the number of an item it goes on with it."""
    if not state.numbered:
        draft.part(source.offset)


def _begin_item(source: Source, state: State, end: int) -> None:
    source.at = end
    state.in_list = state.marked = True
    state.paragraph, state.indent = False, 0


def _read_quote(source: Source, draft: Draft, state: State) -> bool:
    if not (state.quoted or state.was_quoted):
        _begin_part(source, draft, state)
    state.quoted = state.marked = True
    state.indent = 0
    source.at += 1
    return True


def _read_heading(source: Source, draft: Draft, state: State) -> bool:
    found = source.match(_HEADING, LONGEST_LINE)
    if found:
        _begin_part(source, draft, state)
        source.at = found.end("marks")
        draft.lazy = state.ends_part = True
        _begin_text(source, state)
    return found is not None


def _read_rule(source: Source, draft: Draft, state: State) -> bool:
    """A line of marks: a rule, the line below a heading or a table's head, an empty item."""
    found = source.match(_RULE, LONGEST_LINE + 2)
    if found:
        _begin_part(source, draft, state)
        source.at = found.end()
        if not found["long"]:
            state.row = state.was_row
            state.end_line(paragraph=False)
    return found is not None


def _read_bullet(source: Source, draft: Draft, state: State) -> bool:
    found = source.match(_BULLET, 2)
    if found:
        _begin_part(source, draft, state)
        _begin_item(source, state, found.end())
    return found is not None


def _read_number(source: Source, draft: Draft, state: State) -> bool:
    """A number stays. In a paragraph only the first begins a list: a year may stand at a line's beginning."""
    found = source.match(_NUMBER, 11)
    if not found or (state.paragraph and not state.in_list and int(found["value"]) > 1):
        return False
    _begin_part(source, draft, state)
    draft.say(found["said"] + " ", source.offset)
    state.numbered = True
    _begin_item(source, state, found.end())
    return True


def _read_task(source: Source, _draft: Draft, state: State) -> bool:
    found = source.match(_TASK, 4) if state.marked else None
    if found:
        source.at = found.end()
    return found is not None


def _read_footnote(source: Source, draft: Draft, state: State) -> bool:
    found = source.match(_FOOTNOTE, 80)
    if found:
        _begin_part(source, draft, state)
        _begin_item(source, state, found.end())
    return found is not None


def _read_definition(source: Source, _draft: Draft, state: State) -> bool:
    """Where a link of the text leads; not `[Ann]: Hello`."""
    found = source.match(_DEFINITION, _LONGEST_DEFINITION)
    if found:
        source.at = found.end()
        state.end_line(paragraph=False)
    return found is not None


def _read_row(source: Source, draft: Draft, state: State) -> bool:
    """A row begins and ends with a bar, or has a space behind the first, or comes after a row; `|x| < 3` is none."""
    if not state.was_row:
        found = source.match(_ROW, LONGEST_LINE + 2)
        if not found or (found.group()[-1] == "\n" and not found.group().rstrip().endswith("|")):
            return False
    _begin_part(source, draft, state)
    source.at += 1
    draft.lazy = state.row = state.ends_part = True
    _begin_text(source, state)
    return True


_READERS: Mapping[str, tuple[Reader, ...]] = {
    ">": (_read_quote,),
    "#": (_read_heading,),
    "`": (begin_fence,),
    "~": (begin_fence,),
    "|": (_read_rule, _read_row),
    "[": (_read_task, _read_footnote, _read_definition),
    **dict.fromkeys("-*+", (_read_rule, _read_bullet)),
    **dict.fromkeys("=_:", (_read_rule,)),
    **dict.fromkeys(_BULLETS, (_read_bullet,)),
    **dict.fromkeys("0123456789", (_read_number,)),
}
