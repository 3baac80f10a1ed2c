"""ElevenLabs: text to speech over two WebSockets, and over HTTP."""

from gateway.dialects.elevenlabs.alignment import Aligned, Timeline
from gateway.dialects.elevenlabs.asked import FORMATS, SOCKET_FORMATS, Asked, Request, asked_of, request_of, voice_of
from gateway.dialects.elevenlabs.shapes import http_error, models_json, voice_json, voices_json
from gateway.dialects.elevenlabs.socket import MultiStreamInput, Refused, StreamInput
from gateway.dialects.elevenlabs.timed import TimedLines, TimedWhole

__all__ = [
    "FORMATS",
    "SOCKET_FORMATS",
    "Aligned",
    "Asked",
    "MultiStreamInput",
    "Refused",
    "Request",
    "StreamInput",
    "TimedLines",
    "TimedWhole",
    "Timeline",
    "asked_of",
    "http_error",
    "models_json",
    "request_of",
    "voice_json",
    "voice_of",
    "voices_json",
]
