"""What stands in a line: emphasis, code, links, formulas, entities, tags."""

from __future__ import annotations

import html
import re

import regex

from engine.text.markdown import tags
from engine.text.markdown.draft import LONGEST_HELD, Draft
from engine.text.markdown.latex import plain_formula
from engine.text.markdown.marks import encloses, may_close, may_open
from engine.text.markdown.source import NeedMore, Source
from engine.text.markdown.state import Mode, State

_LONGEST_RUN = 100  # marks in a row; more are text
_LONGEST_URL = 1000
_LONGEST_FORMULA = 1000  # displayed

SIGNS = re.compile(r"[\n\\`*_~\[\]<&$|#◁【]|!(?=\[|\Z)")
"""Where plain text may end; all between two of these is said as it is."""

_RUNS = {char: regex.compile(rf"{regex.escape(char)}{{1,{_LONGEST_RUN + 1}}}+") for char in "*_~`"}
_STREAK = {char: regex.compile(rf"{regex.escape(char)}*+") for char in "*_~`"}
_TICKS = re.compile("`+")
_ESCAPED = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENTITY = regex.compile(r"&(?:#[0-9]{1,7}+|#[xX][0-9a-fA-F]{1,6}+|[A-Za-z][A-Za-z0-9]{1,31}+);")
_PLACE = r"(?:[^\s()\\<>]++|\\[^\n]|\((?:[^\s()\\]++|\\[^\n])*+\))*+"
_LINK = regex.compile(
    rf"\([ \t]*+\n?+[ \t]*+(?:<[^<>\n]*+>|{_PLACE})"
    r"""(?:[ \t\n]++(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|\((?:[^()\\]++|\\.)*+\)))?+[ \t\n]*+\)"""
)
_LABEL = regex.compile(r"\[[^\[\]\n^][^\[\]\n]{0,100}+\]|\[\]")
_NOTE = regex.compile(r"\[\^[^\]\[\s]{1,60}+\]")
_CITATION = regex.compile(r"【[^】\n]{0,60}+】")
_CLOSED_HEADING = regex.compile(r"#{1,100}+[ \t\r]*+\n")
_PRICE = regex.compile(r"\$[0-9][0-9.,]*+(?:[^\s0-9.,$^_\\=+*/<>{A-Za-z]|[kKmMbBtT]?+(?:\s|\p{P})|[A-Za-z]{2}|[\s])")
_VARIABLE = regex.compile(r"\$[A-Za-z_]\w++[^\w$^_\\{(=+*/<>|]")


class Spans:
    """Reads a line from its first word to its end."""

    def __init__(self, source: Source, draft: Draft, state: State) -> None:
        self._source = source
        self._draft = draft
        self._state = state
        self._readers = {
            "\n": self._newline,
            "\\": self._backslash,
            "`": self._code,
            "[": self._bracket,
            "]": self._closing_bracket,
            "!": self._image,
            "<": self._tag,
            "&": self._entity,
            "$": self._formula,
            "|": self._pipe,
            "#": self._closed_heading,
            "◁": self._thought,
            "【": self._citation,
            **dict.fromkeys("*_~", self._emphasis),
        }

    def read(self) -> None:
        """One sign, and the plain text before it. Raises NeedMore at a sign that cannot be read yet."""
        source, draft = self._source, self._draft
        found = SIGNS.search(source.text, source.at)
        end = found.start() if found else len(source.text)
        if end > source.at:
            draft.say(source.text[source.at : end], source.offset)
            source.at = end
        if found:
            if draft.holds:
                draft.expire(source.offset)
            self._readers[found.group()]()

    def read_unsaid(self) -> None:
        """On to the end of what nobody is to hear. Raises NeedMore."""
        source, state = self._source, self._state
        found = state.until.search(source.text, source.at) if state.until else None
        if not found:
            source.at = max(source.at, len(source.text) - tags.LONGEST_END)
            raise NeedMore
        source.at = found.end()
        state.mode = state.after

    def _say(self, count: int) -> None:
        """The next `count` characters are text."""
        source = self._source
        self._draft.say(source.text[source.at : source.at + count], source.offset)
        source.at += count

    def _newline(self) -> None:
        source, draft, state = self._source, self._draft, self._state
        if state.ends_part:
            draft.part(source.offset)
        else:
            draft.newline(source.offset)
        source.at += 1
        state.end_line(paragraph=not state.ends_part)

    def _backslash(self) -> None:
        source = self._source
        after = source.peek(1)
        if after in "([" and self._math("\\" + after, "\\)" if after == "(" else "\\]"):
            return
        if after in _ESCAPED:
            source.at += 1
            self._say(1)
        elif after == "\n" and not source.last:
            source.at += 1
        else:
            self._say(1)

    # ---- emphasis and code

    def _run(self, char: str) -> int:
        """How many of `char` stand here, 0 for more than any mark has; those are said. Raises NeedMore."""
        source = self._source
        found = _RUNS[char].match(source.text, source.at)
        count = len(found.group()) if found else 0
        if source.before() == char or count > _LONGEST_RUN:
            streak = _STREAK[char].match(source.text, source.at)
            self._say(len(streak.group()) if streak else 1)
            return 0
        source.peek(count)
        return count

    def _emphasis(self) -> None:
        source, draft = self._source, self._draft
        char = source.peek(0)
        count = self._run(char)
        if not count:
            return
        before, after = source.before(), source.peek(count)
        if char != "*" and "://" in source.word():
            self._say(count)
        elif may_close(char, count, before, after) and self._close(char, count):
            source.at += count
        elif may_open(char, count, before, after):
            draft.open(char, count, char * count, source.offset)
            source.at += count
        else:
            self._say(count)

    def _close(self, char: str, count: int) -> bool:
        """Whether a run of `count` ends emphasis, or several at once."""
        source, draft = self._source, self._draft
        mark = draft.opened(char, count)
        if mark is not None:
            written = source.since(mark.offset)
            if not encloses(written, char, count, source.at_offset(mark.offset - 1)):
                draft.give_up(mark)
                return False
            draft.close(mark)
            return True
        if count < 3 and (mark := draft.opened(char, 3)) is not None:
            draft.shorten(mark, count)
            return True
        if count == 3 and all((draft.opened(char, 1), draft.opened(char, 2))):
            for part in (1, 2):
                if (mark := draft.opened(char, part)) is not None:
                    draft.close(mark)
            return True
        return char == "*" and count == 2 and draft.owes()

    def _code(self) -> None:
        """Code in a line is its content; a run of ticks without another is text."""
        source = self._source
        count = self._run("`")
        if not count:
            return
        start = source.at + count
        limit = min(len(source.text), start + LONGEST_HELD)
        for found in _TICKS.finditer(source.text, start, limit):
            if found.end() == limit and limit == len(source.text) and not source.last:
                raise NeedMore
            if found.end() - found.start() == count:
                code = source.text[start : found.start()]
                if "\n\n" not in code:
                    self._draft.say(code.replace("\n", " "), source.base + start)
                    source.at = found.end()
                    return
                break
        if limit < start + LONGEST_HELD and not source.last and "\n\n" not in source.text[start:limit]:
            raise NeedMore
        self._say(count)

    # ---- links

    def _image(self) -> None:
        if self._source.peek(1) == "[":
            self._draft.open("[", 2, "![", self._source.offset)
            self._source.at += 2
        else:
            self._say(1)

    def _bracket(self) -> None:
        source = self._source
        after = source.peek(1)
        if after == "^" and (found := source.match(_NOTE, 70)):
            source.at = found.end()
        elif after in "Tt" and (found := source.match(tags.BRACKET_THOUGHT, 8)):
            source.at = found.end()
            self._unsaid(tags.bracket_end())
        else:
            self._draft.open("[", 1, "[", source.offset)
            source.at += 1

    def _closing_bracket(self) -> None:
        source, draft = self._source, self._draft
        mark = draft.bracket()
        if mark is None:
            self._say(1)
            return
        tail = self._tail(source.since(mark.offset + mark.count))
        if tail:
            draft.close(mark)
            source.at += 1 + tail
        else:
            draft.give_up(mark)
            self._say(1)

    def _tail(self, said: str) -> int:
        """Length of `(address)` or `[label]` behind the bracket that closes `said`. Raises NeedMore."""
        source = self._source
        after = source.peek(1)
        if after not in "([" or (after == "[" and not any(map(str.isalpha, said))):
            return 0
        source.at += 1
        try:
            found = source.match(_LINK if after == "(" else _LABEL, _LONGEST_URL)
        finally:
            source.at -= 1
        return found.end() - found.start() if found else 0

    # ---- tags

    def _tag(self) -> None:
        source = self._source
        after = source.peek(1)
        if after in "!?|":
            self._declaration()
        elif not (after.isalpha() or after == "/"):
            self._say(1)
        else:
            tight = source.before().isalnum() or (after.isalpha() and not source.peek(2).isalnum())
            found = source.match(tags.TIGHT_TAG if tight else tags.TAG, _LONGEST_URL)
            if found and self._is_tag(found["name"].lower(), bool(found["close"])):
                self._apply(found)
            elif link := source.match(tags.AUTOLINK, _LONGEST_URL):
                self._draft.say(link["link"], source.base + link.start("link"))
                source.at = link.end()
            else:
                self._say(1)

    def _is_tag(self, name: str, closes: bool) -> bool:
        """`Vec<u8>` and `x<y>` are none, though both look like one."""
        if closes or name in tags.HTML or tags.unsaid_until(name):
            return True
        return len(name) > 1 and not self._source.before().isalnum()

    def _apply(self, found: regex.Match[str]) -> None:
        source, draft, state = self._source, self._draft, self._state
        name, offset = found["name"].lower(), source.offset
        source.at = found.end()
        if not found["close"] and (until := tags.unsaid_until(name)) and not found.group().endswith("/>"):
            self._unsaid(until, offset)
        elif name in ("td", "th"):
            draft.gap(offset)
        elif tags.ends_part(name):
            lazy = draft.lazy
            draft.part(offset)
            draft.lazy = lazy
        elif name == "br":
            draft.gap(offset) if state.row else draft.newline(offset)
        elif name == "img" and (alt := tags.ALT.search(found.group())):
            draft.say(alt["text"], offset + alt.start("text"))

    def _declaration(self) -> None:
        source = self._source
        if found := source.match(tags.COMMENT, 4):
            source.at = found.end()
            self._unsaid(tags.comment_end())
        elif found := source.match(tags.SPECIAL_TOKEN, 50):
            source.at = found.end()
            if until := tags.token_unsaid_until(found["name"]):
                self._unsaid(until)
        elif found := source.match(tags.DECLARATION, LONGEST_HELD):
            source.at = found.end()
        else:
            self._say(1)

    def _unsaid(self, until: regex.Pattern[str], begun: int = -1) -> None:
        state = self._state
        state.mode, state.until = Mode.UNSAID, until
        state.after = Mode.LINE if state.begun == begun and not state.ends_part else Mode.TEXT

    def _thought(self) -> None:
        source = self._source
        if found := source.match(tags.BRACKET_THOUGHT, 8):
            source.at = found.end()
            self._unsaid(tags.bracket_end())
        else:
            self._say(1)

    # ---- signs

    def _entity(self) -> None:
        source = self._source
        found = source.match(_ENTITY, 34)
        said = html.unescape(found.group()) if found else ""
        if found and said != found.group():
            self._draft.say(" ".join(said.split()) or " ", source.offset)
            source.at = found.end()
        else:
            self._say(1)

    def _formula(self) -> None:
        source = self._source
        if source.peek(1) == "$":
            if not self._math("$$", "$$"):
                self._say(2)
        elif self._is_price() or not self._inline_math():
            self._say(1)

    def _is_price(self) -> bool:
        source = self._source
        if source.peek(1).isdigit():
            return source.match(_PRICE, 40) is not None
        return source.peek(1).isspace() or source.match(_VARIABLE, 40) is not None

    def _inline_math(self) -> bool:
        """`$x$`: the next dollar closes, right behind a sign and before no other; else this one is text."""
        source = self._source
        end = source.find("$", 1, LONGEST_HELD)
        if end < 0 or source.text[end - 1].isspace() or source.peek(end + 1 - source.at).isalnum():
            return False
        self._say_formula(1, end, 1)
        return True

    def _math(self, opener: str, closer: str) -> bool:
        source = self._source
        size = len(opener)
        end = source.find(closer, size, LONGEST_HELD if closer == "\\)" else _LONGEST_FORMULA)
        if end < 0:
            return False
        self._say_formula(size, end, len(closer))
        return True

    def _say_formula(self, size: int, end: int, closer: int) -> None:
        source = self._source
        start = source.at + size
        for said, at in plain_formula(source.text[start:end]):
            self._draft.say(said, source.base + start + at)
        source.at = end + closer

    def _pipe(self) -> None:
        source, draft, state = self._source, self._draft, self._state
        if state.row:
            draft.gap(source.offset)
            source.at += 1
        elif source.before() in " \t" and source.peek(1) in " \t\n":
            draft.say("—", source.offset)
            source.at += 1
            state.ends_part = True
        else:
            self._say(1)

    def _closed_heading(self) -> None:
        source, state = self._source, self._state
        heading = state.ends_part and not state.row
        if heading and source.before() in " \t" and (found := source.match(_CLOSED_HEADING, 300)):
            source.at = found.end() - 1
        else:
            self._say(1)

    def _citation(self) -> None:
        source = self._source
        found = source.match(_CITATION, 64)
        if found and "†" in found.group():
            source.at = found.end()
        else:
            self._say(1)
