"""A voice that is measured once for all the engines of a test run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from engine.loudness import SAMPLE_TEXT
from engine.models.model import Decoding, Model, Prior
from engine.pieces import to_pieces
from engine.text.phonemes import Phonemizer
from engine.types import Costs, Piece, Utterance, Wave
from engine.voices import LoadedVoice
from engine.warming import shape_of


class Measured:
    """A model that was warm and measured when the first engine started with it, and is the same for all others."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.lag, self.whole = model.lag, model.whole

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        return self._model.front(pieces)

    def decode(self, decodings: Sequence[Decoding], frames: int) -> list[tuple[Wave, Decoding]]:
        return self._model.decode(decodings, frames)

    def warm_up(self) -> None:
        _ = self._costs

    def costs(self) -> Costs:
        return self._costs

    @cached_property
    def _costs(self) -> Costs:
        self._model.warm_up()
        return self._model.costs()


def measured(loaded: LoadedVoice) -> LoadedVoice:
    pieces = to_pieces(Utterance(SAMPLE_TEXT, loaded.voice), Phonemizer(), loaded.phonemes)
    return replace(loaded, model=Measured(loaded.model), shape=shape_of(loaded, pieces))
