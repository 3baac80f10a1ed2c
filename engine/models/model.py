"""What the engine asks of a model family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engine.types import Piece, Wave


@dataclass(frozen=True, slots=True)
class Prior:
    """A piece after the front: all that its decoding needs, with nothing left to chance.

    `z_p`: float32 [channels, frames]; any range of frames of it may be decoded by a decoder that carries state.
    `durations`: int64 [ids], frames of each phoneme id; their sum is `frames`.
    """

    z_p: npt.NDArray[np.float32]
    durations: npt.NDArray[np.int64]
    speaker: int | None

    @property
    def frames(self) -> int:
        return int(self.z_p.shape[1])


class Model(Protocol):
    """A loaded voice. Called on model threads, several at once: it keeps no state between calls.

    A call is one step: it cannot be stopped, and it may raise anything.
    """

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        """One padded batch; each prior is what its piece gets alone."""
        ...

    def decode(self, prior: Prior) -> Wave:
        """All samples of one piece: `prior.frames` times the voice's hop."""
        ...

    def warm_up(self) -> None:
        """Touch every shape of step once, so that the first listener waits no longer than the second."""
        ...
