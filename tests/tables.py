"""The case tables of `tests/cases`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """One row: what was seen to go wrong, the text, and the sentences wanted where the table names them."""

    id: str
    what: str
    tokens: tuple[str, ...]  # as they arrive; one for a text that comes whole
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.tokens)


def cases(table: str) -> dict[str, Case]:
    """The rows of `tests/cases/<table>.jsonl` by id."""
    lines = (Path(__file__).parent / "cases" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return {case.id: case for case in map(_case, map(json.loads, lines))}


def _case(row: dict[str, Any]) -> Case:
    given = row.get("input", "")
    tokens = (given,) if isinstance(given, str) else tuple(given)
    return Case(row["id"], row["what"], tokens, tuple(row.get("sentences", ())))
