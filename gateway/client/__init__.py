"""A client of the native protocol for Python programs; needs `websockets` and nothing of the server."""

from gateway.client.errors import ConnectionLost, OnsetError, SpeechFailed, Unreachable
from gateway.client.onset import Onset
from gateway.client.speech import Speech
from gateway.client.told import Done, Sentence, Stopped, Word

__all__ = [
    "ConnectionLost",
    "Done",
    "Onset",
    "OnsetError",
    "Sentence",
    "Speech",
    "SpeechFailed",
    "Stopped",
    "Unreachable",
    "Word",
]
