"""The spoken form of a sentence in the language of its voice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import regex

from engine.text.normalize.common import clean
from engine.text.normalize.en import AMERICAN, ENGLISH, HINT
from engine.text.normalize.rules import Rule, apply
from engine.text.normalize.spoken import Span, Spoken, joined

__all__ = ["RULES_VERSION", "Span", "Spoken", "normalize"]

RULES_VERSION = 1
"""Of the rules of all languages; raised when the spoken form of anything changes, for it is part of a phrase's key."""

_TABLES: Mapping[str, Sequence[Rule]] = {"en": ENGLISH, "en-us": AMERICAN}  # by tag, or primary tag, in lower case

_HINTS: Mapping[str, regex.Pattern[str]] = {"en": HINT}  # by primary tag; without any hint no rule of it says a thing


def normalize(text: str, language: str) -> Spoken:
    """What is said for a sentence; `language` is a BCP 47 tag. Of an unknown one, only what needs no language."""
    tag = language.lower()
    primary = tag.partition("-")[0]
    cleaned = clean(text)
    hint = _HINTS.get(primary)
    if hint and not hint.search(cleaned.text):
        return cleaned
    return joined(cleaned, apply(_TABLES.get(tag) or _TABLES.get(primary, ()), cleaned.text))
