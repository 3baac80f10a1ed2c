"""What stands in angle brackets: tags, comments, addresses; or nothing, as in `x < y`."""

from __future__ import annotations

import regex

from engine.text.markdown import tags
from engine.text.markdown.draft import LONGEST_HELD, Draft
from engine.text.markdown.source import Source
from engine.text.markdown.state import State

_LONGEST_TAG = 1000  # characters


def read_angle(source: Source, draft: Draft, state: State) -> None:
    after = source.peek(1)
    if after in "!?|":
        _read_declaration(source, draft, state)
    elif not (after.isalpha() or after == "/"):
        draft.say(*source.take(1))
    elif (found := source.match(_pattern(source, after), _LONGEST_TAG)) and _is_tag(source, found):
        _apply(source, draft, state, found)
    elif link := source.match(tags.AUTOLINK, _LONGEST_TAG):
        draft.say(link["link"], source.base + link.start("link"))
        source.at = link.end()
    else:
        draft.say(*source.take(1))


def read_token(source: Source, draft: Draft, state: State) -> None:
    """`◁think▷`."""
    if found := source.match(tags.BRACKET_TOKEN, 8):
        state.leave_out(tags.BRACKET_END, source.offset)
        source.at = found.end()
    else:
        draft.say(*source.take(1))


def _pattern(source: Source, after: str) -> regex.Pattern[str]:
    """Inside a word and of one letter, a tag has no attributes that are mere words: `a <b and c> d`."""
    tight = source.before().isalnum() or (after != "/" and not source.peek(2).isalnum())
    return tags.TIGHT_TAG if tight else tags.TAG


def _is_tag(source: Source, found: regex.Match[str]) -> bool:
    """`Vec<u8>` and `x<y>` are none, though both look like one."""
    name = found["name"].lower()
    if found["close"] or name in tags.HTML or tags.unsaid_until(name):
        return True
    return len(name) > 1 and not source.before().isalnum()


def _apply(source: Source, draft: Draft, state: State, found: regex.Match[str]) -> None:
    name, offset = found["name"].lower(), source.offset
    source.at = found.end()
    until = None if found["close"] or found.group().endswith("/>") else tags.unsaid_until(name)
    if until:
        state.leave_out(until, offset)
    elif name in ("td", "th") or (name == "br" and state.row):
        draft.gap(offset)
    elif name == "br":
        draft.newline(offset)
    elif name in tags.PARTS:
        lazy = draft.lazy
        draft.part(offset)
        draft.lazy = lazy
    elif name == "img" and (alt := tags.ALT.search(found.group())):
        draft.say(alt["text"], offset + alt.start("text"))


def _read_declaration(source: Source, draft: Draft, state: State) -> None:
    """Comments, `<!DOCTYPE html>`, and the tokens that a model's template is made of."""
    if found := source.match(tags.COMMENT, 4):
        state.leave_out(tags.COMMENT_END, source.offset)
    elif found := source.match(tags.SPECIAL_TOKEN, 50):
        if found["name"].lower() in tags.THOUGHT_TOKENS:
            state.leave_out(tags.TOKEN_END, source.offset)
    else:
        found = source.match(tags.DECLARATION, LONGEST_HELD)
    if found:
        source.at = found.end()
    else:
        draft.say(*source.take(1))
