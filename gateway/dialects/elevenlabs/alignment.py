"""When each character sounds: word times spread over their characters, and cut by the messages that carry the sound."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from gateway.events import Word


@dataclass(frozen=True, slots=True)
class Aligned:
    """Characters, one a string, each with its start and its duration in milliseconds."""

    chars: tuple[str, ...] = ()
    starts_ms: tuple[int, ...] = ()
    durations_ms: tuple[int, ...] = ()


class Timeline:
    """The characters of one context and the sound that was sent of it; pure.

    Joined, the characters are the sentences as they were written, with a space behind each, and maybe one more at the
    end.
    """

    def __init__(self, rate_hz: int) -> None:
        """`rate_hz`: of the samples that `sound` is told."""
        self._rate_hz = rate_hz
        self._sent = 0  # samples
        self._told_ms = 0  # where the last character that was told ends
        self._chars: deque[tuple[str, float]] = deque()  # with its start, in ms of the context
        self._rest = ""  # of the sentence in hand
        self._reached_ms = 0.0

    @property
    def sent_ms(self) -> int:
        return round(self._sent * 1000 / self._rate_hz)

    def sentence(self, text: str, start_ms: float) -> None:
        """A sentence begins; its words come next."""
        self.finish()
        self._rest, self._reached_ms = text, start_ms

    def words(self, words: Sequence[Word]) -> None:
        """The next words of the sentence in hand."""
        for word in words:
            at = self._rest.find(word.text)
            before, self._rest = (self._rest[:at], self._rest[at + len(word.text) :]) if at >= 0 else ("", self._rest)
            self._spread(before, word.start_ms)
            text = word.text
            if text and not self._rest.strip():  # the last one: whoever looks for spaces has it at once
                text, self._rest = f"{text} ", ""
            self._spread(text, word.end_ms)

    def finish(self) -> None:
        """The sentence in hand has no more words: what is left of it has no sound of its own."""
        if self._rest.strip():
            self._spread(f"{self._rest} ", self._reached_ms)
        self._rest = ""

    def begun(self, samples: int) -> list[tuple[str, int]]:
        """The characters that begin in the next samples, and when, in milliseconds of all that was sent."""
        self._sent += samples
        return self._taken(self.sent_ms)

    def sound(self, samples: int) -> Aligned:
        """The same for the message that carries these samples, times relative to it.

        Its characters tile it from its first sample to its last, so that a client who adds up durations and one who
        counts samples agree after each: the first of them takes the silence before it, and the last one what was sent
        since the message before with a character.
        """
        start_ms = self.sent_ms
        begun = self.begun(samples)
        return self._aligned([char for char, _ in begun], [max(0, at_ms - start_ms) for _, at_ms in begun])

    def rest(self) -> Aligned:
        """What no sound came for; and where sound came after the last character, which belongs to none, a space."""
        self.finish()
        chars = [char for char, _ in self._taken(None)]
        if not chars and 0 < self._told_ms < self.sent_ms:
            chars = [" "]
        return self._aligned(chars, [0] * len(chars))

    def _aligned(self, chars: list[str], starts: list[int]) -> Aligned:
        if not chars:
            return Aligned()
        starts[0] = 0
        ends = [*starts[1:], max(self.sent_ms - self._told_ms, starts[-1])]
        self._told_ms += ends[-1]
        return Aligned(tuple(chars), tuple(starts), tuple(end - at for at, end in zip(starts, ends, strict=True)))

    def _taken(self, before_ms: int | None) -> list[tuple[str, int]]:
        taken = []
        while self._chars and (before_ms is None or self._chars[0][1] < before_ms):
            char, at_ms = self._chars.popleft()
            taken.append((char, round(at_ms)))
        return taken

    def _spread(self, text: str, until_ms: float) -> None:
        """Characters at even distances from where we are until a time."""
        until_ms = max(until_ms, self._reached_ms)
        each_ms = (until_ms - self._reached_ms) / len(text) if text else 0.0
        self._chars.extend((char, self._reached_ms + index * each_ms) for index, char in enumerate(text))
        self._reached_ms = until_ms
