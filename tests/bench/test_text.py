"""The bench of the text path: what it measures with, and that it notices what is slow."""

from __future__ import annotations

import time

from rich.console import Console

from bench.readings import ANSWER, hostile, prose, tokens
from bench.rows import Goal, Row, table
from bench.text import COLUMNS, PROSE, longest_ms, seconds


def test_tokens_are_the_text() -> None:
    assert "".join(tokens(ANSWER)) == ANSWER
    assert set(map(len, tokens(prose(3))[:-1])) == {4}


def test_hostile_texts_are_as_long_as_asked_and_have_other_figures_every_time() -> None:
    first, second = dict(hostile(1000, 0)), dict(hostile(1000, 1))
    assert dict(hostile(1000, 0)) == first
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} == {
        *("numbers", "decimals", "amounts", "days", "hours", "measures", "Chinese days", "Chinese measures")
    }
    assert all(900 <= len(text) <= 1000 for name, text in first.items() if "," not in name)


def test_processor_time_is_measured_and_no_other() -> None:
    assert seconds(lambda: sum(range(200_000)), 2) > seconds(lambda: time.sleep(0.01), 2)


def test_the_longest_call_of_a_session_is_found() -> None:
    assert 0 < longest_ms("One. Two", "en-US") < longest_ms("1 " * 250, "en-US")


def test_the_table_has_a_column_a_kind_of_text() -> None:
    console = Console(width=140)
    with console.capture() as printed:
        console.print(table([Row("whole", "ms", {PROSE: 1.5}, [Goal(1.5, 2.0)])], COLUMNS, markdown=True))
    header, _, row = (line for line in printed.get().splitlines() if line.strip())
    assert [cell.strip() for cell in header.strip("| ").split("|")] == ["measure", "unit", *COLUMNS, "reached"]
    assert [cell.strip() for cell in row.strip("| ").split("|")] == [
        "whole",
        "ms",
        "1.5",
        "",
        "",
        "yes: 1.5, at most 2",
    ]
