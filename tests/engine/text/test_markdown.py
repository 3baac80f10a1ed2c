"""Marks out of streamed text: the same for any cut, given out at once, little held, in linear work."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.markdown import Markdown, Plain
from engine.text.markdown.latex import plain_formula
from tests.engine.text.test_path import STREAMS, cut
from tests.growth import is_linear, lines_run

SIGNS = "*_~`[]()<>$\\&#|!-+=:.0123456789\"'/^{}◁▷【】†•"


def spread(plain: Plain) -> list[tuple[str, int]]:
    """Every character with its source offset."""
    stops = [index for index, _ in plain.places[1:]] + [len(plain.text)]
    found = [
        (plain.text[at], offset + at - index)
        for (index, offset), stop in zip(plain.places, stops, strict=False)
        for at in range(index, stop)
    ]
    assert len(found) == len(plain.text)
    return found


def streamed(tokens: Iterable[str]) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """What is given out for the tokens, and what then for the flush."""
    markdown = Markdown()
    given = [pair for token in tokens for pair in spread(markdown.push(token))]
    return given, spread(markdown.flush())


def plain(text: str) -> str:
    markdown = Markdown()
    return markdown.push(text).text + markdown.flush().text


def given_out(text: str) -> str:
    return Markdown().push(text).text


# ---- at once


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Plain prose", "Plain prose"),
        ("It is fine. ", "It is fine. "),
        ("Wow", "Wow"),
        ("Wow!", "Wow"),  # a picture may begin
        ("Wow! ", "Wow! "),
        ("**Sure!** ", "Sure! "),
        ("**Sure!**", ""),
        ("a *b", "a "),
        ("a * b", "a * b"),
        ("2*3", "2*3"),
        ("snake_case", "snake_case"),
        ("[text](http://a", ""),
        ("[text] and", "[text] and"),
        ("m[0] = 1", "m[0] = 1"),
        ("[note](see below", "[note](see below"),
        ("x < y", "x < y"),
        ("a <b", "a "),
        ("<b>bold", "bold"),
        ("if a<b and c", "if a<b and c"),
        ("$5 and", "$5 and"),
        ("$5", ""),
        ("$5/month", "$5/month"),
        ("$5 + $3 is", "$5 + $3 is"),
        ("$HOME is", "$HOME is"),
        ("AT&T and", "AT&T and"),
        ("x `y` z", "x y z"),
        ("# Head\nx", "Head\n\nx"),
        ("- one\n- t", "one\n\nt"),
        ("one\n", "one\n"),
        ("one\n1", "one\n"),
        ("1. o", "1. o"),
        ("| a | b |\n", "a, b\n\n"),
        ("x\n```py\nfoo", "x\n\n"),
        ("x <think>foo", "x "),
        ("x <thin", "x "),
        ("www.a_b", "www.a_b"),
        ("C:\\dir", "C:\\dir"),
    ],
)
def test_what_is_certain_is_given_out_at_once(text: str, given: str) -> None:
    assert given_out(text) == given
    assert "".join(char for char, _ in streamed(text)[0]) == given


def test_a_bold_passage_is_not_waited_for_beyond_the_limit() -> None:
    text = "**" + "long words " * 40 + "end.** Next *one*."
    assert plain(text) == text.replace("*", "")
    assert given_out(text[:320]) == text[2:320]


def test_a_lone_mark_is_text_beyond_the_limit() -> None:
    for mark in ("*", "_", "~~", "[", "`", "![", "<i ", "\\(", "***"):
        text = mark + "long words " * 40
        assert given_out(text).startswith(mark.removeprefix("\\") + "long")
        assert plain(text) == text.removeprefix("\\")


@pytest.mark.parametrize("code", ["skip", "note"])
def test_fenced_code_is_left_out_or_noted(code: Any) -> None:
    note = "Code block.\n\n" if code == "note" else ""
    whole = Markdown(code=code).push("Run:\n```\nx\n```\nThen").text
    assert whole == f"Run:\n\n{note}Then"
    indented = Markdown(code=code).push("Run:\n\n    x = 1\n    y\n\nThen").text
    assert indented == f"Run:\n\n{note}Then"


def test_a_fence_around_a_whole_answer_is_no_code() -> None:
    text = "```markdown\n# Title\nSome *text*.\n```py\nno\n```\nMore.\n```\nAfter."
    assert plain(text) == "Title\n\nSome text.\n\nMore.\n\nAfter."
    assert plain("See:\n" + text) != plain(text)


def test_flush_gives_no_line_break_and_begins_a_line() -> None:
    markdown = Markdown()
    assert markdown.push("# Head").text + markdown.flush().text == "Head"
    assert markdown.push("# Head").text + markdown.flush().text == "Head"
    assert markdown.flush() == Plain()
    assert markdown.buffered == 0


def test_places_run_in_step_and_inserted_signs_have_their_own() -> None:
    markdown = Markdown()
    assert markdown.push("a **b** c ") == Plain("a b c ", ((0, 0), (2, 4), (3, 7)))
    assert markdown.push("d") == Plain("d", ((0, 10),))
    rows = Markdown()
    assert rows.push("|a|b|\nx") == Plain("a, b\n\nx", ((0, 1), (3, 3), (4, 5), (5, 5)))


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        ("x", "x"),
        ("E = mc^2", "E = mc²"),
        ("x^{3} + y_1", "x³ + y1"),
        ("10^{-6}", "10^-6"),
        (r"\alpha \leq 2\pi", "α ≤ 2π"),
        (r"\frac{1}{2}x", "1/2x"),
        (r"\text{speed} = \sqrt{2}", "speed = √2"),
        (r"\frac{a+b}{2}", ""),
        (r"\begin{cases}1\end{cases}", ""),
        ("a & b", ""),
        ("x" * 81, ""),
    ],
)
def test_a_simple_formula_is_said_and_no_other(latex: str, said: str) -> None:
    assert "".join(piece for piece, _ in plain_formula(latex)) == said


# ---- properties


@settings(max_examples=100, deadline=None)
@given(STREAMS | st.text(alphabet=SIGNS + "ab \n", max_size=60), st.integers(0, 2**32))
def test_any_cut_gives_the_same_before_and_at_the_flush(text: str, seed: int) -> None:
    whole = streamed([text])
    assert streamed(text) == whole
    assert streamed(cut(text, random.Random(seed))) == whole


@settings(max_examples=100, deadline=None)
@given(STREAMS)
def test_what_is_given_out_stands_in_the_source(text: str) -> None:
    given, flushed = streamed([text])
    offsets = [offset for _, offset in given + flushed]
    assert all(0 <= offset <= len(text) for offset in offsets)
    if "&" not in text and "$" not in text and "\\" not in text:
        assert [(c, text[o]) for c, o in given + flushed if c not in ", \n—" and text[o] != c] == []
        assert offsets == sorted(offsets)


WORDS = st.lists(st.text(alphabet=st.characters(categories=["L", "M", "Nd"]), min_size=1, max_size=8), max_size=30)
PROSE = st.tuples(
    WORDS, st.lists(st.sampled_from([" ", " ", ", ", ". ", "? ", " (", ") ", ": ", "; ", " – ", '" ']))
).map(
    lambda drawn: "".join(word + drawn[1][at % len(drawn[1])] if drawn[1] else word for at, word in enumerate(drawn[0]))
)


@given(PROSE)
def test_plain_prose_is_unharmed(prose: str) -> None:
    given, flushed = streamed([prose])
    assert given + flushed == list(zip(prose, range(len(prose)), strict=True))


@settings(deadline=None)
@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_at_all_is_taken(text: str) -> None:
    assert streamed(text) == streamed([text])


@given(
    st.lists(st.sampled_from(["a * b", "2*3*4", "x_y_z", "5 < 7", "a<b", "x < y > z", "$5", "$1,000.50", "#1", "x**2"]))
)
def test_arithmetic_names_and_prices_survive_side_by_side(pieces: list[str]) -> None:
    text = "So " + ", ".join(pieces) + "."
    assert plain(text) == text


# ---- work

STREAKS = [
    *("[", "*", "<", "`", "_", "~", "$", " ", "\n", ">", "> ", "- ", "1. ", "#", "|", "a|", "| a", "![a](", "[a]("),
    *("[a][", "[a](x", "*a ", "**a*b ", "<a ", '<a b="', "<a b ", "\\(", "\\[", "$x", "$5 + ", "&a", "`a``b```c"),
    *("]", "[]", "[^", "<think", "<think>", "<!--", "```\n", "    {x\n", "[x]: ", "\\", "!", "【a", "*a **b ", "[*a"),
    *("a ** b", "x\n- ", "$$a", "A", "。", "\u0301", "ก\u0e31", "(" * 30 + "a" * 300 + '"' * 2, "**a", "a_", "_a "),
]


def strip(pushes: Iterable[str]) -> None:
    markdown = Markdown()
    for text in pushes:
        markdown.push(text)
    markdown.flush()


@pytest.mark.parametrize("streak", STREAKS)
def test_work_grows_as_the_text_does(streak: str) -> None:
    size = 700 // len(streak) + 1  # beyond what is held
    small, large = streak * size, streak * size * 2
    assert lines_run(lambda: strip([large])) <= 2.3 * lines_run(lambda: strip([small])) + 2000
    markdown = Markdown()
    first, second = (lines_run(lambda: [markdown.push(char) for char in small]) for _ in range(2))
    assert second <= 1.6 * first + 2000


@pytest.mark.parametrize("streak", STREAKS)
def test_work_inside_the_patterns_grows_as_the_text_does(streak: str) -> None:
    size = 4000 // len(streak) + 1  # far beyond what is looked ahead, and so not read yet
    assert is_linear(lambda text: Markdown().push(text), streak * size, streak * size * 6, spare_s=5e-3)


@pytest.mark.parametrize("streak", STREAKS)
def test_what_is_held_is_bounded(streak: str) -> None:
    markdown = Markdown()
    for token in ["Word "] + [streak] * (4000 // len(streak)):
        markdown.push(token)
        assert markdown.buffered <= 1400 + len(streak)
