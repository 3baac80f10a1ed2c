"""What a client has of a speech, and what of it its listener has heard; pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.client.told import Done, Sentence, Stopped, Word

RAW: Mapping[str, int] = {"pcm_s16le": 2, "pcm_f32le": 4, "mulaw": 1, "alaw": 1}
"""Formats without a header, and their bytes a sample."""

_ROUNDING_MS = 1.0
"""The server tells whole milliseconds."""


class Account:
    """The text that was given, the sound that came, its sentences and words; `now` in seconds of any steady clock.

    A listener hears what comes at once and without a pause, unless `played` says otherwise.
    """

    def __init__(self, format_: str) -> None:
        self._width = RAW.get(format_, 0)  # 0: how much sound is in it shows by the sentences alone
        self.rate_hz: int | None = None
        self._text: list[str] = []
        self.sentences: list[Sentence] = []
        self.words: list[Word] = []
        self.done: Done | None = None
        self.received_ms = 0.0
        self._until = 0.0  # when all that came will have been heard
        self._played: float | None = None
        # Where 0 of the connection's context is in the speech: of its sound, sentences and text.
        self.from_ms, self._from_sentence, self._from_char = 0.0, 0, 0
        self._again: Sentence | None = None  # it was broken off, and is to be said again
        self._begun_ms = 0.0  # where the newest sentence begins
        self._skip = 0  # bytes of it that are here already

    @property
    def text(self) -> str:
        """All that was given."""
        return "".join(self._text)

    def give(self, text: str) -> None:
        """More text of it."""
        self._text.append(text)

    # ---- what comes

    def resume(self) -> str:
        """On a new connection it goes on with this text, of which what is told from now on is."""
        if self._again is None and self.sentences:  # else that was lost before it was said again
            self._again = last = self.sentences.pop()
            self.words[:] = [word for word in self.words if word.sentence < last.index]
            self._from_char = last.start
        self.from_ms, self._from_sentence, self._skip = self.received_ms, len(self.sentences), 0
        return self.text[self._from_char :]

    def begin(self, message: Mapping[str, Any], now: float) -> None:
        """A `sentence`."""
        again, self._again = self._again, None
        if again is not None and again.text == message["text"]:
            # The same text is the same sound: it goes on where it broke off.
            have_ms = self.received_ms - self._begun_ms
            self.from_ms = float(again.start_ms)
            self._skip = round(have_ms * (self.rate_hz or 0) / 1000) * self._width
        base, start_ms = self._from_char, round(self.from_ms) + message["start_ms"]
        if not self._width:
            self._add(start_ms - self.received_ms, now)
        if not self._skip:  # told in whole milliseconds, it begins at a sample
            self._begun_ms = self.received_ms if abs(self.received_ms - start_ms) <= _ROUNDING_MS else float(start_ms)
        start, end = base + message["start"], base + message["end"]
        told = Sentence(len(self.sentences), message["text"], start_ms, message["cached"], start, end)
        self.sentences.append(told)

    def tell(self, message: Mapping[str, Any]) -> None:
        """The `words` of a sentence."""
        base, at = round(self.from_ms), self._from_sentence + message["sentence"]
        self.words += [
            Word(word["text"], base + word["start_ms"], base + word["end_ms"], at) for word in message["words"]
        ]

    def sound(self, data: bytes, now: float) -> bytes:
        """Sound; returns what of it is new."""
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        data = data[skipped:]
        if self._width and self.rate_hz:
            self._add(1000 * len(data) / (self._width * self.rate_hz), now)
        return data

    def end(self, message: Mapping[str, Any], now: float) -> None:
        """The `done`."""
        audio_ms = round(self.from_ms) + message["audio_ms"]
        self._add(audio_ms - self.received_ms, now)
        first = message["first_audio_ms"] if not self._from_char else None
        cached = sum(sentence.cached is not False for sentence in self.sentences)
        self.done = Done(audio_ms, len(self.sentences), cached, first, message["underruns"])

    def _add(self, ms: float, now: float) -> None:
        self.received_ms += max(0.0, ms)
        self._until = max(self._until, now) + max(0.0, ms) / 1000

    # ---- what is heard

    def played(self, ms: float) -> None:
        """The listener says what he has heard of it; never less than before."""
        self._played = max(self._played or 0.0, ms)

    def heard_ms(self, now: float) -> float:
        """By the listener's own word where he gave it, else by the clock."""
        if self._played is not None:
            return min(self._played, self.received_ms)
        return max(0.0, self.received_ms - 1000 * max(0.0, self._until - now))

    def stopped(self, now: float) -> Stopped:
        """How far it has come."""
        sent, heard = self.received_ms, self.heard_ms(now)
        return Stopped(round(sent), round(heard), self.text_until(sent), self.text_until(heard))

    def text_until(self, ms: float) -> str:
        """Sentences whose sound ends by then, and of the next one the words that do, where words were told."""
        parts: list[str] = []
        for at, sentence in enumerate(self.sentences):
            if self._ends_by(at, ms):
                parts.append(sentence.text)
                continue
            end = 0
            for word in self.words:
                if word.sentence == at and word.end_ms <= ms + _ROUNDING_MS:
                    end = sentence.text.find(word.text, end) + len(word.text)
            parts += [sentence.text[:end]] if end else []
            break
        return " ".join(parts)

    def rest(self, ms: float) -> str:
        """The text from the first sentence on whose sound does not end by then."""
        for at, sentence in enumerate(self.sentences):
            if not self._ends_by(at, ms):
                return self.text[sentence.start :]
        if self._again is not None:
            return self.text[self._again.start :]
        return "" if self.done else self.text

    def _ends_by(self, at: int, ms: float) -> bool:
        """A sentence's end is known when the next one begins, or with the end of all."""
        following = self.sentences[at + 1] if at + 1 < len(self.sentences) else self._again
        if following is not None:
            return following.start_ms <= ms + _ROUNDING_MS
        return self.done is not None and self.done.audio_ms <= ms + _ROUNDING_MS
