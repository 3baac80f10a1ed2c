"""What stands in a line: which sign is read by whom, and the signs that need no more than themselves."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

import regex

from engine.text.markdown.angles import read_angle, read_token
from engine.text.markdown.draft import LONGEST_HELD, Draft
from engine.text.markdown.emphasis import read_emphasis, run_length
from engine.text.markdown.formulas import read_dollar, read_environment, read_formula, read_fraction
from engine.text.markdown.links import read_bracket, read_closing_bracket, read_image
from engine.text.markdown.source import NeedMore, Source
from engine.text.markdown.state import State
from engine.text.markdown.tags import LONGEST_END

SIGNS = re.compile(r"[\n\\`*_~\[\]<&$|#◁【]|!(?=\[|\Z)")
"""Where plain text may end; all between two of these is said as it is."""

_TICKS = re.compile("`+")
_ESCAPED = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENTITY = regex.compile(r"&(?:#[0-9]{1,7}+|#[xX][0-9a-fA-F]{1,6}+|[A-Za-z][A-Za-z0-9]{1,31}+);")
_CITATION = regex.compile(r"【[^】\n]{0,60}+】")
_HEADING_END = regex.compile(r"#{1,100}+[ \t\r]*+\n")


def read_text(source: Source, draft: Draft, state: State) -> None:
    """One sign, and the plain text before it. Raises NeedMore at a sign that cannot be read yet."""
    found = SIGNS.search(source.text, source.at)
    end = found.start() if found else len(source.text)
    if end > source.at:
        draft.say(*source.take(end - source.at))
    if found:
        if draft.holds:
            draft.expire(source.offset)
        _READERS[found.group()](source, draft, state)


def read_unsaid(source: Source, _draft: Draft, state: State) -> None:
    """On to the end of what nobody is to hear. Raises NeedMore."""
    found = state.until.search(source.text, source.at) if state.until else None
    if not found:
        source.at = max(source.at, len(source.text) - LONGEST_END)
        raise NeedMore
    source.at = found.end()
    state.mode = state.after


def _read_newline(source: Source, draft: Draft, state: State) -> None:
    if state.ends_part:
        draft.part(source.offset)
    else:
        draft.newline(source.offset)
    source.at += 1
    state.end_line(paragraph=not state.ends_part)


def _read_backslash(source: Source, draft: Draft, _state: State) -> None:
    after = source.peek(1)
    if after in "([" and read_formula(source, draft, "\\" + after, "\\)" if after == "(" else "\\]"):
        return
    if read_environment(source, draft) or (after in "dft" and read_fraction(source, draft)):
        return
    if after in _ESCAPED:
        source.at += 1
        draft.say(*source.take(1))
    elif after == "\n" and not source.last:
        source.at += 1  # a line break of its own
    else:
        draft.say(*source.take(1))


def _read_code(source: Source, draft: Draft, _state: State) -> None:
    """Code in a line is its content; a run of ticks without another of its length is text."""
    count = run_length(source, draft, "`")
    if not count:
        return
    start = source.at + count
    limit = source.paragraph_end(start, start + LONGEST_HELD)
    for found in _TICKS.finditer(source.text, start, limit):
        if found.end() == len(source.text) and not source.last:
            raise NeedMore
        if len(found.group()) == count:
            draft.say(source.text[start : found.start()].replace("\n", " "), source.base + start)
            source.at = found.end()
            return
    if limit == len(source.text) < start + LONGEST_HELD and not source.last:
        raise NeedMore
    draft.say(*source.take(count))


def _read_entity(source: Source, draft: Draft, _state: State) -> None:
    found = source.match(_ENTITY, 34)
    said = html.unescape(found.group()) if found else ""
    if found and said != found.group():
        draft.say(" ".join(said.split()) or " ", source.offset)
        source.at = found.end()
    else:
        draft.say(*source.take(1))


def _read_pipe(source: Source, draft: Draft, state: State) -> None:
    """Ends a cell; in other text, between spaces, it is heard as a dash."""
    if state.row:
        draft.gap(source.offset)
        source.at += 1
    elif source.before() in " \t" and source.peek(1) in " \t\n":
        draft.say("—", source.offset)
        source.at += 1
        state.ends_part = True
    else:
        draft.say(*source.take(1))


def _read_hash(source: Source, draft: Draft, state: State) -> None:
    """Marks at a heading's end say nothing."""
    in_heading = state.ends_part and not state.row
    if in_heading and source.before() in " \t" and (found := source.match(_HEADING_END, 300)):
        source.at = found.end() - 1
    else:
        draft.say(*source.take(1))


def _read_citation(source: Source, draft: Draft, _state: State) -> None:
    """`【4†source】` is for the eye."""
    found = source.match(_CITATION, 64)
    if found and "†" in found.group():
        source.at = found.end()
    else:
        draft.say(*source.take(1))


_READERS: Mapping[str, Callable[[Source, Draft, State], None]] = {
    "\n": _read_newline,
    "\\": _read_backslash,
    "`": _read_code,
    "*": read_emphasis,
    "_": read_emphasis,
    "~": read_emphasis,
    "[": read_bracket,
    "]": read_closing_bracket,
    "!": read_image,
    "<": read_angle,
    "&": _read_entity,
    "$": read_dollar,
    "|": _read_pipe,
    "#": _read_hash,
    "◁": read_token,
    "【": _read_citation,
}
