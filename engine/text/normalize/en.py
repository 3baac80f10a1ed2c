"""English."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text.normalize.common import Signs, addresses
from engine.text.normalize.rules import Rule

SIGNS = Signs(
    "en",
    {".": "dot", "@": "at", "/": "slash", "-": "dash", "_": "underscore", ":": "colon", "+": "plus", "~": "tilde"},
    "and so on",
)

ENGLISH: Sequence[Rule] = (*addresses(SIGNS),)
