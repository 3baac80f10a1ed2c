"""Contexts of one connection, as pure state."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.text.blocks import shown
from engine.text.lexicon import Lexicon
from engine.text.normalize import Parts, Spoken
from engine.text.saying import Saying
from engine.types import Pace, Sentence, Utterance, Voice
from gateway.actions import Action, Begin, Finish, FlushMark, Heard, Reply, Say, Stop
from gateway.errors import GatewayError, StartRefused
from gateway.events import (
    Cancel,
    Cancelled,
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
from gateway.session import MAX_REFUSED, STEP_CHARS, Session
from gateway.voicing import Voicing


def voice(name: str, language: str = "en-US", **fields: object) -> Voice:
    return Voice(name, f"{name}-0", 22050, language, 0.667, 1.0, 0.8, **fields)  # type: ignore[arg-type]


ANN = voice("ann", speakers={"low": 0, "high": 1}, speaker_count=2)
BEN = voice("ben", "de-DE")


def session(
    *, max_contexts: int = 3, max_context_chars: int = 100, early: bool = True, lexicons: Sequence[Lexicon] = ()
) -> Session:
    return Session(
        {"ann": ANN, "ben": BEN},
        ANN,
        max_contexts=max_contexts,
        max_context_chars=max_context_chars,
        max_sentence_chars=400,
        early=early,
        lexicons=lambda voice: lexicons,
    )


def test_word_times_are_told_where_they_are_asked_for() -> None:
    one = session()
    assert one.receive(Start("a", words=True)) == []
    assert one.receive(Text("a", "One")) == [Begin("a", Pace.REALTIME, 22050, words=True)]


def plain(context: str, utterance: Utterance, start: int = 0) -> Say:
    """A sentence that is said as it is written."""
    text = utterance.text
    return Say(context, Sentence(text, start, start + len(text)), Spoken(text), utterance)


def said(actions: list[Action]) -> list[str]:
    return [action.utterance.text for action in actions if isinstance(action, Say)]


def failed(actions: list[Action]) -> Failed:
    (action,) = actions
    assert isinstance(action, Reply)
    assert isinstance(action.event, Failed)
    return action.event


def empty_done(context: str) -> Action:
    return Reply(Done(context, audio_ms=0, sentences=0, cached=0, first_audio_ms=None, underruns=0))


def test_the_first_text_begins_a_context_and_sentences_follow() -> None:
    one = session()
    assert one.receive(Text("a", "One. Tw")) == [Begin("a", Pace.REALTIME, 22050), plain("a", Utterance("One.", ANN))]
    assert said(one.receive(Text("a", "o"))) == []
    assert said(one.receive(Text("a", ". Three"))) == ["Two."]
    assert one.receive(End("a")) == [plain("a", Utterance("Three", ANN), 10), Finish("a")]


def test_flush_speaks_the_tail_and_marks_it() -> None:
    one = session()
    one.receive(Text("a", "see you "))
    one.receive(Text("a", "tomorrow then"))
    assert one.receive(Flush("a")) == [plain("a", Utterance("see you tomorrow then", ANN)), FlushMark("a")]
    assert one.receive(Flush("a")) == [FlushMark("a")]
    assert said(one.receive(Text("a", "More"))) == []
    assert said(one.receive(End("a"))) == ["More"]


def test_settings_shape_the_sentences_that_follow() -> None:
    one = session()
    assert one.receive(Start("a", voice="ann", speaker="high", speed=1.5, seed=7, pace=Pace.FAST)) == []
    begin, say = one.receive(Text("a", "One. Two"))
    assert begin == Begin("a", Pace.FAST, 22050)
    assert say == plain("a", Utterance("One.", ANN, 1, 1.5, 7))


def test_a_second_start_before_text_replaces_the_first() -> None:
    one = session()
    one.receive(Start("a", voice="ben", speed=2.0))
    one.receive(Start("a", speed=3.0))
    one.receive(Text("a", "One"))
    assert one.receive(Flush("a"))[0] == plain("a", Utterance("One", ANN, speed=3.0))


def test_a_start_after_text_is_an_error_and_changes_nothing() -> None:
    one = session()
    one.receive(Text("a", "One"))
    assert failed(one.receive(Start("a", voice="ben"))).code == "already_started"
    assert one.receive(End("a"))[0] == plain("a", Utterance("One", ANN))


def test_contexts_do_not_mix() -> None:
    one = session()
    one.receive(Start("y", voice="ben"))
    one.receive(Text("x", "Left "))
    one.receive(Text("y", "Right "))
    one.receive(Text("x", "side"))
    assert one.receive(Flush("y"))[0] == plain("y", Utterance("Right", BEN))
    assert one.receive(End("x"))[0] == plain("x", Utterance("Left side", ANN))


def test_text_after_end_is_an_error_until_done() -> None:
    one = session()
    one.receive(Text("a", "One"))
    one.receive(End("a"))
    error = failed(one.receive(Text("a", "Two")))
    assert (error.code, error.context) == ("context_ended", "a")
    assert failed(one.receive(End("a"))).code == "context_ended"
    assert failed(one.receive(Flush("a"))).code == "context_ended"
    assert failed(one.receive(Start("a"))).code == "already_started"
    one.closed("a")
    assert one.receive(Text("a", "Two"))[0] == Begin("a", Pace.REALTIME, 22050)


def test_cancel_forgets_the_buffered_text_too() -> None:
    one = session()
    one.receive(Text("a", "old words"))
    assert one.receive(Cancel("a")) == [Stop("a")]
    one.receive(Text("a", "new"))
    assert said(one.receive(End("a"))) == ["new"]


def test_cancel_of_nothing_is_answered() -> None:
    one = session()
    nothing = [Reply(Cancelled("a", sent_ms=0, heard_ms=0, text_sent=""))]
    assert one.receive(Cancel("a")) == nothing
    one.receive(Start("a"))
    assert one.receive(Cancel("a")) == nothing


def test_end_and_flush_of_nothing_are_answered() -> None:
    one = session()
    assert one.receive(End("a")) == [empty_done("a")]
    assert one.receive(Flush("a")) == [Reply(Flushed("a"))]
    one.receive(Start("a"))
    assert one.receive(Flush("a")) == [Reply(Flushed("a"))]
    assert one.receive(End("a")) == [empty_done("a")]


def test_blank_text_says_nothing_and_ends_normally() -> None:
    one = session()
    for text in ["", " ", "\n\t ", "...", " -- "]:
        one.receive(Text("a", text))
    assert one.receive(End("a")) == [Finish("a")]


def test_ping_and_played() -> None:
    one = session()
    assert one.receive(Ping()) == [Reply(Pong())]
    assert one.receive(Played("a", 10)) == []
    one.receive(Text("a", "One"))
    assert one.receive(Played("a", 10)) == [Heard("a", 10)]


def test_a_refused_start_keeps_its_context_silent_until_a_right_one() -> None:
    one = session()
    error = failed(one.receive(Start("a", voice="nobody")))
    assert error.code == "unknown_voice"
    assert "'nobody'" in error.message
    assert "ann, ben" in error.message
    refused = failed(one.receive(Text("a", "Not in a wrong voice.")))
    assert refused.code == "start_refused"
    assert one.receive(Text("a", "Nor this.")) == []  # told once, not with each token
    assert one.receive(Start("a", voice="ben")) == []
    one.receive(Text("a", "This"))
    assert one.receive(End("a"))[0] == plain("a", Utterance("This", BEN))


def test_a_refused_context_ends_with_an_empty_done() -> None:
    one = session()
    one.receive(Start("a", voice="nobody"))
    one.receive(Text("a", "Silent."))
    assert one.receive(End("a")) == [empty_done("a")]
    assert said(one.receive(Text("a", "Spoken. B"))) == ["Spoken."]


def test_a_start_that_could_not_be_read_silences_its_context_too() -> None:
    one = session()
    one.refused(StartRefused("bad_value", "speed", context="a"))
    assert failed(one.receive(Text("a", "Not at a wrong speed."))).code == "start_refused"
    one.refused(GatewayError("unknown_field", "a field", context="b"))
    assert said(one.receive(Text("b", "Spoken. B"))) == ["Spoken."]


def test_too_many_contexts() -> None:
    one = session(max_contexts=2)
    one.receive(Text("a", "One"))
    one.receive(Start("b"))
    error = failed(one.receive(Text("c", "Three")))
    assert (error.code, error.context, error.retryable) == ("too_many_contexts", "c", True)
    assert "2" in error.message
    one.receive(Cancel("b"))
    assert one.receive(Text("c", "Three")) == [Begin("c", Pace.REALTIME, 22050)]


def test_refused_starts_do_not_open_contexts_without_end() -> None:
    one = session(max_contexts=2)
    for name in "abcdef":
        assert failed(one.receive(Start(name, voice="nobody"))).code == "unknown_voice"
    assert failed(one.receive(Text("f", "x"))).code == "start_refused"
    assert said(one.receive(Text("g", "They take no room. B"))) == ["They take no room."]


def test_a_start_refused_for_too_many_contexts_keeps_its_context_silent() -> None:
    one = session(max_contexts=1)
    one.receive(Text("a", "One"))
    error = failed(one.receive(Start("c", voice="ben")))
    assert (error.code, error.retryable) == ("too_many_contexts", True)
    one.receive(Cancel("a"))
    assert failed(one.receive(Text("c", "Not in a wrong voice."))).code == "start_refused"
    assert one.receive(Text("c", "Nor this.")) == []
    one.receive(Start("c", voice="ben"))
    assert one.receive(Text("c", "This. B"))[1] == plain("c", Utterance("This.", BEN))


def test_a_wrong_start_is_remembered_when_too_many_contexts_are_open_too() -> None:
    one = session(max_contexts=1)
    one.receive(Text("a", "One"))
    one.receive(Start("c", voice="nobody"))
    one.receive(Cancel("a"))
    assert failed(one.receive(Text("c", "Not in a wrong voice."))).code == "start_refused"
    one.receive(Cancel("c"))
    assert said(one.receive(Text("c", "Spoken. B"))) == ["Spoken."]


def test_the_names_of_refused_starts_are_bounded() -> None:
    one = session()
    for number in range(MAX_REFUSED + 1):
        one.receive(Start(f"c{number}", voice="nobody"))
    assert failed(one.receive(Text("c1", "Silent."))).code == "start_refused"
    assert said(one.receive(Text("c0", "Forgotten. B"))) == ["Forgotten."]


def test_a_long_text_is_taken_in_steps_and_as_if_at_once() -> None:
    text = "A sentence. " * STEP_CHARS
    one, other = session(max_context_chars=len(text)), session(max_context_chars=len(text))
    steps = list(one.steps(Text("a", text)))
    assert len(steps) > len(text) // STEP_CHARS
    assert max(map(len, steps)) <= STEP_CHARS
    assert [action for actions in steps for action in actions] == other.receive(Text("a", text))
    assert said(other.receive(End("a"))) == said(one.receive(End("a")))


def test_nothing_is_taken_of_a_long_text_that_is_too_much() -> None:
    one = session(max_context_chars=3 * STEP_CHARS)
    (actions,) = one.steps(Text("a", "A sentence. " * STEP_CHARS))
    assert failed(actions).code == "too_much_text"
    assert one.receive(End("a")) == [empty_done("a")]


def test_too_much_text_is_refused_whole_and_may_come_later() -> None:
    one = session(max_context_chars=20)
    one.receive(Text("a", "Twelve char. "))  # 12 said
    one.receive(Text("a", "more"))
    error = failed(one.receive(Text("a", "x" * 10)))
    assert (error.code, error.retryable) == ("too_much_text", True)
    assert "20" in error.message
    one.spoken("a", 12)
    one.receive(Text("a", " of it"))
    assert said(one.receive(End("a"))) == ["more of it"]


def test_flush_marks_are_bounded_as_text_is() -> None:
    one = session(max_context_chars=20)
    one.receive(Text("a", "One"))
    answers = [one.receive(Flush("a")) for _ in range(40)]
    refused = [failed(actions).code for actions in answers if isinstance(actions[-1], Reply)]
    assert set(refused) == {"too_much_text"}
    assert len(refused) > 20


# ---- what is said, and how it is written


def test_a_sentence_is_said_in_words_and_told_as_it_is_written() -> None:
    one = session(lexicons=[Lexicon({"GIF": "wrong", "SQL": "sequel"})])
    one.receive(Start("a", lexicon={"GIF": "/dʒɪf/"}))
    begin, say = one.receive(Text("a", "  It’s a  GIF of SQL. B"))
    assert isinstance(begin, Begin) and isinstance(say, Say)
    assert say.sentence == Sentence("It’s a GIF of SQL.", 2, 21)
    assert shown(say.spoken.text) == "It's a /dʒɪf/ of sequel."
    assert say.utterance.text == say.spoken.text
    assert say.utterance.lexicon != ""
    assert say.chars == 19
    assert one.receive(End("a"))[0] == plain("a", Utterance("B", ANN), 22)


def test_lexicons_are_those_of_the_moment_and_of_the_voice() -> None:
    asked: list[str] = []

    def lexicons(voice: str) -> Sequence[Lexicon]:
        asked.append(voice)
        return [Lexicon({"a": f"{voice}{len(asked)}"})]

    voices = {"ann": ANN, "ben": BEN}
    one = Session(voices, ANN, max_contexts=3, max_context_chars=99, max_sentence_chars=400, lexicons=lexicons)
    one.receive(Start("x", voice="ben"))
    assert said(one.receive(Text("x", "A. "))) == []
    assert said(one.receive(Flush("x"))) == ["ben1."]
    one.receive(Text("x", "A"))
    assert said(one.receive(End("x"))) == ["ben2"]


def test_a_sentence_of_which_nothing_is_said_is_dealt_with_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def saying(voicing: Voicing, text: str, lexicons: Sequence[Lexicon]) -> Parts[Saying]:
        yield
        return Saying(Spoken("" if "silent" in text else text))

    monkeypatch.setattr(Voicing, "saying_in_parts", saying)
    one = session(max_context_chars=20)
    for _ in range(5):  # each would fill the context
        assert said(one.receive(Text("a", "It is silent now.  "))) == []
    assert one.receive(Flush("a")) == [FlushMark("a")]
    one.receive(Text("a", "silent"))
    assert one.receive(End("a")) == [Finish("a")]


def test_each_sentence_is_a_step() -> None:
    one = session(max_context_chars=2000)
    steps = list(one.steps(Text("a", "One is done. Two is done. Three is done. Four")))
    assert [len(said(step)) for step in steps if said(step)] == [1, 1, 1]
    one.receive(Text("b", "One\n\nTwo"))
    assert [said(step) for step in one.steps(End("b"))] == [[], ["Two"], [], []]


def test_a_sentence_of_many_numbers_takes_several_steps() -> None:
    one = session(max_context_chars=2000)
    one.receive(Text("a", "7 " * 150))
    steps = list(one.steps(End("a")))
    assert [len(said(step)) for step in steps if step] == [1, 0]
    assert len(steps) > 5


LONG = "After the long winter, with the roads still closed and the river high, the council met."
CLAUSE = "After the long winter,"
TOKENS = [f" {word}" for word in LONG.split()]


def pushed(one: Session, *texts: str) -> list[str]:
    return [text for push in texts for text in said(one.receive(Text("a", push)))]


def test_a_text_that_comes_whole_is_not_cut_early() -> None:
    """f14"""
    one = session()
    assert pushed(one, LONG) == []
    assert said(one.receive(End("a"))) == [LONG]


def test_a_first_sentence_that_is_still_being_written_begins_with_its_first_clause() -> None:
    """f14"""
    one = session()
    found = pushed(one, *TOKENS)
    assert found == [CLAUSE]
    assert said(one.receive(End("a"))) == [LONG.removeprefix(f"{CLAUSE} ")]


def test_the_second_message_tells_that_a_text_is_being_written() -> None:
    one = session()
    assert pushed(one, LONG[:60]) == []
    assert pushed(one, LONG[60:61]) == [CLAUSE]


def test_a_start_says_whether_clauses_may_go_early() -> None:
    never, always = session(), session(early=False)
    never.receive(Start("a", early=False))
    assert pushed(never, *TOKENS) == []
    always.receive(Start("a", early=True))
    assert pushed(always, LONG) == [CLAUSE]
    assert pushed(session(early=False), *TOKENS) == []


def test_a_later_sentence_is_not_cut_early() -> None:
    one = session(max_context_chars=1000)
    assert pushed(one, "Yes.", *TOKENS) == ["Yes."]


def test_a_text_without_an_end_may_wait_so_long_for_it() -> None:
    one = session()
    one.receive(Start("a", hold_s=3.0))
    assert one.waiting() == {}
    one.receive(Text("a", "One fine day. Two"))
    one.receive(Text("b", "For ever"))
    assert one.waiting() == {"a": (3.0, 1)}
    one.receive(Text("a", " of"))
    assert one.waiting() == {"a": (3.0, 1)}
    assert said(one.settle("a")) == ["Two of"]
    assert one.waiting() == {}
    assert one.settle("a") == []
    one.receive(Text("a", " them"))
    assert one.waiting() == {"a": (3.0, 2)}
    assert said(one.receive(End("a"))) == ["them"]
    assert one.waiting() == {}
    assert one.settle("a") == one.settle("nobody") == []


def test_what_is_no_speech_does_not_become_some_by_waiting() -> None:
    one = session()
    one.receive(Start("a", hold_s=3.0))
    one.receive(Text("a", "Look. <think>I wonder"))
    assert said(one.settle("a")) == []
    assert said(one.receive(Text("a", " why</think>It is done."))) == []
    assert said(one.receive(End("a"))) == ["It is done."]
