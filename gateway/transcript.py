"""Which text belongs to which sound of a context; pure."""

from __future__ import annotations

from dataclasses import dataclass

USUAL_CHAR_S = 0.06
"""Sound of one character before a sentence was whole; about what English takes at speed 1."""


@dataclass(slots=True)
class _Span:
    text: str
    start: int  # samples
    samples: int = 0  # made so far
    whole: bool = False


class Transcript:
    """Sentences and their places in the sound, in order."""

    def __init__(self, rate_hz: int) -> None:
        self._usual = USUAL_CHAR_S * rate_hz
        self._spans: list[_Span] = []

    def begin(self, text: str, start: int) -> None:
        """A sentence's sound begins at this sample."""
        self._spans.append(_Span(text, start))

    def made(self, samples: int) -> None:
        """More sound of the last sentence was made."""
        self._spans[-1].samples += samples

    def end(self) -> None:
        """The last sentence's sound is whole; the next one is expected to be as fast."""
        span = self._spans[-1]
        span.whole = True
        self._usual = span.samples / len(span.text)

    def text_until(self, sample: int) -> str:
        """The text whose sound is before a sample: whole sentences, and of the last one whole words in proportion."""
        parts = [self._part(span, sample - span.start) for span in self._spans if span.start < sample]
        return " ".join(part for part in parts if part)

    def _part(self, span: _Span, samples: int) -> str:
        length = span.samples if span.whole else max(span.samples, self._usual * len(span.text))
        if samples >= length:
            return span.text
        chars = int(len(span.text) * samples / length)
        if span.text[chars].isspace():
            return span.text[:chars].rstrip()
        head = span.text[:chars]
        # A script without spaces has no word to be cut at here.
        return head[: head.rindex(" ")] if " " in head else ("" if " " in span.text else head)
