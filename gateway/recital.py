"""One text that comes whole, spoken to its end without a socket: what a request over HTTP gets."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import assert_never

from gateway.actions import Action, Begin, Finish, FlushMark, Heard, Reply, Say, Stop
from gateway.counts import Tally
from gateway.events import Audio, Done, End, Event, Failed, Start, Text
from gateway.outbox import Outbox
from gateway.parts import Parts
from gateway.speaker import Speaker

_log = logging.getLogger(__name__)

RESTARTING = Failed("restarting", "the server restarts; try again", retryable=True)


class Recital:
    """A text as one context, from its start to its done: `async with` it, and iterate over `events`.

    Its sound is samples of 16 bit at the voice's own rate: who answers has his own codec. Leaving the block ends it,
    wherever it is: the work stops within a step of the model. Event-loop thread only.
    """

    def __init__(self, id_: str, parts: Parts, start: Start, text: str) -> None:
        self._id, self._parts, self._start, self._text = id_, parts, start, text
        self._session = parts.session()
        self._outbox, self._tally = Outbox(), Tally(parts.counts)
        self._speaker: Speaker | None = None
        self._speaking: asyncio.Task[None] | None = None
        self._began = 0.0
        self._reason = "left"

    async def __aenter__(self) -> Recital:
        loop = asyncio.get_running_loop()
        self._began, self._speaking = loop.time(), loop.create_task(self._speak())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._outbox.abandon()
        if self._speaker is not None:
            self._speaker.stop()
            spoken = self._speaker
            did = {"sentences": spoken.sentences, "underruns": spoken.underruns}
            self._tally.ended(spoken.context, audio_s=spoken.audio_s, **did)
        if self._speaking is not None:
            self._speaking.cancel()
            await asyncio.wait({self._speaking})
            with suppress(asyncio.CancelledError):  # what went wrong was told by `events`
                self._speaking.exception()
        did_s = asyncio.get_running_loop().time() - self._began
        _log.info(
            "recital %s: %.1f s, %d sentences, %.1f s of audio; %s",
            *(self._id, did_s, self._tally.sentences, self._tally.audio_s, self._reason),
        )

    def restart(self) -> None:
        """Tell that the server restarts; nothing comes after it."""
        self._outbox.reply(RESTARTING)
        self._outbox.close()

    async def events(self) -> AsyncIterator[Event]:
        """What happens, in order, up to `Done` or the first `Failed`; once. Who is slow makes the speaker wait."""
        while (event := await self._outbox.take()) is not None:
            speaker = self._speaker
            if isinstance(event, Done) and speaker is not None:
                event = replace(event, underruns=speaker.underruns)
            if isinstance(event, Done | Failed):
                self._reason = "done" if isinstance(event, Done) else event.code
                yield event
                return
            yield event
            self._tally.sent(event, asyncio.get_running_loop().time())
            if isinstance(event, Audio) and speaker is not None:
                speaker.written()
            await asyncio.sleep(0)  # a step that need not wait does not let others run
        if self._speaking is not None:
            self._reason = "internal error"
            await self._speaking  # it broke off, and says why

    async def _speak(self) -> None:
        """Give the session all there is, a step at a time, and speak what follows."""
        name = self._start.context
        try:
            async with asyncio.TaskGroup() as tasks:
                for command in (self._start, Text(name, self._text), End(name)):
                    for actions in self._session.steps(command):
                        for action in actions:
                            self._do(action, tasks)
                        await asyncio.sleep(0)
        except BaseException:
            self._outbox.close()
            raise

    def _do(self, action: Action, tasks: asyncio.TaskGroup) -> None:
        match action:
            case Begin():
                self._speaker = self._speaker_for(action)
                self._tally.opened(action.context, action.pace, asyncio.get_running_loop().time())
                tasks.create_task(self._speaker.run())
            case Say() | FlushMark() | Finish():
                assert self._speaker is not None, "a session begins a context before it says anything in it"
                self._speaker.add(action)
            case Reply():
                self._outbox.reply(action.event)
            case Stop() | Heard():
                raise AssertionError("nobody asked for that")
            case _:
                assert_never(action)

    def _speaker_for(self, begin: Begin) -> Speaker:
        name, settings = begin.context, self._parts.settings
        return Speaker(
            name,
            begin.pace,
            begin.rate_hz,
            engine=self._parts.engine,
            cache=self._parts.cache,
            outbox=self._outbox,
            ahead_s=math.inf,  # nobody waits for a file as long as it sounds
            pause_ms=settings.pause_ms,
            words=begin.words,
            dealt=lambda chars: self._session.spoken(name, chars),
        )
