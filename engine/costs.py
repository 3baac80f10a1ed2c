"""What the steps of a voice take: measured before it speaks, corrected while it does; pure."""

from __future__ import annotations

from engine.types import Cost, Costs

_SECONDS_AN_ID = 0.025  # what a phoneme id sounds for, until a voice's fronts have told
_SECONDS_A_CHAR = 0.065  # the same for a character of text
_LEARN = 0.1  # weight of the newest sentence in both
_CORRECT = 0.1  # weight of the newest step in a correction
_OUTLIER = 2.0  # a step counts as no further off than this many times what was expected
_MOST_OFF = 8.0  # a correction goes no further

WORTH = 0.1
"""Decodings share a step where that saves at least this part of each further one."""

FRONT_WORTH = 0.2
"""The same for fronts, of which none sounds before all are made."""

_USUAL_ROWS = 8  # of a step where that pays
_USUAL_IDS = 120  # of a sentence: what its front takes is spread over its sound
_USUAL_FRAMES = 32  # of a step


class Effort:
    """Seconds of one thread that steps of one voice take, and the sound that they make. One thread only."""

    def __init__(self, costs: Costs, *, frame_s: float, lag: int = 0, whole: bool = False) -> None:
        self._costs = costs
        self.frame_s, self.lag, self.whole = frame_s, lag, whole
        # How much longer steps take than they were said to.
        self._front = self._first = self._decode = self._last = 1.0
        self._seconds_an_id, self._seconds_a_char = _SECONDS_AN_ID, _SECONDS_A_CHAR

    # ---- sound

    def frames(self, ids: int) -> int:
        """Frames that so many phoneme ids are thought to sound for."""
        return max(1, round(ids * self._seconds_an_id / self.frame_s))

    def sound_s(self, chars: int) -> float:
        """Seconds that so many characters are thought to sound for."""
        return chars * self._seconds_a_char

    def sounding(self, at: int, frames: int, total: int) -> int:
        """Frames of sound that come of consuming `frames` from `at` on: the decoder lags until the piece ends."""
        after = min(total, at + frames)
        heard = total if after == total else max(0, after - self.lag)
        return heard - (max(0, at - self.lag) if at < total else total)

    # ---- work

    def front_s(self, ids: int, rows: int = 1) -> float:
        """A front over `ids` ids in all its rows, padding counted."""
        return self._front * self._costs.front.of(ids, rows)

    def front_saving(self, ids: int) -> float:
        """The part of a front that another one in the same batch would not take again."""
        alone_s = self.front_s(ids)
        return self._front * self._costs.front.base_s / alone_s if alone_s > 0 else 0.0

    def step_s(self, at: int, frames: int, total: int) -> float:
        """A decoding step of one piece."""
        sounding = self.sounding(at, frames, total)
        if at == 0:
            return self._first * self._costs.first.of(sounding)
        return (self._last if at + frames >= total else self._decode) * self._costs.decode.of(sounding)

    def frames_in(self, seconds: float) -> int:
        """Frames that a later step makes in so much time; at least 0."""
        cost = self._costs.decode
        return max(0, int((seconds / self._decode - cost.base_s - cost.row_s) / max(cost.each_s, 1e-9)))

    def begin_s(self, ids: int, frames: int) -> float:
        """From a piece's phoneme ids to the first `frames` frames of its sound."""
        return self.front_s(ids) + self._first * self._costs.first.of(frames)

    def second_s(self) -> float:
        """Work for each second of sound of somebody who speaks without a pause: the share of a thread he takes."""
        usual_s = _USUAL_IDS * self._seconds_an_id
        first = self._first * (self._costs.first.base_s + self._costs.first.row_s)
        return (self.front_s(_USUAL_IDS) + first) / usual_s + self._steady_s() / self.frame_s

    def batch_s(self, at: int, frames: int, total: int, rows: int) -> float:
        """A decoding step of so many pieces, each about as far as this one."""
        alone_s, shared_s = self.step_s(at, frames, total), self._shared_s(at)
        return shared_s + rows * (alone_s - shared_s)

    def saving(self, at: int, frames: int, total: int) -> float:
        """The part of a decoding step that another piece in the same step would not take again."""
        alone_s = self.step_s(at, frames, total)
        return self._shared_s(at) / alone_s if alone_s > 0 else 0.0

    def _shared_s(self, at: int) -> float:
        return self._decode * self._costs.decode.base_s if at else self._first * self._costs.first.base_s

    def _steady_s(self) -> float:
        at, total = self.lag + 1, 2 * self.lag + 2 * _USUAL_FRAMES  # in the middle of a piece
        rows = _USUAL_ROWS if self.saving(at, _USUAL_FRAMES, total) >= WORTH else 1
        return self.batch_s(at, _USUAL_FRAMES, total, rows) / rows / _USUAL_FRAMES

    # ---- learning

    def spoken(self, ids: int, frames: int) -> None:
        """A front told that so many ids sound for so many frames."""
        self._seconds_an_id += _LEARN * (frames * self.frame_s / max(1, ids) - self._seconds_an_id)

    def written(self, chars: int, ids: int) -> None:
        """So many characters became so many ids."""
        self._seconds_a_char += _LEARN * (ids * self._seconds_an_id / max(1, chars) - self._seconds_a_char)

    def front_took(self, ids: int, rows: int, took_s: float) -> None:
        self._front = _corrected(self._front, self.front_s(ids, rows), took_s)

    def step_took(self, at: int, frames: int, total: int, took_s: float) -> None:
        expected_s, last = self.step_s(at, frames, total), at + frames >= total
        if at == 0:
            self._first = _corrected(self._first, expected_s, took_s)
        elif last:
            self._last = _corrected(self._last, expected_s, took_s)
        else:
            self._decode = _corrected(self._decode, expected_s, took_s)


def _corrected(correction: float, expected_s: float, took_s: float) -> float:
    """One step that is far off moves little: the machine was away for a moment."""
    ratio = took_s / expected_s if expected_s > 0 else 1.0
    ratio = min(_OUTLIER, max(1 / _OUTLIER, ratio))
    return min(_MOST_OFF, max(1 / _MOST_OFF, correction * (1 + _CORRECT * (ratio - 1.0))))


def usual_effort() -> Effort:
    """A voice of medium quality on one core of a server, for a voice of which nothing is known."""
    front, first, decode = Cost(0.014, 0.0002), Cost(0.0, 0.0011, row_s=0.013), Cost(0.0, 0.00105, row_s=0.0013)
    return Effort(Costs(front, first, decode), frame_s=256 / 22050, lag=42)
