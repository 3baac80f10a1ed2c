"""What clients of another service call the voices of this one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gateway.errors import GatewayError, shown

ANY = "*"
"""Stands for every name that is not mapped by itself."""


@dataclass(frozen=True, slots=True)
class VoiceNames:
    """A voice by its own name, or by one that a setting gives it; never another voice than was asked for.

    `setting` is what an operator would set, for the error.
    """

    voices: Collection[str]
    mapped: Mapping[str, str]
    setting: str

    def voice(self, asked: str, field: str, context: str | None = None) -> str:
        """The name of an installed voice; raises GatewayError, which says what is allowed."""
        if asked in self.voices:
            return asked
        name = self.mapped.get(asked, self.mapped.get(ANY))
        if name is None:
            names = ", ".join([*self.voices, *self.mapped])
            what = f"{field!r} is {shown(asked)}; allowed: {names}. {self.setting} can map other names to voices"
            raise GatewayError("unknown_voice", what, context=context)
        if name not in self.voices:
            what = f"{self.setting} maps {shown(asked)} to {shown(name)}; installed: {', '.join(self.voices)}"
            raise GatewayError("unknown_voice", what, context=context)
        return name


def read_names(written: str) -> dict[str, str]:
    """The names of a setting, as in `aura-asteria-en=joe, *=joe`; raises ValueError, which says how they are
    written."""
    mapped: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in written.split(","))):
        name, equals, voice = (part.strip() for part in pair.partition("="))
        if not (name and equals and voice):
            raise ValueError(f"{shown(pair)} is not a pair; write name=voice, several with commas between them")
        mapped[name] = voice
    return mapped
