"""One context: its sentences become sound in order, no further ahead of the listener than he needs."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from engine.engine import Engine
from engine.errors import EngineError
from engine.pcm import silence
from engine.speech import Speech
from engine.types import Pace, Pcm, Utterance, WordTime
from gateway.actions import Finish, FlushMark, Say
from gateway.cache import PhraseCache
from gateway.chunks import Chunker
from gateway.codec import codec
from gateway.encoding import Encoding
from gateway.events import Audio, Cancelled, Done, Failed, Flushed, Format, SentenceStarted, Word, Words
from gateway.lines import Line, Lines
from gateway.outbox import Outbox
from gateway.playback import Playback
from gateway.sending import Sending
from gateway.transcript import Transcript

_FIRST_S = 0.1  # after its text came a listener should hear something
_FAST_S = 1.0  # who hears at no pace does not wait longer, unless others hear nothing
_WAKE_SLACK_S = 0.001  # a timer that rings a hair too early would ring again at once


class Speaker:
    """Speaks what it is given into the outbox, in order; `dealt` is called with the cost of each item when it is over.

    `ahead_s`: no more of a realtime listener's sound is sent before he needs it; infinite for one who takes all that
    there is, as into a file, and may be hearing it. Event-loop thread only. `run` ends by itself after
    `Finish`; `stop` ends it early, and its task is to be cancelled in the same step.
    """

    def __init__(
        self,
        context: str,
        pace: Pace,
        rate_hz: int,
        *,
        engine: Engine,
        cache: PhraseCache,
        outbox: Outbox,
        ahead_s: float,
        pause_ms: int,
        dealt: Callable[[int], None],
        words: bool = False,
        group: str | None = None,
        format_: Format = "pcm_s16le",
        sample_rate: int | None = None,
        kbps: int | None = None,
    ) -> None:
        """`rate_hz` is the voice's; None as `sample_rate` is the same."""
        self.context = context
        self._pace, self._rate = pace, rate_hz
        self._outbox, self._dealt = outbox, dealt
        self._ahead_s, self._pause_ms, self._words = ahead_s, pause_ms, words
        self._paced = pace is Pace.REALTIME and not math.isinf(ahead_s)
        self._clock = asyncio.get_running_loop().time
        self._began = self._clock()
        self._listener = engine.listen(pace, group, eager=math.isinf(ahead_s))
        self._lines = Lines(pace, self._speak, cache, words=words)
        self._playback, self._transcript = Playback(rate_hz), Transcript(rate_hz)
        self._encoding = Encoding(context, partial(codec, format_, rate_hz, sample_rate or rate_hz, kbps=kbps))
        self._heavy = format_ != "pcm_s16le"
        self._tasks: asyncio.TaskGroup | None = None  # while it runs
        self._preparing: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()  # the listener is further than the clock says
        self._taken = 0  # samples taken from the engine or the cache, and pauses
        self._asked = 0  # sentences begun or failed
        self._start = 0  # sample at which the sentence in hand begins
        self._spoken = self._cached = 0  # sentences
        self._first_audio_s: float | None = None
        self.done: Done | None = None  # its last event, where it is in the outbox or on its way there

    @property
    def sentences(self) -> int:
        return self._spoken

    @property
    def underruns(self) -> int:
        """Times the listener ran dry so far while text was waiting; at no pace there is none."""
        return self._playback.underruns if self._pace is Pace.REALTIME else 0

    @property
    def audio_s(self) -> float:
        """Sound posted so far, in seconds."""
        return self._playback.posted_samples / self._rate

    def add(self, item: Say | FlushMark | Finish) -> None:
        """Behind all before it; never waits."""
        self._lines.add(item, self._clock())
        self._prepare()

    def heard(self, ms: float) -> None:
        """The listener says where he is."""
        self._playback.played(ms, self._clock())
        self._tell()
        self._moved.set()

    def written(self) -> None:
        """The socket took the oldest audio message of this context."""
        self._playback.written(self._clock())
        self._tell()
        self._moved.set()

    def stop(self) -> Cancelled:
        """End now: the engine stops, and what waits in the outbox is dropped."""
        self._lines.close()
        self._listener.close()
        if self._preparing is not None:
            self._preparing.cancel()  # it would go on for one more step, and speak to a closed listener
        sent = self._playback.posted_samples - self._outbox.drop(self.context)
        heard = min(sent, self._playback.heard_samples(self._clock()))
        texts = self._transcript.text_until
        text_heard = texts(heard) if self._playback.acknowledged else None
        return Cancelled(self.context, self._ms(sent), self._ms(heard), texts(sent), text_heard)

    async def run(self) -> None:
        """Speak until the context is finished."""
        try:
            async with asyncio.TaskGroup() as self._tasks:
                self._prepare()
                await self._send_all()
                if self._preparing is not None:
                    self._preparing.cancel()
        finally:
            self._lines.close()
            self._listener.close()

    def _prepare(self) -> None:
        """What is not there at once is made ready beside the sending of what is."""
        if self._lines.left and self._preparing is None and self._tasks is not None:
            self._preparing = self._tasks.create_task(self._lines.prepare())

    async def _send_all(self) -> None:
        while await self._send_next(await self._lines.next()):
            pass  # while the next one is awaited nothing here has the last one's sound

    async def _send_next(self, item: Line | FlushMark | Finish) -> bool:
        """Whether more may come."""
        match item:
            case Line():
                await self._send_line(item)
                self._lines.over(item)
                self._dealt(item.say.chars)
            case FlushMark():
                await self._give(self._encoding.mark(), self._clock())
                await self._outbox.put(self.context, Flushed(self.context))
                self._dealt(item.chars)
            case Finish():
                await self._give(self._encoding.end(), self._clock())
                self.done = self._done()
                await self._outbox.put(self.context, self.done)
                return False
            case _:
                assert_never(item)
        return True

    async def _send_line(self, line: Line) -> None:
        sending = Sending(line, self._asked, Chunker(self._rate, begins=self._first_audio_s is None))
        self._asked += 1
        try:
            if (whole := line.whole) is not None:
                await self._send_part(sending, whole)
            else:
                async for pcm in line.sound(partial(self._due, line)):
                    await self._send_part(sending, pcm)
        except EngineError as error:
            await self._send(sending.chunker.end(), line.since)
            what = f"sentence {sending.index}: {error}"
            await self._outbox.put(self.context, Failed(error.code, what, error.retryable, self.context))
            return
        if sending.begun:
            self._transcript.end()
        await self._send(sending.chunker.end(), line.since)

    async def _send_part(self, sending: Sending, pcm: Pcm) -> None:
        line = sending.line
        if not sending.begun:
            sending.begun = True
            await self._begin(sending)
        if words := sending.news():
            await self._tell_words(words, sending.index)
        self._transcript.made(len(pcm))
        if line.phrase is not None:  # this is all of it
            self._transcript.end()
        self._taken += len(pcm)
        self._tell()
        await self._send(sending.chunker.push(pcm, last=line.phrase is not None), line.since)

    async def _begin(self, sending: Sending) -> None:
        """Say which sentence comes, and put the pause before it."""
        line = sending.line
        pause = silence(self._pause_ms if self._spoken else 0, self._rate)
        start = self._playback.posted_samples + self._encoding.unsent + len(pause)
        self._spoken += 1
        self._cached += line.cached is not False
        sentence = line.say.sentence
        self._start = start
        self._transcript.begin(sentence.text, start)
        place = sentence.start, sentence.end
        start_ms = round(start * 1000 / self._rate, 3)
        started = SentenceStarted(self.context, sending.index, sentence.text, start_ms, line.cached, *place)
        await self._outbox.put(self.context, started)
        self._taken += len(pause)
        await self._send(sending.chunker.push(pause), line.since)

    async def _tell_words(self, words: Sequence[WordTime], index: int) -> None:
        self._transcript.told(words)
        if not self._words:
            return
        at = self._start / self._rate
        told = (Word(w.text, round((at + w.start_s) * 1000), round((at + w.end_s) * 1000)) for w in words)
        await self._outbox.put(self.context, Words(self.context, index, tuple(told)))

    async def _send(self, messages: list[Pcm], since: float) -> None:
        for message in messages:
            if self._paced:
                await self._room(len(message) / self._rate)
            await self._give(self._encoding.push(message), since)
            if self._heavy:
                await asyncio.sleep(0)  # a sentence from the cache, compressed at once, would keep others waiting

    async def _give(self, event: Audio | Failed | None, since: float) -> None:
        """Send what the encoding gave, if it gave anything."""
        if event is None:
            return
        await self._outbox.put(self.context, event)
        if isinstance(event, Failed):
            return
        self._playback.post(event.samples, since)
        if self._first_audio_s is None:
            self._first_audio_s = self._clock() - self._began

    async def _room(self, sound_s: float) -> None:
        """Wait until so much more sound is no further ahead of the listener than it may be."""
        while True:
            over_s = self._playback.lead_s(self._clock()) + sound_s - self._ahead_s
            if over_s <= 0:
                return
            self._moved.clear()
            # Sound that the socket has not taken does not get heard by waiting: then only its writing helps.
            stuck = self._playback.unwritten_s + sound_s > self._ahead_s
            wait_s = None if stuck else over_s + _WAKE_SLACK_S
            try:
                async with asyncio.timeout(wait_s):
                    await self._moved.wait()
            except TimeoutError:
                continue

    def _speak(self, utterance: Utterance) -> Speech:
        """Have a sentence made for this listener."""
        speech = self._listener.speak(utterance)
        self._tell()
        return speech

    def _tell(self) -> None:
        """Tell the engine until when its listener has sound, where it makes any for him."""
        if self._listener.asked:
            self._listener.played(self._until())

    def _until(self) -> float:
        """When the listener will have heard what was written, what is on its way, and what is in hand."""
        now = self._clock()
        in_hand_s = (self._taken - self._playback.posted_samples) / self._rate
        return now + self._playback.lead_s(now) + in_hand_s

    def _due(self, line: Line) -> float:
        """When the listener should be given the next sound of a line that others hear, too."""
        if self._pace is Pace.FAST:
            return self._clock() + _FAST_S
        return max(self._until(), line.since + _FIRST_S)

    def _done(self) -> Done:
        first_ms = None if self._first_audio_s is None else round(self._first_audio_s * 1000)
        audio_ms = self._ms(self._playback.posted_samples)
        return Done(self.context, audio_ms, self._spoken, self._cached, first_ms, self.underruns)

    def _ms(self, samples: int) -> int:
        return round(samples * 1000 / self._rate)
