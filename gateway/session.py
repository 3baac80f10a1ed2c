"""What one connection's contexts are in, and what follows from a command: a pure state machine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from engine.text.lexicon import Lexicon
from engine.text.normalize import Parts
from engine.text.path import Code, TextPath
from engine.text.saying import Saying
from engine.types import Sentence, Voice
from gateway.actions import Action, Begin, Finish, FlushMark, Heard, Reply, Say, Stop
from gateway.errors import GatewayError, StartRefused
from gateway.events import (
    Cancel,
    Cancelled,
    Command,
    Done,
    End,
    Failed,
    Flush,
    Flushed,
    Ping,
    Played,
    Pong,
    Start,
    Text,
)
from gateway.voicing import Voicing, voicing

_WithoutText = Ping | Start | Cancel | Played

STEP_CHARS = 500
"""Of a long text, at once, then of its sentences one by one: all others on the event loop wait for each such step."""

MAX_REFUSED = 256
"""Names remembered whose start was refused; with more of them, the oldest is forgotten."""


class _State(Enum):
    FRESH = auto()  # settings may change
    SPEAKING = auto()  # has had text
    ENDED = auto()  # no more text; its sound is still on the way


@dataclass(slots=True)
class _Context:
    voicing: Voicing
    path: TextPath
    state: _State = _State.FRESH
    unspoken: int = 0  # chars and marks given out and not yet dealt with
    sentences: int = 0  # found so far


class Session:
    """One connection. Commands in, actions out; never raises, an error is a Reply with a Failed event."""

    def __init__(
        self,
        voices: Mapping[str, Voice],
        default: Voice,
        *,
        max_contexts: int,
        max_context_chars: int,
        max_sentence_chars: int,
        code: Code = "skip",
        early: bool = True,
        lexicons: Callable[[str], Sequence[Lexicon]],
    ) -> None:
        """`early`: the first clause of a text that comes in several messages may be spoken by itself, where a start
        does not say otherwise. `lexicons`: those for a voice, by its name, at any time; the first that has a word is
        meant."""
        self._voices, self._default, self._usual = voices, default, Voicing(default)
        self._max_contexts, self._max_context_chars = max_contexts, max_context_chars
        self._max_sentence_chars, self._code, self._early = max_sentence_chars, code, early
        self._lexicons = lexicons
        self._contexts: dict[str, _Context] = {}
        # Names that are silent until a right start, lest a wrong voice speaks their text; and whether that was told.
        self._refused: dict[str, bool] = {}

    def receive(self, command: Command) -> list[Action]:
        """What follows from a command, at once."""
        return [action for actions in self.steps(command) for action in actions]

    def steps(self, command: Command) -> Iterator[list[Action]]:
        """What follows from a command, a bounded part of its text a step; to be taken to its end before the next."""
        try:
            match command:
                case Text():
                    yield from self._text(command)
                case Flush():
                    yield from self._flush(command.context)
                case End():
                    yield from self._end(command.context)
                case _:
                    yield self._receive(command)
        except GatewayError as error:
            yield self.refused(error)

    def refused(self, error: GatewayError) -> list[Action]:
        """What follows from a message that could not be taken; a context whose start it was stays silent."""
        name = error.context
        if isinstance(error, StartRefused) and name is not None and not self._began(name):
            self.closed(name)
            self._refused[name] = False
            if len(self._refused) > MAX_REFUSED:
                del self._refused[next(iter(self._refused))]
        return [Reply(Failed(error.code, error.message, error.retryable, name))]

    def spoken(self, name: str, chars: int) -> None:
        """A sentence or a mark of a context has been dealt with."""
        if context := self._contexts.get(name):
            context.unspoken -= chars

    def waiting(self) -> dict[str, tuple[float, int]]:
        """Contexts with text that is not to wait for ever for the end of its sentence: how many seconds, and for which
        sentence."""
        return {
            name: (context.voicing.hold_s, context.sentences)
            for name, context in self._contexts.items()
            if context.voicing.hold_s is not None and context.state is _State.SPEAKING and context.path.waiting
        }

    @property
    def contexts(self) -> int:
        """How many are open."""
        return len(self._contexts)

    def quiet(self) -> list[str]:
        """Contexts that may go on, of which nothing is left to be spoken but what waits for its sentence's end."""
        return [name for name, c in self._contexts.items() if c.state is not _State.ENDED and not c.unspoken]

    def settle(self, name: str) -> list[Action]:
        """What follows when it has waited for so long."""
        context = self._contexts.get(name)
        if context is None or context.state is not _State.SPEAKING:
            return []
        return [action for actions in self._say(name, context, context.path.settle()) for action in actions]

    def closed(self, name: str) -> None:
        """A context is done; its name may be used again. Idempotent."""
        self._contexts.pop(name, None)
        self._refused.pop(name, None)

    def _receive(self, command: _WithoutText) -> list[Action]:
        actions: list[Action] = []
        match command:
            case Ping():
                actions = [Reply(Pong())]
            case Start():
                self._start(command)
            case Cancel():
                actions = self._cancel(command.context)
            case Played():
                if self._began(command.context):
                    actions = [Heard(command.context, command.ms)]
            case _:
                assert_never(command)
        return actions

    def _start(self, command: Start) -> None:
        if self._began(command.context):
            what = "start after the first text; its settings stand until its done, another context may have others"
            raise GatewayError("already_started", what, context=command.context)
        settings = voicing(command, self._voices, self._default)
        self._contexts.pop(command.context, None)
        self._open(command.context, settings, StartRefused)
        self._refused.pop(command.context, None)

    def _text(self, command: Text) -> Iterator[list[Action]]:
        name, text = command.context, command.text
        if name in self._refused:
            yield self._unheard(name)
            return
        context = self._open(name, self._usual)
        if context.state is _State.ENDED:
            what = "text after end; wait for its done, or use another context"
            raise GatewayError("context_ended", what, context=name)
        self._check_room(name, context, len(text))
        if context.state is _State.FRESH:
            context.state = _State.SPEAKING
            yield [_begin(name, context.voicing)]
        elif context.voicing.early is None:
            # A text that goes on after its first message is one that is being written. One that came whole is not: its
            # first sentence streams, and sounds better in one.
            context.path.early = self._early
        for at in range(0, len(text), STEP_CHARS):
            yield from self._say(name, context, context.path.push(text[at : at + STEP_CHARS]))

    def _unheard(self, name: str) -> list[Action]:
        # Told once, not with each token of a text.
        if self._refused[name]:
            return []
        self._refused[name] = True
        what = "text is not spoken because its start was refused; send a start that is right, or cancel"
        return [Reply(Failed("start_refused", what, context=name))]

    def _flush(self, name: str) -> Iterator[list[Action]]:
        context = self._contexts.get(name)
        if context is None or context.state is _State.FRESH:
            yield [Reply(Flushed(name))]
            return
        if context.state is _State.ENDED:
            raise GatewayError("context_ended", "flush after end; end has spoken what was buffered", context=name)
        self._check_room(name, context, 1)
        yield from self._say(name, context, context.path.flush())
        context.unspoken += 1
        yield [FlushMark(name)]

    def _end(self, name: str) -> Iterator[list[Action]]:
        context = self._contexts.get(name)
        if context is None or context.state is _State.FRESH:
            self.closed(name)
            yield [Reply(Done(name, audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0))]
            return
        if context.state is _State.ENDED:
            raise GatewayError("context_ended", "end after end; wait for its done", context=name)
        context.state = _State.ENDED
        yield from self._say(name, context, context.path.end())
        yield [Finish(name)]

    def _cancel(self, name: str) -> list[Action]:
        began = self._began(name)
        self.closed(name)
        return [Stop(name)] if began else [Reply(Cancelled(name, sent_ms=0, heard_ms=0, text_sent=""))]

    def _say(self, name: str, context: _Context, sentences: list[Sentence]) -> Iterator[list[Action]]:
        """A sentence a step or several. One of which nothing is left to be said, as of emoji, is dealt with already."""
        voicing = context.voicing
        context.sentences += len(sentences)
        lexicons: Sequence[Lexicon] = ()
        if sentences:
            yield []  # what was done to find them is a step of its own
            lexicons = self._lexicons(voicing.voice.name)
        for sentence in sentences:
            saying = yield from _in_steps(voicing.saying_in_parts(sentence.text, lexicons))
            if saying.silent:
                continue
            say = Say(name, sentence, saying.spoken, voicing.utterance(saying))
            context.unspoken += say.chars
            yield [say]
        yield []

    def _check_room(self, name: str, context: _Context, more: int) -> None:
        held = context.unspoken + context.path.buffered
        if held + more > self._max_context_chars:
            what = (
                f"{more} more characters on {held} not yet spoken; allowed: {self._max_context_chars} a context. "
                "Nothing of this message was taken; send it when some sentences have been spoken"
            )
            raise GatewayError("too_much_text", what, context=name, retryable=True)

    def _open(self, name: str, voicing: Voicing, refused: type[GatewayError] = GatewayError) -> _Context:
        if context := self._contexts.get(name):
            return context
        if len(self._contexts) >= self._max_contexts:
            what = f"{self._max_contexts} contexts are open, the most allowed on a socket; end or cancel one first"
            raise refused("too_many_contexts", what, context=name, retryable=True)
        context = self._contexts[name] = _Context(voicing, self._path(voicing))
        return context

    def _path(self, voicing: Voicing) -> TextPath:
        early = bool(voicing.early)
        return TextPath(self._max_sentence_chars, markdown=voicing.markdown, code=self._code, early=early)

    def _began(self, name: str) -> bool:
        context = self._contexts.get(name)
        return context is not None and context.state is not _State.FRESH


def _begin(name: str, voicing: Voicing) -> Begin:
    sounds = voicing.format, voicing.sample_rate, voicing.kbps
    return Begin(name, voicing.pace, voicing.voice.rate_hz, voicing.words, *sounds)


def _in_steps(parts: Parts[Saying]) -> Generator[list[Action], None, Saying]:
    """What comes of them, nothing to be done after each."""
    while True:
        try:
            next(parts)
        except StopIteration as end:
            said: Saying = end.value
            return said
        yield []
