"""English fractions."""

from __future__ import annotations

from engine.text.normalize.en_numbers import AFTER, BEFORE, number, ordinal
from engine.text.normalize.en_units import UNITS
from engine.text.normalize.rules import Match
from engine.text.normalize.tables import word_set, words

_UNIT = (
    r"(?:th|rds?|nds?|ths)?(?![/\p{L}])"
    r"(?: ?(?P<unit>tsp|tbsp|oz|lbs?|mi|ft|km|cm|mm|kg|g|ml|L|hrs?|″|in(?=[.,;:)]|$))(?![\p{L}\p{N}_]))?"
)
_FRACTION = rf"(?P<top>[0-9]{{1,3}})/(?P<bottom>[0-9]{{1,3}}){_UNIT}{AFTER}"
FRACTION = rf"{BEFORE}(?P<whole>){_FRACTION}"
MIXED_FRACTION = rf"{BEFORE}(?P<whole>[0-9]{{1,3}})[ -]{_FRACTION}"
SIGN = rf"(?P<whole>)(?P<sign>[¼½¾⅐-⅞↉]){_UNIT}"
MIXED_SIGN = rf"{BEFORE}(?P<whole>[0-9][0-9]{{0,3}}) ?(?P<sign>[¼½¾⅐-⅞↉]){_UNIT}"
RATING = rf"{BEFORE}(?P<a>[0-9]{{1,2}}\.[0-9]{{1,2}})/(?P<b>[0-9]{{1,3}})(?!/){AFTER}"

_NAMES = {"2": ("half", "halves"), "4": ("quarter", "quarters")}
_SIGNS = dict(
    zip(
        "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉",
        words("1/4 1/2 3/4 1/7 1/9 1/10 1/3 2/3 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8 0/3"),
        strict=True,
    )
)
SIGNS = "".join(_SIGNS)
_PARTS_OF = word_set("2 3 4 5 6 7 8 9 10 12 16 20 32 64 100")
_ALONE = {"24/7": "twenty-four seven", "9/11": "nine eleven", "50/50": "fifty fifty"}


def say_fraction(found: Match) -> str:
    top, bottom = found["top"], found["bottom"]
    if not found["whole"] and (known := _ALONE.get(f"{top}/{bottom}")):
        return known
    if bottom in _PARTS_OF and 0 < int(top) < int(bottom) and top[0] != "0":
        return _with_whole(found, top, bottom)
    whole = f"{number(found['whole'])} " if found["whole"] else ""
    return f"{whole}{number(top)} {'out of' if top == bottom else 'over'} {number(bottom)}{_unit(found, many=True)}"


def say_sign(found: Match) -> str:
    top, _, bottom = _SIGNS[found["sign"]].partition("/")
    lead = " " if found.start() and found.string[found.start() - 1].isalnum() else ""
    return lead + _with_whole(found, top, bottom)


def say_rating(found: Match) -> str:
    return f"{number(found['a'])} out of {number(found['b'])}"


def _with_whole(found: Match, top: str, bottom: str) -> str:
    one, many = _NAMES.get(bottom) or (ordinal(bottom), ordinal(bottom) + "s")
    if not found["whole"]:
        return f"{number(top)} {one if top == '1' else many}{_unit(found, many=False)}"
    part = f"{'an' if one.startswith('e') else 'a'} {one}" if top == "1" else f"{number(top)} {many}"
    return f"{number(found['whole'])} and {part}{_unit(found, many=True)}"


def _unit(found: Match, many: bool) -> str:
    name = found["unit"]
    return f" {UNITS['in' if name == '″' else name][many]}" if name else ""
