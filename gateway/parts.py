"""What all who are spoken to share: the parts of one server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.engine import Engine
from engine.text.lexicon import Lexicon
from gateway.cache import PhraseCache
from gateway.counts import Counts
from gateway.session import Session
from gateway.settings import Settings


@dataclass(frozen=True, slots=True)
class Parts:
    """What speaks. `lexicons`: those that hold for a voice, by its name, at any time."""

    engine: Engine
    cache: PhraseCache
    settings: Settings
    lexicons: Callable[[str], Sequence[Lexicon]]
    counts: Counts = field(default_factory=Counts)

    def session(self) -> Session:
        """A new one, of one client."""
        return new_session(self.engine, self.settings, self.lexicons)


def new_session(engine: Engine, settings: Settings, lexicons: Callable[[str], Sequence[Lexicon]]) -> Session:
    """As a client of a server with these settings has one."""
    return Session(
        engine.voices,
        engine.default_voice,
        max_contexts=settings.max_contexts,
        max_context_chars=settings.max_context_chars,
        max_sentence_chars=settings.max_sentence_chars,
        code=settings.code,
        early=settings.early_clause,
        lexicons=lexicons,
    )
