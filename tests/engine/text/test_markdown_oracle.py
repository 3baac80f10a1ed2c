"""Words compared with another reader's of Markdown, in texts that nobody here wrote: notes and licences of packages."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib import metadata

from markdown_it import MarkdownIt
from markdown_it.token import Token

from engine.text.markdown import Markdown

WORKS = ("README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "HISTORY", "AUTHORS")
NOT_MARKDOWN = {".py", ".pyc", ".rst"}
WORD = re.compile(r"[^\W_]+")
TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
ALT = re.compile(r"""\salt=(["'])(.*?)\1""", re.DOTALL)
BETWEEN = re.compile(r"</?(?:p|div|br|h\d|li|tr|td|summary|details)\b")
ENOUGH = 20_000  # words; the packages that the project depends on have many more

PLACEHOLDER = "a placeholder that looks like a tag"  # <name of author>, in a block that is indented
INDENTED = "indented code that looks like code"


def works() -> Iterator[str]:
    for package in metadata.distributions():
        if package.name == "onset":
            continue
        about = package.metadata.json
        if str(about.get("description_content_type", "")).startswith("text/markdown"):
            yield str(about["description"])
        for path in package.files or []:
            if path.suffix not in NOT_MARKDOWN and path.name.upper().startswith(WORKS):
                try:
                    yield path.read_text(encoding="utf-8")
                except (OSError, UnicodeDecodeError):
                    continue  # listed and not installed, or of another time


@cache
def texts() -> tuple[str, ...]:
    return tuple(dict.fromkeys(works()))


def theirs(text: str) -> str:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return html.unescape("".join(_said(reader.parse(text))))


def _said(tokens: Sequence[Token]) -> Iterator[str]:
    """What we mean to say of theirs: numbers of items, alternative texts and indented text, too, but no fenced code."""
    for token in tokens:
        match token.type:
            case "inline":
                yield from _said(token.children or [])
                yield "\n"
            case "image":
                yield from _said(token.children or [])
            case "text" | "code_inline" | "text_special" | "code_block":
                yield token.content
            case "softbreak" | "hardbreak":
                yield "\n"
            case "list_item_open":
                yield f"\n{token.info}. "
            case "html_block" | "html_inline":
                yield TAG.sub(_alternative, token.content)
            case _:
                pass


def _alternative(tag: re.Match[str]) -> str:
    found = ALT.search(tag.group())
    return found[2] if found else " " if BETWEEN.match(tag.group()) else ""


def ours(text: str) -> str:
    markdown = Markdown()
    return markdown.push(text).text + markdown.flush().text


def kind(text: str, only_theirs: Sequence[str], only_ours: Sequence[str]) -> str:
    """Why a stretch of words is different."""
    if only_ours:
        return f"{only_theirs} became {only_ours}"
    words = r"[\W_]+".join(map(re.escape, only_theirs))
    if re.search(rf"^ {{4}}.*{words}", text, re.MULTILINE):
        return PLACEHOLDER if re.search(rf"<{re.escape(only_theirs[0])}\b", text) else INDENTED
    return f"{only_theirs} lost"


def differences() -> tuple[int, dict[str, int]]:
    """Words compared, and those that differ, by kind."""
    count, kinds = 0, dict[str, int]()
    for text in texts():
        a, b = WORD.findall(theirs(text)), WORD.findall(ours(text))
        count += len(a)
        if a == b:
            continue
        for change, start, end, since, until in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            if change != "equal":
                why = kind(text, a[start:end], b[since:until])
                kinds[why] = kinds.get(why, 0) + max(end - start, until - since)
    return count, kinds


def test_the_words_are_those_that_another_reader_finds() -> None:
    count, kinds = differences()
    assert count > ENOUGH
    unexplained = {why: words for why, words in kinds.items() if why not in (PLACEHOLDER, INDENTED)}
    assert sum(unexplained.values()) <= count / 2000, unexplained
    assert kinds.get(INDENTED, 0) <= count / 500
    assert kinds.get(PLACEHOLDER, 0) <= count / 500


def test_no_text_depends_on_how_it_is_cut() -> None:
    for text in texts():
        markdown = Markdown()
        part = text[:20_000]
        pieces = [markdown.push(part[at : at + 7]).text for at in range(0, len(part), 7)]
        assert "".join(pieces) + markdown.flush().text == ours(part)
