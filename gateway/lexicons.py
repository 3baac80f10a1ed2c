"""The lexicons of a deployment and of its voices, as their files are now."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import BadLexicon
from engine.text.lexicon import Lexicon

RELOAD_S = 1.0
"""A file is looked at so often; that it has changed costs one read of it."""

MAX_BYTES = 16 * 2**20

_log = logging.getLogger(__name__)


def read_lexicon(file: Path) -> Lexicon:
    """The lexicon in a file. Raises BadLexicon, which names the line, or says why the file cannot be read."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise BadLexicon(f"the file has more than the {MAX_BYTES} bytes that are allowed")
        return Lexicon.parse(file.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadLexicon(f"line {line}: not UTF-8: {error.reason}") from None
    except OSError as error:
        raise BadLexicon(f"it cannot be read: {error.strerror or error}") from None


def voice_lexicon(folder: Path, voice: str) -> Path:
    """Where a voice's own lexicon is, if it has one: beside its files; for a packaged voice, where those would be."""
    return folder / f"{voice}.lexicon.txt"


@dataclass(slots=True)
class _File:
    """A lexicon and the state of the file that it was read from."""

    path: Path
    optional: bool  # where there is no file, there are no entries
    lexicon: Lexicon
    state: tuple[int, ...] | None = ()  # None: there is no file; (): it was not looked for

    def refresh(self) -> bool:
        """Read it if it has changed; whether it has. Raises BadLexicon, once for each change, and keeps the old one."""
        try:
            found = self.path.stat()
            state: tuple[int, ...] | None = (found.st_mtime_ns, found.st_size, found.st_ino)
        except OSError:
            state = None
        if state == self.state:
            return False
        self.state = state
        if state is None and self.optional:
            self.lexicon = Lexicon()
        else:
            self.lexicon = read_lexicon(self.path)
        return True


class Lexicons:
    """For each voice its own lexicon and the deployment's. `of` at any time from any thread; `refresh` reads files.

    `deployment`: a file that must be right at the start, else BadLexicon is raised; one that is wrong later, and a
    voice's at any time, is named in the log, and what it said before stands.
    """

    def __init__(self, folder: Path, voices: Iterable[str] = (), deployment: Path | None = None) -> None:
        empty = Lexicon()
        self._deployment = _File(deployment, optional=False, lexicon=empty) if deployment else None
        if self._deployment:
            self._deployment.refresh()
        self._voices = {name: _File(voice_lexicon(folder, name), optional=True, lexicon=empty) for name in voices}
        for file in self._voices.values():
            _refresh(file)

    def of(self, voice: str) -> tuple[Lexicon, ...]:
        """Those that hold for a voice, its own first."""
        files = self._voices.get(voice), self._deployment
        return tuple(file.lexicon for file in files if file and len(file.lexicon))

    def refresh(self) -> None:
        """Read what has changed. Blocks: not on an event loop."""
        for file in (self._deployment, *self._voices.values()):
            if file:
                _refresh(file)

    async def watch(self, every_s: float = RELOAD_S) -> None:
        """Refreshes from time to time, for ever."""
        while True:
            await asyncio.sleep(every_s)
            await asyncio.to_thread(self.refresh)


def _refresh(file: _File) -> None:
    before = len(file.lexicon)
    try:
        if file.refresh() and (before or len(file.lexicon)):
            _log.info("lexicon %s: %d entries", file.path, len(file.lexicon))
    except BadLexicon as error:
        _log.warning("lexicon %s is left as it was: %s", file.path, error)
