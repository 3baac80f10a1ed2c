"""A JSON message of another service's protocol, read field by field; an error names the field and what is allowed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from gateway.dialects.lenient import Number, lenient
from gateway.errors import GatewayError, shown

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
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not number or not least <= value <= most:
            raise self.wrong(name, f"a number from {least:g} to {most:g}")
        return float(value)

    def whole(self, name: str) -> int | None:
        value = self.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise self.wrong(name, "a whole number")
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
        value = self.get(name)
        said = str(value) if isinstance(value, Number) else shown(value)
        return GatewayError(code, f"{field!r} is {said}; allowed: {allowed}", context=self.context)
