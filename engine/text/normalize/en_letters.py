"""English names of letters, words in capitals, Roman numerals and abbreviations."""

from __future__ import annotations

import unicodedata

import regex

from engine.text.normalize.en_numbers import number, ordinal
from engine.text.normalize.rules import Match

DOTTED = r"(?<![\p{L}\p{N}_.])(?P<letters>(?:\p{Lu}\.){2,8}\p{Lu}?)(?P<s>'?s\b)?(?![\p{L}\p{N}_])"
INITIAL = r"(?<![\p{L}\p{N}_.'])(?P<letter>[B-HJ-Z])\.(?= \p{Lu}[.\p{Ll}])"
AMPERSAND = r"(?<![\p{L}\p{N}_])(?P<a>[A-Z]{1,2})&(?P<b>[A-Z])(?![\p{L}\p{N}_])"
ROMAN_SIGN = r"[Ⅰ-ⅿ][Ⅰ-ⅿ]{0,14}+"
ROMAN_SIGNS = "".join(map(chr, range(ord("Ⅰ"), ord("ⅿ") + 1)))

COUNTED = (
    r"(?:War|WW|Chapter|Act|Scene|Part|Book|Volume|[Vv]ols?\.|Ch\.|[Cc]hap\.|Section|Article|Title|Phase|Type|Class|Level|Stage|Grade|Tier|"
    r"Round|Bowl|Olympiad|Appendix|Figure|Figs?\.|Table|Episode|Season|Division|Schedule|Category|Apollo|Rocky|"
    r"CHAPTER|ACT|SCENE|PART|BOOK|VOLUME|SECTION|ARTICLE|chapter|act|scene|part|book|volume|section|phase|type|stage)"
)
CROWNED = (
    r"(?:King|Queen|Pope|Emperor|Tsar|Czar|Kaiser|Sultan|Henry|Louis|Charles|James|George|Edward|Richard|William|"
    r"Elizabeth|Philip|Francis|Frederick|Napoleon|Nicholas|Alexander|Peter|Catherine|Mary|Paul|Pius|Benedict|Leo|"
    r"Gregory|Clement|Innocent|Urban|Ivan|Christian|Gustav|Ferdinand|Alfonso|Felipe|Carlos|Juan|Haakon|Harald|Olav|"
    r"Ramses|Ramesses|Thutmose|Ptolemy|Cleopatra|Darius|Xerxes|Otto|Wilhelm|Leopold|Baudouin|Albert|Victor|Joseph|"
    r"Maximilian|Rudolf|Sigismund|Stephen|Robert|Constantine|Theodosius|Justinian|Selim|Mehmed|Murad|Umberto)"
)
WORLD_WAR = r"(?<![\p{L}\p{N}_])WW(?:(?P<two>II|2)|I|1)(?![\p{L}\p{N}_])"
ROMAN_KING = rf"(?<=\b{CROWNED} )(?P<roman>[IVX]{{1,6}})(?P<s>'s)?(?![\p{{L}}\p{{N}}_.'])"
ROMAN_COUNTED = rf"(?<=\b{COUNTED} )(?P<roman>[IVXLC]{{1,9}})(?P<s>'s)?(?![\p{{L}}\p{{N}}_'])"
ROMAN_NAME = r"(?<=\b\p{Lu}[\p{Ll}]{1,20} )(?P<roman>[IVX]{2,6})(?P<s>'s)?(?![\p{L}\p{N}_'])"

_ROMAN = regex.compile(r"(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def letters(name: str) -> str:
    """Letter by letter. espeak-ng takes an A by itself for the article, but not one with points behind it."""
    return ("." if "A" in name else " ").join(name)


def say_dotted(found: Match) -> str:
    """U.S. as letters; the last point stays where it ends the sentence."""
    name = found["letters"]
    stop = "." if name.endswith(".") and not found["s"] and ends(found) else ""
    return letters(name.replace(".", "")) + ("'s" if found["s"] else "") + stop


def ends(found: Match) -> bool:
    """Whether nothing is said behind it."""
    return not found.string[found.end() : found.end() + 8].strip("\"')]}’”» ")


def say_initial(found: Match) -> str:
    return str(found["letter"])


def say_ampersand(found: Match) -> str:
    return f"{letters(found['a'])} and {found['b']}"


def roman(numeral: str) -> int | None:
    """The number of a Roman numeral in capitals, as it is properly written."""
    if not _ROMAN.fullmatch(numeral):
        return None
    values = [_VALUES[char] for char in numeral]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def say_roman_sign(found: Match) -> str | None:
    value = roman(unicodedata.normalize("NFKC", found.group()).upper())
    return None if value is None else number(str(value))


def say_world_war(found: Match) -> str:
    return f"World War {'two' if found['two'] else 'one'}"


def say_roman(found: Match) -> str | None:
    value = roman(found["roman"])
    if value is None or found["roman"] in ("L", "C"):
        return None
    return number(str(value)) + (found["s"] or "")


def say_roman_king(found: Match) -> str | None:
    """Henry the eighth; "when Mary I saw" has the pronoun."""
    value, rest = roman(found["roman"]), found.string[found.end() : found.end() + 2]
    if value is None or (found["roman"] == "I" and rest[:1] == " " and rest[1:].islower()):
        return None
    return f"the {ordinal(str(value))}{found['s'] or ''}"
