"""In which shape a path says that a request is refused that no dialect has seen."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.dialects.http import cartesia, deepgram, elevenlabs, openai
from gateway.dialects.http.requests import Refused

SHAPES: Mapping[str, Refused] = {
    # By the beginning of the path, the longest one that fits, with a stroke at its end what is below it; every other
    # path has the server's own shape.
    "/v1/audio": openai.refused,
    "/v1/models": openai.refused,
    "/v1/text-to-speech": elevenlabs.refused,
    "/v1/voices/": elevenlabs.refused,
    "/v1/user": elevenlabs.refused,
    "/v2/voices": elevenlabs.refused,
    "/v1/speak": deepgram.refused,
    "/tts": cartesia.refused,
    "/voices": cartesia.refused,
}


def shape_of(path: str, shapes: Mapping[str, Refused], own: Refused) -> Refused:
    """The shape of a path; `own` where it is none of a dialect's."""
    begins = [prefix for prefix in shapes if path == prefix or path.startswith(prefix.removesuffix("/") + "/")]
    return shapes[max(begins, key=len)] if begins else own
