"""In which shape a path says that a request is refused before its dialect has seen it."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.dialects.http import cartesia, deepgram, elevenlabs, openai
from gateway.dialects.http.requests import Refused

SHAPES: Mapping[str, Refused] = {
    # By the beginning of the path, the longest one that fits; every other path has the server's own shape.
    "/v1/audio": openai.refused,
    "/v1/models": openai.refused,
    "/v1/text-to-speech": elevenlabs.refused,
    "/v1/speak": deepgram.refused,
    "/tts": cartesia.refused,
    "/voices": cartesia.refused,
}
