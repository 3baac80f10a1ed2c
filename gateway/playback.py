"""Where a listener is in the sound that was sent to him; pure, `now` is in seconds."""

from __future__ import annotations

from collections import deque

GAP_S = 0.020
"""A shorter silence where sound was due is not counted as an underrun: no player runs without that much in hand."""


class Playback:
    """A listener plays what he gets at once and without a pause, unless his `played` says otherwise.

    Sound is *posted* when it is on its way to the socket, and *written* when the socket took it: then it can be heard.
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate = rate_hz
        self._posted: deque[tuple[int, float]] = deque()  # samples not yet written, since when their text was there
        self._posted_samples = 0
        self._written_samples = 0
        self._until = 0.0  # when all that was written will have been heard
        self._acked: int | None = None  # samples
        self._dry_by_clock = self._dry_by_word = 0  # times he ran dry while text was waiting

    @property
    def underruns(self) -> int:
        """Times the listener ran dry while text was waiting: by his own word where he gave it, else by the clock."""
        return self._dry_by_clock if self._acked is None else self._dry_by_word

    @property
    def posted_samples(self) -> int:
        return self._posted_samples

    def post(self, samples: int, since: float) -> None:
        """Sound is on its way; its text was there at `since`."""
        self._posted.append((samples, since))
        self._posted_samples += samples

    def written(self, now: float) -> None:
        """The socket took the oldest sound that was posted and not yet written."""
        samples, since = self._posted.popleft()
        if self._written_samples and since < self._until < now - GAP_S:
            if self._acked is None:
                self._dry_by_clock += 1
            else:
                self._dry_by_word += 1
        self._until = max(self._until, now) + samples / self._rate
        self._written_samples += samples

    def played(self, ms: float, now: float) -> None:
        """The listener says how much he has heard; more than was written counts as all of it."""
        heard = min(round(ms * self._rate / 1000), self._written_samples)
        self._acked = max(self._acked or 0, heard)
        left_s = (self._written_samples - self._acked) / self._rate
        # Who has nothing left has had nothing since some time before he said so.
        self._until = now + left_s if left_s else min(now, self._until)

    @property
    def acknowledged(self) -> bool:
        """Whether the listener ever said where he is."""
        return self._acked is not None

    def lead_s(self, now: float) -> float:
        """Sound that is before the listener, what is on its way included."""
        return self.unwritten_s + max(0.0, self._until - now)

    @property
    def unwritten_s(self) -> float:
        return (self._posted_samples - self._written_samples) / self._rate

    def heard_samples(self, now: float) -> int:
        """What he has heard: his own word where he gave it, else by the clock."""
        if self._acked is not None:
            return self._acked
        return self._written_samples - round(max(0.0, self._until - now) * self._rate)
