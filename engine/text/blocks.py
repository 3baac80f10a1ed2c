"""Phonemes that stand in a text as such, between two marks that no other text has; pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

OPEN, CLOSE = "\ue000", "\ue001"

BLOCK = re.compile(rf"{OPEN}([^{OPEN}{CLOSE}\s]+){CLOSE}")
"""Splits a text into what is read and, in every second place, what is phonemes."""

CONSONANT, VOWEL = "nomol", "amol"
"""Words that stand for phonemes while a text is read, by how they begin: no language changes their sound for that of
their neighbours, and hardly any has them."""

_VOWELS = frozenset("aeiouyæɑɒɐɔəɚɛɜɝɞɨɪʊʉʌøœɵɤɯɘɶᵻ")
_STRESS = frozenset("ˈˌ")
_SPACES = str.maketrans({OPEN: " ", CLOSE: " "})
_SHOWN = str.maketrans({OPEN: "/", CLOSE: "/"})
_BARE = str.maketrans({OPEN: None, CLOSE: None})


def block(phonemes: str) -> str:
    """Phonemes as they stand in a text: a block a word."""
    return " ".join(f"{OPEN}{word}{CLOSE}" for word in phonemes.split())


def without_marks(text: str) -> str:
    """A text of just as many characters in which nothing stands as phonemes."""
    return text.translate(_SPACES) if OPEN in text or CLOSE in text else text


def bare(text: str) -> str:
    """The phonemes of a text as if they were letters of it."""
    return text.translate(_BARE)


def shown(text: str) -> str:
    """A text for people, its phonemes between slashes."""
    return text.translate(_SHOWN)


def parts_of(text: str) -> list[str]:
    """A text in parts: what is read, phonemes, what is read, and so on; a mark without its like is a space."""
    return [without_marks(part) for part in BLOCK.split(text)]


def symbols(phonemes: str, known: Collection[str]) -> list[str]:
    """Phonemes one by one, each as long as a voice knows it; an unknown one is a character."""
    text = unicodedata.normalize("NFD", phonemes)
    longest = max(map(len, known), default=1)
    found: list[str] = []
    at = 0
    while at < len(text):
        size = next((n for n in range(min(longest, len(text) - at), 1, -1) if text[at : at + n] in known), 1)
        found.append(text[at : at + size])
        at += size
    return found


def stand_in(phonemes: str) -> str:
    """The word that stands for phonemes: "the" and "a" depend on how the next word begins."""
    first = next((char for char in unicodedata.normalize("NFD", phonemes) if char not in _STRESS), "")
    return VOWEL if first in _VOWELS else CONSONANT


def with_stand_ins(parts: Sequence[str]) -> str:
    """The whole text, to be read: a word for each block, apart from letters that it touches."""
    text = parts[0]
    for number in range(1, len(parts), 2):
        after = parts[number + 1]
        text += " " if text[-1:].isalnum() else ""
        text += stand_in(parts[number])
        text += f" {after}" if after[:1].isalnum() else after
    return text


def put_in(
    sentences: Sequence[Sequence[str]], stand_ins: Mapping[str, Sequence[str]], blocks: Sequence[tuple[str, list[str]]]
) -> list[list[str]] | None:
    """Phonemes of sentences, those of `blocks` in the place of the words that stood for them, in order.

    `stand_ins`: phonemes of each such word by itself. `blocks`: the word and what it stands for. None where the words
    found are not those of `blocks`.
    """
    sounds = {word: _unstressed(phonemes) for word, phonemes in stand_ins.items()}
    waiting = list(reversed(blocks))
    filled: list[list[str]] = []
    for sentence in sentences:
        own: list[str] = []
        at = 0
        while at < len(sentence):
            word, end = _stand_in_at(sentence, at, sounds) if _begins_word(sentence, at) else ("", at)
            if not word:
                own.append(sentence[at])
                at += 1
                continue
            if not waiting or waiting[-1][0] != word:
                return None
            own += waiting.pop()[1]
            at = end
        filled.append(own)
    return None if waiting else filled


def _unstressed(phonemes: Sequence[str]) -> list[str]:
    return [phoneme for phoneme in phonemes if phoneme not in _STRESS]


def _begins_word(sentence: Sequence[str], at: int) -> bool:
    return at == 0 or not (sentence[at - 1][0].isalnum() or sentence[at - 1] in _STRESS)


def _stand_in_at(sentence: Sequence[str], at: int, sounds: Mapping[str, Sequence[str]]) -> tuple[str, int]:
    """The word that begins here and where it ends; no word where none does."""
    for word, wanted in sounds.items():
        end, found = at, 0
        while end < len(sentence) and found < len(wanted):
            if sentence[end] not in _STRESS:
                if sentence[end] != wanted[found]:
                    break
                found += 1
            end += 1
        if wanted and found == len(wanted):
            return word, end
    return "", at
