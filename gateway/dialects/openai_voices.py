"""Who speaks by OpenAI's names of voices; pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.types import Voice
from gateway.dialects.names import Part, mapped_parts, part_named
from gateway.errors import GatewayError, shown
from gateway.voice_names import EVERY

NAMES = (
    *("alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse"),
)
"""OpenAI's own voices."""


class BadField(GatewayError):
    """One field of a request is wrong; the message says what is allowed."""

    def __init__(self, field: str, message: str, code: str = "bad_value") -> None:
        super().__init__(code, message)
        self.field = field


class Voices:
    """The names a request may use: those of OpenAI as they are mapped, and the installed ones as they are."""

    def __init__(self, mapping: str, installed: Mapping[str, Voice], default: Voice) -> None:
        """`mapping`: as in ONSET_OPENAI_VOICES. Raises GatewayError, which names the entry that cannot be."""
        self._installed = installed
        self.mapped: dict[str, Part] = {}
        for name, part in mapped_parts("ONSET_OPENAI_VOICES", mapping, installed, default).items():
            # What is said of one name goes before what is said of every one.
            names = [n for n in NAMES if n not in self.mapped] if name == EVERY else [name]
            self.mapped |= dict.fromkeys(names, part)

    @property
    def allowed(self) -> str:
        """For people."""
        return ", ".join([*self.mapped, *(name for name in self._installed if name not in self.mapped)])

    def choice(self, name: str) -> Part:
        """Who speaks by this name; raises BadField: nobody speaks for another."""
        choice = self.mapped.get(name) or part_named(name, self._installed)
        if choice is None:
            raise BadField("voice", f"no voice {shown(name)}; voices: {self.allowed}", "unknown_voice")
        return choice
