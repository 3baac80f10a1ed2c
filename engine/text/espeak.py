"""espeak-ng, whose state belongs to the process: one owner, and one text at a time."""

from __future__ import annotations

import re
import threading

from piper import espeakbridge
from piper.phonemize_espeak import ESPEAK_DATA_DIR

from engine.errors import BrokenVoice

_POINT = re.compile(r"(?:(?<!\d)\.|\.(?!\d))(?=.)", re.DOTALL)
_MOST_POINTS = 40
"""espeak-ng writes past its table of words, and the process is gone, at 97 points as in "a.b. a.b. " or "a . a . "."""

Clause = tuple[str, str, bool]
"""Phonemes, the mark behind them, and whether it ends a sentence."""


class Espeak:
    """Reads texts clause by clause. Any number of readers, each on its own thread, take turns."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._begun = False
        self._set: tuple[object, str] | None = None  # by whom, and to which voice: that takes as long as a clause

    def clauses(self, text: str, voice: str, reader: object) -> list[Clause]:
        """What `voice` says; nothing of it is left for the next text. Raises BrokenVoice for an unknown voice."""
        if text.count(".") > _MOST_POINTS:
            text = _POINT.sub(" ", text)
        with self._turn:
            try:
                self._set_voice(voice, reader)
            except RuntimeError as error:
                raise BrokenVoice(f"espeak-ng cannot speak {voice!r}: {error}") from error
            clauses: list[Clause] = espeakbridge.get_phonemes(text)
            espeakbridge.get_phonemes("")  # a text that ends in ".." leaves a "dot" for the next; nobody hears this one
            return clauses

    def _set_voice(self, voice: str, reader: object) -> None:
        if not self._begun:
            espeakbridge.initialize(str(ESPEAK_DATA_DIR))
            self._begun = True
        if self._set != (reader, voice):
            self._set = None
            espeakbridge.set_voice(voice)
            self._set = reader, voice


ESPEAK = Espeak()
