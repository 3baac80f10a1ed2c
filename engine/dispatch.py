"""The one task that decides what runs, runs it on the threads, and applies what comes back."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Executor
from itertools import count
from typing import assert_never

from engine.costs import Effort
from engine.errors import EngineClosed, EngineError, Overloaded, SynthesisFailed, UnknownSpeaker, UnknownVoice
from engine.models.model import Decoding, Prior
from engine.pcm import Shape, Shaper
from engine.pieces import Phonemes, to_pieces
from engine.scheduler import Scheduler
from engine.speech import Speech
from engine.turns import Turns
from engine.types import Batch, Job, Pcm, Piece, StepKind
from engine.voices import LoadedVoice
from engine.work import Result, Work, decode, front, samples

_WAKE_SLACK_S = 0.001  # a timer that rings a hair too early would find nothing to do
_log = logging.getLogger(__name__)


class Dispatch:
    """Speeches in, sound out. Event-loop thread only; a thread of the executors gets frozen work and gives a result.

    At most `threads` batches and one text are out at once: nothing waits in an executor's queue, where it could
    neither be reordered nor taken back. Work that was cancelled holds its thread until it really is over.
    """

    def __init__(
        self,
        voices: Mapping[str, LoadedVoice],
        phonemes: Phonemes,
        *,
        text: Executor,
        models: Executor,
        threads: int,
        ahead_s: float,
        max_queue: int,
        max_start_s: float,
        scheduler: type[Scheduler] = Scheduler,
    ) -> None:
        self._voices, self._phonemes = voices, phonemes
        self._text, self._models = text, models
        self._threads, self._ahead_s, self._max_queue = threads, ahead_s, max_queue
        self._max_start_s, self._new_scheduler = max_start_s, scheduler
        self._efforts: dict[str, Effort] = {}
        self.shapes: dict[str, Shape] = {}  # by voice; set before the first speech
        self._ids, self._shared = count(1), count(-1, -1)
        self._closed = False
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._out: dict[asyncio.Future[Result], Batch] = {}
        self._spelling: dict[asyncio.Future[tuple[Piece, ...]], Speech] = {}
        self._back: deque[asyncio.Future[Result]] = deque()
        self._spelt: deque[asyncio.Future[tuple[Piece, ...]]] = deque()
        self._forget_all()

    def _forget_all(self) -> None:
        self._scheduler = self._new_scheduler(
            self._efforts, threads=self._threads, ahead_s=self._ahead_s, max_start_s=self._max_start_s
        )
        self._turns: Turns[Speech] = Turns()
        self._open: dict[Speech, list[int]] = {}  # every speech not yet made, with the ids of its jobs
        self._works: dict[int, Work] = {}  # by job id

    @property
    def queued(self) -> int:
        """Speeches not yet made."""
        return len(self._open)

    def learn(self) -> None:
        """Ask the models what their steps cost: they are warm. Before any speech."""
        for name, loaded in self._voices.items():
            model, voice = loaded.model, loaded.voice
            frame_s = voice.hop / voice.rate_hz
            self._efforts[name] = Effort(model.costs(), frame_s=frame_s, lag=model.lag, whole=bool(model.whole))
        self._forget_all()

    # ---- what listeners and their speeches tell

    def speak(self, speech: Speech) -> None:
        """Take a new speech. Raises EngineClosed, UnknownVoice, UnknownSpeaker, Overloaded."""
        voice = speech.utterance.voice
        if self._closed:
            raise EngineClosed("the server is stopping")
        if voice.name not in self._voices:
            raise UnknownVoice(voice.name, tuple(self._voices))
        if not 0 <= speech.utterance.speaker < voice.speaker_count:
            raise UnknownSpeaker(speech.utterance.speaker, voice.name, voice.speaker_count)
        if len(self._open) >= self._max_queue:
            raise Overloaded(f"{self._max_queue} sentences are waiting already; try again soon")
        chars = len(speech.utterance.text)
        self._scheduler.admit(speech.listener, voice.name, chars, _now(), pace=speech.pace, group=speech.group)
        self._open[speech] = []
        self._turns.add(speech.listener, speech)
        self._wake.set()

    def cancel(self, speech: Speech) -> None:
        """Nothing more is made for it; what runs is dropped when it comes back. Idempotent."""
        jobs = self._open.get(speech, [])
        self._scheduler.cancel(jobs)
        for job in jobs:
            self._works.pop(job, None)
        self._turns.remove(speech.listener, speech)
        self._over(speech)
        self._wake.set()

    def taken(self, listener: int, samples: int, rate_hz: int) -> None:
        self._scheduler.taken(listener, samples / rate_hz, _now())
        self._wake.set()

    def dropped(self, listener: int, samples: int, rate_hz: int) -> None:
        self._scheduler.dropped(listener, samples / rate_hz)
        self._wake.set()

    def share(self, speech: Speech, untaken: int) -> None:
        """It gets a line of its own."""
        listener, speech.listener = speech.listener, next(self._shared)
        jobs, (text, voice) = self._open[speech], (speech.utterance.text, speech.utterance.voice)
        effort = None if jobs else self._efforts.get(voice.name)
        untaken_s, coming_s = untaken / voice.rate_hz, effort.sound_s(len(text)) if effort else 0.0
        self._scheduler.share(listener, jobs, speech.listener, _now(), untaken_s=untaken_s, coming_s=coming_s)
        self._turns.move(listener, speech, speech.listener)
        self._wake.set()

    def hurry(self, speech: Speech, due: float) -> None:
        self._scheduler.hurry(speech.listener, due)
        self._wake.set()

    def played(self, listener: int, until: float) -> None:
        self._scheduler.played(listener, until)
        if self._open:
            self._wake.set()

    def forget(self, listener: int) -> None:
        self._scheduler.forget(listener)

    # ---- the loop

    async def run(self) -> None:
        """Decide, run, apply; for ever. Must not be run twice at once."""
        while True:
            self._wake.clear()
            while self._spelt:
                self._apply_text(self._spelt.popleft())
            while self._back:
                self._apply(self._back.popleft())
            self._decide()
            await self._wake.wait()

    def fail_all(self, error: EngineError) -> int:
        """Every speech not yet made fails, and all work is forgotten; steps that run keep their threads. How many."""
        failed = list(self._open)
        self._forget_all()
        for speech in failed:
            speech.fail(error)
        return len(failed)

    async def close(self) -> None:
        """Take no more, fail what is open, and wait until no thread works."""
        self._closed = True
        self.fail_all(EngineClosed("the server is stopping"))
        out: set[asyncio.Future[Result] | asyncio.Future[tuple[Piece, ...]]] = {*self._out, *self._spelling}
        if out:
            await asyncio.wait(out)
        for future in out:
            future.exception()  # seen, should the loop not come to it
        if self._timer:
            self._timer.cancel()

    def _decide(self) -> None:
        # Text holds the interpreter: a listener's next sentences would delay his own first sound.
        if not self._spelling and (speech := self._turns.next(self._scheduler.begins)):
            self._start_text(speech)
        while len(self._out) < self._threads:
            batch = self._scheduler.next_batch(_now())
            if batch is None:
                self._set_timer()
                return
            self._start(batch)

    def _set_timer(self) -> None:
        """Time alone may let work run: a listener has heard enough."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if (at := self._scheduler.next_time(_now())) is not None:
            self._timer = asyncio.get_running_loop().call_at(at + _WAKE_SLACK_S, self._wake.set)

    # ---- text

    def _start_text(self, speech: Speech) -> None:
        config = self._voices[speech.utterance.voice.name].phonemes
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._text, to_pieces, speech.utterance, self._phonemes, config)
        self._spelling[future] = speech
        future.add_done_callback(self._spelt.append)
        future.add_done_callback(lambda _: self._wake.set())

    def _apply_text(self, future: asyncio.Future[tuple[Piece, ...]]) -> None:
        speech = self._spelling.pop(future)
        error = future.exception()
        if speech not in self._open:
            return
        if error is not None:
            self._lose(speech, error)
            return
        pieces = future.result()
        if not pieces:
            self._over(speech)
            speech.complete()
        name = speech.utterance.voice.name
        if effort := self._efforts.get(name):
            effort.written(len(speech.utterance.text), sum(len(piece.ids) for piece in pieces))
        for number, piece in enumerate(pieces, 1):
            ids, whose = len(piece.ids), (speech.pace, speech.group, speech.eager)
            job = Job(next(self._ids), speech.listener, name, ids, *whose)
            self._open[speech].append(job.id)
            shaper = Shaper(self.shapes.get(job.voice, Shape()), speech.utterance.voice.rate_hz)
            self._works[job.id] = Work(speech, piece, last=number == len(pieces), shaper=shaper)
            self._scheduler.add(job, _now())

    # ---- steps

    def _start(self, batch: Batch) -> None:
        works = [self._works[job.id] for job in batch.jobs]
        model = self._voices[batch.voice].model
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result]
        match batch.kind:
            case StepKind.FRONT:
                future = loop.run_in_executor(self._models, front, model, [work.piece for work in works])
            case StepKind.DECODE:
                decodings = [work.decoding for work in works if work.decoding is not None]
                shapers = [work.shaper for work in works]
                future = loop.run_in_executor(self._models, decode, model, decodings, shapers, batch.frames)
            case _:
                assert_never(batch.kind)
        self._out[future] = batch
        future.add_done_callback(self._back.append)
        future.add_done_callback(lambda _: self._wake.set())

    def _apply(self, future: asyncio.Future[Result]) -> None:
        batch = self._out.pop(future)
        error = future.exception()
        if error is not None:
            for job in self._scheduler.failed(batch):
                self._lose(self._works[job.id].speech, error)
            return
        voice, result = self._voices[batch.voice].voice, future.result()
        made = dict(zip((job.id for job in batch.jobs), result.made, strict=True))
        seconds = [samples(one, voice.hop) / voice.rate_hz for one in result.made]
        for job in self._scheduler.done(batch, seconds, _now(), result.took_s):
            match made[job.id]:
                case Prior() as prior:
                    self._works[job.id].decoding = Decoding(prior)
                case (pcm, decoding):
                    self._give(job, pcm, decoding)

    def _give(self, job: Job, pcm: Pcm, decoding: Decoding) -> None:
        work = self._works[job.id]
        work.decoding = decoding
        if len(pcm) and not work.begun:
            work.begun = True
            work.speech.tell(work.words())
        work.speech.give(pcm)
        if not decoding.done:
            return
        del self._works[job.id]
        if work.last:
            self._over(work.speech)
            work.speech.complete()

    def _over(self, speech: Speech) -> None:
        """Nothing more is made for it."""
        self._open.pop(speech, None)
        if speech.shared:
            self._scheduler.forget(speech.listener)

    def _lose(self, speech: Speech, error: BaseException) -> None:
        """A sentence fails alone. The log names the voice and the error, never the text."""
        name = speech.utterance.voice.name
        _log.warning("voice %s failed on a sentence of %d characters: %r", name, len(speech.utterance.text), error)
        failure = SynthesisFailed(f"the voice {name} failed on this sentence")
        failure.__cause__ = error
        self.cancel(speech)
        speech.fail(failure)


def _now() -> float:
    return asyncio.get_running_loop().time()
