"""JSON that nobody can use, read all the same: so that an error can name the field it is in."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is of no use, as it was written; no field takes it, and the error shows it."""

    written: str

    def __str__(self) -> str:
        return self.written


def lenient(message: str, *, strict: bool) -> Any:
    """A message with every number that JSON's grammar or Python allows, and unless `strict` with control characters.

    Raises json.JSONDecodeError or RecursionError.
    """
    return json.loads(message, strict=strict, parse_constant=Number, parse_float=_float, parse_int=_int)


def _float(written: str) -> float | Number:
    number = float(written)
    return number if math.isfinite(number) else Number(written)


def _int(written: str) -> int | Number:
    return int(written) if len(written) < 20 else Number(written)
