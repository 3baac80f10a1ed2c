"""Other names for voices, as an operator gives them; pure."""

from __future__ import annotations

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
