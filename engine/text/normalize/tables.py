"""Tables of words, written as text: a line or a word each."""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> tuple[str, ...]:
    """Parted by spaces."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def pairs(text: str) -> Mapping[str, str]:
    """A line each: one or several written forms, ` = `, what is said."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        written, _, said = line.partition(" = ")
        found |= dict.fromkeys(written.split(), said.strip())
    return found


def inflected(lines: str) -> Mapping[str, tuple[str, str]]:
    """`symbols = one, many`; without `many` it has an s more."""
    found: dict[str, tuple[str, str]] = {}
    for line in lines.strip().splitlines():
        symbols, _, names = line.partition("=")
        one, _, many = names.strip().partition(", ")
        found |= dict.fromkeys(symbols.split(), (one, many or f"{one}s"))
    return found
