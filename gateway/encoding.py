"""A context's sound in the format that was asked for, as events."""

from __future__ import annotations

from collections.abc import Callable

from engine.types import Pcm
from gateway.codec import Codec, EncodingFailed
from gateway.events import Audio, Failed


class Encoding:
    """Of one context, from its first sound on. What it gives is to be sent in its order.

    `new_codec` is called when there is something to encode, and not before: some take a millisecond to make. Where one
    fails that is told once, and nothing more of its stream can be heard.
    """

    def __init__(self, context: str, new_codec: Callable[[], Codec]) -> None:
        self._context, self._new_codec = context, new_codec
        self._codec: Codec | None = None
        self._failed = False
        self.unsent = 0  # samples that were pushed and for which nothing was given yet

    def push(self, pcm: Pcm) -> Audio | Failed | None:
        """More sound."""
        self.unsent += len(pcm)
        return self._given(Codec.push, pcm)

    def mark(self) -> Audio | Failed | None:
        """A pause: what was pushed is to be heard now."""
        return self._given(Codec.mark) if self._codec is not None else None

    def end(self) -> Audio | Failed | None:
        """There is no more sound."""
        return self._given(Codec.end) if self._codec is not None else None

    def _given(self, work: Callable[..., bytes], *sound: Pcm) -> Audio | Failed | None:
        if self._failed:
            return None
        try:
            codec = self._codec = self._codec or self._new_codec()
            data = work(codec, *sound)
        except EncodingFailed as error:
            self._failed = True
            return Failed(error.code, error.message, error.retryable, self._context)
        if not data:
            return None
        samples, self.unsent = self.unsent, 0
        return Audio(self._context, data, codec.format, codec.rate_hz, samples=samples)
