"""What can go wrong in the engine; each class carries a stable `code`."""

from __future__ import annotations


class EngineError(Exception):
    """Base of the engine's errors. `code` is stable, `retryable` says whether the same call may succeed later."""

    code = "engine_error"
    retryable = False


class NoVoices(EngineError):
    """No usable voice was found; the message says where was looked and what to do."""

    code = "no_voices"


class UnknownVoice(EngineError):
    """A voice that is not installed was asked for."""

    code = "unknown_voice"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no voice {name!r}; installed: {', '.join(known)}")
        self.name, self.known = name, known


class UnknownSpeaker(EngineError):
    """A speaker that the voice does not have was asked for."""

    code = "unknown_speaker"

    def __init__(self, speaker: int, voice: str, count: int) -> None:
        super().__init__(f"no speaker {speaker} in {voice}; it has {count}, counted from 0")
        self.speaker, self.voice, self.count = speaker, voice, count


class BrokenVoice(EngineError):
    """A pair of files that is not a usable voice; the message names the file and the reason."""

    code = "broken_voice"


class BadLexicon(EngineError):
    """A lexicon that cannot be read; the message names the line or the entry, and what is allowed."""

    code = "bad_lexicon"


class Overloaded(EngineError):
    """There is no room for one more; nothing of the request was taken. The message says when to try again."""

    code = "overloaded"
    retryable = True


class SynthesisFailed(EngineError):
    """The model failed on this sentence alone."""

    code = "synthesis_failed"
    retryable = True


class EngineClosed(EngineError):
    """The engine is stopping; nothing more will be spoken."""

    code = "restarting"
    retryable = True
