"""Words that are said otherwise than they are read: an operator's, a voice's or a caller's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from hashlib import blake2b

import regex

from engine.errors import BadLexicon
from engine.text.blocks import block, without_marks

MAX_ENTRIES = 100_000
MAX_WORD_CHARS = 100
MAX_SAID_CHARS = 200

FORMAT = "word = respelling, or word = /fəʊniːmz/ in the International Phonetic Alphabet"

_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")
_NO_PHONEMES = regex.compile(r"[^\p{L}\p{M}\p{Lm}\p{Sk}\s1-5|‖↗↘ꜛꜜ-]")
_IPA = str.maketrans({"'": "ˈ", "’": "ˈ", ":": "ː", "g": "ɡ", ".": None, "‿": None, "\u0361": None, "\u035c": None})
"""What people type for phonemes of a voice, and what says nothing to it: syllables and ties."""

_PLAIN = str.maketrans({**dict.fromkeys("‘’ʼ＇‛", "'"), **dict.fromkeys("‐‑", "-"), "\u00a0": " ", "\u202f": " "})
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}_]")
_MARK = regex.compile(r"\p{M}")
_NO_SPACES = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_KEY = 2  # characters that entries are looked up by, before their whole length is


class Lexicon:
    """Words and phrases, and what is said for each; immutable.

    A word in lower case is found however it is written, one with a capital only as it stands, and of both the latter
    is meant. `version` is a hash of all it says; "" where that is nothing.
    """

    def __init__(self, entries: Mapping[str, str] | None = None) -> None:
        """`entries`: word -> respelling or "/fəʊniːmz/". Raises BadLexicon, which names the entry."""
        self._exact: dict[str, str] = {}
        self._any_case: dict[str, str] = {}
        for word, said in (entries or {}).items():
            try:
                self._add(word, said)
            except BadLexicon as error:
                raise BadLexicon(f"{_short(word)}: {error}") from None
        self._close()

    @classmethod
    def parse(cls, text: str) -> Lexicon:
        """From lines `word = respelling` or `word = /fəʊniːmz/`. Raises BadLexicon, which names the line."""
        lexicon = cls()
        seen: dict[str, tuple[str, int]] = {}
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                word, said = _entry(line)
                before, where = seen.setdefault(word, (said, number))
                if before != said:
                    raise BadLexicon(f"{_short(word)} is said otherwise in line {where}")
                lexicon._add(word, said)
                if len(seen) > MAX_ENTRIES:
                    raise BadLexicon(f"one entry more than the {MAX_ENTRIES} that are allowed")
            except BadLexicon as error:
                raise BadLexicon(f"line {number}: {error}") from None
        lexicon._close()
        return lexicon

    def __len__(self) -> int:
        return len(self._exact) + len(self._any_case)

    def find(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Entries inside `text[start:end]` from left to right, without overlap, of several at one place the longest:
        where each begins and ends, and what is said for it."""
        if not self._lengths:
            return
        plain = text.translate(_PLAIN)
        lower = _lower(plain)
        known = self._lengths
        at = start
        while at < end:
            lengths = (*known.get(lower[at : at + _KEY], ()), *known.get(lower[at], ()))
            if lengths and _is_edge(text, at):
                for stop in (at + length for length in lengths if at + length <= end):
                    said = self._exact.get(plain[at:stop]) or self._any_case.get(lower[at:stop])
                    if said and _is_edge(text, stop) and not _is_negation(lower, stop):
                        yield at, stop, said
                        at = stop - 1
                        break
            at += 1

    def _add(self, word: str, said: str) -> None:
        if not isinstance(word, str) or not isinstance(said, str):
            raise BadLexicon(f"it is {type(said).__name__}, not a string; allowed: a respelling, or /fəʊniːmz/")
        plain = " ".join(without_marks(word).translate(_PLAIN).split())
        said = _said(" ".join(without_marks(said).split()))
        if not plain:
            raise BadLexicon(f"there is no word; allowed: {FORMAT}")
        if len(plain) > MAX_WORD_CHARS:
            raise BadLexicon(f"the word has {len(plain)} characters; allowed: {MAX_WORD_CHARS}")
        for form in ("NFC", "NFD"):
            written = unicodedata.normalize(form, plain)
            (self._any_case if written == _lower(written) else self._exact)[written] = said

    def _close(self) -> None:
        """All entries are there."""
        lengths: dict[str, set[int]] = {}
        for word in (*self._exact, *self._any_case):
            lengths.setdefault(_lower(word)[:_KEY], set()).add(len(word))
        self._lengths = {key: tuple(sorted(found, reverse=True)) for key, found in lengths.items()}
        self.version = self._version()

    def _version(self) -> str:
        if not len(self):
            return ""
        digest = blake2b(digest_size=8, person=b"onset lexicon")
        for word, said in sorted({**self._exact, **self._any_case}.items()):
            for part in (word.encode("utf-8", "surrogatepass"), said.encode("utf-8", "surrogatepass")):
                digest.update(len(part).to_bytes(4, "big"))
                digest.update(part)
        return digest.hexdigest()


def _entry(line: str) -> tuple[str, str]:
    """The word of a line, and what is said for it."""
    word, _, said = line.partition("=")
    word, said = word.strip(), _COMMENT.sub("", said).strip()
    if not word or not said:
        raise BadLexicon(f"{_short(line.strip())}; allowed: {FORMAT}, and # comments")
    return word, said


def _said(said: str) -> str:
    """What stands in the text for an entry: its respelling, or its phonemes as such."""
    if not said:
        raise BadLexicon("nothing is said for it; allowed: a respelling, or /fəʊniːmz/")
    if len(said) > MAX_SAID_CHARS:
        raise BadLexicon(f"{len(said)} characters are said for it; allowed: {MAX_SAID_CHARS}")
    if not said.startswith("/"):
        if not any(map(str.isalnum, said)):
            raise BadLexicon(f"{_short(said)} has no letter; allowed: a respelling, or /fəʊniːmz/")
        return said
    phonemes = said[1:-1].translate(_IPA)
    if len(said) < 2 or not said.endswith("/") or not any(map(str.isalpha, phonemes)):
        raise BadLexicon(f"{_short(said)}; phonemes stand between two slashes, as in /fəʊniːmz/")
    if wrong := _NO_PHONEMES.search(phonemes):
        raise BadLexicon(f"{wrong[0]!r} in {_short(said)} is no phoneme; allowed: the International Phonetic Alphabet")
    return block(phonemes)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _lower(text: str) -> str:
    """In lower case, and just as long."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _is_edge(text: str, at: int) -> bool:
    """Whether a word may begin or end here; in scripts without spaces that is between any two characters."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not _WORD.match(after) or not _WORD.match(before):
        return True
    return not _MARK.match(after) and bool(_NO_SPACES.match(before) or _NO_SPACES.match(after))


def _is_negation(lower: str, at: int) -> bool:
    """ "can" is no word of "can't"."""
    return lower.startswith("'t", at) and _is_edge(lower, at + 2)
