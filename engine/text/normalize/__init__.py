"""The spoken form of a sentence in the language of its voice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module

import regex

from engine.text.normalize.common import clean
from engine.text.normalize.rules import PART, Table
from engine.text.normalize.spoken import Parts, Span, Spoken, at_once, joined

__all__ = ["LANGUAGES", "RULES_VERSION", "Parts", "Span", "Spoken", "at_once", "normalize", "normalizing", "prepare"]

RULES_VERSION = 2
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


LANGUAGES = tuple(sorted(tag for tag in _TABLES if "-" not in tag))
"""Primary tags of those that there are rules for."""


def normalize(text: str, language: str) -> Spoken:
    """What is said for a sentence; `language` is a BCP 47 tag. Of an unknown one, only what needs no language."""
    return at_once(normalizing(text, language))


def normalizing(text: str, language: str) -> Parts[Spoken]:
    """As `normalize`, in parts."""
    rules, hint = _rules(language)
    cleaned = clean(text)
    if hint and not hint.search(cleaned.text):
        return cleaned
    said = yield from rules.saying(cleaned.text)
    return joined(cleaned, said)


def prepare(language: str) -> None:
    """Loads the rules of a language: 50 ms, Chinese and Japanese a second. Else its first sentence waits for that."""
    _rules(language)


@lru_cache(64)
def _rules(language: str) -> tuple[Table, Hint | None]:
    tag = language.lower().replace("_", "-")
    table = _TABLES.get(tag) or _TABLES.get(tag.partition("-")[0])
    if table is None:
        return Table(()), None
    name, _, attribute = table.partition(".")
    attribute, _, argument = attribute.partition(" ")
    module = import_module(f"{__name__}.{name}")
    rules = getattr(module, attribute)
    made = Table(rules(argument) if argument else rules, getattr(module, "PART", PART))
    return made, getattr(module, "HINT", None)
