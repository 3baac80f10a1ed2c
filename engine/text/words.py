"""Which of a sentence's phonemes belong to which of its words; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt
import regex

_WORD = regex.compile(
    # A script without spaces: a character with its marks and the signs after it. Else all up to a space, or up to a
    # dash or dots that stand between two words.
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}][\p{M}ー]*[^\s\p{L}\p{N}]*"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])\S)+?"
    r"(?:[—–…]+(?=\p{L})|(?=\s|$|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]))"
)
_VOWELS = frozenset("aeiouyæɑɒɐɔəɚɛɜɝɞɨɪʊʉʌøœɵɤɯɘɶᵻ")
_MODIFIERS = frozenset(("Lm", "Mn", "Mc", "Sk"))
_STRESS = frozenset("ˈˌ")

_SPACE, _MET = " \n"
"""In a string of sounds: what parts groups, and stands for groups that are words."""

_SURE = 3  # sounds: a group so long that is a word near by, just as it is alone, is that word
_NEAR = sorted(product(range(7), range(5)), key=sum)  # groups and words further on
_UNLIKE = 2, 0.25  # by how many sounds, and by which part of all, what runs together differs from its words

_ALONE = np.array([10, 10, 3, 100_000], np.int32)
"""The cost of a sound that is only in the one sequence: a consonant, a vowel, a space, a stretch."""

_SWAPS = np.array([[12, 20, 1000, 100_000], [20, 6, 1000, 100_000], [1000, 1000, 0, 100_000], [100_000] * 4], np.int32)
"""The cost of one sound for another: a vowel for a vowel, as in a weak form, is cheap; a space is never a sound."""

_Stretch = tuple[int, int, int]
"""From which group and which word on how many groups are words."""


def split_words(text: str) -> list[tuple[int, int]]:
    """Where the words of `text` begin and end; signs belong to the word they touch, a sign alone is a word."""
    return [found.span() for found in _WORD.finditer(text)]


def align(heard: Sequence[str], words: Sequence[Sequence[str]]) -> list[int]:
    """The word of each phoneme of a sentence, given the phonemes of each word by itself; -1 for pauses and signs.

    A sentence does not sound like its words one by one: "of the" runs into one group, "a" gets weak, "$5 million" is
    read in another order. So both are laid side by side with the least changes. Never descends; every word that has a
    sound gets a phoneme while there are enough.
    """
    groups = _groups(heard)
    alone = [_groups(word) for word in words]
    speaking = [number for number, word in enumerate(alone) if word]
    if not groups or not words:
        return [-1] * len(heard)
    if not speaking:
        return _spread(heard, [0] * sum(map(len, groups)))
    owners = _owners(groups, [alone[number] for number in speaking])
    shared = _shared(owners, [sum(map(len, alone[number])) for number in speaking])
    return _spread(heard, [speaking[owner] for owner in shared])


def _groups(phonemes: Sequence[str]) -> list[str]:
    """The sounds, a string for what stands between two spaces."""
    return "".join(map(_sound, phonemes)).split()


def _owners(groups: Sequence[str], words: Sequence[Sequence[str]]) -> list[int]:
    """The word that each sound of `groups` is aligned with, or its neighbour is."""
    parts = [part for word in words for part in word]
    word_of = [number for number, word in enumerate(words) for _ in word]
    met = _stretches(groups, parts)
    a, _ = _with_spaces(groups, [(group, size) for group, _, size in met])
    b, part_of = _with_spaces(parts, [(part, size) for _, part, size in met])
    owners: list[int | None] = []
    stretches = iter(met)
    for char, partner in zip(a, _least_changes(a, b), strict=True):
        if char == _MET:
            _, first, size = next(stretches)
            for part in range(first, first + size):
                owners += [word_of[part]] * len(parts[part])
        elif char != _SPACE:
            owners.append(None if partner is None else word_of[part_of[partner]])
    return _adopted(owners, [number for number, group in enumerate(groups) for _ in group])


def _stretches(groups: Sequence[str], words: Sequence[str]) -> list[_Stretch]:
    """Where groups are words just as these sound alone, as most are: only what is between need be laid side by side."""
    stretches: list[_Stretch] = []
    i = j = 0
    while near := _next_met(groups, words, i, j):
        start, word = i + near[0], j + near[1]
        i, j = start + 1, word + 1
        while i < len(groups) and j < len(words) and groups[i] == words[j]:
            i, j = i + 1, j + 1
        stretches.append((start, word, i - start))
    return stretches


def _next_met(groups: Sequence[str], words: Sequence[str], i: int, j: int) -> tuple[int, int] | None:
    """How many groups and words further on one is the other, unless what lies between is too different."""
    for di, dj in _NEAR:
        if i + di < len(groups) and j + dj < len(words) and groups[i + di] == words[j + dj]:
            heard, said = sum(map(len, groups[i : i + di])), sum(map(len, words[j : j + dj]))
            if len(groups[i + di]) >= _SURE and abs(heard - said) <= _UNLIKE[0] + _UNLIKE[1] * max(heard, said):
                return di, dj
    return None


def _with_spaces(parts: Sequence[str], stretches: Sequence[tuple[int, int]]) -> tuple[str, list[int]]:
    """All sounds with a space between parts, stretches as one sign; and of which part each is, -1 for other signs."""
    texts: list[str] = []
    of: list[int] = []
    at = 0
    for begin, size in [*stretches, (len(parts), 0)]:
        for number in range(at, begin):
            texts.append(parts[number])
            of += [number] * len(parts[number])
            of.append(-1)
        if size:
            texts.append(_MET)
            of += -1, -1
        at = begin + size
    return _SPACE.join(texts), of


def _least_changes(a: str, b: str) -> list[int | None]:
    """For each of `a` its partner in `b`, in the alignment of least cost (Needleman and Wunsch)."""
    if a == b:
        return list(range(len(a)))
    a_kinds, b_kinds = _kinds(a), _kinds(b)
    swaps = np.where(_codes(a)[:, None] == _codes(b), 0, _SWAPS[a_kinds[:, None], b_kinds])
    drop, add = _ALONE[a_kinds], _ALONE[b_kinds]
    rows = np.zeros((len(a) + 1, len(b) + 1), np.int32)  # less what all of `b` so far costs that is only there
    for before, row, after, cost, swap in zip(rows, rows[1:], rows[1:, 1:], drop, swaps - add, strict=False):
        np.add(before, cost, out=row)
        np.minimum(after, before[:-1] + swap, out=after)
        np.minimum.accumulate(row, out=row)
    rows += np.cumsum([0, *add], dtype=np.int32)
    return _walk_back(rows.tolist(), swaps.tolist(), drop.tolist())


def _codes(sounds: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(sounds.encode("utf-32-le", "surrogatepass"), np.uint32)


def _kinds(sounds: str) -> npt.NDArray[np.intp]:
    return np.array([_kind(char) for char in sounds], np.intp)


@lru_cache(maxsize=1024)
def _kind(char: str) -> int:
    """Consonant 0, vowel 1, space 2, stretch 3."""
    if char in (_SPACE, _MET):
        return 2 if char == _SPACE else 3
    return int(char in _VOWELS)


def _walk_back(rows: list[list[int]], swaps: list[list[int]], drop: list[int]) -> list[int | None]:
    i, j = len(rows) - 1, len(rows[0]) - 1
    partners: list[int | None] = [None] * i
    while i and j:
        cost = rows[i][j]
        if cost == rows[i - 1][j - 1] + swaps[i - 1][j - 1]:
            i, j = i - 1, j - 1
            partners[i] = j
        elif cost == rows[i - 1][j] + drop[i - 1]:
            i -= 1
        else:
            j -= 1
    return partners


def _adopted(owners: list[int | None], groups: Sequence[int]) -> list[int]:
    """A sound without a partner goes to the nearest word of its group, the one before it first; else to any before."""
    lost = [at for at, owner in enumerate(owners) if owner is None]
    for same_group in (True, False):
        for order, step in ((lost, -1), (lost[::-1], 1)):
            for at in order:
                near = at + step
                if owners[at] is None and 0 <= near < len(owners) and (not same_group or groups[at] == groups[near]):
                    owners[at] = owners[near]
    return [owner or 0 for owner in owners]


def _shared(owners: Sequence[int], counts: Sequence[int]) -> list[int]:
    """Words without a sound get their part of a neighbour's, in proportion to their phonemes alone."""
    found = sorted(set(owners))
    if len(found) == len(counts):
        return list(owners)
    shared: list[int] = []
    for number, following in zip(found, [*found[1:], len(counts)], strict=True):
        sharers = range(number if shared else 0, following)
        shared.extend(_portions(sharers, [counts[sharer] for sharer in sharers], owners.count(number)))
    return shared


def _portions(sharers: range, counts: Sequence[int], places: int) -> list[int]:
    """`places` places, each with its sharer, in order and in proportion to `counts`."""
    ends = np.cumsum(counts) / sum(counts) * places
    return [sharers[int(np.searchsorted(ends, place + 0.5, side="right"))] for place in range(places)]


def _spread(heard: Sequence[str], owners: Sequence[int]) -> list[int]:
    """From the sounds to all phonemes: stress goes with the sound after it, length and the like with the one before."""
    spread: list[int] = []
    sounds = iter(owners)
    owner = -1
    for phoneme in heard:
        if _sound(phoneme) not in ("", _SPACE):
            owner = next(sounds)
        elif phoneme in _STRESS or not _modifies(phoneme):
            owner = -1
        spread.append(owner)
    for at in range(len(heard) - 2, -1, -1):
        if heard[at] in _STRESS:
            spread[at] = spread[at + 1]
    return spread


@lru_cache(maxsize=1024)
def _sound(phoneme: str) -> str:
    """Of a vowel or a consonant its first character; nothing of a sign, a mark on another sound, a tone."""
    if phoneme == _SPACE:
        return phoneme
    return phoneme[0] if phoneme[0].isalpha() and not _modifies(phoneme) else ""


@lru_cache(maxsize=1024)
def _modifies(phoneme: str) -> bool:
    return phoneme[0].isnumeric() or unicodedata.category(phoneme[0]) in _MODIFIERS
