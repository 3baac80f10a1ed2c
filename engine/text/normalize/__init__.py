"""The spoken form of a sentence in the language of its voice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module

import regex

from engine.text.normalize.common import clean
from engine.text.normalize.rules import Rule, apply
from engine.text.normalize.spoken import Span, Spoken, joined

__all__ = ["RULES_VERSION", "Span", "Spoken", "normalize", "prepare"]

RULES_VERSION = 1
"""Of the rules of all languages; raised when the spoken form of anything changes, for it is part of a phrase's key."""

Hint = regex.Pattern[str]
"""Found in every text of a language that its rules may change: what has none of it is not read rule by rule."""

_TABLES: Mapping[str, str] = {
    # By primary language tag, or by the whole tag where a region speaks otherwise: module.TABLE, or its maker.
    "en": "en.ENGLISH",
    "en-us": "en.AMERICAN",
    "de": "de.GERMAN",
    "es": "es.SPANISH",
    "es-ar": "es.SOUTHERN",
    "es-cl": "es.SOUTHERN",
    "es-co": "es.SOUTHERN",
    "es-uy": "es.SOUTHERN",
    "es-mx": "es.MEXICAN",
    "fr": "fr.FRENCH",
    "it": "it.ITALIAN",
    "nl": "nl.DUTCH",
    "pl": "pl.POLISH",
    "pt": "pt.BRAZILIAN",
    "pt-pt": "pt.EUROPEAN",
    "zh": "cjk.table zh",
    "ja": "cjk.table ja",
    "ca": "others.table ca",
    "cs": "others.table cs",
    "da": "others.table da",
    "fi": "others.table fi",
    "hu": "others.table hu",
    "nb": "others.table no",
    "no": "others.table no",
    "ro": "others.table ro",
    "ru": "others.table ru",
    "sk": "others.table sk",
    "sv": "others.table sv",
    "tr": "others.table tr",
    "uk": "others.table uk",
}


def normalize(text: str, language: str) -> Spoken:
    """What is said for a sentence; `language` is a BCP 47 tag. Of an unknown one, only what needs no language."""
    rules, hint = _rules(language)
    cleaned = clean(text)
    if hint and not hint.search(cleaned.text):
        return cleaned
    return joined(cleaned, apply(rules, cleaned.text))


def prepare(language: str) -> None:
    """Loads the rules of a language: 50 ms, Chinese and Japanese a second. Else its first sentence waits for that."""
    _rules(language)


@lru_cache(64)
def _rules(language: str) -> tuple[Sequence[Rule], Hint | None]:
    tag = language.lower().replace("_", "-")
    table = _TABLES.get(tag) or _TABLES.get(tag.partition("-")[0])
    if table is None:
        return (), None
    name, _, attribute = table.partition(".")
    attribute, _, argument = attribute.partition(" ")
    module = import_module(f"{__name__}.{name}")
    rules = getattr(module, attribute)
    return rules(argument) if argument else rules, getattr(module, "HINT", None)
