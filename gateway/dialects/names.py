"""What clients of another service call the voices of this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.types import Voice
from gateway.errors import GatewayError, shown
from gateway.voice_names import DEFAULT, EVERY, read_mapping


@dataclass(frozen=True, slots=True)
class Part:
    """Who speaks: a voice and, where it has several, one of its speakers."""

    voice: str
    speaker: str | int | None = None


def part_named(name: str, voices: Mapping[str, Voice]) -> Part | None:
    """An installed voice by its own name, or `voice:speaker`; None where there is none."""
    if name in voices:
        return Part(name)
    voice, colon, speaker = name.rpartition(":")
    if not colon or voice not in voices:
        return None
    known = voices[voice]
    if speaker in known.speakers:
        return Part(voice, speaker)
    numbered = speaker.isascii() and speaker.isdecimal() and int(speaker[:9]) < known.speaker_count
    return Part(voice, int(speaker)) if numbered and len(speaker) < 9 else None


def mapped_parts(setting: str, mapping: str, voices: Mapping[str, Voice], default: Voice) -> dict[str, Part]:
    """Who speaks by the names that `mapping`, the value of `setting`, gives. Raises GatewayError where it names a voice
    that is not installed."""
    mapped: dict[str, Part] = {}
    for name, target in read_mapping(mapping).items():
        part = Part(default.name) if target == DEFAULT and target not in voices else part_named(target, voices)
        if part is None:
            what = f"{setting}: {name}={target}: no such voice; installed: {', '.join(voices)}"
            raise GatewayError("unknown_voice", what)
        mapped[name] = part
    return mapped


class VoiceNames:
    """A voice by its own name, `voice:speaker` too, or by one that a setting gives it; never another than was asked."""

    def __init__(self, setting: str, mapping: str, voices: Mapping[str, Voice], default: Voice) -> None:
        """`mapping` is the value of `setting`. Raises GatewayError where it names a voice that is not installed."""
        self._setting, self._voices = setting, voices
        self._mapped = mapped_parts(setting, mapping, voices, default)

    def part(self, asked: str, field: str, context: str | None = None) -> Part:
        """Who speaks by this name; raises GatewayError, which says what is allowed."""
        part = part_named(asked, self._voices) or self._mapped.get(asked) or self._mapped.get(EVERY)
        if part is None:
            names = ", ".join([*self._voices, *self._mapped])
            what = f"{field!r} is {shown(asked)}; allowed: {names}. {self._setting} gives voices other names"
            raise GatewayError("unknown_voice", what, context=context)
        return part
