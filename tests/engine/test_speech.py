"""A speech and its listener by themselves, before a desk that only takes notes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.errors import EngineError, Overloaded, SynthesisFailed
from engine.speech import Listener, Speech
from engine.types import Pace, Pcm, Utterance, WordTime
from tests.fakes import fake_voice


class Notes:
    def __init__(self, *, full: bool = False) -> None:
        self.full = full
        self.notes: list[tuple[object, ...]] = []

    def speak(self, speech: Speech) -> None:
        if self.full:
            raise Overloaded("full")
        self.notes.append(("speak", speech.utterance.text))

    def cancel(self, speech: Speech) -> None:
        self.notes.append(("cancel", speech.utterance.text))

    def taken(self, listener: int, samples: int, rate_hz: int) -> None:
        self.notes.append(("taken", samples))

    def dropped(self, listener: int, samples: int, rate_hz: int) -> None:
        self.notes.append(("dropped", samples))

    def share(self, speech: Speech, untaken: int) -> None:
        self.notes.append(("share", untaken))

    def hurry(self, speech: Speech, due: float) -> None:
        self.notes.append(("hurry", due))

    def played(self, listener: int, until: float) -> None:
        self.notes.append(("played", until))

    def forget(self, listener: int) -> None:
        self.notes.append(("forget", listener))


def listener(notes: Notes) -> Listener:
    return Listener(7, Pace.REALTIME, notes)


def utterance(text: str) -> Utterance:
    return Utterance(text, fake_voice().voice)


def pcm(samples: int) -> Pcm:
    return np.ones(samples, np.int16)


async def test_empty_sound_is_not_given_and_taking_is_told() -> None:
    notes = Notes()
    speech = listener(notes).speak(utterance("a"))
    for samples in (2, 0, 3):
        speech.give(pcm(samples))
    assert (speech.open, speech.finished) == (True, False)
    speech.complete()
    assert [len(chunk) async for chunk in speech] == [2, 3]
    assert notes.notes == [("speak", "a"), ("taken", 2), ("taken", 3)]
    assert speech.finished


async def test_what_comes_after_the_end_is_nothing() -> None:
    speech = listener(Notes()).speak(utterance("a"))
    speech.complete()
    speech.give(pcm(5))
    speech.fail(SynthesisFailed("late"))
    assert [chunk async for chunk in speech] == []
    assert speech.finished


async def test_an_error_comes_after_the_sound_before_it_and_each_time_it_is_asked_for() -> None:
    speech = listener(Notes()).speak(utterance("a"))
    speech.give(pcm(5))
    speech.fail(SynthesisFailed("broken"))
    assert len(await anext(speech)) == 5
    for _ in range(2):
        with pytest.raises(SynthesisFailed):
            await anext(speech)


async def test_cancel_tells_what_nobody_will_take() -> None:
    notes = Notes()
    speech = listener(notes).speak(utterance("a"))
    speech.give(pcm(5))
    speech.cancel()
    speech.cancel()
    assert notes.notes[1:] == [("cancel", "a"), ("dropped", 5)]
    assert [chunk async for chunk in speech] == []


async def test_a_listener_who_goes_cancels_what_is_open_or_unread_and_is_forgotten_once() -> None:
    notes = Notes()
    one = listener(notes)
    read, unread, unmade = (one.speak(utterance(text)) for text in ("read", "unread", "unmade"))
    for speech in (read, unread):
        speech.give(pcm(5))
        speech.complete()
    await anext(read)
    notes.notes.clear()
    one.close()
    one.close()
    one.played(3.0)
    assert notes.notes == [("dropped", 5), ("cancel", "unmade"), ("forget", 7)]
    assert [speech.finished for speech in (read, unread, unmade)] == [True, False, False]


def test_what_the_desk_refuses_is_not_queued() -> None:
    notes = Notes(full=True)
    one = listener(notes)
    with pytest.raises(Overloaded):
        one.speak(utterance("a"))
    one.close()
    assert notes.notes == [("forget", 7)]


# ---- one that many hear


class Vessel:
    def __init__(self) -> None:
        self.got: list[object] = []

    def tell(self, words: tuple[WordTime, ...]) -> None:
        self.got.append(words)

    def give(self, pcm: Pcm) -> None:
        self.got.append(len(pcm))

    def complete(self) -> None:
        self.got.append("complete")

    def fail(self, error: EngineError) -> None:
        self.got.append(type(error))


def fed(notes: Notes) -> tuple[Speech, Vessel]:
    speech, vessel = listener(notes).speak(utterance("a")), Vessel()
    speech.feed(vessel)
    return speech, vessel


async def test_a_sink_is_given_all_at_once_and_its_listener_says_what_he_took() -> None:
    notes = Notes()
    speech, vessel = fed(notes)
    words = (WordTime("a", 0.0, 0.1),)
    speech.tell(words)
    for samples in (2, 0, 3):
        speech.give(pcm(samples))
    speech.complete()
    speech.complete()
    speech.give(pcm(1))
    assert vessel.got == [words, 2, 3, "complete"]
    assert notes.notes == [("speak", "a")]
    assert (speech.finished, speech.pending) == (True, True)
    speech.taken(5)
    assert notes.notes[1:] == [("taken", 5)]
    assert not speech.pending


def test_a_sink_hears_of_a_failure_and_not_of_a_cancel() -> None:
    speech, vessel = fed(Notes())
    speech.fail(SynthesisFailed("broken"))
    assert vessel.got == [SynthesisFailed]
    notes = Notes()
    speech, vessel = fed(notes)
    speech.give(pcm(5))
    speech.taken(2)
    speech.cancel()
    assert vessel.got == [5]
    assert notes.notes[1:] == [("taken", 2), ("cancel", "a"), ("dropped", 3)]


def test_a_speech_that_somebody_else_waits_for_is_no_listeners_own_any_more() -> None:
    notes = Notes()
    one = listener(notes)
    speech = one.speak(utterance("a"))
    speech.feed(Vessel())
    speech.give(pcm(5))
    speech.taken(2)
    for due in (math.inf, 3.0):
        speech.hurry(due)
    speech.taken(3)
    one.close()
    assert notes.notes[1:] == [("taken", 2), ("share", 3), ("hurry", math.inf), ("hurry", 3.0), ("forget", 7)]
    assert speech.open
    speech.cancel()
    assert notes.notes[-1] == ("cancel", "a")


def test_what_is_made_cannot_be_hurried() -> None:
    notes = Notes()
    speech, _ = fed(notes)
    speech.complete()
    speech.hurry(1.0)
    assert (notes.notes, speech.shared) == ([("speak", "a")], False)
