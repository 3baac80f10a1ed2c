"""What a rule of a language is, and how a table of rules is run over a text; pure, and linear if its patterns are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

import regex

from engine.text.normalize.spoken import Span, Spoken

Match = regex.Match[str]
_Found = tuple[int, int, Match, str]  # where, which rule, what, its words


@dataclass(frozen=True, slots=True)
class Rule:
    """`say` gives the words for what `pattern` found, or None where this is not meant.

    A pattern looks at a bounded stretch on either side of where it begins, and never at the empty text.
    """

    name: str
    pattern: regex.Pattern[str]
    say: Callable[[Match], str | None]


def rule(name: str, pattern: str, say: Callable[[Match], str | None] | str) -> Rule:
    """A line of a table; `say` may be the words themselves."""
    words = say if callable(say) else lambda _, said=say: said
    return Rule(name, regex.compile(pattern), words)


def apply(rules: Sequence[Rule], text: str) -> Spoken:
    """One pass from left to right: the earliest match wins, of several at one place the first of the table; what was
    said is not read again."""
    parts: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for found, words in _matches(rules, text):
        parts += text[at : found.start()], words
        begin = length + found.start() - at
        length = begin + len(words)
        at = found.end()
        if words != found.group():
            spans.append(Span(begin, length, found.start(), found.end()))
    return Spoken("".join([*parts, text[at:]]), tuple(spans))


def _matches(rules: Sequence[Rule], text: str) -> Iterator[tuple[Match, str]]:
    """Each rule's next match is kept, and looked for again only once the text before it has been said."""
    ahead = [first for number, r in enumerate(rules) if (first := _next(number, r, text, 0))]
    heapify(ahead)
    at = 0
    while ahead:
        start, number, found, words = ahead[0]
        if start >= at:
            yield found, words
            at = found.end()
        if following := _next(number, rules[number], text, at):
            heapreplace(ahead, following)
        else:
            heappop(ahead)


def _next(number: int, of: Rule, text: str, at: int) -> _Found | None:
    for found in of.pattern.finditer(text, at):
        if (words := of.say(found)) is not None:
            return found.start(), number, found, words
    return None
