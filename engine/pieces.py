"""An utterance as the pieces a model takes; pure but for the phonemizer it is given."""

from __future__ import annotations

import hashlib
from typing import Protocol

from engine.text.phonemes import PhonemeConfig
from engine.types import Piece, Spelling, Utterance


class Phonemes(Protocol):
    """Text to phoneme ids; called on the text thread only."""

    def ids(self, text: str, config: PhonemeConfig) -> list[tuple[int, ...]]:
        """One tuple an espeak sentence; none where there is nothing to say."""
        ...

    def spell(self, text: str, config: PhonemeConfig) -> list[Spelling]:
        """As `ids`, with the words that they are."""
        ...


def to_pieces(utterance: Utterance, phonemes: Phonemes, config: PhonemeConfig) -> tuple[Piece, ...]:
    """The pieces of an utterance in the order in which they sound. Text thread only."""
    voice = utterance.voice
    return tuple(
        Piece(
            ids=spelling.ids,
            speaker=utterance.speaker if voice.speaker_count > 1 else None,
            length_scale=voice.length_scale / utterance.speed,
            noise_scale=voice.noise_scale,
            noise_w=voice.noise_w,
            seed=_seed(utterance, number),
            words=spelling.words,
        )
        for number, spelling in enumerate(phonemes.spell(utterance.text, config))
    )


def _seed(utterance: Utterance, number: int) -> int:
    """64 bits from the caller's seed, else from the text: the same sentence has the same sound everywhere."""
    source = f"text {utterance.text}" if utterance.seed is None else f"seed {utterance.seed}"
    digest = hashlib.sha256(f"{number} {source}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big")
