"""Formulas between dollars or `\\(` and `\\)`: said where they are simple, else left out. Prices stay."""

from __future__ import annotations

import regex

from engine.text.markdown.draft import LONGEST_HELD, Draft
from engine.text.markdown.latex import plain_formula
from engine.text.markdown.source import Source
from engine.text.markdown.state import State

_LONGEST_DISPLAYED = 1000  # characters
_LONGEST_BEGINNING = 40
_AMOUNT = regex.compile(
    # What can be a formula though it begins with a digit: $2x$, $10^6$, $1/2$, $3 + 4$; not $5, $5k or $5/month.
    r"\$[0-9][0-9.,]*+(?:[\\^_{$]|[ ]?[=+*<>/][ ]?(?:[0-9\\(]|[A-Za-z][^\p{L}])|[ac-jln-su-zAC-JLN-SU-Z][^\p{L}])"
)
_VARIABLE = regex.compile(r"\$[A-Za-z_]\w++(?:[^\w\s$^_\\{(=+*/<>|]|\s[^=+*<>\\^\-])")
_FRACTION = regex.compile(r"\\[dt]?frac\{[\w.]{1,20}+\}\{[\w.]{1,20}+\}")
_LONGEST_FRACTION = 60
_BEGIN = regex.compile(r"\\begin\{(?P<name>(?:equation|align|aligned|gather|multline|math|displaymath|eqnarray)\*?)\}")


def read_fraction(source: Source, draft: Draft) -> bool:
    """A fraction without dollars. Raises NeedMore."""
    found = source.match(_FRACTION, _LONGEST_FRACTION)
    if found:
        _say(source, draft, found.end(), 0)
        source.at = found.end()
    return found is not None


def read_dollar(source: Source, draft: Draft, _state: State) -> None:
    if source.peek(1) == "$":
        if not read_formula(source, draft, "$$", "$$"):
            draft.say(*source.take(2))
    elif not (_may_begin(source) and _read_inline(source, draft)):
        draft.say(*source.take(1))


def read_formula(source: Source, draft: Draft, opener: str, closer: str) -> bool:
    """Reads from `opener` to `closer`, if that comes before the paragraph's end. Raises NeedMore."""
    window = LONGEST_HELD if closer == "\\)" else _LONGEST_DISPLAYED
    end = source.find(closer, len(opener), window)
    if end >= 0:
        _say(source, draft, end, len(opener))
        source.at = end + len(closer)
    return end >= 0


def read_environment(source: Source, draft: Draft) -> bool:
    """A displayed formula without dollars, as in `\\begin{equation}`. Raises NeedMore."""
    found = source.match(_BEGIN, _LONGEST_BEGINNING) if source.peek(1) == "b" else None
    return found is not None and read_formula(source, draft, found.group(), rf"\end{{{found['name']}}}")


def _may_begin(source: Source) -> bool:
    after = source.peek(1)
    if "0" <= after <= "9":
        return source.match(_AMOUNT, _LONGEST_BEGINNING) is not None
    return not after.isspace() and source.match(_VARIABLE, _LONGEST_BEGINNING) is None


def _read_inline(source: Source, draft: Draft) -> bool:
    """The next dollar closes, if it is right behind a sign and before no other; else this one is text."""
    end = source.find("$", 1, LONGEST_HELD)
    if end < 0 or source.text[end - 1].isspace() or source.peek(end + 1 - source.at).isalnum():
        return False
    _say(source, draft, end, 1)
    source.at = end + 1
    return True


def _say(source: Source, draft: Draft, end: int, opener: int) -> None:
    start = source.at + opener
    for said, at in plain_formula(source.text[start:end]):
        draft.say(said, source.base + start + at)
