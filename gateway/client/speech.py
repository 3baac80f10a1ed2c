"""One text being spoken, as a program hears it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any

from gateway.client.account import Account
from gateway.client.errors import ConnectionLost, OnsetError, SpeechFailed, Unreachable
from gateway.client.link import Link
from gateway.client.source import Spoken, tokens
from gateway.client.told import Done, Sentence, Stopped, Word

_CANCELLED = OnsetError("source_cancelled", "what gives the text was cancelled by somebody else")
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.1, 2.0


class Speech:
    """An async iterator of sound as it comes, in the format that was asked for; made by `Onset.speak`.

    It ends with the text, or when it is cancelled. Raises SpeechFailed where the server said an error, ConnectionLost
    where the connection was lost, Unreachable where there was none, and what the source of the text raised; what came
    before that is given out first, and the speech is over. `async with` it, and leaving the block cancels what is left.
    """

    def __init__(
        self,
        *,
        context: str,
        text: Spoken,
        settings: Mapping[str, Any],
        connect: Callable[[], Awaitable[Link]],
        patience_s: float | None,
        when_over: Callable[[Speech], None],
    ) -> None:
        """`patience_s`: how long a lost connection is tried to be replaced; None: not at all."""
        loop = asyncio.get_running_loop()
        self._context, self._source, self._settings = context, text, settings
        self._connect, self._patience_s, self._when_over = connect, patience_s, when_over
        self._clock = loop.time
        self._sound: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: that was all
        self._account = Account(settings["format"])
        self._link: Link | None = None
        self._sending = asyncio.Lock()  # what one task sends is not cut into by another
        self._is_ended = self._is_over = self._is_cancelling = False
        self._over = asyncio.Event()
        self._error: BaseException | None = None
        self._stopped: Stopped | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._hold(self._speak())

    # ---- for the program

    def __aiter__(self) -> Speech:
        return self

    async def __anext__(self) -> bytes:
        data = await self._sound.get()
        if data is not None:
            return data
        self._sound.put_nowait(None)  # whoever asks again gets the same answer
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        raise StopAsyncIteration

    async def __aenter__(self) -> Speech:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    @property
    def rate_hz(self) -> int | None:
        """Samples a second; None before the first sound."""
        return self._account.rate_hz

    @property
    def sentences(self) -> list[Sentence]:
        """Those whose sound has come or is about to."""
        return self._account.sentences

    @property
    def words(self) -> list[Word]:
        """Their words, if you asked for `words`."""
        return self._account.words

    @property
    def done(self) -> Done | None:
        """What the server said at the end; None before that, and where it never came."""
        return self._account.done

    @property
    def stopped(self) -> Stopped:
        """How far it has come by now, or where it was stopped."""
        return self._stopped or self._account.stopped(self._clock())

    async def played(self, ms: float) -> None:
        """Tell what the listener has really heard of it; makes the server's pacing and all counts exact."""
        self._account.played(ms)
        if self._link is not None and not self._is_over:
            await self._link.send("played", self._context, ms=max(0.0, ms - self._account.from_ms))

    async def cancel(self) -> Stopped:
        """Stop: the server's work for it ends, its text is taken no further, and iterating gives no more sound.

        Returns how far it came, by the server's count where it gave one. Of a speech that is over it says what has
        been heard by now.
        """
        self._drop_sound()
        self._error = None
        if not self._is_over and not self._is_cancelling:
            self._is_cancelling = True
            for task in self._tasks - {asyncio.current_task()}:
                task.cancel()
            if self._link is None:
                self._finish(None)
            else:  # by a task of its own: it is sent even if who asked for it is cancelled
                self._hold(self._link.send("cancel", self._context))
        await self._over.wait()
        return self.stopped

    async def aclose(self) -> None:
        """Cancel what is left, and wait until the source of the text is closed, too."""
        await self.cancel()
        if others := self._tasks - {asyncio.current_task()}:
            await asyncio.wait(others)

    # ---- for its link

    def told(self, message: dict[str, Any]) -> None:
        account = self._account
        match message["type"]:
            case "audio":
                account.rate_hz = message["sample_rate"]
            case "sentence" if not self._is_cancelling:
                account.begin(message, self._clock())
            case "words" if not self._is_cancelling:
                account.tell(message)
            case "done":
                account.end(message, self._clock())
                self._finish(None)
            case "cancelled":
                if not account.from_ms:  # the server knows of nothing else
                    times = message["sent_ms"], message["heard_ms"]
                    self._stopped = Stopped(*times, message["text_sent"], message.get("text_heard"))
                self._finish(None)
            case "error" if not self._is_cancelling:
                error = OnsetError(message["code"], message["message"], retryable=message["retryable"])
                self._fail(self._failure(SpeechFailed, error))
            case _:
                pass

    def sound(self, data: bytes) -> None:
        if not self._is_cancelling and (fresh := self._account.sound(data, self._clock())):
            self._sound.put_nowait(fresh)

    def lost(self, link: Link, error: OnsetError) -> None:
        if self._is_over or link is not self._link:
            return
        self._link = None
        if self._is_cancelling:
            self._finish(None)
        elif self._patience_s is None:
            self._fail(self._failure(ConnectionLost, error))
        else:
            self._hold(self._go_on(error))

    # ---- what it sends

    async def _speak(self) -> None:
        await self._open()
        async with aclosing(tokens(self._source)) as source:
            async for token in source:
                async with self._sending:
                    if self._is_over or self._is_cancelling:
                        return
                    if token:
                        self._account.give(token)
                        await self._send_text(token)
        async with self._sending:
            self._is_ended = True
            if self._link is not None:
                await self._link.send("end", self._context)

    async def _go_on(self, why: OnsetError) -> None:
        """Say the rest over another connection."""
        try:
            await self._open()
        except Unreachable as error:
            raise self._failure(ConnectionLost, why) from error

    async def _open(self) -> None:
        """Start on a connection, with the text from the sentence on that did not come whole; raises Unreachable."""
        link = await self._reached()
        async with self._sending:
            rest = self._account.resume()
            self._link = link
            link.hearers[self._context] = self
            if link.is_lost:  # while this waited; its reader tells nobody any more
                self.lost(link, OnsetError("lost", "the connection was lost", retryable=True))
                return
            await link.send("start", self._context, **self._settings)
            await self._send_text(rest)
            if self._is_ended:
                await link.send("end", self._context)

    async def _reached(self) -> Link:
        """A connection, tried for as long as there is patience; raises Unreachable."""
        until, wait_s = self._clock() + (self._patience_s or 0.0), _FIRST_WAIT_S
        while True:
            try:
                return await self._connect()
            except Unreachable as error:
                if not error.retryable or self._clock() + wait_s > until:
                    raise
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    async def _send_text(self, text: str) -> None:
        link = self._link
        if link is None:  # it is said with the rest, when there is a connection again
            return
        for at in range(0, len(text), link.max_text_chars):
            await link.send("text", self._context, text=text[at : at + link.max_text_chars])

    def _hold(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            if (error := task.exception()) is not None:
                self._fail(error)
        elif not self._is_over and not self._is_cancelling:
            self._fail(self._failure(SpeechFailed, _CANCELLED))
        if self._is_over and not self._tasks:
            self._when_over(self)

    # ---- what it hears

    def _failure(self, kind: type[SpeechFailed], error: OnsetError) -> SpeechFailed:
        stopped = self._account.stopped(self._clock())
        rest = self._account.rest(self._account.heard_ms(self._clock()))
        return kind(error.code, error.message, stopped, rest, retryable=error.retryable)

    def _fail(self, error: BaseException) -> None:
        """End with an error; the server need not speak what it has."""
        link, was_over = self._link, self._is_over
        self._finish(error)
        if link is not None and not was_over:
            self._hold(link.send("cancel", self._context))

    def _finish(self, error: BaseException | None) -> None:
        if self._is_over:
            return
        self._is_over, self._error = True, error
        if isinstance(error, SpeechFailed):
            self._stopped = error.stopped
        elif self._account.done is None:  # else its last sound is still being heard
            self._stopped = self.stopped
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()
        if self._link is not None:
            self._link.hearers.pop(self._context, None)
        self._sound.put_nowait(None)
        self._over.set()
        if not self._tasks:
            self._when_over(self)

    def _drop_sound(self) -> None:
        while not self._sound.empty():
            self._sound.get_nowait()
        if self._is_over:
            self._sound.put_nowait(None)
