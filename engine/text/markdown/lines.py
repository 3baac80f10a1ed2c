"""What stands at the beginning of a line: headings, items, quotes, rows, rules, fences, definitions."""

from __future__ import annotations

import regex

from engine.text.markdown.draft import Draft
from engine.text.markdown.source import NeedMore, Source
from engine.text.markdown.state import Mode, State

_LONGEST_LINE = 300  # characters looked at to tell what a line is

_RULE_CHARS = r"[-=_*+:| \t\r]"
_RULE = regex.compile(rf"{_RULE_CHARS}{{0,300}}+(?:\n|(?P<long>{_RULE_CHARS}))")
_HEADING = regex.compile(r"(?P<marks>#{1,6}+)[ \t\r\n]")
_BULLETS = "-*+•◦‣▪▫●○■□⁃∙·"
_BULLET = regex.compile(rf"[{_BULLETS}][ \t\r]")
_NUMBER = regex.compile(r"(?P<said>(?P<value>[0-9]{1,9}+)[.)])[ \t]")
_TASK = regex.compile(r"\[[ xX]\][ \t]")
_FENCE = regex.compile(r"(?P<marks>`{3,100}+)[^`\n]{0,100}+\n|(?P<marks>~{3,100}+)[^\n]{0,100}+\n")
_FENCE_END = regex.compile(r"[ \t>]{0,100}+(?P<marks>`{3,100}+|~{3,100}+)[ \t\r]{0,100}+\n")
_ROW = regex.compile(r"\|(?:[ \t]|[^\n]{0,300}+\n)")
_FOOTNOTE = regex.compile(r"\[\^[^\]\s]{1,60}+\]:[ \t]*+")
_DEFINITION = regex.compile(
    r"\[[^\]\[\n^][^\]\[\n]{0,100}+\]:[ \t]{0,10}+(?:<[^<>\n]*+>|(?:[a-z]{2,10}+:|www\.|[/#.])[^\s]*+)"
    r"""[ \t]{0,10}+(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\))?+[ \t\r]{0,10}+\n"""
)
_CODE_LINE = regex.compile(r"[^\n]{0,300}+\n")
_LIKE_CODE = regex.compile(
    r"[{}=\\]|;\s*$|\w\(|::|->|</|^(?:[$>#%]|import |from \w+ import |def |class |if .*:\s*$|for .*:\s*$|\w+ --?\w)"
)
_CODE_INDENT = 4


class Lines:
    """Reads what stands before the first word of a line."""

    def __init__(self, source: Source, draft: Draft, state: State, note: str) -> None:
        self._source = source
        self._draft = draft
        self._state = state
        self._note = note  # said in place of a block of code
        self._readers = {
            ">": (self._quote,),
            "#": (self._heading,),
            "`": (self._fence,),
            "~": (self._fence,),
            "|": (self._rule, self._row),
            "[": (self._task, self._footnote, self._definition),
            **dict.fromkeys("-*+", (self._rule, self._bullet)),
            **dict.fromkeys("=_:", (self._rule,)),
            **dict.fromkeys(_BULLETS[3:], (self._bullet,)),
            **dict.fromkeys("0123456789", (self._number,)),
        }

    def read(self) -> None:
        """One step at the beginning of a line. Raises NeedMore."""
        self._indent()
        char = self._source.peek(0)
        if char == "\n":
            self._blank()
        elif not (self._is_code() or any(reader() for reader in self._readers.get(char, ()))):
            self._text()

    def read_fenced(self) -> None:
        """One step in fenced code. Raises NeedMore."""
        source, state = self._source, self._state
        if state.skipping:
            self._skip_line()
            return
        if state.fence_quoted and source.peek(0) != ">":
            self._leave_code()
            return
        found = source.match(_FENCE_END, _LONGEST_LINE)
        if found and found["marks"].startswith(state.fence):
            source.at = found.end()
            self._leave_code()
        else:
            state.skipping = True

    def read_code(self) -> None:
        """One step in indented code. Raises NeedMore."""
        source, state = self._source, self._state
        if state.skipping:
            self._skip_line()
            return
        self._indent()
        if state.indent >= _CODE_INDENT:
            state.skipping = True
        elif source.peek(0) == "\n":
            source.at += 1
            state.indent = 0
        else:
            state.mode = Mode.LINE

    def _skip_line(self) -> None:
        source, state = self._source, self._state
        end = source.text.find("\n", source.at)
        if end < 0:
            source.at = len(source.text)
            raise NeedMore
        source.at = end + 1
        state.skipping, state.indent = False, 0

    def _leave_code(self) -> None:
        self._state.quoted = self._state.fence_quoted
        self._state.end_line(paragraph=False)

    def _indent(self) -> None:
        source, state = self._source, self._state
        while (char := source.peek(0)) in " \t\r":
            state.indent += 4 - state.indent % 4 if char == "\t" else 1
            source.at += 1

    def _blank(self) -> None:
        source, draft, state = self._source, self._draft, self._state
        draft.settle()
        draft.newline(source.offset)
        source.at += 1
        state.end_line(paragraph=False)

    def _is_code(self) -> bool:
        """Indented code, where it looks like code: what is indented for its looks is said."""
        source, state = self._source, self._state
        if state.indent < _CODE_INDENT or state.marked or state.in_list or state.paragraph:
            return False
        if source.peek(0) in _BULLETS and source.peek(1) in " \t":
            return False
        found = source.match(_CODE_LINE, _LONGEST_LINE)
        if not found or not _LIKE_CODE.search(found.group()):
            return False
        self._say_note()
        state.mode, state.skipping = Mode.CODE, True
        return True

    def _say_note(self) -> None:
        draft, offset = self._draft, self._source.offset
        draft.part(offset)
        if self._note:
            draft.say(self._note, offset)
            draft.part(offset)

    def _begin(self) -> None:
        """A block that is no paragraph begins at the place."""
        if not self._state.numbered:
            self._draft.part(self._source.offset)

    def _quote(self) -> bool:
        source, state = self._source, self._state
        if not (state.quoted or state.was_quoted):
            self._begin()
        state.quoted = True
        state.marked = True
        state.indent = 0
        source.at += 1
        return True

    def _heading(self) -> bool:
        found = self._source.match(_HEADING, _LONGEST_LINE)
        if not found:
            return False
        self._begin()
        self._source.at = found.end("marks")
        self._draft.lazy = self._state.ends_part = True
        self._text()
        return True

    def _rule(self) -> bool:
        """A line of marks: a rule, an underline of a heading, the line below a table's head, an empty item."""
        found = self._source.match(_RULE, _LONGEST_LINE + 2)
        if not found:
            return False
        self._begin()
        self._source.at = found.end()
        if found["long"] is None:
            self._state.row = self._state.was_row
            self._state.end_line(paragraph=False)
        return True

    def _bullet(self) -> bool:
        found = self._source.match(_BULLET, 2)
        if not found:
            return False
        self._begin()
        self._source.at = found.end()
        self._item()
        return True

    def _number(self) -> bool:
        """A number stays, and with it what it says."""
        source, draft, state = self._source, self._draft, self._state
        found = source.match(_NUMBER, 11)
        if not found or (state.paragraph and not state.in_list and int(found["value"]) > 1):
            return False
        self._begin()
        draft.say(found["said"] + " ", source.offset)
        source.at = found.end()
        state.numbered = True
        self._item()
        return True

    def _item(self) -> None:
        state = self._state
        state.in_list = state.marked = True
        state.paragraph, state.indent = False, 0

    def _task(self) -> bool:
        if not self._state.marked or not (found := self._source.match(_TASK, 4)):
            return False
        self._source.at = found.end()
        return True

    def _footnote(self) -> bool:
        found = self._source.match(_FOOTNOTE, 80)
        if found:
            self._begin()
            self._source.at = found.end()
            self._item()
        return found is not None

    def _definition(self) -> bool:
        """Where a link of the text leads."""
        found = self._source.match(_DEFINITION, 1000)
        if found:
            self._source.at = found.end()
            self._state.end_line(paragraph=False)
        return found is not None

    def _row(self) -> bool:
        source, state = self._source, self._state
        if not state.was_row:
            found = source.match(_ROW, _LONGEST_LINE)
            if not found or not found.group().rstrip("\r\n").endswith(("|", " ", "\t")):
                return False
        self._begin()
        source.at += 1
        self._draft.lazy = state.row = state.ends_part = True
        self._text()
        return True

    def _fence(self) -> bool:
        source, state = self._source, self._state
        found = source.match(_FENCE, _LONGEST_LINE)
        if not found:
            return False
        self._say_note()
        source.at = found.end()
        state.mode, state.fence, state.fence_quoted = Mode.FENCE, found["marks"], state.quoted
        return True

    def _text(self) -> None:
        state = self._state
        if not state.paragraph and not state.marked and state.indent < 2:
            state.in_list = False
        state.mode, state.begun = Mode.TEXT, self._source.offset
