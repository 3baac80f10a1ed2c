"""The settings of a context: a `start` checked against the voices that are installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.errors import BadLexicon, UnknownVoice
from engine.text.known import known
from engine.text.lexicon import Lexicon
from engine.text.normalize import Parts, at_once
from engine.text.saying import Saying, saying_in_parts
from engine.types import Pace, Utterance, Voice
from gateway.codec import FORMATS, BadFormat, allows, default_rate, kbps_of, rates_allowed
from gateway.errors import StartRefused, shown
from gateway.events import Format, Start

MAX_LEXICON = 100
"""Entries of a context's own lexicon, and characters of a word or of what is said for it."""

_NO_LEXICON = Lexicon()


@dataclass(frozen=True, slots=True)
class Voicing:
    """How the text of a context is read, how its sentences sound, and how fast they are wanted."""

    voice: Voice
    speaker: int = 0
    speed: float = 1.0
    seed: int | None = None
    pace: Pace = Pace.REALTIME
    words: bool = False
    markdown: bool = True
    early: bool | None = None
    lexicon: Lexicon = _NO_LEXICON
    format: Format = "pcm_s16le"
    sample_rate: int | None = None  # None: the voice's own
    kbps: int | None = None
    hold_s: float | None = None

    def saying(self, text: str, lexicons: Sequence[Lexicon] = ()) -> Saying:
        """What is said for a sentence; the context's own lexicon goes before `lexicons`."""
        return at_once(self.saying_in_parts(text, lexicons))

    def saying_in_parts(self, text: str, lexicons: Sequence[Lexicon] = ()) -> Parts[Saying]:
        """As `saying`, for those who do something else between two parts."""
        return saying_in_parts(text, self.voice.language, (self.lexicon, *lexicons), rules=known)

    def utterance(self, said: Saying) -> Utterance:
        """A sentence with the settings as they are now."""
        return Utterance(said.spoken.text, self.voice, self.speaker, self.speed, self.seed, said.lexicon)


def voicing(start: Start, voices: Mapping[str, Voice], default: Voice) -> Voicing:
    """The settings a `start` asks for; raises StartRefused, which names what is allowed instead."""
    voice = _voice(start, voices, default)
    rate_hz = _rate(start, voice)
    return Voicing(
        voice,
        _speaker(start, voice),
        start.speed,
        start.seed,
        start.pace,
        start.words,
        start.markdown,
        start.early,
        _lexicon(start),
        start.format,
        rate_hz,
        start.kbps,
        hold_s=start.hold_s,
    )


def _voice(start: Start, voices: Mapping[str, Voice], default: Voice) -> Voice:
    if start.voice is not None and start.voice not in voices:
        error = UnknownVoice(start.voice, tuple(voices))
        raise StartRefused(error.code, str(error), context=start.context)
    asked = voices[start.voice] if start.voice is not None else None
    if start.language is None:
        return asked or default
    candidates = [asked] if asked else [default, *voices.values()]
    for voice in candidates:
        if speaks(voice.language, start.language):
            return voice
    languages = ", ".join(sorted({voice.language for voice in candidates}))
    allowed = f"{languages}, the language of {asked.name}" if asked else languages
    raise _refused(start, "unknown_language", "language", start.language, allowed)


def speaks(voice: str, language: str) -> bool:
    """Whether a voice's language is in the range of a tag, as in RFC 4647 basic filtering: `en` takes in `en-US`."""
    tag, asked = voice.lower(), language.lower().replace("_", "-")
    return tag == asked or tag.startswith(asked + "-")


def _speaker(start: Start, voice: Voice) -> int:
    asked = start.speaker
    if asked is None:
        return 0
    number = voice.speakers.get(asked) if isinstance(asked, str) else asked
    if number is None or not 0 <= number < voice.speaker_count:
        raise _refused(start, "unknown_speaker", "speaker", asked, _speakers(voice))
    return number


def _rate(start: Start, voice: Voice) -> int | None:
    """The rate that is asked for, or the one that suits the format; None: the voice's own.

    Checked with the bitrate that is asked for.
    """
    if start.format not in FORMATS:
        raise _refused(start, "unsupported_format", "format", start.format, ", ".join(FORMATS))
    rate_hz = default_rate(start.format, voice.rate_hz) if start.sample_rate is None else start.sample_rate
    if not allows(start.format, rate_hz):
        allowed = f"{rates_allowed(start.format)} for {start.format}"
        raise _refused(start, "unsupported_format", "sample_rate", rate_hz, allowed)
    try:
        kbps_of(start.format, rate_hz, start.kbps)
    except BadFormat as error:
        raise StartRefused(error.code, f"'kbps': {error.message}", context=start.context) from None
    return None if rate_hz == voice.rate_hz else rate_hz


def _lexicon(start: Start) -> Lexicon:
    if not start.lexicon:
        return _NO_LEXICON
    if len(start.lexicon) > MAX_LEXICON:
        what = f"{len(start.lexicon)} entries in 'lexicon'; allowed: {MAX_LEXICON}"
        raise StartRefused("bad_value", what, context=start.context)
    entries: dict[str, str] = {}
    for word, said in start.lexicon.items():
        wrong = ""
        if not isinstance(said, str):
            wrong = f"is {shown(said)}; allowed: a respelling, or phonemes as in /fəʊniːmz/"
        elif max(len(word), len(said)) > MAX_LEXICON:
            wrong = f"has {max(len(word), len(said))} characters; allowed: {MAX_LEXICON} of a word, and for it"
        if wrong:
            raise StartRefused("bad_value", f"'lexicon', {shown(word)} {wrong}", context=start.context)
        entries[word] = str(said)
    try:
        return Lexicon(entries)
    except BadLexicon as error:
        raise StartRefused("bad_value", f"'lexicon', {error}", context=start.context) from None


def _speakers(voice: Voice) -> str:
    numbers = f"0 to {voice.speaker_count - 1}" if voice.speaker_count > 1 else "0, the only one"
    names = ", ".join(list(voice.speakers)[:50])
    more = f" and {len(voice.speakers) - 50} more" if len(voice.speakers) > 50 else ""
    return f"{numbers}" + (f", or by name {names}{more}" if names else "") + f" for {voice.name}"


def _refused(start: Start, code: str, field: str, value: object, allowed: str) -> StartRefused:
    return StartRefused(code, f"{field!r} is {shown(value)}; allowed: {allowed}", context=start.context)
