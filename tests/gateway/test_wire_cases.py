"""Every case of the table is shown by a test that names it in its docstring, and the other way round."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
CASES = HERE.parent / "cases" / "wire.jsonl"


def test_every_case_is_shown_by_a_test() -> None:
    cases = {json.loads(line)["id"] for line in CASES.read_text(encoding="utf-8").splitlines()}
    shown: set[str] = set()
    for path in HERE.glob("test_wire*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
                shown |= set(re.findall(r"\b[a-z]\d\d\b", ast.get_docstring(node) or ""))
    assert shown == cases
