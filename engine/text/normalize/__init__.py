"""The spoken form of a sentence in the language of its voice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from engine.text.normalize.common import clean
from engine.text.normalize.rules import Rule, apply
from engine.text.normalize.spoken import Span, Spoken, joined

__all__ = ["RULES_VERSION", "Span", "Spoken", "normalize", "prepare"]

RULES_VERSION = 1
"""Of the rules of all languages; raised when the spoken form of anything changes, for it is part of a phrase's key."""

_TABLES: Mapping[str, str] = {
    # By primary language tag, or by the whole tag where a region speaks otherwise: module.TABLE, or what makes it.
    "en": "en.ENGLISH",
    "en-us": "en.AMERICAN",
    "de": "de.GERMAN",
    "es": "es.SPANISH",
    "fr": "fr.FRENCH",
    "it": "it.ITALIAN",
    "nl": "nl.DUTCH",
    "pl": "pl.POLISH",
    "pt": "pt.BRAZILIAN",
    "pt-pt": "pt.EUROPEAN",
    "zh": "cjk.chinese",
    "ja": "cjk.japanese",
}


def normalize(text: str, language: str) -> Spoken:
    """What is said for a sentence; `language` is a BCP 47 tag. Of an unknown one, only what needs no language."""
    cleaned = clean(text)
    return joined(cleaned, apply(_rules(language), cleaned.text))


def prepare(language: str) -> None:
    """Loads the rules of a language: 50 ms, Chinese and Japanese a second. Else its first sentence waits for that."""
    _rules(language)


@lru_cache(64)
def _rules(language: str) -> Sequence[Rule]:
    tag = language.lower().replace("_", "-")
    table = _TABLES.get(tag) or _TABLES.get(tag.partition("-")[0])
    if table is None:
        return ()
    module, _, name = table.partition(".")
    rules: Sequence[Rule] | Callable[[], Sequence[Rule]] = getattr(import_module(f"{__name__}.{module}"), name)
    return rules() if callable(rules) else rules
