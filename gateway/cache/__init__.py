"""Phrases that were spoken before: in memory always, in Redis where one is set."""

from __future__ import annotations

from gateway.cache.leases import Elsewhere
from gateway.cache.making import Making, Reader, Source, Speak
from gateway.cache.makings import Makings
from gateway.cache.phrase import Phrase, phrase_key, voice_mark
from gateway.cache.phrase_cache import PhraseCache
from gateway.cache.redis_url import BadRedisUrl
from gateway.cache.shelf import RedisTrouble, Shelf, Stock
from gateway.cache.stats import CacheStats

__all__ = [
    "BadRedisUrl",
    "CacheStats",
    "Elsewhere",
    "Making",
    "Makings",
    "Phrase",
    "PhraseCache",
    "Reader",
    "RedisTrouble",
    "Shelf",
    "Source",
    "Speak",
    "Stock",
    "phrase_key",
    "voice_mark",
]
