"""Whether Redis is asked at all; pure."""

from __future__ import annotations

FAILURES = 3  # in a row; the next lookup then is not made
PULSE_S = 2.0  # between two probes while Redis answers
FIRST_WAIT_S = 0.5  # before the first probe of a Redis that stopped answering
LONGEST_WAIT_S = 10.0


class Breaker:
    """Open (nothing is asked) from the start, and after `FAILURES` failures in a row; closed by a probe that succeeds.

    One failure opens it again after a probe closed it, and the wait before the next probe goes on growing, until a
    lookup is answered: a Redis that answers probes only is not tried at full rate.
    """

    def __init__(self) -> None:
        self.open = True
        self._failures = 0
        self._wait_s = FIRST_WAIT_S

    @property
    def wait_s(self) -> float:
        """Seconds until the next probe."""
        return self._wait_s if self.open else PULSE_S

    def answered(self) -> None:
        """A lookup was answered in time."""
        if not self.open:
            self._failures = 0
            self._wait_s = FIRST_WAIT_S

    def failed(self) -> bool:
        """A lookup or write failed; True where this opens the breaker."""
        self._failures += 1
        if self.open or self._failures < FAILURES:
            return False
        self.open = True
        return True

    def probed(self, answered: bool) -> bool:
        """A probe ended; True where this opens or closes the breaker."""
        if answered:
            changed, self.open = self.open, False
            if changed:
                self._failures = FAILURES - 1
            return changed
        if self.open:
            self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)
            return False
        self.open = True
        return True
