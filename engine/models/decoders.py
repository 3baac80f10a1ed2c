"""The second half of a VITS, priors to samples: in steps, or whole where it cannot be rewritten."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from engine.graph import split as graph
from engine.graph.store import Graphs
from engine.graph.streaming import LAST, State
from engine.models.model import Decoding, Prior
from engine.models.sessions import Feed, open_session, run
from engine.types import Wave

_Array = npt.NDArray[Any]


class Decoder(Protocol):
    """Any thread; several at once."""

    hop: int  # samples a frame
    lag: int  # frames that it holds back
    whole: str  # why it takes no steps

    def step(self, decoding: Decoding, frames: int) -> tuple[Wave, Decoding]:
        """The next frames of a piece that is not done."""
        ...


class StreamingDecoder:
    """Carries the convolutions' state in `Decoding.state`, with what depends on the speaker behind it."""

    whole = ""

    def __init__(self, graphs: Graphs) -> None:
        self._session = open_session(graphs.decoder)
        self._speaker = open_session(graphs.speaker) if graphs.speaker else None
        self._steps = graphs.steps
        self.hop = graphs.steps.hop
        self.lag = -(-graphs.steps.lag // self.hop)
        states = [s.name for s in graphs.steps.states]
        self._inputs = [*states, *graphs.steps.speaker]
        self._outputs = [graph.SAMPLES, *(f"{name}.next" for name in states)]

    def step(self, decoding: Decoding, frames: int) -> tuple[Wave, Decoding]:
        """Frames that bring no sound yet are left for the step that brings some."""
        prior, end = decoding.prior, min(decoding.at + frames, decoding.prior.frames)
        last = end == prior.frames
        if end * self.hop <= self._steps.lag and not last:
            return np.empty(0, np.float32), Decoding(prior, end)
        begin, state = (0, self._start(prior)) if decoding.state is None else (decoding.at, decoding.state)
        feed = dict(zip(self._inputs, state, strict=True))
        feed[graph.PRIOR] = np.ascontiguousarray(prior.z_p[None, :, None, begin:end])
        feed[LAST] = np.array([last], np.int64)
        samples, *following = self._session.run(self._outputs, feed)
        if last:
            return samples.reshape(-1), Decoding(prior, end)
        fixed = state[len(following) :]
        return samples.reshape(-1), Decoding(prior, end, (*following, *fixed))

    def _start(self, prior: Prior) -> tuple[_Array, ...]:
        states = (_silence(s) for s in self._steps.states)
        if self._speaker is None:
            return (*states,)
        speaker = self._speaker.run([*self._steps.speaker], {graph.SPEAKER: np.array([prior.speaker or 0], np.int64)})
        return (*states, *(tensor.reshape(1, -1, 1, 1) for tensor in speaker))


def _silence(state: State) -> _Array:
    return np.zeros((1, state.channels, 1, state.begin), np.float32)


class WholeDecoder:
    """Flow and HiFi-GAN of a whole piece at once."""

    lag = 0

    def __init__(self, session: ort.InferenceSession, hop: int, whole: str) -> None:
        self._session = session
        self.hop, self.whole = hop, whole

    def step(self, decoding: Decoding, frames: int) -> tuple[Wave, Decoding]:
        prior = decoding.prior
        return decode_whole(self._session, prior), Decoding(prior, prior.frames)


def decode_whole(session: ort.InferenceSession, prior: Prior) -> Wave:
    """All samples of a piece, by the decoder as it was cut."""
    feed: Feed = {
        graph.PRIOR: prior.z_p[None],
        graph.MASK: np.ones((1, 1, prior.frames), np.float32),
        graph.SPEAKER: np.array([prior.speaker or 0], np.int64),
    }
    samples: Wave = run(session, [graph.SAMPLES], feed)[0].reshape(-1)
    return samples
