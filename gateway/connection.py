"""One socket: a task that reads, a task that writes, a task a context; drives a Session."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import assert_never

from gateway.actions import Action, Begin, Finish, FlushMark, Heard, Reply, Say, Stop
from gateway.counts import Tally
from gateway.dialects.dialect import Close, Dialect
from gateway.errors import GatewayError
from gateway.events import Audio, Command, Done, End, Event, Failed, Idle, Ping, Ready
from gateway.holds import Holds
from gateway.outbox import Outbox
from gateway.parts import Parts
from gateway.silence import Silence
from gateway.sockets import Gone, Socket
from gateway.speaker import Speaker
from gateway.turn import Turn

_log = logging.getLogger(__name__)

RESTARTING = Failed("restarting", "the server restarts; connect again", retryable=True)
_LATE_S = 0.001  # a timer that rings a hair too early would ring again at once
_TURN_MESSAGES = 8  # written at once, then others have a turn; they cost the system as much as one
_INTERNAL = Failed("internal", "the server failed on this connection; connect again", retryable=True)


class Connection:
    """One client from `run` to its end, whoever ends it. Event-loop thread only."""

    def __init__(self, id_: str, socket: Socket, parts: Parts, dialect: Dialect) -> None:
        self._id, self._socket, self._dialect = id_, socket, dialect
        self._parts, self._settings = parts, parts.settings
        self._session = parts.session()
        self._outbox = Outbox(in_order=dialect.terms.in_order)
        self._ahead_s = inf if dialect.terms.eager else self._settings.ahead_s
        self._clock = asyncio.get_running_loop().time
        self._silence = Silence(dialect.terms.idle_s, self._clock())
        self._speakers: dict[str, tuple[Speaker, asyncio.Task[None]]] = {}
        self._holds = Holds(self._settle)
        self._tally = Tally(parts.counts)
        self._turn = Turn()
        self._restarting = False

    async def run(self) -> None:
        """Serve an accepted socket; returns when it is closed, with nothing of it left running."""
        began, reason = self._clock(), "broken off"
        self._outbox.reply(self._ready())
        try:
            async with asyncio.TaskGroup() as tasks:
                own = [tasks.create_task(self._write()), tasks.create_task(self._watch(tasks))]
                reason = await self._read(tasks)
                self._stop_all()
                for task in own:
                    task.cancel()
        except Exception:  # noqa: BLE001 - one connection's fault is no other's
            reason = "internal error"
            _log.exception("connection %s failed", self._id)
            await self._close_failed()
        finally:
            self._stop_all()
            did = self._tally
            _log.info(
                "connection %s: %.1f s, %d contexts, %d sentences, %.1f s of audio; %s",
                *(self._id, self._clock() - began, did.contexts, did.sentences, did.audio_s, reason),
            )

    def restart(self) -> None:
        """Stop speaking, tell the client that the server restarts, and close."""
        self._restarting = True
        self._stop_all()
        self._outbox.reply(RESTARTING)
        self._outbox.close()

    # ---- reading

    async def _read(self, tasks: asyncio.TaskGroup) -> str:
        """Until the client is gone; returns how that came about."""
        while True:
            try:
                message = await self._socket.receive()
            except Gone as gone:
                return "restarting" if self._restarting else str(gone)
            self._silence.said(self._clock())
            await self._take(message, tasks)
            await self._outbox.replies_room()

    async def _take(self, message: str | bytes, tasks: asyncio.TaskGroup) -> None:
        """Do what follows from a message; other sockets get their turns between its steps."""
        self._holds.pause()
        with self._turn as turn:
            for actions in self._steps(message):
                if self._restarting:  # which may come between two steps; nothing is left to be done then
                    return
                for action in actions:
                    self._do(action, tasks)
                await turn.others()
        self._holds.look(self._session.waiting())

    def _settle(self, name: str) -> None:
        """Say what has waited long enough for the end of its sentence."""
        for action in self._session.settle(name):
            if isinstance(action, Say):
                self._speakers[name][0].add(action)

    def _steps(self, message: str | bytes) -> Iterator[list[Action]]:
        try:
            self._check_size(message)
            commands = self._decoded(message)
        except GatewayError as error:
            return iter([self._session.refused(error)])
        for command in commands:
            if not isinstance(command, Ping):
                self._silence.said(self._clock(), command.context)
        return (actions for command in commands for actions in self._session.steps(command))

    def _decoded(self, message: str | bytes) -> Sequence[Command]:
        """What the message asks for. What nobody thought of costs this message, and no context that is spoken."""
        try:
            return self._dialect.decode(message)
        except GatewayError:
            raise
        except Exception as error:
            _log.exception("a message of connection %s could not be read", self._id)
            raise GatewayError("internal", "the server failed on this message; nothing of it was done") from error

    def _check_size(self, message: str | bytes) -> None:
        most = self._settings.max_message_bytes
        if isinstance(message, str) and len(message) * 4 > most and (size := len(message.encode())) > most:
            what = f"the message has {size} bytes; allowed: {most}. Send a long text in several messages"
            raise GatewayError("message_too_large", what)

    def _do(self, action: Action, tasks: asyncio.TaskGroup) -> None:
        match action:
            case Begin():
                self._begin(action, tasks)
            case Say() | FlushMark() | Finish():
                self._speakers[action.context][0].add(action)
            case Stop():
                speaker, task = self._speakers.pop(action.context)
                task.cancel()
                self._ended(speaker)
                self._outbox.reply(speaker.stop())
            case Heard():
                self._speakers[action.context][0].heard(action.ms)
            case Reply():
                self._outbox.reply(action.event)
            case _:
                assert_never(action)

    def _begin(self, begin: Begin, tasks: asyncio.TaskGroup) -> None:
        name = begin.context
        self._outbox.open(name)
        speaker = Speaker(
            name,
            begin.pace,
            begin.rate_hz,
            engine=self._parts.engine,
            cache=self._parts.cache,
            outbox=self._outbox,
            ahead_s=self._ahead_s,
            pause_ms=self._settings.pause_ms,
            words=begin.words,
            format_=begin.format,
            sample_rate=begin.sample_rate,
            kbps=begin.kbps,
            group=self._id,
            dealt=partial(self._dealt, name),
        )
        self._speakers[name] = speaker, tasks.create_task(speaker.run())
        self._tally.opened(name, begin.pace, self._clock())

    def _stop_all(self) -> None:
        self._holds.pause()
        for speaker, task in self._speakers.values():
            task.cancel()
            self._ended(speaker)
            speaker.stop()
        self._speakers.clear()

    def _ended(self, speaker: Speaker) -> None:
        """Once for each speaker, when it leaves `_speakers`."""
        did = {"sentences": speaker.sentences, "underruns": speaker.underruns}
        self._tally.ended(speaker.context, audio_s=speaker.audio_s, **did)

    def _dealt(self, name: str, chars: int) -> None:
        self._session.spoken(name, chars)
        self._silence.said(self._clock(), name)

    async def _watch(self, tasks: asyncio.TaskGroup) -> None:
        """End what is idle, and say why before."""
        silence = self._silence
        while silence.idle_s < inf:
            for name in silence.over(self._clock(), self._session.quiet(), alone=not self._session.contexts):
                self._outbox.reply(Idle(silence.idle_s, name))
                for actions in self._session.steps(End(name)) if name is not None else ():
                    for action in actions:
                        self._do(action, tasks)
            await asyncio.sleep(silence.next_s(self._clock()) + _LATE_S)

    # ---- writing

    async def _write(self) -> None:
        """The one writer of the socket: events in order, and the close after the last of them."""
        sent = 0
        try:
            while (event := await self._outbox.take()) is not None:
                # Whose it is must be known before the wait: the name may be another speaker's after it.
                speaker = self._speaker_of(event)
                if isinstance(event, Done) and speaker is not None:
                    if event.underruns != speaker.underruns:  # its last sound has been sent by now
                        event = replace(event, underruns=speaker.underruns)
                    self._over(speaker)
                for message in self._dialect.encode(event):
                    if isinstance(message, Close):
                        self._outbox.abandon()
                        await self._socket.close(message.code, message.reason)
                        return
                    await self._socket.send(message)
                self._tally.sent(event, self._clock())
                if isinstance(event, Audio) and speaker is not None:
                    speaker.written()
                # A send that need not wait does not let others run: other sockets, and the news that this one is lost.
                if (sent := sent + 1) % _TURN_MESSAGES == 0:
                    await asyncio.sleep(0)
            await self._socket.close(1012, "")
        except Gone:
            # The reader hears of it too, from the server, and ends the connection.
            self._outbox.abandon()

    def _speaker_of(self, event: Event) -> Speaker | None:
        if not isinstance(event, (Audio, Done)) or event.context not in self._speakers:
            return None
        speaker = self._speakers[event.context][0]
        # A `done` of an empty context waits among the replies; meanwhile its name may have become a speaker's.
        return speaker if isinstance(event, Audio) or event is speaker.done else None

    def _over(self, speaker: Speaker) -> None:
        """Its `done` is the writer's: nothing can stop it any more, and what comes by its name is for another context.

        Speakers, lanes and the session forget it in the same step, so that they never differ in whose a name is. Its
        task ends by itself.
        """
        del self._speakers[speaker.context]
        self._outbox.drop(speaker.context)
        self._session.closed(speaker.context)
        self._ended(speaker)

    async def _close_failed(self) -> None:
        try:
            for message in self._dialect.encode(_INTERNAL):
                if not isinstance(message, Close):
                    await self._socket.send(message)
            await self._socket.close(1011, "")
        except Gone:
            return

    def _ready(self) -> Ready:
        settings = self._settings
        limits: dict[str, int | float] = {
            "max_message_bytes": settings.max_message_bytes,
            "max_contexts": settings.max_contexts,
            "max_context_chars": settings.max_context_chars,
            "max_sentence_chars": settings.max_sentence_chars,
            "ahead_s": settings.ahead_s,
        }
        return Ready(tuple(self._parts.engine.voices), self._parts.engine.default_voice.name, limits)
