"""What passes between a dialect and a session: commands in, events out; no wire format.

Times are milliseconds of the context's own audio.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from engine.types import Pace

DEFAULT_CONTEXT = "default"

Format = Literal["pcm_s16le", "pcm_f32le", "mulaw", "alaw", "wav", "mp3", "opus", "webm", "aac", "flac"]

SPOKEN_FORMATS: tuple[Format, ...] = get_args(Format)

# ---- commands: what a client asks


@dataclass(frozen=True, slots=True)
class Start:
    """Settings of a context; only before its first text. None: the server's default."""

    context: str
    voice: str | None = None
    speaker: str | int | None = None
    format: Format = "pcm_s16le"
    sample_rate: int | None = None  # None: what suits the format, where it can the voice's own
    speed: float = 1.0
    seed: int | None = None
    words: bool = False
    language: str | None = None
    pace: Pace = Pace.REALTIME
    markdown: bool = True
    early: bool | None = None
    lexicon: Mapping[str, object] | None = None  # word -> respelling or "/fəʊniːmz/"
    kbps: int | None = None  # of a compressed format
    hold_s: float | None = None  # text waits so long for the end of its sentence; None: until it comes


@dataclass(frozen=True, slots=True)
class Text:
    context: str
    text: str


@dataclass(frozen=True, slots=True)
class Flush:
    context: str


@dataclass(frozen=True, slots=True)
class End:
    context: str


@dataclass(frozen=True, slots=True)
class Cancel:
    context: str


@dataclass(frozen=True, slots=True)
class Played:
    context: str
    ms: float


@dataclass(frozen=True, slots=True)
class Ping:
    pass


Command = Start | Text | Flush | End | Cancel | Played | Ping

# ---- events: what a client is told

Cached = Literal["memory", "redis", "joined", False]


@dataclass(frozen=True, slots=True)
class Ready:
    voices: tuple[str, ...]
    default_voice: str
    limits: dict[str, int | float]
    protocol: int = 1


@dataclass(frozen=True, slots=True)
class Audio:
    """Sound of a context, of 20 to 100 ms; the dialect says its format before it where it must.

    The bytes of a compressed format are what its encoder had ready.
    """

    context: str
    data: bytes
    format: Format
    sample_rate: int
    channels: int = 1
    samples: int = 0  # of the voice, at its own rate, that went in since the last such event


@dataclass(frozen=True, slots=True)
class SentenceStarted:
    """Before the first audio of a sentence. `start` and `end`: characters of the context's text, as it was sent.

    `start_ms` has a thousandth of a millisecond, so that it names one sample.
    """

    context: str
    index: int
    text: str
    start_ms: float
    cached: Cached
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it stands in the sentence, with its signs, and when it sounds."""

    text: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Words:
    """The next words of a sentence, before their sound; all of them at once but where it is spoken in parts."""

    context: str
    sentence: int  # its index
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Flushed:
    context: str


@dataclass(frozen=True, slots=True)
class Done:
    """The last message of a context that ended; strictly after its last audio."""

    context: str
    audio_ms: int
    sentences: int
    cached: int
    first_audio_ms: int | None  # from the context's first text to its first audio; None: there was none
    underruns: int


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The last message of a context that was cancelled."""

    context: str
    sent_ms: int
    heard_ms: int
    text_sent: str  # the words whose sound was sent whole
    text_heard: str | None = None  # and heard; None: the listener did not say how far he came


@dataclass(frozen=True, slots=True)
class Failed:
    """An error; it comes in the place of what failed."""

    code: str
    message: str
    retryable: bool = False
    context: str | None = None


@dataclass(frozen=True, slots=True)
class Pong:
    pass


@dataclass(frozen=True, slots=True)
class Idle:
    """The client has said nothing for so long, and nothing is spoken to him; of a context: it ends."""

    seconds: float
    context: str | None = None


Event = Ready | Audio | SentenceStarted | Words | Flushed | Done | Cancelled | Failed | Pong | Idle
