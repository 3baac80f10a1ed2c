"""What ElevenLabs' clients ask for, in a query or a body, as the settings of a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.types import Pace, Voice
from gateway.dialects.fields import Fields, typed
from gateway.dialects.names import Part, VoiceNames
from gateway.dialects.sound import Sound
from gateway.events import DEFAULT_CONTEXT, Start

DEFAULT_FORMAT = "mp3_44100_128"
DEFAULT_IDLE_S, LONGEST_IDLE_S = 20, 180
MAX_SEED = 2**32 - 1
_LEAST_FINGERPRINT = 6  # characters of one that stand for a voice


def _formats() -> dict[str, Sound]:
    rates = (8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
    mp3 = ((22_050, 32), (24_000, 48), *((44_100, kbps) for kbps in (32, 64, 96, 128, 192)))
    return {
        **{f"mp3_{rate}_{kbps}": Sound("mp3", rate, kbps) for rate, kbps in mp3},
        **{f"pcm_{rate}": Sound("pcm_s16le", rate) for rate in rates},
        "ulaw_8000": Sound("mulaw", 8000),
        "alaw_8000": Sound("alaw", 8000),
        **{f"opus_48000_{kbps}": Sound("opus", 48_000, kbps) for kbps in (32, 64, 96, 128, 192)},
        **{f"wav_{rate}": Sound("wav", rate) for rate in rates},
    }


FORMATS: Mapping[str, Sound] = _formats()
SOCKET_FORMATS: Mapping[str, Sound] = {name: sound for name, sound in FORMATS.items() if sound.format != "wav"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the query of a socket asks for; `start` is that of a context whose messages ask for nothing else."""

    start: Start
    sound: Sound
    idle_s: float = DEFAULT_IDLE_S
    auto_mode: bool = False
    sync_alignment: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What a request over HTTP asks for; its sound is made from the samples of `start`."""

    start: Start
    text: str
    sound: Sound


def voice_of(asked: str, voices: Mapping[str, Voice], names: VoiceNames) -> Part:
    """Who speaks by the id in a path: a name, one that is mapped, or the beginning of one voice's fingerprint.

    Raises GatewayError.
    """
    if asked not in voices and len(asked) >= _LEAST_FINGERPRINT:
        found = [voice.name for voice in voices.values() if voice.fingerprint.startswith(asked.lower())]
        if len(found) == 1:
            return Part(found[0])
    return names.part(asked, "voice_id")


def asked_of(query: Mapping[str, str], part: Part) -> Asked:
    """What the query of a socket asks for; raises GatewayError. Parameters that change no sound are let be."""
    fields = Fields(typed(query, ("inactivity_timeout", "seed"), ("auto_mode", "sync_alignment")))
    auto_mode = fields.flag("auto_mode")
    # A text that comes in whole sentences has no clause that should go first.
    start = replace(_start(fields, part), words=True, early=False if auto_mode else None)
    sound = _sound(fields, SOCKET_FORMATS)
    return Asked(
        sound.of(start),
        sound,
        fields.number("inactivity_timeout", 1, LONGEST_IDLE_S) or DEFAULT_IDLE_S,
        auto_mode,
        fields.flag("sync_alignment"),
    )


def request_of(
    query: Mapping[str, str], body: Mapping[str, Any], part: Part, pace: Pace, *, words: bool = False
) -> Request:
    """What a request over HTTP asks for, with the times of its words or without; raises GatewayError."""
    fields = Fields(body)
    text, sound = fields.text("text"), _sound(Fields(query), FORMATS)
    return Request(voiced(replace(_start(fields, part), pace=pace, words=words, early=False), fields), text, sound)


def voiced(start: Start, fields: Fields) -> Start:
    """The same with the `voice_settings` of a message; those that this server's voices lack are let be."""
    settings = fields.inner("voice_settings")
    if settings is None:
        return start
    for name in ("stability", "similarity_boost", "style"):
        settings.number(name, 0, 1)
    settings.flag("use_speaker_boost")
    speed = settings.number("speed", 0.25, 4)
    return start if speed is None else replace(start, speed=speed)


def check_schedule(fields: Fields) -> None:
    """A `generation_config` may be there; its schedule is that of a server that needs one. Raises GatewayError."""
    for name in ("generation_config", "generator_config"):
        config = fields.inner(name)
        schedule = None if config is None else config.get("chunk_length_schedule")
        if config is None or schedule is None:
            continue
        numbers = isinstance(schedule, list) and all(type(item) in (int, float) and item > 0 for item in schedule)
        if not numbers:
            raise config.wrong("chunk_length_schedule", "a list of numbers of characters, as in [120, 160, 250, 290]")


def _sound(fields: Fields, formats: Mapping[str, Sound]) -> Sound:
    sound = fields.choice("output_format", formats)
    return sound if isinstance(sound, Sound) else formats[DEFAULT_FORMAT]


def _start(fields: Fields, part: Part) -> Start:
    seed = fields.whole("seed", 0, MAX_SEED)
    language = fields.string("language_code") or None
    return Start(DEFAULT_CONTEXT, voice=part.voice, speaker=part.speaker, language=language, seed=seed)
