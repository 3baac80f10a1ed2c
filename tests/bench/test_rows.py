"""What a figure should reach, and how it is shown."""

from __future__ import annotations

import pytest
from rich.console import Console

from bench.programs import ONSET, PIPER
from bench.rows import Goal, Row, figure, ratio, shown, table


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal(0.2, 0.25, "Piper's"), "yes: 0.2 of Piper's, at most 0.25"),
        (Goal(0.3, 0.25, "Piper's"), "NO: 0.3 of Piper's, at most 0.25"),
        (Goal(16, 16, least=True), "yes: 16, at least 16"),
        (Goal(15, 16, least=True), "NO: 15, at least 16"),
        (Goal(1012.3, 150), "NO: 1,012, at most 150"),
    ],
)
def test_a_goal_says_whether_it_is_reached(goal: Goal, words: str) -> None:
    assert str(goal) == words


def test_a_ratio_needs_both() -> None:
    assert ratio({ONSET: 50.0, PIPER: 200.0}, PIPER, 0.25) == [Goal(0.25, 0.25, "Piper's")]
    assert ratio({ONSET: 50.0}, PIPER, 0.25) == []
    assert ratio({PIPER: 200.0}, PIPER, 0.25) == []
    assert figure({PIPER: 200.0}, 1.0) == []


@pytest.mark.parametrize(
    ("value", "words"), [(0.0, "0"), (0.1234, "0.123"), (16.0, "16"), (99.96, "100"), (5053.2, "5,053")]
)
def test_figures_are_short(value: float, words: str) -> None:
    assert shown(value) == words


def test_the_table_has_a_column_a_program_and_holes_where_nothing_was_measured() -> None:
    console = Console(width=200)
    with console.capture() as printed:
        rows = [Row("first sound", "ms", {ONSET: 60.0, PIPER: 240.0}, [Goal(0.25, 0.25, "Piper's")], case="f08")]
        console.print(table(rows, markdown=True))
    header, _, row = (line for line in printed.get().splitlines() if line.strip())
    assert [cell.strip() for cell in header.strip("| ").split("|")] == [
        *["measure", "unit", "Onset", "first come", "Piper", "wyoming-piper", "streaming-vits", "reached"]
    ]
    cells = [cell.strip() for cell in row.strip("| ").split("|")]
    assert cells == ["first sound (f08)", "ms", "60", "", "240", "", "", "yes: 0.25 of Piper's, at most 0.25"]


def test_json_keeps_every_figure() -> None:
    row = Row("first sound", "ms", {ONSET: 60.0}, [Goal(60.0, 150.0)])
    assert row.json() == {
        "what": "first sound",
        "unit": "ms",
        "case": "",
        "values": {ONSET: 60.0},
        "goals": [{"got": 60.0, "bound": 150.0, "of": "", "least": False, "reached": True}],
    }
