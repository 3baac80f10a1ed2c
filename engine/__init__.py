"""Text to sound; knows no socket, no wire format, no Redis, no codec."""

from __future__ import annotations

ENGINE_VERSION = 2
"""Raised with every change that makes the same utterance sound different: sound kept from before is then not found."""
