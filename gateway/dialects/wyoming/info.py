"""What this server tells of itself: one program, and its voices."""

from __future__ import annotations

from collections.abc import Iterable

from wyoming.info import Attribution, Info, TtsProgram, TtsVoice, TtsVoiceSpeaker

from engine.types import Voice
from gateway import __version__
from gateway.dialects.wyoming.frames import framed

PROGRAM = "onset"
_BY = Attribution(name="Onset", url="")


def info(voices: Iterable[Voice]) -> bytes:
    """The answer to `describe`, as it is sent."""
    program = TtsProgram(
        name=PROGRAM,
        attribution=_BY,
        installed=True,
        description="Onset, a real-time voice gateway",
        version=__version__,
        voices=[_described(voice) for voice in voices],
        supports_synthesize_streaming=True,
    )
    return framed(Info(tts=[program]).event())


def _described(voice: Voice) -> TtsVoice:
    names = list(voice.speakers) or [str(number) for number in range(voice.speaker_count)]
    return TtsVoice(
        name=voice.name,
        attribution=_BY,
        installed=True,
        description=voice.name,
        version=None,
        # With an underscore, as Piper's own server says it: what was set up with that one finds it here.
        languages=[voice.language.replace("-", "_")],
        speakers=[TtsVoiceSpeaker(name) for name in names] if voice.speaker_count > 1 else None,
    )
