"""The engine: voices, threads, and the dispatch task that keeps them busy."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from types import MappingProxyType

from engine.cores import usable_cores
from engine.dispatch import Dispatch
from engine.errors import NoVoices, SynthesisFailed, UnknownVoice
from engine.loudness import SAMPLE_TEXT
from engine.pieces import Phonemes, to_pieces
from engine.scheduler import Scheduler
from engine.speech import Listener
from engine.text.normalize import prepare
from engine.text.phonemes import Phonemizer
from engine.types import Pace, Utterance, Voice
from engine.voices import LoadedVoice
from engine.warming import shape_of

HEALTHY_AFTER_S = 30.0
"""So long after a crash of the dispatch loop the engine calls itself unhealthy."""

_NICENESS = 5  # of model threads above the loop's: a full machine still answers
_log = logging.getLogger(__name__)


class Engine:
    """Speaks utterances for many listeners at once. Made anywhere; used from one event loop's thread.

    `start` before use, `aclose` after. `threads` model threads, by default one a core that this process may use;
    a realtime listener gets `ahead_s` of sound ahead and no more; at most `max_queue` sentences wait; a listener who
    could not hear his first sound within `max_start_s` is refused.
    """

    def __init__(
        self,
        voices: Sequence[LoadedVoice],
        *,
        default: str = "",
        threads: int = 0,
        ahead_s: float = 3.0,
        max_queue: int = 2048,
        max_start_s: float = 2.0,
        phonemes: Phonemes | None = None,
        scheduler: type[Scheduler] = Scheduler,
    ) -> None:
        if not voices:
            raise NoVoices("an engine needs a voice")
        self._loaded = {v.voice.name: v for v in voices}
        if default and default not in self._loaded:
            raise UnknownVoice(default, tuple(self._loaded))
        self.voices: Mapping[str, Voice] = MappingProxyType({n: v.voice for n, v in self._loaded.items()})
        self.default_voice = self.voices[default or voices[0].voice.name]
        self.threads = threads or usable_cores()
        self._phonemes = phonemes or Phonemizer()
        self._text = ThreadPoolExecutor(1, "onset-text")
        self._models = ThreadPoolExecutor(self.threads, "onset-model", initializer=_yield_to_the_loop)
        self._dispatch = Dispatch(
            self._loaded,
            self._phonemes,
            text=self._text,
            models=self._models,
            threads=self.threads,
            ahead_s=ahead_s,
            max_queue=max_queue,
            max_start_s=max_start_s,
            scheduler=scheduler,
        )
        self._listeners = count(1)
        self._task: asyncio.Task[None] | None = None
        self._crashed_at: float | None = None
        self._closed = False

    @property
    def ready(self) -> bool:
        """Every voice and the phonemizer are warm, and it is not closed."""
        return self._task is not None and not self._closed

    @property
    def healthy(self) -> bool:
        """Ready, and the dispatch loop has not crashed in the last HEALTHY_AFTER_S."""
        if self._task is None or self._task.done() or self._closed:
            return False
        return self._crashed_at is None or self._task.get_loop().time() - self._crashed_at >= HEALTHY_AFTER_S

    @property
    def queued(self) -> int:
        """Sentences not yet made."""
        return self._dispatch.queued

    async def start(self, *, measure: bool = True) -> None:
        """Warm every voice and the phonemizer, then begin to dispatch. Whatever stops that closes the engine.

        Without `measure`, steps are taken to cost what they usually do until they have been made: it is a second
        or two sooner, for one who has no listeners at a realtime pace. The sound is the same.
        """
        try:
            await self._warm_up(measure=measure)
        except BaseException:
            await self.aclose()
            raise
        self._task = asyncio.get_running_loop().create_task(self._keep_running(), name="onset-dispatch")

    async def _warm_up(self, *, measure: bool) -> None:
        loop = asyncio.get_running_loop()
        voices = self._loaded.values()
        times = self.threads if measure else 0
        # On every thread at once: each gets its memory, and a step is measured as it is when the machine is full.
        warm = [loop.run_in_executor(self._models, v.model.warm_up) for v in voices for _ in range(times)]
        samples = [Utterance(SAMPLE_TEXT, v.voice) for v in voices]
        spell = [
            loop.run_in_executor(self._text, to_pieces, sample, self._phonemes, v.phonemes)
            for sample, v in zip(samples, voices, strict=True)
        ]
        # The rules of a language take a while to load, and its first sentence must not hold up the event loop for that.
        rules = [loop.run_in_executor(self._text, prepare, v.voice.language) for v in voices]
        await asyncio.gather(*warm, *spell, *rules)
        shape = [
            loop.run_in_executor(self._models, shape_of, v, future.result())
            for v, future in zip(voices, spell, strict=True)
        ]
        self._dispatch.shapes.update(zip(self._loaded, await asyncio.gather(*shape), strict=True))
        self._dispatch.learn()

    async def aclose(self) -> None:
        """Open speeches end with EngineClosed, running steps finish, threads are joined. Idempotent."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._dispatch.close()
            if self._task is not None:
                self._task.cancel()
                await asyncio.wait({self._task})
        finally:
            self._text.shutdown()
            self._models.shutdown()

    def listen(self, pace: Pace = Pace.REALTIME, group: int | str | None = None, *, eager: bool = False) -> Listener:
        """A new line of sound. Those of one `group`, such as a connection, stand behind each other where others wait
        too; one without a group is a group of its own. `eager`: at a realtime pace, and yet what is further ahead of
        the listener than he needs is made too, where no other listener needs the time."""
        return Listener(next(self._listeners), pace, self._dispatch, group, eager=eager)

    async def _keep_running(self) -> None:
        """A crash of the loop is a bug: what was under way fails, `healthy` tells of it, and all goes on."""
        while True:
            try:
                await self._dispatch.run()
            except Exception:  # noqa: BLE001 - the last resort of every speech
                self._crashed_at = asyncio.get_running_loop().time()
                failed = self._dispatch.fail_all(SynthesisFailed("the engine had to start again"))
                _log.exception("the dispatch loop crashed and starts again; %d speeches failed", failed)


def _yield_to_the_loop() -> None:
    """Linux keeps a niceness for each thread; where it may not be set, all are equal."""
    with contextlib.suppress(OSError, AttributeError):
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + _NICENESS)
