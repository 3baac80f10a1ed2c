"""VITS voices as Piper and Coqui export them, on ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from engine.graph import split as graph
from engine.models.costs import line_through, of_rows, seconds_of
from engine.models.decoders import Decoder
from engine.models.model import Decoding, Prior
from engine.models.sessions import Feed, run
from engine.models.trial import TRIAL_LENGTHS, trial_piece, trial_prior
from engine.types import Cost, Costs, Piece, Wave

_WARM_ROWS = 4
_WARM_FRAMES = (8, 32)  # of a step
_WARM_END = 12  # of the last one, in which what the decoder held back sounds, too
_WARM_ENDS = 5
_GUESS = Costs(front=Cost(0.013, 0.00022), first=Cost(0.0, 0.0011, 0.015), decode=Cost(0.0, 0.0011, 0.001))


class Vits:
    """One VITS voice, cut in two; see engine/graph/split.py for what each half takes and gives."""

    def __init__(self, front: ort.InferenceSession, decoder: Decoder) -> None:
        self._front, self._decoder = front, decoder
        self._costs = _GUESS

    @property
    def lag(self) -> int:
        return self._decoder.lag

    @property
    def whole(self) -> str:
        return self._decoder.whole

    @property
    def hop(self) -> int:
        """Samples a frame."""
        return self._decoder.hop

    def front(self, pieces: Sequence[Piece]) -> list[Prior]:
        """Text encoder, durations and prior of a padded batch."""
        return priors_of(self._front, pieces)

    def decode(self, decodings: Sequence[Decoding], frames: int) -> list[tuple[Wave, Decoding]]:
        """Flow and HiFi-GAN, one row after another: on a CPU rows together take less in the shortest steps only, and
        more in all others."""
        if frames < 1:
            raise ValueError(f"a step of {frames} frames")
        if any(decoding.done for decoding in decodings):
            raise ValueError("a decoding is done")
        return [self._decoder.step(decoding, frames) for decoding in decodings]

    def warm_up(self) -> None:
        """Takes about a second for a usual voice."""
        for length in TRIAL_LENGTHS:
            priors = self.front([trial_piece(length)])
        channels = priors[0].z_p.shape[0]
        least, most = (self.lag + n for n in _WARM_FRAMES)
        self._costs = Costs(
            front=self._measure_front(),
            first=self._measure_first(trial_prior(channels, most + 1)),
            decode=self._measure_decode(trial_prior(channels, least + _WARM_FRAMES[1] + _WARM_END)),
        )

    def costs(self) -> Costs:
        return self._costs

    def _measure_front(self) -> Cost:
        n, more = TRIAL_LENGTHS[1], TRIAL_LENGTHS[-1]
        one, long = (seconds_of(partial(self.front, [trial_piece(size)])) for size in (n, more))
        single = Cost(*line_through(n, one, more, long))
        batch = seconds_of(partial(self.front, [trial_piece(n)] * _WARM_ROWS))
        return of_rows(n * _WARM_ROWS, _WARM_ROWS, single, batch)

    def _measure_first(self, prior: Prior) -> Cost:
        """Of a piece longer than the step, for a decoder that takes steps. Rows run one after another."""
        parts = [Prior(prior.z_p[:, : self.lag + n + (self.lag > 0)], prior.durations, 0) for n in _WARM_FRAMES]
        few, many = (
            seconds_of(partial(self.decode, [Decoding(part)], self.lag + n))
            for part, n in zip(parts, _WARM_FRAMES, strict=True)
        )
        base_s, each_s = line_through(_WARM_FRAMES[0], few, _WARM_FRAMES[1], many)
        return Cost(0.0, each_s, base_s)

    def _measure_decode(self, prior: Prior) -> Cost:
        """Rows run one after another: each costs all of it."""
        if not self.lag:
            return self._measure_first(prior)
        ((_, begun),) = self.decode([Decoding(prior)], self.lag + _WARM_FRAMES[0])
        few, many = (seconds_of(partial(self.decode, [begun], n)) for n in _WARM_FRAMES)
        ((_, ending),) = self.decode([begun], _WARM_FRAMES[1])
        for _ in range(_WARM_ENDS):  # on all threads at once, about: what they work in then is what it will be
            self.decode([ending], _WARM_END)
        base_s, each_s = line_through(_WARM_FRAMES[0], few, _WARM_FRAMES[1], many)
        return Cost(0.0, each_s, base_s)


def priors_of(front: ort.InferenceSession, pieces: Sequence[Piece]) -> list[Prior]:
    """Each row's noise comes from its own seed and has its own length, so a row does not depend on the others."""
    rows, longest = len(pieces), max(len(p.ids) for p in pieces)
    ids = np.zeros((rows, longest), np.int64)
    noise = np.zeros((rows, 2, longest), np.float32)
    dice = [np.random.Generator(np.random.PCG64(p.seed)) for p in pieces]
    for row, piece in enumerate(pieces):
        n = len(piece.ids)
        ids[row, :n] = piece.ids
        noise[row, :, :n] = dice[row].standard_normal((2, n), np.float32) * np.float32(piece.noise_w)
    feed: Feed = {
        graph.IDS: ids,
        graph.LENGTHS: np.array([len(p.ids) for p in pieces], np.int64),
        graph.LENGTH_SCALE: np.array([p.length_scale for p in pieces], np.float32).reshape(rows, 1, 1),
        graph.DURATION_NOISE: noise,
        graph.SPEAKER: np.array([p.speaker or 0 for p in pieces], np.int64),
    }
    durations, means, spreads = run(front, [graph.DURATIONS, graph.MEAN, graph.SPREAD], feed)
    return [_sample(piece, durations[row], means[row], spreads[row], dice[row]) for row, piece in enumerate(pieces)]


def _sample(
    piece: Piece,
    durations: npt.NDArray[np.float32],
    mean: npt.NDArray[np.float32],
    spread: npt.NDArray[np.float32],
    dice: np.random.Generator,
) -> Prior:
    """z_p = mean + noise * spread * noise_scale, cut at the row's own length."""
    counts = durations.reshape(-1)[: len(piece.ids)].astype(np.int64)
    frames = max(1, int(counts.sum()))
    z_p = mean[:, :frames]
    if piece.noise_scale:
        noise = dice.standard_normal(z_p.shape, np.float32)
        z_p = z_p + noise * spread[:, :frames] * np.float32(piece.noise_scale)
    return Prior(np.ascontiguousarray(z_p), counts, piece.speaker)
