"""Which of a sentence's phonemes belong to which of its words; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

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
_VOWELS = frozenset(map(ord, "aeiouyæɑɒɐɔəɚɛɜɝɞɨɪʊʉʌøœɵɤɯɘɶᵻ"))
_MODIFIERS = frozenset(("Lm", "Mn", "Mc", "Sk"))
_STRESS = frozenset("ˈˌ")

_SPACE = -1  # as the code of a sound
_ALONE = np.array([10, 10, 3], np.int32)
"""The cost of a sound that is only in the one sequence: a consonant, a vowel, a space."""

_SWAPS = np.array([[12, 20, 1000], [20, 6, 1000], [1000, 1000, 0]], np.int32)
"""The cost of one sound for another: a vowel for a vowel, as in a weak form, is cheap; a space is never a sound."""


def split_words(text: str) -> list[tuple[int, int]]:
    """Where the words of `text` begin and end; signs belong to the word they touch, a sign alone is a word."""
    return [found.span() for found in _WORD.finditer(text)]


def align(heard: Sequence[str], words: Sequence[Sequence[str]]) -> list[int]:
    """The word of each phoneme of a sentence, given the phonemes of each word by itself; -1 for pauses and signs.

    A sentence does not sound like its words one by one: "of the" runs into one group, "a" gets weak, "$5 million" is
    read in another order. So both are laid side by side with the least changes. Never descends; every word that has a
    sound gets a phoneme while there are enough.
    """
    sounds = [at for at, phoneme in enumerate(heard) if _is_sound(phoneme)]
    alone = [[phoneme[0] for phoneme in word if _is_sound(phoneme)] for word in words]
    speaking = [number for number, word in enumerate(alone) if word]
    if not sounds or not words:
        return [-1] * len(heard)
    if not speaking:
        return _spread(heard, sounds, [0] * len(sounds))
    owners = _owners(_with_spaces(heard, sounds), [alone[number] for number in speaking])
    shared = _shared(owners, [len(alone[number]) for number in speaking])
    return _spread(heard, sounds, [speaking[owner] for owner in shared])


def _with_spaces(heard: Sequence[str], sounds: Sequence[int]) -> list[list[str]]:
    """The sounds in groups, as the sentence separates them."""
    groups = [[heard[sounds[0]][0]]]
    for before, at in pairwise(sounds):
        if " " in heard[before + 1 : at]:
            groups.append([])
        groups[-1].append(heard[at][0])
    return groups


def _owners(groups: Sequence[Sequence[str]], words: Sequence[Sequence[str]]) -> list[int]:
    """The word that each sound of `groups` is aligned with, or its neighbour is."""
    a, a_of = _codes(groups)
    b, b_of = _codes(words)
    partners = [None if partner is None else b_of[partner] for partner in _least_changes(a, b)]
    owners = [owner for owner, of in zip(partners, a_of, strict=True) if of >= 0]
    return _adopted(owners, [of for of in a_of if of >= 0])


def _codes(groups: Sequence[Sequence[str]]) -> tuple[npt.NDArray[np.int32], list[int]]:
    """The sounds of groups with a space between groups, and the group of each; -1 for the spaces."""
    codes: list[int] = []
    of: list[int] = []
    for number, group in enumerate(groups):
        if number:
            codes.append(_SPACE)
            of.append(-1)
        codes.extend(map(ord, group))
        of.extend([number] * len(group))
    return np.array(codes, np.int32), of


def _least_changes(a: npt.NDArray[np.int32], b: npt.NDArray[np.int32]) -> list[int | None]:
    """For each of `a` its partner in `b`, in the alignment of least cost (Needleman and Wunsch)."""
    a_kinds, b_kinds = _kinds(a), _kinds(b)
    swaps = np.where(a[:, None] == b, 0, _SWAPS[a_kinds[:, None], b_kinds])
    drop, add = _ALONE[a_kinds], _ALONE[b_kinds]
    rows = np.zeros((len(a) + 1, len(b) + 1), np.int32)  # less what all of `b` so far costs that is only there
    for before, row, after, cost, swap in zip(rows, rows[1:], rows[1:, 1:], drop, swaps - add, strict=False):
        np.add(before, cost, out=row)
        np.minimum(after, before[:-1] + swap, out=after)
        np.minimum.accumulate(row, out=row)
    rows += np.cumsum([0, *add], dtype=np.int32)
    return _walk_back(rows.tolist(), swaps.tolist(), drop.tolist())


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


def _kinds(codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Consonant 0, vowel 1, space 2."""
    return np.array([2 if code == _SPACE else code in _VOWELS for code in codes.tolist()], np.int32)


def _adopted(owners: list[int | None], groups: Sequence[int]) -> list[int]:
    """A sound without a partner goes to the nearest word of its group, the one before it first; else to any before."""
    for same_group in (True, False):
        for steps in (range(1, len(owners)), range(len(owners) - 2, -1, -1)):
            if None not in owners:
                break
            for at in steps:
                near = at - steps.step
                if owners[at] is None and (not same_group or groups[at] == groups[near]):
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


def _spread(heard: Sequence[str], sounds: Sequence[int], owners: Sequence[int]) -> list[int]:
    """From the sounds to all phonemes: stress goes with the sound after it, length and the like with the one before."""
    spread = [-1] * len(heard)
    for at, owner in zip(sounds, owners, strict=True):
        spread[at] = owner
    for at in range(1, len(heard)):
        if heard[at] not in _STRESS and not _is_sound(heard[at]) and _modifies(heard[at]):
            spread[at] = spread[at - 1]
    for at in range(len(heard) - 2, -1, -1):
        if heard[at] in _STRESS:
            spread[at] = spread[at + 1]
    return spread


@lru_cache(maxsize=1024)
def _is_sound(phoneme: str) -> bool:
    """A vowel or a consonant: no sign, no space, no mark on another sound, no tone."""
    return phoneme[0].isalpha() and not _modifies(phoneme)


def _modifies(phoneme: str) -> bool:
    return phoneme[0].isnumeric() or unicodedata.category(phoneme[0]) in _MODIFIERS
