"""The second half of a VITS, priors to samples: in steps, or whole where it cannot be rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from engine.graph import split as graph
from engine.graph.store import Graphs
from engine.graph.streaming import Silence, Steps
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
        self._session = open_session(graphs.decoder, short=True)
        self._speaker = open_session(graphs.speaker) if graphs.speaker else None
        self._steps = steps = graphs.steps
        self.hop = steps.hop
        self.lag = -(-steps.lag // steps.hop)
        states = [state.name for state in steps.states]
        self._inputs = [*states, *steps.speaker]
        self._outputs = [graph.SAMPLES, *(f"{name}.next" for name in states)]
        self._silence = tuple(_zeros(steps, state, state.samples) for state in steps.states)
        self._going_on: Feed = {tail.name: _zeros(steps, tail, 0) for tail in steps.tails}
        self._ending: Feed = {tail.name: _zeros(steps, tail, tail.samples) for tail in steps.tails}

    def step(self, decoding: Decoding, frames: int) -> tuple[Wave, Decoding]:
        """Frames that bring no sound yet are left for the step that brings some."""
        prior, end = decoding.prior, min(decoding.at + frames, decoding.prior.frames)
        last = end == prior.frames
        if self._sounded(prior, end) == 0:
            return np.empty(0, np.float32), Decoding(prior, end)
        begin, state = (0, self._start(prior)) if decoding.state is None else (decoding.at, decoding.state)
        tails = self._ending if last else self._going_on
        feed = {graph.PRIOR: self._laid_out(prior.z_p[:, begin:end]), **tails}
        feed.update(zip(self._inputs, state, strict=True))
        samples, *following = self._session.run(self._outputs, feed)
        wave = samples.reshape(-1)[: self._sounded(prior, end) - self._sounded(prior, begin)]
        if last:
            return wave, Decoding(prior, end)
        return wave, Decoding(prior, end, (*_gathered(following), *state[len(following) :]))

    def _sounded(self, prior: Prior, at: int) -> int:
        """Samples that are certain when so many frames are consumed."""
        return at * self.hop if at == prior.frames else max(0, at * self.hop - self._steps.lag)

    def _start(self, prior: Prior) -> tuple[_Array, ...]:
        if self._speaker is None:
            return self._silence
        told = self._speaker.run([*self._steps.speaker], {graph.SPEAKER: np.array([prior.speaker or 0], np.int64)})
        return *self._silence, *(self._laid_out(tensor[0]) for tensor in told)

    def _laid_out(self, tensor: _Array) -> _Array:
        """[channels, samples] as the graph wants it."""
        channels, samples = tensor.shape
        if self._steps.block != 1:
            tensor = tensor.reshape(-1, self._steps.block, samples).swapaxes(1, 2)
        return np.ascontiguousarray(tensor).reshape(self._steps.shape(channels, samples))


def _gathered(tensors: Sequence[_Array]) -> list[_Array]:
    """The same in one block of memory that is theirs alone: they live on among steps."""
    block = np.concatenate([tensor.reshape(-1) for tensor in tensors])
    ends = np.cumsum([tensor.size for tensor in tensors])
    return [part.reshape(tensor.shape) for part, tensor in zip(np.split(block, ends[:-1]), tensors, strict=True)]


def _zeros(steps: Steps, silence: Silence, samples: int) -> _Array:
    return np.zeros(steps.shape(silence.channels, samples), np.float32)


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
