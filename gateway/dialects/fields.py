"""A JSON message of another service's protocol, read field by field; an error names the field and what is allowed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gateway.dialects.lenient import lenient
from gateway.errors import GatewayError, shown

_WRITTEN = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_MOST_DIGITS = 20
_FLAGS = {"true": True, "false": False, "1": True, "0": False}
_UNUSABLE = re.compile("[\0\ud800-\udfff]")


def json_object(message: str | bytes) -> dict[str, Any]:
    """The fields of one message; raises GatewayError where it is not a JSON object."""
    fields = _json(message)
    if not isinstance(fields, dict):
        raise GatewayError("not_json", f"the message is {shown(fields)}; send a JSON object")
    return fields


def _json(message: str | bytes) -> Any:
    try:
        return msgspec.json.decode(message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = str(error)
    # Half a surrogate pair or a number out of range is one field's mistake, not the message's: so that the error can
    # say whose it is.
    try:
        return lenient(message if isinstance(message, str) else message.decode(), strict=True)
    except (json.JSONDecodeError, UnicodeError, RecursionError):
        raise GatewayError("not_json", f"not JSON: {reason}; send one JSON object a message") from None


def typed(query: Mapping[str, str], numbers: Iterable[str], flags: Iterable[str] = ()) -> dict[str, Any]:
    """A query as the fields of a message: numbers, and true and false, are written out in it.

    What is none stays as it was written; the error shows it then.
    """
    fields: dict[str, Any] = dict(query)
    fields |= {name: _number(query[name]) for name in numbers if name in query}
    return fields | {name: _FLAGS.get(query[name].lower(), query[name]) for name in flags if name in query}


def _number(written: str) -> int | float | str:
    if len(written) > _MOST_DIGITS or not _WRITTEN.fullmatch(written):
        return written
    return int(written) if written.removeprefix("-").isdigit() else float(written)


class Fields:
    """What a message says, for one context. Fields nobody asks for are let be: a newer client knows more than we do."""

    def __init__(self, fields: Mapping[str, Any], context: str | None = None, *, path: str = "") -> None:
        self._fields, self.context, self._path = fields, context, path

    def has(self, name: str) -> bool:
        """Whether it says anything of this; null says nothing."""
        return self._fields.get(name) is not None

    def get(self, name: str) -> Any:
        return self._fields.get(name)

    def text(self, name: str) -> str:
        """A string that can be spoken; raises GatewayError."""
        value = self.string(name)
        if value is None:
            raise self.wrong(name, "a string", code="missing_field")
        return value

    def string(self, name: str) -> str | None:
        value = self.get(name)
        if value is not None and not isinstance(value, str):
            raise self.wrong(name, "a string")
        if value is not None and (found := _UNUSABLE.search(value)):
            what = f"U+{ord(found[0]):04X} in {self._path + name!r}; it cannot be spoken, leave it out"
            raise GatewayError("bad_text", what, context=self.context)
        return value

    def flag(self, name: str) -> bool:
        """True or false; false where nothing is said."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return bool(value)

    def number(self, name: str, least: float, most: float) -> float | None:
        value = self.get(name)
        if value is None:
            return None
        # Compared as it is: not every whole number can be a float. What is not a number at all compares as false.
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(name, f"a number from {least:g} to {most:g}")
        return float(value)

    def whole(self, name: str, least: int | None = None, most: int | None = None) -> int | None:
        """Within these bounds where there are any: both or none."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        outside = least is not None and most is not None and isinstance(value, int) and not least <= value <= most
        if not isinstance(value, int) or isinstance(value, bool) or outside:
            raise self.wrong(name, "a whole number" + ("" if least is None else f" from {least} to {most}"))
        return value

    def inner(self, name: str) -> Fields | None:
        """The fields of an object in it."""
        value = self.get(name)
        if value is not None and not isinstance(value, dict):
            raise self.wrong(name, "an object")
        return None if value is None else Fields(value, self.context, path=f"{self._path}{name}.")

    def choice(self, name: str, allowed: Mapping[str, Any], *, code: str = "unsupported_format") -> Any:
        """What stands for a name in `allowed`; None where nothing is said."""
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, str) or value not in allowed:
            raise self.wrong(name, ", ".join(allowed), code=code)
        return allowed[value]

    def wrong(self, name: str, allowed: str, *, code: str = "bad_value") -> GatewayError:
        """The error for a field with a value that cannot be."""
        field = self._path + name
        if not self.has(name):
            return GatewayError("missing_field", f"{field!r} is missing: {allowed}", context=self.context)
        said = shown(self.get(name))
        return GatewayError(code, f"{field!r} is {said}; allowed: {allowed}", context=self.context)
