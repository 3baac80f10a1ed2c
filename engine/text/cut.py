"""Where to cut a unit that is too long."""

from __future__ import annotations

import regex

from engine.text.stops import UNSPACED

_CLOSERS = r"[\p{Pe}\p{Pf}\"']*"
_STRONG = regex.compile(rf"(?:[;:…؛፤]|\.\.\.){_CLOSERS}(?=\s)|[；：]{_CLOSERS}|[—⸺]+|(?<=\s)[-–](?=\s)")
_WEAK = regex.compile(rf"[,،፣\)]{_CLOSERS}(?=\s)|[，、]{_CLOSERS}")
_GAP = regex.compile(r"(?<!\d)[\s\u200b]+|[\s\u200b]+(?![\d\s])")
_CLUSTER = regex.compile(r"\X")
_ORPHANS = 3  # a piece of fewer words sounds like a slip


def cut_before(text: str, start: int, limit: int) -> int:
    """The best place to end the unit that began at `start`, after `start` and not past `limit`.

    A clause mark that leaves some words on both sides, then a space, not far back in a script without spaces, then any
    place that is not inside a grapheme cluster or, where it can be avoided, a number. Looks at
    `text[start : limit + 1]` and no further.
    """
    gaps = [found.start() for found in _GAP.finditer(text, start, limit + 1)]
    size = limit - start
    first, last = start + size // 3, limit - size // 8
    spaced = not UNSPACED.match(text, limit - 1)
    by_words = spaced and len(gaps) >= 2 * _ORPHANS
    if by_words:
        first, last = max(first, gaps[_ORPHANS - 1]), min(limit, gaps[-_ORPHANS])
    for marks, since in ((_STRONG, max(first, start + size // 2)), (_WEAK, first)):
        ends = [found.end() for found in marks.finditer(text, start, limit + 1) if since <= found.end() <= last]
        if ends:
            return ends[-1]
    if gaps and (spaced or gaps[-1] >= first):
        return last if by_words else gaps[-1]
    return _inside_word(text, start, limit)


def _inside_word(text: str, start: int, limit: int) -> int:
    # From a slice, because a flag's letters are paired from the first of their run, however far before `start` it is.
    *_, offset = (cluster.start() for cluster in _CLUSTER.finditer(text[start : limit + 1]))
    cut = start + offset
    cut = cut if cut > start else limit  # one cluster longer than a unit: there is no good place
    number = cut
    while number > start and _is_numeral(text[number]) and _is_numeral(text[number - 1]):
        number -= 1
    return number if number > start + (limit - start) // 2 else cut


def _is_numeral(char: str) -> bool:
    return char.isdecimal() or char in ".,:" or char.isspace()  # "5 000"
