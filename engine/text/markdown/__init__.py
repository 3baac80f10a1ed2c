"""Text as language models write it to plain text, as it streams in."""

from __future__ import annotations

from engine.text.markdown.draft import Plain
from engine.text.markdown.stream import Markdown

__all__ = ["Markdown", "Plain"]
