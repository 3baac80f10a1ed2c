"""What a rule of a language is, and how a table of rules is run over a text; pure, and linear if its patterns are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

import regex

from engine.text.normalize.spoken import Parts, Span, Spoken, at_once

Match = regex.Match[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """`say` gives the words for what `pattern` found, or None where this is not meant.

    A pattern looks at a bounded stretch on either side of where it begins, and never at the empty text. A text that
    has not what it `needs` has nothing that it finds, and is not searched.
    """

    name: str
    pattern: regex.Pattern[str]
    say: Callable[[Match], str | None]
    needs: str = ""


def rule(name: str, pattern: str, say: Callable[[Match], str | None] | str, needs: str = "") -> Rule:
    """A line of a table; `say` may be the words themselves.

    `needs`: characters of which a text must have one, a space, others of which it must have one, too. These stand for
    more than themselves: 0 for a digit, 7 for so many of them, 9 for one before a letter, 2 for two capitals in a row,
    a point for one within a word or number.
    """
    words = say if callable(say) else lambda _, said=say: said
    return Rule(name, regex.compile(pattern), words, needs)


PART = 4
"""Matches that the rules of most languages say in a small part of a millisecond."""

_TRAITS = {
    "7": regex.compile(r"\d(?:\D*+\d){6}"),
    "9": regex.compile(r"\d\p{L}"),
    "2": regex.compile(r"\p{Lu}\p{Lu}"),
    ".": regex.compile(r"\.[\p{L}\p{N}]"),
}
_STAND_FOR_MORE = frozenset("0123456789.")


def traits(text: str) -> set[str]:
    """What a rule may need, as far as `text` has it."""
    found = set(text)
    has_digit = any(map(str.isdecimal, found))
    found -= _STAND_FOR_MORE
    found.update(trait for trait, pattern in _TRAITS.items() if pattern.search(text))
    if has_digit:
        found.add("0")
    return found


class Table:
    """The rules of a language, in their order; after so many matches as `part` says, others get a turn."""

    def __init__(self, rules: Iterable[Rule], part: int = PART) -> None:
        self.rules = tuple(rules)
        self._part = part
        kinds = list(dict.fromkeys(kind for of in self.rules for kind in of.needs.split()))
        self._kinds = {sign: sum(1 << bit for bit, kind in enumerate(kinds) if sign in kind) for sign in "".join(kinds)}
        needs = (sum(1 << kinds.index(kind) for kind in set(of.needs.split())) for of in self.rules)
        self._numbered = [(number, of, bits) for number, (of, bits) in enumerate(zip(self.rules, needs, strict=True))]

    def meant(self, text: str) -> list[tuple[int, Rule]]:
        """The rules that may find something, with their numbers: a text has what few of them need."""
        has, kinds = 0, self._kinds
        for trait in traits(text):
            has |= kinds.get(trait, 0)
        lacks = ~has
        return [(number, of) for number, of, needs in self._numbered if not needs & lacks]

    def say(self, text: str) -> Spoken:
        """One pass from left to right: the earliest match wins, of several at one place the first of the table; what
        was said is not read again."""
        return at_once(self.saying(text))

    def saying(self, text: str) -> Parts[Spoken]:
        """As `say`; a sentence of numbers takes milliseconds."""
        parts: list[str] = []
        spans: list[Span] = []
        at = length = 0
        for number, (found, words) in enumerate(self._matches(text), 1):
            parts += text[at : found.start()], words
            begin = length + found.start() - at
            length = begin + len(words)
            at = found.end()
            if words != found.group():
                spans.append(Span(begin, length, found.start(), found.end()))
            if number % self._part == 0:
                yield
        return Spoken("".join([*parts, text[at:]]), tuple(spans))

    def _matches(self, text: str) -> Iterator[tuple[Match, str]]:
        """Each rule's next match is kept, and looked for again only once the text before it has been said."""
        ahead = [(found.start(), n, found) for n, of in self.meant(text) if (found := of.pattern.search(text))]
        heapify(ahead)
        at = 0
        while ahead:
            start, number, found = ahead[0]
            of = self.rules[number]
            since = at
            if start >= at:
                since = found.end()
                if (words := of.say(found)) is not None:
                    yield found, words
                    at = since
            if following := of.pattern.search(text, since):
                heapreplace(ahead, (following.start(), number, following))
            else:
                heappop(ahead)
