"""Who speaks by OpenAI's names of voices; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.types import Voice
from gateway.errors import GatewayError, shown
from gateway.voice_names import DEFAULT, EVERY, read_mapping

NAMES = (
    *("alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse"),
)
"""OpenAI's own voices."""


class BadField(GatewayError):
    """One field of a request is wrong; the message says what is allowed."""

    def __init__(self, field: str, message: str, code: str = "bad_value") -> None:
        super().__init__(code, message)
        self.field = field


@dataclass(frozen=True, slots=True)
class VoiceChoice:
    """Who speaks: a voice and, where it has several, one of its speakers."""

    voice: str
    speaker: str | int | None = None


class Voices:
    """The names a request may use: those of OpenAI as they are mapped, and the installed ones as they are."""

    def __init__(self, mapping: str, installed: Mapping[str, Voice], default: Voice) -> None:
        """`mapping`: as in ONSET_OPENAI_VOICES. Raises GatewayError, which names the entry that cannot be."""
        self._installed = installed
        self.mapped: dict[str, VoiceChoice] = {}
        for name, target in read_mapping(mapping).items():
            choice = (
                VoiceChoice(default.name) if target == DEFAULT and target not in installed else self._choice(target)
            )
            if choice is None:
                what = f"ONSET_OPENAI_VOICES: {name}={target}: no such voice; installed: {', '.join(installed)}"
                raise GatewayError("unknown_voice", what)
            # What is said of one name goes before what is said of every one.
            names = [n for n in NAMES if n not in self.mapped] if name == EVERY else [name]
            self.mapped |= dict.fromkeys(names, choice)

    @property
    def allowed(self) -> str:
        """For people."""
        return ", ".join([*self.mapped, *(name for name in self._installed if name not in self.mapped)])

    def choice(self, name: str) -> VoiceChoice:
        """Who speaks by this name; raises BadField: nobody speaks for another."""
        choice = self.mapped.get(name) or self._choice(name)
        if choice is None:
            raise BadField("voice", f"no voice {shown(name)}; voices: {self.allowed}", "unknown_voice")
        return choice

    def _choice(self, name: str) -> VoiceChoice | None:
        if name in self._installed:
            return VoiceChoice(name)
        voice, colon, speaker = name.rpartition(":")
        if not colon or voice not in self._installed:
            return None
        known = self._installed[voice]
        if speaker in known.speakers:
            return VoiceChoice(voice, speaker)
        numbered = speaker.isascii() and speaker.isdecimal() and int(speaker[:9]) < known.speaker_count
        return VoiceChoice(voice, int(speaker)) if numbered and len(speaker) < 9 else None
