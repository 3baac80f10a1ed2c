"""The spoken form of a sentence in the language of its voice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.text.normalize.common import clean
from engine.text.normalize.de import GERMAN
from engine.text.normalize.en import ENGLISH
from engine.text.normalize.rules import Rule, apply
from engine.text.normalize.spoken import Span, Spoken, joined

__all__ = ["RULES_VERSION", "Span", "Spoken", "normalize"]

RULES_VERSION = 1
"""Of the rules of all languages; raised when the spoken form of anything changes, for it is part of a phrase's key."""

_TABLES: Mapping[str, Sequence[Rule]] = {"en": ENGLISH, "de": GERMAN}  # by primary language tag


def normalize(text: str, language: str) -> Spoken:
    """What is said for a sentence; `language` is a BCP 47 tag. Of an unknown one, only what needs no language."""
    cleaned = clean(text)
    return joined(cleaned, apply(_TABLES.get(language.partition("-")[0].lower(), ()), cleaned.text))
