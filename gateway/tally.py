"""What one connection did, for its line in the log."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.speaker import Speaker


@dataclass(slots=True)
class Tally:
    """Counts of what is over."""

    contexts: int = 0
    sentences: int = 0
    audio_s: float = 0.0

    def add(self, speaker: Speaker) -> None:
        """A context is over."""
        self.sentences += speaker.sentences
        self.audio_s += speaker.audio_s
