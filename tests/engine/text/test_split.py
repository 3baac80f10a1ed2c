"""Sentences out of streamed text: right, the same for any cut, none lost, in linear work."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.cut import cut_before
from engine.text.path import sentences
from engine.text.silent import audible
from engine.text.split import Splitter
from engine.types import Sentence
from tests.growth import is_linear, lines_run
from tests.tables import cases

CASES = cases("text")
PLAIN = "a01 a02 a04 a05 a08 a09 a11 a13 a14 a15 a17 a18 a19 a21 a23 a25 a26 a27 a32 a34 a37 a38 a40 a50 a52"
LAMP = "the lamp by the door is still on and "


def texts(tokens: Iterable[str], max_chars: int = 400) -> list[str]:
    return [sentence.text for sentence in sentences(tokens, max_chars)]


def cut(text: str, chance: random.Random) -> list[str]:
    places = sorted(chance.randrange(len(text) + 1) for _ in range(chance.randrange(1, 12)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@pytest.mark.parametrize("case_id", PLAIN.split())
def test_case_gives_its_sentences_whole_by_character_and_in_random_cuts(case_id: str) -> None:
    case = CASES[case_id]
    chance = random.Random(case_id)
    for tokens in (case.tokens, [case.text], list(case.text), *(cut(case.text, chance) for _ in range(50))):
        assert texts(tokens) == list(case.sentences)


@pytest.mark.parametrize(
    "marked",
    [
        "No. 5 is alive.| She said no.| I left.",
        "On Jan. 5 it rained.| It was cold in Jan.| We stayed.",
        "He sat.| Then he met Sun. 4 times.",
        "At 5 p.m.| Dinner came.| At 5 p.m. Eastern.| By 9 a.m. we left.",
        "He joined Acme Inc.| Then Acme Inc. Chairman Bo left.",
        "Take fruit, e.g. Apples, i.e. Pomes.| Tea vs. Coffee.",
        "On Baker St.| She saw St. Mary.",
        "You and I.| Did Albert I. Jones call?",
        "I can't.| Everyone can.",
        "The U.S. Senate met in the U.S.| It is (etc.) long.",
        "Am 24. Dezember waren wir 12.| Es war kalt, z. B. Eis.",
        "Steps: 1. Fill it.| 2. Press start.",
        "1.\nFill it.|\n\na. The cup.",
        "Dr.\nOkafor came.|\nDr.|\n\nShe left",
        "“Stop!” he said.| “Go.”| She went.",
        "Er rief: „Halt.“| Dann ging er.",
        "他说：“好。”|然后走了！|真的吗?!|是。",
        '他说:"好。"|"走吧。"|我走',
        "３．５度です。|「はい。」|と言った",
        "هل أنت هنا؟| نعم.| ہم گئے۔| پھر",
        "ሰላም ነው።| ደህና ነህ፧| አዎ",
        "What?!| No way...| Then he.| left... then… so",
        "Read main.py or ./run.sh.| See http://a.example/?q=1.2!x now",
        "It cost $4.50.| That is all.",
        "One\r\ntwo|\r\n\r\nthree|\u2029four",
        "the north\n(old) pier\n“and” more|\nMilk",
    ],
)
def test_prose_is_cut_where_a_reader_pauses(marked: str) -> None:
    text, wanted = marked.replace("|", ""), [" ".join(unit.split()) for unit in marked.split("|")]
    assert texts([text]) == wanted
    assert texts(text) == wanted


def test_marks_without_a_word_are_dropped() -> None:
    assert texts(["?! … — *** Hello. !!! (?) …"]) == ["— *** Hello."]


def test_every_certain_sentence_leaves_before_any_further_input() -> None:
    splitter = Splitter()
    assert [s.text for s in splitter.push(CASES["a50"].text)] == list(CASES["a50"].sentences)
    assert splitter.buffered == 0


@pytest.mark.parametrize(
    ("held", "then"),
    [("It ends.", " "), ("下雨。", "我"), ("Opening hours\n", "\n"), ("Gloves, etc. ", "W"), ("In the U.S. She", " ")],
)
def test_sentence_leaves_at_the_character_that_makes_its_end_certain(held: str, then: str) -> None:
    splitter = Splitter()
    assert splitter.push(held) == []
    assert len(splitter.push(then)) == 1


def test_flush_gives_the_tail_and_offsets_go_on() -> None:
    splitter = Splitter()
    assert splitter.push("  Wait, Dr.") == []
    assert splitter.flush() == [Sentence("Wait, Dr.", 2, 11)]
    assert splitter.flush() == []
    assert splitter.push(" and\tgo. Then") == [Sentence("and go.", 12, 19)]
    assert splitter.end() == [Sentence("Then", 20, 24)]
    with pytest.raises(RuntimeError, match="ended"):
        splitter.push("x")


def test_flush_decides_by_the_word_begun() -> None:
    splitter = Splitter()
    splitter.push("In the U.S. She")
    assert [s.text for s in splitter.flush()] == ["In the U.S.", "She"]
    splitter.push("In the U.S. Sen")
    assert [s.text for s in splitter.flush()] == ["In the U.S. Sen"]


@pytest.mark.parametrize("blank", ["", "  \n\t ", "?! … — ***", "。。。", "\n\n.\n\n", "\ud800"])
def test_text_without_a_word_gives_nothing(blank: str) -> None:
    assert texts([blank]) == texts(blank) == []


def test_limit_too_small_for_a_grapheme_is_refused() -> None:
    with pytest.raises(ValueError, match="max_chars is 15"):
        Splitter(15)


def test_long_text_without_marks_is_cut_at_spaces_and_starts_early() -> None:
    text = LAMP * 60
    splitter = Splitter()
    early = [s.text for s in splitter.push(text[:500])]
    found = early + [s.text for s in splitter.push(text[500:]) + splitter.end()]
    assert len(early) == 1
    assert max(map(len, found)) <= 400
    assert " ".join(found).split() == text.split()
    assert all(len(unit.split()) > 2 for unit in found)


@pytest.mark.parametrize("max_chars", [60, 80, 100, 120, 150])
def test_too_long_sentence_is_cut_at_a_clause_mark_without_orphans(max_chars: int) -> None:
    found = texts([CASES["a30"].text], max_chars)
    assert " ".join(found) == CASES["a30"].text
    assert all(len(unit) <= max_chars and len(unit.split()) > 2 for unit in found)
    assert all(unit[-1] in ",—." for unit in found)


def test_chinese_is_cut_at_its_commas() -> None:
    assert texts(["我们今天去公园散步，看花，然后回家做饭吃晚饭再看一场电影"], 60) == [
        "我们今天去公园散步，看花，",
        "然后回家做饭吃晚饭再看一场电影",
    ]


def test_thai_is_cut_between_grapheme_clusters_only() -> None:
    text = CASES["a36"].text
    for max_chars in range(16, 40):
        found = texts([text], max_chars)
        assert "".join(found) == text
        assert [c for unit in found for c in regex.findall(r"\X", unit)] == regex.findall(r"\X", text)
    assert texts([text]) == [text]


@pytest.mark.parametrize("number", ["1,234,567.89", "5 000 000", "12:30:45"])
def test_cut_falls_in_no_number(number: str) -> None:
    for lead in range(4, 30):
        text = "x" * lead + number + "y" * 30
        assert any(number in unit for unit in texts([text], 24 + lead % 2)), text


def test_100_000_characters_without_a_space_come_out_whole() -> None:
    found = texts(["A" * 100_000])
    assert "".join(found) == "A" * 100_000
    assert max(map(len, found)) <= 400


TOKENS = [
    *" \n\r\t.…!?。！？।,;:—-\"'”’“()[]「」 \u2029AzVé5७天あก\u0e31\u0301\u200d🎉\ud83d",
    *("Dr", "etc", "U.S", "p.m", "No", "She", "Senate", "am", "Dezember", "V", "12", "e.g", "...", ". . .", "word "),
]
LIMITS = st.sampled_from([16, 17, 30, 60, 400])
STREAMS = st.lists(st.sampled_from(TOKENS) | st.text(max_size=3), max_size=60).map("".join)


@settings(max_examples=100, deadline=None)
@given(STREAMS, LIMITS, st.integers(0, 2**32))
def test_any_cut_gives_the_same_sentences(text: str, max_chars: int, seed: int) -> None:
    whole = sentences([text], max_chars)
    assert sentences(text, max_chars) == whole
    assert sentences(cut(text, random.Random(seed)), max_chars) == whole


@settings(max_examples=100, deadline=None)
@given(st.lists(STREAMS, max_size=4), LIMITS)
def test_nothing_is_lost_and_offsets_point_at_the_text(parts: list[str], max_chars: int) -> None:
    splitter = Splitter(max_chars)
    found = [sentence for part in parts for sentence in splitter.push(part) + splitter.flush()]
    source, at, between = "".join(parts), 0, ""
    for sentence in found:
        assert sentence.text == audible(source[sentence.start : sentence.end])
        assert 0 < len(sentence.text) <= max_chars
        assert letters(sentence.text)
        between += source[at : sentence.start]
        at = sentence.end
    assert letters(between + source[at:]) == ""
    assert splitter.buffered == 0


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_at_all_is_taken(text: str) -> None:
    assert letters("".join(texts(text, 16))) == letters(text)


def split(pushes: Iterable[str]) -> None:
    splitter = Splitter(40, early=True)
    for text in pushes:
        splitter.push(text)
    splitter.end()


@pytest.mark.parametrize("streak", ["🇩🇪", "🎉", "\u0e01\u0e31", "A", "a. ", "U.S. "])
def test_work_inside_the_patterns_grows_as_the_text_does(streak: str) -> None:
    assert is_linear(lambda text: texts([text]), streak * 1000, streak * 16_000)


def test_a_cut_does_not_look_before_its_unit() -> None:
    flags = "🇩🇪" * 30
    for before in ("", "🇩", "Go. 🇩🇪🇩"):
        assert cut_before(before + flags, len(before), len(before) + 41) == len(before) + 40


STREAKS = ["A", " ", "(", ".", ". ", "\n", "1,", "One two. ", "U.S. ", "etc. ' ", "。", "ก\u0e31", "\u0301"]
STREAKS += ["🎉", "\ufffd", "河", "« a. ", "a.[1 ", "α; ", "x, ", "a\nB", "12\n3.", "\r\n\u200b"]


@pytest.mark.parametrize("streak", STREAKS)
def test_work_grows_as_the_text_does(streak: str) -> None:
    small = streak * (1200 // len(streak))
    large = small * 2
    assert lines_run(lambda: split([large])) <= 2.2 * lines_run(lambda: split([small])) + 50
    splitter = Splitter()
    first, second = (lines_run(lambda: [splitter.push(char) for char in small]) for _ in range(2))
    assert second <= 1.2 * first + 50


@pytest.mark.parametrize("streak", STREAKS)
def test_what_is_held_is_bounded(streak: str) -> None:
    splitter = Splitter(100)
    for char in "Word" + streak * 1000 + "etc." + streak * 1000:
        splitter.push(char)
        assert splitter.buffered <= 250


def test_80_000_blanks_before_a_word_are_not_held() -> None:
    splitter = Splitter()
    for _ in range(80_000):
        assert splitter.push(" ") == []
        assert splitter.buffered == 0
    assert splitter.push("done.") + splitter.end() == [Sentence("done.", 80_000, 80_005)]
