"""What waits to be written to Redis; pure."""

from __future__ import annotations

from gateway.cache.phrase import Phrase

MAX_BYTES = 32 * 2**20
MAX_ENTRIES = 4096


class Backlog:
    """Writes in the order of their first request, one a key: a later one takes the place of an earlier. Bounded."""

    def __init__(self) -> None:
        self._writes: dict[bytes, Phrase | None] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._writes)

    def add(self, key: bytes, phrase: Phrase | None) -> bool:
        """Take a phrase to be written, or None for a key to be deleted; False where there is no room."""
        more = _size(phrase) - _size(self._writes.get(key))
        if self._bytes + more > MAX_BYTES or (key not in self._writes and len(self._writes) >= MAX_ENTRIES):
            return False
        self._writes[key] = phrase
        self._bytes += more
        return True

    def pop(self) -> tuple[bytes, Phrase | None]:
        """The first write; raises KeyError where there is none."""
        key = next(iter(self._writes), None)
        if key is None:
            raise KeyError("the backlog is empty")
        phrase = self._writes.pop(key)
        self._bytes -= _size(phrase)
        return key, phrase


def _size(phrase: Phrase | None) -> int:
    return 0 if phrase is None else len(phrase.pcm)
