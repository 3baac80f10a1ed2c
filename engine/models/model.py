"""What the engine asks of a model family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from engine.types import Costs, Piece, Wave


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


@dataclass(frozen=True, slots=True)
class Decoding:
    """One piece in mid-decoding. A step gives a new one; the old one stays as it was, so a step may be run again."""

    prior: Prior
    at: int = 0  # frames consumed
    state: Any = None  # what the model carries from step to step; nobody else looks at it. None at the start

    @property
    def left(self) -> int:
        """Frames not yet consumed."""
        return self.prior.frames - self.at

    @property
    def done(self) -> bool:
        """All its sound was given."""
        return self.left <= 0


class Model(Protocol):
    """A loaded voice. Called on model threads, several at once: it keeps no state between calls.

    A call is one step: it cannot be stopped, and it may raise anything.
    """

    @property
    def lag(self) -> int:
        """Frames that the decoder holds back: of a piece, the first n frames consumed give n - lag frames of sound or
        a little more, the last ones all that was held. 0 for a model that decodes pieces whole."""
        ...

    @property
    def whole(self) -> str:
        """Empty for a model that streams; else the reason why it decodes each piece in one step."""
        ...

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        """One padded batch; each prior is what its piece gets alone."""
        ...

    def decode(self, decodings: Sequence[Decoding], frames: int) -> list[tuple[Wave, Decoding]]:
        """The next `frames` frames of each, fewer where fewer are left; a model that is `whole` takes all.

        The wave is what the step adds to the sound, empty while less than `lag` is consumed; the waves of a piece
        joined are `prior.frames` times the voice's hop samples. No row depends on the others, nor on how its
        frames are cut. Raises ValueError for a decoding that is done.
        """
        ...

    def warm_up(self) -> None:
        """Touch every shape of step once, so that the first listener waits no longer than the second."""
        ...

    def costs(self) -> Costs:
        """What its steps take on one thread of this machine, measured by `warm_up`; a guess before."""
        ...
