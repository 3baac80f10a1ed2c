"""Boundaries compared with another splitter's, in prose that nobody here wrote: licences and notes of packages."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import metadata

import pytest
import sentencex

from engine.text.path import sentences

WORKS = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "METADATA", "README")
PROSE, CODE = {".md", ".rst", ".txt"}, {".py", ".pyc"}
MARKUP = re.compile(r"[*`|<>{}\\#]")
ITEM = re.compile(r"\n\s*(?:[-•]|\(?\w{1,4}[.)])\s")
LIMIT = 100_000  # characters: no sentence is cut
ENOUGH = 200  # boundaries; the packages that the project depends on have twice as many


def works() -> Iterator[str]:
    for package in metadata.distributions():
        for path in package.files or [] if package.name != "onset" else []:
            if path.suffix in PROSE or (path.suffix not in CODE and path.name.upper().startswith(WORKS)):
                try:
                    yield path.read_text(encoding="utf-8")
                except (OSError, UnicodeDecodeError):
                    continue  # listed and not installed, or of another time


@cache
def paragraphs() -> tuple[str, ...]:
    """Each once, in lines as they were written: prose without marks."""
    found = dict.fromkeys(block.strip("\n") for work in works() for block in re.split(r"\n\s*\n", work))
    return tuple(block for block in found if _is_prose(block))


def _is_prose(block: str) -> bool:
    text = flat(block)
    letters = sum(map(str.isalpha, text))
    return 120 < len(text) < 5000 and text[-1] in ".!?" and letters > 0.75 * len(text) and not MARKUP.search(text)


def flat(block: str) -> str:
    return " ".join(block.split())


def ours(text: str) -> set[int]:
    return {sentence.end for sentence in sentences([text], LIMIT)} - {len(text)}


def theirs(text: str) -> set[int]:
    ends, at = set(), 0
    for sentence in sentencex.segment("en", text):
        ends.add(at + len(sentence.rstrip()))
        at += len(sentence)
    return ends - {len(text)}


def kind_of_theirs(text: str, end: int) -> str:
    """Why we do not end there."""
    if not text[end].isspace():
        return "no space behind the stop"  # "COPYING.RUNTIME"
    if re.search(r"(?:^|[.:;]\s)\(?(?:\d{1,2}|\w|[ivx]{1,4})[.)]$", text[:end]):
        return "the number of an item"  # said with it
    return "missed"


def kind_of_ours(text: str, end: int) -> str:
    """Why they do not end there."""
    then = text[end:].lstrip(" \"'(“‘")
    if re.search(r"[.!?][)\"'”’]*$", text[:end]) and then[:1].isupper():
        return "a stop before a capital"  # "of the art. I am", "the brackets!) The": theirs to explain
    return "wrong"


def differences() -> tuple[int, Counter[str], list[str]]:
    """Boundaries of both, those of one by kind, and where we seem to be wrong."""
    both, kinds, shown = 0, Counter[str](), []
    for text in map(flat, paragraphs()):
        mine, other = ours(text), theirs(text)
        both += len(mine & other)
        only = [(end, kind_of_theirs(text, end)) for end in other - mine]
        only += [(end, kind_of_ours(text, end)) for end in mine - other]
        kinds.update(kind for _, kind in only)
        shown += [f"{k}: {text[max(0, e - 50) : e]} | {text[e : e + 30]}" for e, k in only if k in {"missed", "wrong"}]
    return both, kinds, shown


def test_sentences_end_where_another_splitter_ends_them() -> None:
    both, kinds, shown = differences()
    assert both > ENOUGH
    assert kinds["missed"] + kinds["wrong"] <= both / 100, shown
    assert kinds["a stop before a capital"] <= both / 10, kinds  # theirs misses some behind "License", "art", brackets
    assert kinds["no space behind the stop"] <= both / 50, kinds


def test_a_wrapped_paragraph_has_the_sentences_of_the_same_in_one_line() -> None:
    written = [block for block in paragraphs() if "\n" in block and not ITEM.search("\n" + block)]
    wrong = [block for block in written if spoken(block) != spoken(flat(block))]
    assert len(written) > 100
    assert len(wrong) <= len(written) / 25, wrong


@pytest.mark.parametrize("width", [72, 80, 100])
def test_prose_wrapped_at_any_width_has_the_same_sentences(width: int) -> None:
    texts = [text for text in map(flat, paragraphs()) if not set("-.):") & set(text[:5]) and " - " not in text]
    wrong = [text for text in texts if spoken(wrapped(text, width)) != spoken(text)]
    assert len(texts) > 100
    assert len(wrong) <= len(texts) / 20, [wrapped(text, width) for text in wrong]


def spoken(text: str) -> list[str]:
    return [sentence.text for sentence in sentences([text], LIMIT)]


def wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, break_on_hyphens=False, break_long_words=False)
