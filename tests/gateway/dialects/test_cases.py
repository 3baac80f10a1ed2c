"""Every case of the table is shown by a test of a dialect that names it in its docstring."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
CASES = HERE.parent.parent / "cases" / "dialects.jsonl"


def test_every_case_is_shown_by_a_test() -> None:
    cases = {json.loads(line)["id"] for line in CASES.read_text(encoding="utf-8").splitlines()}
    shown: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
                shown |= set(re.findall(r"\b[a-z]\d\d\b", ast.get_docstring(node) or ""))
    assert cases - shown == set()
