"""Voices as clients are told of them, and other names for them, as an operator gives them; pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.types import Voice

EVERY = "*"
"""All names of a dialect that are not mapped by themselves."""

DEFAULT = "default"
"""The default voice, whichever that is."""


def read_mapping(mapping: str) -> dict[str, str]:
    """`alloy=name,nova=name:speaker,*=default`; the entry for every name comes last. Raises ValueError."""
    entries: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in mapping.split(","))):
        name, equals, target = (part.strip() for part in entry.partition("="))
        if not (name and equals and target):
            raise ValueError(f"{entry!r} is not name=voice, as in alloy=en_US-joe-medium,*=default")
        entries[name] = target
    if EVERY in entries:
        entries[EVERY] = entries.pop(EVERY)
    return entries


def described(voice: Voice, default: str) -> Mapping[str, object]:
    """A voice as `/v1/voices` and `onset voices --json` show it."""
    # What may be said in a start's `speaker`, nothing where there is no choice.
    numbers = list(range(voice.speaker_count)) if voice.speaker_count > 1 else []
    return {
        "name": voice.name,
        "language": voice.language,
        "sample_rate": voice.rate_hz,
        "speakers": list(voice.speakers) or numbers,
        "fingerprint": voice.fingerprint,
        "default": voice.name == default,
    }
