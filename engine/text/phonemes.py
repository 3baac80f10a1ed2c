"""Text to phoneme ids, exactly as Piper makes them; the one owner of espeak-ng."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from piper.config import PhonemeType, PiperConfig
from piper.const import BOS, EOS, PAD
from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP, phonemes_to_ids
from piper.tashkeel import CHAR_LIMIT, TashkeelDiacritizer

from engine.errors import BrokenVoice
from engine.text import blocks
from engine.text.espeak import ESPEAK
from engine.text.words import align, split_words
from engine.types import Spelling, WordIds

_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd]+")
"""What espeak-ng cannot take (NUL, lone surrogates) and what says nothing (controls, U+FFFD)."""

_RAW_BRACKETS = re.compile(r"\[{2,}|\]{2,}")
"""Piper reads what stands in double square brackets as raw phonemes; a listener's text is never that."""

_FLAGS = re.compile(r"\([^)]+\)")
"""How espeak-ng marks words of another language; Piper leaves the marks out."""

_WITHIN = frozenset(",:;")
"""Marks of clauses that a space follows: the sentence goes on."""

_EDGES = " .,;:!?…\"'()[]{}“”‘’«»¿¡—–"
"""Signs around a word that change its neighbourhood, not its sound."""

_WORDS_KNOWN = 8192
_LONGEST_KNOWN = 40  # characters

_SPOKEN_TYPES = (PhonemeType.ESPEAK, PhonemeType.TEXT)


@dataclass(frozen=True, slots=True)
class PhonemeConfig:
    """How a voice wants its text as ids. `ids` gives the model's ids of each phoneme, each below its symbol count."""

    type: PhonemeType
    espeak_voice: str  # "en-us", "de"; not used by voices of letters
    ids: Mapping[str, tuple[int, ...]]
    clusters: frozenset[str] = frozenset()  # vowels that the voice knows as one phoneme

    @classmethod
    def from_json(cls, config: dict[str, Any]) -> PhonemeConfig:
        """From a voice's `.onnx.json`. Raises BrokenVoice that says what is wrong with it."""
        try:
            piper = PiperConfig.from_dict(config)
            ids = {phoneme: tuple(ids) for phoneme, ids in (piper.phoneme_id_map or DEFAULT_PHONEME_ID_MAP).items()}
        except KeyError as error:
            raise BrokenVoice(f"the config has no {error}") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise BrokenVoice(f"the config is not a Piper voice's: {error}") from error
        if piper.phoneme_type not in _SPOKEN_TYPES:
            known = " and ".join(repr(kind.value) for kind in _SPOKEN_TYPES)
            raise BrokenVoice(f"phoneme_type {piper.phoneme_type.value!r} is not supported, only {known}")
        if not isinstance(piper.espeak_voice, str):
            raise BrokenVoice(f"the config's espeak voice is {piper.espeak_voice!r}, not a name such as 'en-us'")
        _check_ids(ids, piper.num_symbols)
        clusters = frozenset(map("".join, piper.vowel_clusters or ()))
        return cls(piper.phoneme_type, piper.espeak_voice, MappingProxyType(ids), clusters)


def _check_ids(ids: Mapping[str, tuple[int, ...]], symbols: int) -> None:
    """An id past the model's table would fail inside the model, in the middle of somebody's speech."""
    for mark, name in ((BOS, "begins"), (PAD, "pads"), (EOS, "ends")):
        if not ids.get(mark):
            raise BrokenVoice(f"phoneme_id_map has no {mark!r}, which {name} every sentence")
    for phoneme, values in ids.items():
        if not all(isinstance(value, int) and 0 <= value < symbols for value in values):
            raise BrokenVoice(f"phoneme_id_map gives {phoneme!r} the ids {list(values)}, not all below {symbols}")


class Phonemizer:
    """Text to ids for any number of voices. Made anywhere, used from one thread: the first that calls `ids`."""

    def __init__(self) -> None:
        self._owner: int | None = None
        self._tashkeel: TashkeelDiacritizer | None = None
        self._known: dict[tuple[str, str], list[str]] = {}  # the oldest first
        self._skipped = 0

    @property
    def skipped(self) -> int:
        """Phonemes so far that their voice has no id for; they were left out."""
        return self._skipped

    def ids(self, text: str, config: PhonemeConfig) -> list[tuple[int, ...]]:
        """The ids of each sentence that espeak-ng sees in `text`; none if there is no word in it.

        Every text is taken, and none leaves a trace in the next. Raises BrokenVoice if espeak-ng does not know
        the voice's language, RuntimeError if called from a second thread. What stands between the marks of
        `engine.text.blocks` is phonemes already.
        """
        return [tuple(phonemes_to_ids(phonemes, config.ids)) for phonemes in self._known_of(text, config)]

    def phonemes(self, text: str, config: PhonemeConfig) -> str:
        """As `ids`, for people: the phonemes that have ids, a space between sentences."""
        return " ".join("".join(phonemes) for phonemes in self._known_of(text, config))

    def spell(self, text: str, config: PhonemeConfig) -> list[Spelling]:
        """As `ids`, and which ids are which words of `text`; a word that says nothing is joined to its neighbour."""
        sentences = self._known_of(text, config)
        words, alone = self._spoken_words(text, config)
        owners = align([phoneme for phonemes in sentences for phoneme in (*phonemes, " ")], alone)
        spellings: list[Spelling] = []
        told = 0  # words
        for number, phonemes in enumerate(sentences):
            own, owners = owners[: len(phonemes)], owners[len(phonemes) + 1 :]
            last = len(words) - 1 if number == len(sentences) - 1 else max((told - 1, *own))
            named = words[told : last + 1]
            spellings.append(_spelling(phonemes, [owner - told for owner in own], named, config))
            told += len(named)
        return spellings

    def _known_of(self, text: str, config: PhonemeConfig) -> list[list[str]]:
        """The phonemes of each sentence that the voice has an id for; the others are counted."""
        sentences = self._sentences(text, config)
        known = [[phoneme for phoneme in phonemes if phoneme in config.ids] for phonemes in sentences]
        self._skipped += sum(map(len, sentences)) - sum(map(len, known))
        return known

    def _sentences(self, text: str, config: PhonemeConfig) -> list[list[str]]:
        self._own()
        text = _UNSPEAKABLE.sub(" ", text)
        if not any(map(str.isalnum, text)):
            return []
        if config.type is PhonemeType.TEXT:
            sentences = [list(unicodedata.normalize("NFD", blocks.bare(text)))]
        else:
            sentences = self._with_blocks(blocks.parts_of(_RAW_BRACKETS.sub(" ", text)), config)
        return [phonemes for phonemes in sentences if _is_spoken(phonemes, config)]

    def _with_blocks(self, parts: list[str], config: PhonemeConfig) -> list[list[str]]:
        """A text in parts, every second one phonemes.

        A word stands for them while the text is read, so that the words around are said as they are inside a sentence:
        in parts, "a" and "to" are said as by themselves, and a comma is lost.
        """
        if len(parts) == 1:
            return self._phonemes(parts[0], config)
        put = [(blocks.stand_in(part), blocks.symbols(part, config.ids)) for part in parts[1::2]]
        words = {word: _flat(self._phonemes(word, config)) for word in {word for word, _ in put}}
        filled = blocks.put_in(self._phonemes(blocks.with_stand_ins(parts), config), words, put)
        return self._in_parts(parts, config) if filled is None else filled

    def _in_parts(self, parts: list[str], config: PhonemeConfig) -> list[list[str]]:
        """As Piper does it: what is read and the phonemes, one by one."""
        sentences: list[list[str]] = [[]]
        for number, part in enumerate(parts):
            if number % 2:
                sentences[-1] += [" "] * parts[number - 1].endswith(" ") + blocks.symbols(part, config.ids)
                sentences[-1] += [" "] * parts[number + 1].startswith(" ")
            elif read := self._phonemes(part, config):
                sentences[-1] += read[0]
                sentences += read[1:]
        return sentences

    def _spoken_words(self, text: str, config: PhonemeConfig) -> tuple[list[str], list[list[str]]]:
        """The words of a text with the phonemes of each by itself, those that say nothing joined to the one before."""
        spans: list[tuple[int, int]] = []
        alone: list[list[str]] = []
        for start, end in split_words(text):
            phonemes = self._alone(text[start:end], config)
            if spans and (not phonemes or not alone[-1]):
                spans[-1] = spans[-1][0], end
                alone[-1] = alone[-1] or phonemes
            else:
                spans.append((start, end))
                alone.append(phonemes)
        return [text[start:end] for start, end in spans], alone

    def _alone(self, word: str, config: PhonemeConfig) -> list[str]:
        """The phonemes of one word; remembered, for a text has few that the last ones had not."""
        key = config.espeak_voice if config.type is PhonemeType.ESPEAK else "", word
        known = self._known.pop(key, None)
        if known is None:
            known = self._phonemes_of(word, config)
            if len(self._known) >= _WORDS_KNOWN:
                del self._known[next(iter(self._known))]
        if len(word) <= _LONGEST_KNOWN:
            self._known[key] = known
        return known

    def _phonemes_of(self, word: str, config: PhonemeConfig) -> list[str]:
        word = _RAW_BRACKETS.sub(" ", _UNSPEAKABLE.sub(" ", word)).strip(_EDGES)
        if config.type is PhonemeType.TEXT or not word:
            return list(unicodedata.normalize("NFD", blocks.bare(word)))
        if blocks.OPEN in word:
            read, *rest = blocks.parts_of(word)
            said = self._phonemes_of(read, config)
            for phonemes, part in zip(rest[::2], rest[1::2], strict=True):
                said += blocks.symbols(phonemes, config.ids) + self._phonemes_of(part, config)
            return said
        clauses = ESPEAK.clauses(word, config.espeak_voice, self)
        return list(unicodedata.normalize("NFD", " ".join(_FLAGS.sub("", phonemes) for phonemes, _, _ in clauses)))

    def _own(self) -> None:
        here = threading.get_ident()
        if self._owner is None:
            self._owner = here
        if self._owner != here:
            raise RuntimeError("a Phonemizer belongs to the first thread that used it; this is another one")

    def _phonemes(self, text: str, config: PhonemeConfig) -> list[list[str]]:
        """Of each sentence, as Piper puts them together."""
        text = self._with_vowels(text) if config.espeak_voice == "ar" else text
        sentences = [""]
        for phonemes, mark, ends in ESPEAK.clauses(text, config.espeak_voice, self):
            sentences[-1] += unicodedata.normalize("NFD", _FLAGS.sub("", phonemes) + mark + " " * (mark in _WITHIN))
            if ends:
                sentences.append("")
        said = filter(None, sentences)
        return [blocks.symbols(one, config.clusters) if config.clusters else list(one) for one in said]

    def _with_vowels(self, text: str) -> str:
        """Arabic with its short vowels written, which espeak-ng needs and writers leave out."""
        if len(text) > CHAR_LIMIT:
            return text
        if self._tashkeel is None:
            self._tashkeel = TashkeelDiacritizer()
        return self._tashkeel(text)


def _flat(sentences: Sequence[Sequence[str]]) -> list[str]:
    return [phoneme for phonemes in sentences for phoneme in phonemes]


def _spelling(phonemes: Sequence[str], owners: Sequence[int], words: Sequence[str], config: PhonemeConfig) -> Spelling:
    """`owners`: for each phoneme its word, negative for none. The pad after a phoneme belongs to it."""
    of, pad = config.ids, config.ids[PAD]
    ids = [*of[BOS], *pad]
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    before = owners[0] if owners else -1
    starts[before] = len(ids)
    for phoneme, owner in zip(phonemes, owners, strict=True):
        if owner != before:
            ends[before] = len(ids)
            starts.setdefault(owner, len(ids))
            before = owner
        ids += of[phoneme]
        ids += pad
    ends[before] = len(ids)
    if phonemes and owners[-1] >= 0:
        ends[owners[-1]] -= len(pad)  # the last pad is the silence after the sentence
    named: list[WordIds] = []
    end = min((starts[owner] for owner in starts if owner >= 0), default=len(ids))
    for number, word in enumerate(words):
        start, end = starts.get(number, end), ends.get(number, end)
        named.append(WordIds(word, start, end))
    return Spelling((*ids, *config.ids[EOS]), tuple(named))


def _is_spoken(phonemes: list[str], config: PhonemeConfig) -> bool:
    """Whether there is a sound in it: a sentence of points and spaces only would be noise."""
    return any(phoneme in config.ids and any(map(str.isalnum, phoneme)) for phoneme in phonemes)
