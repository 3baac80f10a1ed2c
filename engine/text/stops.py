"""Where a sentence may end: stops, what closes after them, and what decides."""

from __future__ import annotations

from functools import lru_cache

import regex

from engine.text.abbreviations import ANY_CASE, CLOCK_WORDS, EXACT, MONTHS, STARTERS, Follow

STOP_OR_LINE = regex.compile(r"[\p{Sentence_Terminal}．…‥\n\r\v\f\x85\u2028\u2029]|(?<=\p{Greek})[;\u037e]")
"""Everything at which a unit may end; between two of these there is nothing to decide."""

LINES = frozenset("\n\r\v\f\x85\u2028\u2029")
LAST_LINE = regex.compile(r"(?r)[\n\r\v\f\x85\u2028\u2029]")
"""Searches backwards."""

DOTS = frozenset(".…‥․．﹒")
SPACED = DOTS | frozenset("!?‼⁇⁈⁉‽")
"""Stops that end a sentence only before a space; all others (。！？।؟።) need none."""

LONGEST_WORD = 24
"""No abbreviation is longer, so no more is looked at on either side of a point."""

_KNOWN_CHARS = 1024  # of each kind, remembered: a text has few different ones

_STOP = regex.compile(r"[\p{Sentence_Terminal}．…‥]")
_CLOSER = regex.compile(r"[\p{Pe}\p{Pf}]")
_OPENER = regex.compile(r"[\p{Ps}\p{Pi}\"'’¿¡]")
_QUOTES = frozenset("\"'“‘«‹")  # close too when they stand right behind a stop: „Halt.“
_IDEOGRAPH = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
DENSE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
"""Signs that are a syllable each."""

_WORD_BEFORE = regex.compile(r"(?r)[\p{L}\p{M}\p{N}.'’]*")  # matches backwards, from its end
_LETTERS_WITH_POINTS = regex.compile(r"\p{L}(?:\.\p{L})*")
UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_FULL_LINE = 55  # characters: what is longer was wrapped, or is an odd heading
_GOES_ON_IN_NEXT_LINE = regex.compile(r"(?ri)(?<!\w)(?:the|an|of|and|with|from|und|der|das|et|les|los|las|del)\s?")
_NEXT_MARKER = regex.compile(r"[0-9]{1,3}(?:\)|\.\s)|\p{L}\)")
_LIST_MARKER = regex.compile(r"[0-9]{1,3}|[\p{Lu}\p{Ll}]|[IVXLC]{1,5}")
_IN_ADDRESS = frozenset("=/&?#@_~%+:")  # before a word: "?a=b"
_DAY = regex.compile(r"[0-9]{1,2}")
_ARTICLE = regex.compile(r"(?ri)(?<!\w)(?:im|der|das|des|dem|den|vom|zum|zur|beim) [0-9]{1,2}")  # "im 19. Jahrhundert"
_ROMAN = regex.compile(r"[IVXLC]{2,}|[VX]")


@lru_cache(_KNOWN_CHARS)
def is_stop(char: str) -> bool:
    return _STOP.match(char) is not None


@lru_cache(_KNOWN_CHARS)
def is_opener(char: str) -> bool:
    return _OPENER.match(char) is not None


@lru_cache(_KNOWN_CHARS)
def is_ideograph(char: str) -> bool:
    return _IDEOGRAPH.match(char) is not None


def is_closer(char: str, spaced: bool, text: str, start: int, at: int) -> bool:
    """Whether `char`, at `at` right behind a stop, still belongs to the unit that began at `start`."""
    if _CLOSER.match(char):
        return True
    if char not in _QUOTES:
        return False
    return spaced or (char == '"' and text.count(char, start, at) % 2 == 1)


def follow_of_point(text: str, start: int, point: int) -> Follow:
    """What decides about the single point at `point` in the unit that began at `start`, a space being next."""
    before = max(start, point - LONGEST_WORD)
    if point == start or text[point - 1].isspace():
        return Follow.CASE  # ". . ." and no word before it
    found = _WORD_BEFORE.match(text, before, point)
    word = found.group().lstrip(".'’") if found else ""
    if not word or len(word) == LONGEST_WORD:
        return Follow.ENDS
    if text[point - len(word) - 1 : point - len(word)] in _IN_ADDRESS and point - len(word) > start:
        return Follow.ENDS
    lead = text[max(start, point - len(word) - 3) : point - len(word)]
    if _LIST_MARKER.fullmatch(word) and point - len(word) - start < 3 and not any(map(str.isalnum, lead)):
        return Follow.GOES_ON
    if _DAY.fullmatch(word):
        ordinal = lead.endswith(": ") or _ARTICLE.match(text, max(start, point - LONGEST_WORD), point)
        return Follow.GOES_ON if ordinal else Follow.DAY
    return EXACT.get(word) or ANY_CASE.get(word.lower()) or _follow_of_word(word)


def _follow_of_word(word: str) -> Follow:
    """Of one that is in no table."""
    if _ROMAN.fullmatch(word):
        return Follow.CASE  # "Friedrich II. von Preußen"
    if word.endswith("str"):
        return Follow.NUMBER  # "Bahnhofstr. 5"
    return Follow.STARTER if _LETTERS_WITH_POINTS.fullmatch(word) and _is_cased(word) else Follow.ENDS


def _is_cased(word: str) -> bool:
    return word.lower() != word.upper()


def ends_before(follow: Follow, char: str) -> bool | None:
    """Whether the sentence ends, from the first character of the next word; None if the whole word is needed."""
    ends: bool | None
    match follow:
        case Follow.ENDS:
            ends = True
        case Follow.GOES_ON:
            ends = False
        case Follow.CASE:
            ends = not char.islower()
        case Follow.LINE:
            ends = None if char.islower() else True
        case Follow.WRAPPED:
            ends = _ends_line(char)
        case Follow.NUMBER:
            ends = None if char in "IVXLC" else not (char.islower() or char.isdigit() or char == "#")
        case Follow.STARTER:
            ends = None if char.isupper() else False
        case Follow.CLOCK | Follow.DAY:
            ends = None if char.isupper() else not char.islower()
    return ends


def _ends_line(char: str) -> bool | None:
    if char in "$€£¥&<~":
        return False
    return None if char.isalnum() and not UNSPACED.match(char) else True


def ends_before_word(follow: Follow, word: str, then: str) -> bool:
    """As `ends_before`, from the whole next word and the character behind it ("" at the end of the text)."""
    match follow:
        case Follow.LINE | Follow.WRAPPED:
            return _NEXT_MARKER.fullmatch(word + then) is not None
        case Follow.NUMBER:
            return _ROMAN.fullmatch(word) is None
        case Follow.CLOCK:
            return word not in CLOCK_WORDS
        case Follow.DAY:
            return word not in MONTHS
        case _:
            return word in STARTERS and then != "."


def is_wrapped(text: str, start: int, at: int, column: int) -> bool:
    """Whether a line that ends at `at`, `column` characters long, was broken for its length and not for its meaning;
    the unit began at `start`."""
    if column >= _FULL_LINE:
        return not text.endswith((":", ": "), start, at)
    return _GOES_ON_IN_NEXT_LINE.match(text, start, at) is not None
