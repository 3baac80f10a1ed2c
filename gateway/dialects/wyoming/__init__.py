"""Wyoming, which Home Assistant speaks: events over a stream of bytes, one client's texts one after another."""

from gateway.dialects.wyoming.frames import Frames
from gateway.dialects.wyoming.info import info
from gateway.dialects.wyoming.socket import Wyoming

__all__ = ["Frames", "Wyoming", "info"]
