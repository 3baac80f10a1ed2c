"""Chinese and Japanese: numbers by the grammars of `wetext`, an optional extra, a figure at a time."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module, util

import regex

from engine.text.normalize.rules import Match, Rule, rule

logger = logging.getLogger(__name__)

_REMEMBERED = 4096
_DIGIT = r"[0-9０-９]"
_UNIT = r"(?:[%％‰℃℉]|°[CF]?|km/h|m/s|[kKMGT]B|[kMG]?Hz|k?Wh?|[kmcµ]?[mg][²³]?|ml|mL|L|kcal)(?![A-Za-z])"
_FIGURE = (
    rf"(?<![0-9０-９A-Za-z.])第?(?:US\$|HK\$|[$€£¥￥])?[-+]?{_DIGIT}"
    rf"(?:{_DIGIT}|[.,:/~～–-](?={_DIGIT})){{0,23}}+"
    rf"(?: ?{_UNIT}|(?:[年月日号時时分秒点點]{_DIGIT}{{1,2}}){{1,5}}+\p{{Han}}?|\p{{Han}}{{1,2}})?+"
)
"""A figure with what it counts: as little as the grammars need, for they take a tenth of a millisecond a character."""

_FAR = 400  # characters: as many as a sentence has
_DENSE = regex.compile(rf"(?:[^0-9０-９]*+{_DIGIT}){{14}}")
"""Found before a figure in a list of numbers: the rest of it is left to espeak-ng, or a sentence takes 0.1 s."""

PART = 1
"""Figures said at once: one that is new takes a millisecond."""

_PHONE = r"(?<![0-9０-９A-Za-z.])(?:\+[0-9]{1,3}[- ]?)?0?[0-9]{2,4}-[0-9]{2,4}-?[0-9]{3,4}(?![0-9-])"

_DIGITS = {"zh": "零一二三四五六七八九", "ja": "零一二三四五六七八九"}
_PLUS = {"zh": "加", "ja": "プラス"}
_PAUSE = {"zh": "，", "ja": "、"}
_SUFFIXES = {
    "zh": {},
    "ja": {"℃": "度", "°C": "度", "km2": "平方キロメートル", "m2": "平方メートル", "m3": "立方メートル"},
}
"""Units that the grammar does not know, or not as people say them."""

_GROUPS = regex.compile(r"(?<=[0-9]),(?=[0-9]{3})")
_RANGE = regex.compile(r"(?<=[0-9])[-–~～](?=[0-9])")


def table(language: str) -> Sequence[Rule]:
    normalize = _normalizer(language)
    if normalize is None:
        logger.warning(
            "%r numbers are left to espeak-ng; with `pip install 'onset[cjk]'` they are said right", language
        )
        return ()

    @lru_cache(_REMEMBERED)
    def words(figure: str) -> str | None:
        suffix = next((unit for unit in _SUFFIXES[language] if figure.endswith(unit)), "")
        try:
            said = normalize(figure.removesuffix(suffix).rstrip())
        except RuntimeError:  # no path through the grammar
            return None
        return said.replace("〇", "零") + _SUFFIXES[language].get(suffix, "")

    def say(found: Match) -> str | None:
        if _DENSE.match(found.string, max(0, found.start() - _FAR), found.start()):
            return None
        figure = unicodedata.normalize("NFKC", found.group().replace("℃", "°C"))
        return words(_RANGE.sub("-" if language == "zh" else "~", _GROUPS.sub("", figure)))

    def digits(found: Match) -> str:
        groups = found.group().lstrip("+").replace(" ", "-").split("-")
        said = _PAUSE[language].join("".join(_DIGITS[language][int(digit)] for digit in group) for group in groups)
        return f"{_PLUS[language]}{said}" if found.group()[0] == "+" else said

    return rule("phone", _PHONE, digits, "7"), rule("figure", _FIGURE, say, "0")


def _normalizer(language: str) -> Callable[[str], str] | None:
    """A normalizer of `wetext`, which takes a second to load; None where it is not installed."""
    if util.find_spec("wetext") is None:
        return None
    normalize: Callable[[str], str] = import_module("wetext").Normalizer(lang=language, operator="tn").normalize
    normalize("1")  # loads the grammar
    return normalize
