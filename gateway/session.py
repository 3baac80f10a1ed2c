"""What one connection's contexts are in, and what follows from a command: a pure state machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from engine.text.split import Splitter
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


class _State(Enum):
    FRESH = auto()  # settings may change
    REFUSED = auto()  # its start was refused; silent until a right one
    SPEAKING = auto()  # has had text
    ENDED = auto()  # no more text; its sound is still on the way


@dataclass(slots=True)
class _Context:
    voicing: Voicing
    splitter: Splitter
    state: _State = _State.FRESH
    unspoken: int = 0  # chars and marks given out and not yet dealt with
    told: bool = False  # that its text is not spoken because its start was refused


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
    ) -> None:
        self._voices, self._default = voices, default
        self._max_contexts, self._max_context_chars = max_contexts, max_context_chars
        self._max_sentence_chars = max_sentence_chars
        self._contexts: dict[str, _Context] = {}

    def receive(self, command: Command) -> list[Action]:
        """What follows from a command."""
        try:
            return self._receive(command)
        except GatewayError as error:
            return self.refused(error)

    def refused(self, error: GatewayError) -> list[Action]:
        """What follows from a message that could not be taken; a context whose start it was stays silent."""
        name = error.context
        if isinstance(error, StartRefused) and name is not None:
            context = self._contexts.get(name)
            if context is None and len(self._contexts) < self._max_contexts:
                context = self._open(name)
            if context is not None and context.state in (_State.FRESH, _State.REFUSED):
                context.state, context.told = _State.REFUSED, False
        return [Reply(Failed(error.code, error.message, error.retryable, name))]

    def spoken(self, name: str, chars: int) -> None:
        """A sentence or a mark of a context has been dealt with."""
        if context := self._contexts.get(name):
            context.unspoken -= chars

    def closed(self, name: str) -> None:
        """A context is done; its name may be used again. Idempotent."""
        self._contexts.pop(name, None)

    def _receive(self, command: Command) -> list[Action]:
        actions: list[Action] = []
        match command:
            case Ping():
                actions = [Reply(Pong())]
            case Start():
                self._start(command)
            case Text():
                actions = self._text(command)
            case Flush():
                actions = self._flush(command.context)
            case End():
                actions = self._end(command.context)
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
        context = self._open(command.context)
        context.voicing, context.state = settings, _State.FRESH

    def _text(self, command: Text) -> list[Action]:
        name = command.context
        context = self._open(name)
        actions: list[Action] = []
        match context.state:
            case _State.ENDED:
                what = "text after end; wait for its done, or use another context"
                raise GatewayError("context_ended", what, context=name)
            case _State.REFUSED:
                return self._unheard(name, context)
            case _State.FRESH:
                actions.append(_begin(name, context.voicing))
            case _State.SPEAKING:
                pass
            case _:
                assert_never(context.state)
        self._check_room(name, context, len(command.text))
        context.state = _State.SPEAKING
        return actions + self._say(name, context, context.splitter.push(command.text))

    def _unheard(self, name: str, context: _Context) -> list[Action]:
        # Told once, not with each token of a text.
        if context.told:
            return []
        context.told = True
        what = "text is not spoken because its start was refused; send a start that is right, or cancel"
        return [Reply(Failed("start_refused", what, context=name))]

    def _flush(self, name: str) -> list[Action]:
        context = self._contexts.get(name)
        if context is None or context.state in (_State.FRESH, _State.REFUSED):
            return [Reply(Flushed(name))]
        if context.state is _State.ENDED:
            raise GatewayError("context_ended", "flush after end; end has spoken what was buffered", context=name)
        self._check_room(name, context, 1)
        said = self._say(name, context, context.splitter.flush())
        context.unspoken += 1
        return [*said, FlushMark(name)]

    def _end(self, name: str) -> list[Action]:
        context = self._contexts.get(name)
        if context is None or context.state in (_State.FRESH, _State.REFUSED):
            self.closed(name)
            return [Reply(Done(name, audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0))]
        if context.state is _State.ENDED:
            raise GatewayError("context_ended", "end after end; wait for its done", context=name)
        context.state = _State.ENDED
        return [*self._say(name, context, context.splitter.end()), Finish(name)]

    def _cancel(self, name: str) -> list[Action]:
        began = self._began(name)
        self.closed(name)
        return [Stop(name)] if began else [Reply(Cancelled(name, sent_ms=0, heard_ms=0, text_sent=""))]

    def _say(self, name: str, context: _Context, sentences: list[Sentence]) -> list[Action]:
        said: list[Action] = []
        for sentence in sentences:
            chars = sentence.end - sentence.start
            context.unspoken += chars
            said.append(Say(name, context.voicing.utterance(sentence.text), chars))
        return said

    def _check_room(self, name: str, context: _Context, more: int) -> None:
        held = context.unspoken + context.splitter.buffered
        if held + more > self._max_context_chars:
            what = (
                f"{more} more characters on {held} not yet spoken; allowed: {self._max_context_chars} a context. "
                "Nothing of this message was taken; send it when some sentences have been spoken"
            )
            raise GatewayError("too_much_text", what, context=name, retryable=True)

    def _open(self, name: str) -> _Context:
        if context := self._contexts.get(name):
            return context
        if len(self._contexts) >= self._max_contexts:
            what = f"{self._max_contexts} contexts are open, the most allowed on a socket; end or cancel one first"
            raise GatewayError("too_many_contexts", what, context=name, retryable=True)
        voicing = Voicing(self._default)
        context = self._contexts[name] = _Context(voicing, Splitter(max_chars=self._max_sentence_chars))
        return context

    def _began(self, name: str) -> bool:
        context = self._contexts.get(name)
        return context is not None and context.state in (_State.SPEAKING, _State.ENDED)


def _begin(name: str, voicing: Voicing) -> Begin:
    return Begin(name, voicing.pace, voicing.voice.rate_hz, voicing.words)
