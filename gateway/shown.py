"""`onset text`: what is made of a text before it is spoken."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.errors import BrokenVoice, UnknownVoice
from engine.text.blocks import shown
from engine.text.lexicon import Lexicon
from engine.text.normalize import LANGUAGES
from engine.text.path import sentences
from engine.text.phonemes import Phonemizer
from engine.text.saying import saying
from engine.types import Sentence
from engine.voices import VoiceFiles, VoiceText, find_voices, nothing_found, read_voice_text
from gateway.exits import Code, CommandError
from gateway.lexicons import Lexicons
from gateway.settings import Settings
from gateway.voicing import speaks

_LANGUAGE = "en-US"  # where there is no voice to ask


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a text is read, and what is shown of it beside its sentences and their spoken form."""

    language: str = ""  # "": the voice's
    markdown: bool = True
    early: bool = False
    offsets: bool = False
    phonemes: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    sentence: Sentence
    spoken: str
    phonemes: str


class TextShow:
    """Shows texts as one voice would read them; raises EngineError or CommandError where none can."""

    def __init__(self, settings: Settings, wanted: Wanted) -> None:
        self._settings, self._wanted = settings, wanted
        voice = _voice(settings, wanted)
        _check_language(wanted.language, voice)
        self._voice, self._phonemizer = voice, Phonemizer()
        self._language = wanted.language or (voice.language if voice else _LANGUAGE)
        name = voice.name if voice else ""
        self._lexicons: Sequence[Lexicon] = Lexicons(settings.voices, [name], settings.lexicon_file).of(name)

    def line(self, tokens: Iterable[str]) -> str:
        """One JSON object."""
        rows = list(self._rows(tokens))
        told: dict[str, Any] = {
            "sentences": [row.sentence.text for row in rows],
            "spoken": [row.spoken for row in rows],
        }
        if self._wanted.offsets:
            told["offsets"] = [[row.sentence.start, row.sentence.end] for row in rows]
        if self._wanted.phonemes:
            told["phonemes"] = [row.phonemes for row in rows]
        return json.dumps(told, ensure_ascii=False)

    def lines(self, tokens: Iterable[str]) -> Iterator[str]:
        """For people: each sentence, and under it what of it is not as it is written."""
        for row in self._rows(tokens):
            place = f"{row.sentence.start}-{row.sentence.end}: " if self._wanted.offsets else ""
            yield f"{place}{row.sentence.text}"
            if row.spoken != row.sentence.text:
                yield f"  says {row.spoken}" if row.spoken else "  says nothing"
            if self._wanted.phonemes and row.phonemes:
                yield f"  /{row.phonemes}/"

    def _rows(self, tokens: Iterable[str]) -> Iterator[_Row]:
        wanted, settings = self._wanted, self._settings
        path = {"markdown": wanted.markdown, "early": wanted.early}
        for sentence in sentences(tokens, settings.max_sentence_chars, code=settings.code, **path):
            said = saying(sentence.text, self._language, self._lexicons)
            text = "" if said.silent else said.spoken.text
            spelt = self._phonemizer.phonemes(text, self._voice.phonemes) if wanted.phonemes and self._voice else ""
            yield _Row(sentence, shown(text), spelt)


def _check_language(language: str, voice: VoiceText | None) -> None:
    if not language or language.lower().replace("_", "-").partition("-")[0] in LANGUAGES:
        return
    if voice is None or not speaks(voice.language, language):
        what = (
            f"no rules say how {language!r} is read, and no voice speaks it; there are rules for {', '.join(LANGUAGES)}"
        )
        raise CommandError(what, Code.USAGE)


def _voice(settings: Settings, wanted: Wanted) -> VoiceText | None:
    """The voice that is named, else the first of the language that is asked for. None where there is none, and only
    its phonemes would need one."""
    found = {files.name: files for files in find_voices(settings.voices)[0]}
    if settings.voice:
        if settings.voice not in found:
            raise UnknownVoice(settings.voice, tuple(found))
        return read_voice_text(found[settings.voice])
    readable = _readable(found.values())
    for voice in readable:
        if not wanted.language or speaks(voice.language, wanted.language):
            return voice
    if wanted.phonemes and wanted.language and readable:
        known = ", ".join(f"{voice.name} ({voice.language})" for voice in readable)
        what = f"no voice speaks {wanted.language!r}, so there are no phonemes; name one of {known} with --voice"
        raise CommandError(what, Code.USAGE)
    if wanted.phonemes:
        raise CommandError(nothing_found(settings.voices))
    return None


def _readable(found: Iterable[VoiceFiles]) -> list[VoiceText]:
    voices: list[VoiceText] = []
    for files in found:
        with suppress(BrokenVoice):
            voices.append(read_voice_text(files))
    return voices
