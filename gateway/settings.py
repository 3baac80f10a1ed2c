"""Settings, read from the environment (ONSET_*) once at start; the only reader of `os.environ`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "ONSET_"


class BadSettings(Exception):
    """The environment or the command line sets something that cannot be; the message names every mistake."""


class Settings(BaseSettings):
    """Everything an operator may set; every default speaks. Immutable; all mistakes are reported at once."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    redis_url: str = ""  # empty: memory only
    voices: Path = Path("models")  # a folder of <name>.onnx + <name>.onnx.json
    graphs: str = ""  # a folder for voices as they were prepared; empty: `onset` in the system's cache folder
    voice: str = ""  # the default voice by name; empty: the packaged one, else the first found
    threads: Annotated[int, Field(ge=0, le=1024)] = 0  # model threads; 0: the cores this process may use
    ahead_s: Annotated[float, Field(gt=0.1, le=600)] = 3.0  # sound sent ahead of a realtime listener
    pause_ms: Annotated[int, Field(ge=0, le=5000)] = 0  # silence added between sentences
    cache_bytes: Annotated[int, Field(ge=0)] = 256 * 2**20  # memory tier
    cache_ttl_s: Annotated[int, Field(ge=1)] = 7 * 24 * 3600  # Redis tier, every entry
    redis_timeout_ms: Annotated[int, Field(ge=1)] = 50  # one lookup; then it is a miss
    max_message_bytes: Annotated[int, Field(ge=1024)] = 256 * 2**10  # one WebSocket message
    max_context_chars: Annotated[int, Field(ge=1)] = 200_000  # text of a context not yet spoken
    max_contexts: Annotated[int, Field(ge=1)] = 64  # open at once on one socket
    max_sentence_chars: Annotated[int, Field(ge=40)] = 400  # then a sentence is cut
    max_queue: Annotated[int, Field(ge=1)] = 2048  # sentences waiting in the engine, all listeners

    @property
    def graphs_folder(self) -> Path:
        """Where voices are kept as they were prepared, for faster starts; it need not exist."""
        return Path(self.graphs).expanduser() if self.graphs else _cache_folder() / "onset"

    @model_validator(mode="before")
    @classmethod
    def no_unknown(cls, values: Any) -> Any:
        """A misspelt ONSET_ variable is an error, not a silent default."""
        known = {PREFIX + name.upper() for name in cls.model_fields}
        unknown = sorted(k for k in os.environ if k.upper().startswith(PREFIX) and k.upper() not in known)
        if unknown:
            raise ValueError(f"unknown setting {', '.join(unknown)}; known: {', '.join(sorted(known))}")
        return values


def read_settings(**overrides: Any) -> Settings:
    """The environment's settings, with `overrides` before them where they are not None. Raises BadSettings."""
    try:
        return Settings(**{name: value for name, value in overrides.items() if value is not None})
    except ValidationError as error:
        mistakes = [_mistake(str(e["loc"][0]) if e["loc"] else "", e["msg"], e["input"]) for e in error.errors()]
        raise BadSettings("; ".join(mistakes)) from None


def _mistake(name: str, message: str, value: object) -> str:
    if not name:
        return message.removeprefix("Value error, ")
    return f"{PREFIX}{name.upper()} is {value!r}: {message[:1].lower()}{message[1:]}"


def _cache_folder() -> Path:
    """Where this system keeps what a program can make again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base)
