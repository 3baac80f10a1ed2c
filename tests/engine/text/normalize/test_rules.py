"""A table of rules over a text, and a text that is said in two steps."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from engine.text.normalize.rules import Table, rule, traits
from engine.text.normalize.spoken import Span, Spoken, joined


def test_the_earliest_match_wins_and_of_several_the_first_rule() -> None:
    rules = [rule("late", "b+", "B"), rule("first", "ab", "1"), rule("second", "ab?", "2")]
    assert Table(rules).say("abb ab bb").text == "1B 1 B"


def test_what_was_said_is_not_read_again() -> None:
    rules = [rule("a", "a", "b"), rule("b", "b", "c")]
    assert Table(rules).say("ab").text == "bc"


def test_a_rule_may_decline_and_another_take_its_place() -> None:
    rules = [rule("even", "[0-9]", lambda m: "even" if int(m.group()) % 2 == 0 else None), rule("odd", "[0-9]", "odd")]
    assert Table(rules).say("1 2 3").text == "odd even odd"


def test_a_match_that_another_overtook_is_looked_for_again() -> None:
    rules = [rule("long", "bcd|d", "L"), rule("early", "ab", "E")]
    assert Table(rules).say("abcd").text == "EcL"


def test_spans_tell_what_says_what() -> None:
    spoken = Table([rule("n", "[0-9]+", "n"), rule("same", "x", "x"), rule("out", "!", "")]).say("a 12 x!")
    assert spoken == Spoken("a n x", (Span(2, 3, 2, 4), Span(5, 5, 6, 7)))


def test_second_step_tells_of_the_first_text() -> None:
    first = Spoken("It's 5", (Span(2, 3, 2, 3), Span(4, 4, 4, 6)))  # It’s ZW5, two signs out before the space
    second = Spoken("It's five", (Span(5, 9, 5, 6),))
    assert joined(first, second) == Spoken("It's five", (Span(2, 3, 2, 3), Span(4, 4, 4, 6), Span(5, 9, 7, 8)))


TEXTS = st.text(alphabet="ab1 !", max_size=20)
STEPS = st.lists(
    st.tuples(st.text(alphabet="ab1 !", min_size=1, max_size=3), st.text(alphabet="ab1 !x", max_size=4)), max_size=4
)


@given(TEXTS, STEPS, STEPS)
def test_two_steps_are_as_true_as_one(text: str, one: list[tuple[str, str]], two: list[tuple[str, str]]) -> None:
    first = Table(rule("", regex.escape(old), new) for old, new in one).say(text)
    both = joined(first, Table(rule("", regex.escape(old), new) for old, new in two).say(first.text))
    at = said_at = 0
    for span in both.spans:
        assert at <= span.start <= span.end
        assert said_at <= span.spoken_start <= span.spoken_end
        assert text[at : span.start] == both.text[said_at : span.spoken_start]
        at, said_at = span.end, span.spoken_end
    assert text[at:] == both.text[said_at:]


def test_a_rule_finds_nothing_where_what_it_needs_is_not() -> None:
    table = Table([rule("a", "b", "B", "0"), rule("c", "c", "C", "/ .-")])
    assert table.say("b c /c").text == "b c /c"
    assert table.say("b 7 c /-").text == "B 7 C /-"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a, B.", "a,B"),
        ("AB 12", "AB20"),
        ("1st 1,234,567", "st,097"),
        ("a.b 5.", "ab.0"),
        ("٣", "0٣"),
        ("no 1.", "no0"),
    ],
)
def test_traits_are_signs_and_what_stands_for_more(text: str, found: str) -> None:
    assert traits(text) - {" "} == set(found)
