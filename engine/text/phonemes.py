"""Text to phoneme ids, exactly as Piper makes them; the one owner of espeak-ng."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from piper import espeakbridge
from piper.config import PhonemeType, PiperConfig
from piper.const import BOS, EOS, PAD
from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP, phonemes_to_ids
from piper.phonemize_espeak import EspeakPhonemizer
from piper.tashkeel import CHAR_LIMIT, TashkeelDiacritizer

from engine.errors import BrokenVoice

_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd]+")
"""What espeak-ng cannot take (NUL, lone surrogates) and what says nothing (controls, U+FFFD)."""

_RAW_BRACKETS = re.compile(r"\[{2,}|\]{2,}")
"""Piper reads what stands in double square brackets as raw phonemes; a listener's text is never that."""

_ESPEAK = threading.Lock()
"""espeak-ng's state belongs to the process, so this does too: two engines in one process take turns."""

_SPOKEN_TYPES = (PhonemeType.ESPEAK, PhonemeType.TEXT)


@dataclass(frozen=True, slots=True)
class PhonemeConfig:
    """How a voice wants its text as ids. `ids` gives the model's ids of each phoneme, each below its symbol count."""

    type: PhonemeType
    espeak_voice: str  # "en-us", "de"; not used by voices of letters
    ids: Mapping[str, tuple[int, ...]]
    vowel_clusters: frozenset[tuple[str, ...]] = frozenset()  # phonemes that the voice knows as one

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
        return cls(piper.phoneme_type, piper.espeak_voice, MappingProxyType(ids), frozenset(piper.vowel_clusters or ()))


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
        self._espeak: EspeakPhonemizer | None = None
        self._tashkeel: TashkeelDiacritizer | None = None
        self._skipped = 0

    @property
    def skipped(self) -> int:
        """Phonemes so far that their voice has no id for; they were left out."""
        return self._skipped

    def ids(self, text: str, config: PhonemeConfig) -> list[tuple[int, ...]]:
        """The ids of each sentence that espeak-ng sees in `text`; none if there is no word in it.

        Every text is taken, and none leaves a trace in the next. Raises BrokenVoice if espeak-ng does not know
        the voice's language, RuntimeError if called from a second thread.
        """
        self._own()
        text = _UNSPEAKABLE.sub(" ", text)
        if not any(map(str.isalnum, text)):
            return []
        if config.type is PhonemeType.TEXT:
            sentences = [list(unicodedata.normalize("NFD", text))]
        else:
            sentences = self._phonemes(_RAW_BRACKETS.sub(" ", text), config)
        return [self._to_ids(phonemes, config) for phonemes in sentences if _is_spoken(phonemes, config)]

    def _own(self) -> None:
        here = threading.get_ident()
        if self._owner is None:
            self._owner = here
        if self._owner != here:
            raise RuntimeError("a Phonemizer belongs to the first thread that used it; this is another one")

    def _phonemes(self, text: str, config: PhonemeConfig) -> list[list[str]]:
        text = self._with_vowels(text) if config.espeak_voice == "ar" else text
        with _ESPEAK:
            if self._espeak is None:
                self._espeak = EspeakPhonemizer()
            try:
                phonemes = self._espeak.phonemize(config.espeak_voice, text, set(config.vowel_clusters) or None)
            except RuntimeError as error:
                raise BrokenVoice(f"espeak-ng cannot speak {config.espeak_voice!r}: {error}") from error
            espeakbridge.get_phonemes("")  # a text that ends in ".." leaves a "dot" for the next; nobody hears this one
            return phonemes

    def _with_vowels(self, text: str) -> str:
        """Arabic with its short vowels written, which espeak-ng needs and writers leave out."""
        if len(text) > CHAR_LIMIT:
            return text
        if self._tashkeel is None:
            self._tashkeel = TashkeelDiacritizer()
        return self._tashkeel(text)

    def _to_ids(self, phonemes: list[str], config: PhonemeConfig) -> tuple[int, ...]:
        known = [phoneme for phoneme in phonemes if phoneme in config.ids]
        self._skipped += len(phonemes) - len(known)
        return tuple(phonemes_to_ids(known, config.ids))


def _is_spoken(phonemes: list[str], config: PhonemeConfig) -> bool:
    """Whether there is a sound in it: a sentence of points and spaces only would be noise."""
    return any(phoneme in config.ids and any(map(str.isalnum, phoneme)) for phoneme in phonemes)
