"""Settings, read from the environment (ONSET_*) once at start; the only reader of `os.environ`."""

from __future__ import annotations

import os
import re
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from engine.errors import BadLexicon
from engine.text.path import Code
from gateway.lexicons import read_lexicon
from gateway.voice_names import read_mapping

PREFIX = "ONSET_"
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s,?#@]+")


class BadSettings(Exception):
    """The environment or the command line sets something that cannot be; the message names every mistake."""


class Settings(BaseSettings):
    """Everything an operator may set; every default speaks. Immutable; all mistakes are reported at once."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, env_ignore_empty=True, validate_default=False)

    host: Annotated[str, Field(description="Address to listen on; 0.0.0.0 for every one.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="Port to listen on; 0 takes a free one.")] = 8000
    redis_url: Annotated[str, Field(description="A Redis that keeps phrases for several gateways.")] = ""
    voices: Annotated[Path, Field(description="Folder of <name>.onnx and <name>.onnx.json.")] = Path("models")
    graphs: Annotated[str, Field(description="A folder for voices as they were prepared; else a cache folder.")] = ""
    voice: Annotated[str, Field(description="The default voice; else the packaged one, else the first found.")] = ""
    threads: Annotated[int, Field(ge=0, le=1024, description="Model threads; 0: one for each core it may use.")] = 0
    ahead_s: Annotated[
        float, Field(gt=0.1, le=600, allow_inf_nan=False, description="Sound sent ahead of a realtime listener.")
    ] = 3.0
    pause_ms: Annotated[int, Field(ge=0, le=5000, description="Silence added between sentences.")] = 0
    cache_bytes: Annotated[int, Field(ge=0, description="Sound kept in memory; 0 for none.")] = 256 * 2**20
    cache_ttl_s: Annotated[int, Field(ge=1, description="How long a phrase stays in Redis.")] = 7 * 24 * 3600
    cache_redis: Annotated[
        Literal["second", "all", "listed"],
        Field(description="Phrases for Redis: second (asked for twice), all, or listed (warmed)."),
    ] = "second"
    warm: Annotated[str, Field(description="A file of phrases, one a line, made ready at the start.")] = ""
    redis_timeout_ms: Annotated[int, Field(ge=1, description="A look into Redis; then it is spoken anew.")] = 50
    max_message_bytes: Annotated[int, Field(ge=1024, description="Of one message.")] = 256 * 2**10
    max_context_chars: Annotated[int, Field(ge=1, description="Text of a context not yet spoken.")] = 200_000
    max_contexts: Annotated[int, Field(ge=1, description="Open at once on one socket.")] = 64
    max_sentence_chars: Annotated[int, Field(ge=40, description="A longer sentence is cut.")] = 400
    code: Annotated[Code, Field(description="Fenced code is left out, or a note says it is there.")] = "skip"
    early_clause: Annotated[
        bool, Field(description="The first clause of a text still being written may be spoken by itself.")
    ] = True
    lexicon: Annotated[str, Field(description="A file of words and how they are said, for every voice.")] = ""
    openai_voices: Annotated[str, Field(description="Who speaks by OpenAI's names of voices.")] = "*=default"
    deepgram_voices: Annotated[str, Field(description="Who speaks by Deepgram's names of models.")] = ""
    elevenlabs_voices: Annotated[str, Field(description="Who speaks by ElevenLabs' ids of voices.")] = ""
    cartesia_voices: Annotated[str, Field(description="Who speaks by Cartesia's ids of voices.")] = ""
    api_keys: Annotated[str, Field(description="Keys of which a client must show one, with commas; else none.")] = ""
    allowed_origins: Annotated[
        str, Field(description="Sites whose pages may connect beside the own and this machine's, with commas; or *.")
    ] = ""
    wyoming_port: Annotated[
        int, Field(ge=0, le=65535, description="Port for Home Assistant and others that speak Wyoming; 0 for none.")
    ] = 0  # after those that its check reads
    max_queue: Annotated[int, Field(ge=1, description="Sentences waiting in the engine, of all listeners.")] = 2048
    max_start_s: Annotated[
        float, Field(ge=0.1, le=60, allow_inf_nan=False, description="A first sound that would take longer is refused.")
    ] = 2.0

    @property
    def graphs_folder(self) -> Path:
        """Where voices are kept as they were prepared, for faster starts; it need not exist."""
        return Path(self.graphs).expanduser() if self.graphs else _cache_folder() / "onset"

    @property
    def lexicon_file(self) -> Path | None:
        return Path(self.lexicon).expanduser() if self.lexicon else None

    @field_validator("warm")
    @classmethod
    def _is_a_file(cls, file: str) -> str:
        if file and not Path(file).is_file():
            raise ValueError("it is not a file" if Path(file).exists() else "there is no such file")
        return file

    @field_validator("voices")
    @classmethod
    def _is_there(cls, folder: Path) -> Path:
        """Not asked of the default: whoever names a folder wants its voices."""
        if not folder.is_dir():
            raise ValueError("it is not a folder" if folder.exists() else "there is no such folder")
        return folder

    @field_validator("lexicon")
    @classmethod
    def _is_lexicon(cls, file: str) -> str:
        """Read once more by who speaks; a mistake in it is told with all others."""
        try:
            if file:
                read_lexicon(Path(file).expanduser())
        except BadLexicon as error:
            raise ValueError(str(error)) from None
        return file

    @field_validator("allowed_origins")
    @classmethod
    def _are_origins(cls, origins: str) -> str:
        for origin in listed(origins):
            if origin not in {"*", "null"} and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin, as in https://example.org or http://localhost:3000")
        return origins

    @field_validator("wyoming_port")
    @classmethod
    def _lets_no_stranger_in(cls, port: int, info: ValidationInfo) -> int:
        """A server that asks for keys is not opened to all by a port that cannot."""
        host, keys = info.data.get("host", ""), listed(info.data.get("api_keys", ""))
        if port and keys and not _is_this_machine(host):
            raise ValueError(
                "the protocol has no keys, so with ONSET_API_KEYS it is spoken on this machine alone: "
                f"set ONSET_HOST to 127.0.0.1, which is {host!r} now, or leave one of the two out"
            )
        return port

    @field_validator("openai_voices", "deepgram_voices", "elevenlabs_voices", "cartesia_voices")
    @classmethod
    def _is_mapping(cls, mapping: str) -> str:
        """Whether its voices are there is known when they are loaded."""
        read_mapping(mapping)
        return mapping


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listed(value: str) -> tuple[str, ...]:
    """The entries of a setting that has several, with commas."""
    return tuple(filter(None, (entry.strip() for entry in value.split(","))))


def read_settings(**options: Any) -> Settings:
    """The environment's settings, with `options` of the command line before them where they are not None.

    Raises BadSettings, which names every mistake, a misspelt ONSET_ variable among them.
    """
    given: dict[str, Any] = {k: str(v) if isinstance(v, Path) else v for k, v in options.items() if v is not None}
    mistakes = _unknown()
    try:
        settings = Settings(**given)
    except ValidationError as error:
        mistakes += [_mistake(str(e["loc"][0]), e["msg"], e["input"], given) for e in error.errors()]
    if mistakes:
        raise BadSettings("; ".join(mistakes))
    return settings


def _unknown() -> list[str]:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    unknown = sorted(k for k in os.environ if k.upper().startswith(PREFIX) and k.upper() not in known)
    return [f"unknown setting {', '.join(unknown)}; known: {', '.join(sorted(known))}"] if unknown else []


def _mistake(name: str, message: str, value: object, given: dict[str, Any]) -> str:
    said = f"--{name.replace('_', '-')}" if name in given else PREFIX + name.upper()
    message = message.removeprefix("Value error, ")
    return f"{said} is {str(value)!r}: {message[:1].lower()}{message[1:]}"


def _cache_folder() -> Path:
    """Where this system keeps what a program can make again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base)
