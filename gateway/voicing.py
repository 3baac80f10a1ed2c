"""The settings of a context: a `start` checked against the voices that are installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import UnknownVoice
from engine.types import Pace, Utterance, Voice
from gateway.errors import StartRefused, shown
from gateway.events import SPOKEN_FORMATS, Start


@dataclass(frozen=True, slots=True)
class Voicing:
    """How the sentences of a context sound and how fast they are wanted."""

    voice: Voice
    speaker: int = 0
    speed: float = 1.0
    seed: int | None = None
    pace: Pace = Pace.REALTIME
    words: bool = False

    def utterance(self, text: str) -> Utterance:
        """A sentence with the settings as they are now."""
        return Utterance(text, self.voice, self.speaker, self.speed, self.seed)


def voicing(start: Start, voices: Mapping[str, Voice], default: Voice) -> Voicing:
    """The settings a `start` asks for; raises StartRefused, which names what is allowed instead."""
    voice = _voice(start, voices, default)
    if start.format not in SPOKEN_FORMATS:
        raise _refused(start, "unsupported_format", "format", start.format, ", ".join(SPOKEN_FORMATS))
    if start.sample_rate not in (None, voice.rate_hz):
        allowed = f"{voice.rate_hz}, the rate of {voice.name}"
        raise _refused(start, "unsupported_format", "sample_rate", start.sample_rate, allowed)
    return Voicing(voice, _speaker(start, voice), start.speed, start.seed, start.pace, start.words)


def _voice(start: Start, voices: Mapping[str, Voice], default: Voice) -> Voice:
    if start.voice is not None and start.voice not in voices:
        error = UnknownVoice(start.voice, tuple(voices))
        raise StartRefused(error.code, str(error), context=start.context)
    asked = voices[start.voice] if start.voice is not None else None
    if start.language is None:
        return asked or default
    candidates = [asked] if asked else [default, *voices.values()]
    for voice in candidates:
        if _speaks(voice, start.language):
            return voice
    languages = ", ".join(sorted({voice.language for voice in candidates}))
    allowed = f"{languages}, the language of {asked.name}" if asked else languages
    raise _refused(start, "unknown_language", "language", start.language, allowed)


def _speaks(voice: Voice, language: str) -> bool:
    """Whether a voice is in the range of a tag, as in RFC 4647 basic filtering: `en` takes in `en-US`."""
    tag, asked = voice.language.lower(), language.lower().replace("_", "-")
    return tag == asked or tag.startswith(asked + "-")


def _speaker(start: Start, voice: Voice) -> int:
    asked = start.speaker
    if asked is None:
        return 0
    number = voice.speakers.get(asked) if isinstance(asked, str) else asked
    if number is None or not 0 <= number < voice.speaker_count:
        raise _refused(start, "unknown_speaker", "speaker", asked, _speakers(voice))
    return number


def _speakers(voice: Voice) -> str:
    numbers = f"0 to {voice.speaker_count - 1}" if voice.speaker_count > 1 else "0, the only one"
    names = ", ".join(list(voice.speakers)[:50])
    more = f" and {len(voice.speakers) - 50} more" if len(voice.speakers) > 50 else ""
    return f"{numbers}" + (f", or by name {names}{more}" if names else "") + f" for {voice.name}"


def _refused(start: Start, code: str, field: str, value: object, allowed: str) -> StartRefused:
    return StartRefused(code, f"{field!r} is {shown(value)}; allowed: {allowed}", context=start.context)
