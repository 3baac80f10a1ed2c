"""Lexicons: what they take, and which words they find."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadLexicon
from engine.text.blocks import shown
from engine.text.lexicon import MAX_ENTRIES, Lexicon

FILE = """\ufeff# Names
GIF = jif
sql = sequel   # by most
New York = noo yawk
New York City = the big apple
#old = not this
O’Brien = /oʊ'bɹaɪən/

2 = two = too
"""


def found(entries: dict[str, str], text: str) -> str:
    """`text` with each word that was found as (word=what is said)."""
    parts: list[str] = []
    at = 0
    for start, end, said in Lexicon(entries).find(text, 0, len(text)):
        parts += text[at:start], f"({text[start:end]}={shown(said)})"
        at = end
    return "".join([*parts, text[at:]])


def test_a_file_has_an_entry_a_line() -> None:
    said = {
        text: [shown(said) for _, _, said in Lexicon.parse(FILE).find(text, 0, len(text))]
        for text in ("GIF", "SQL", "in New York City", "O'Brien", "O’Brien", "2", "old", "Names")
    }
    assert said == {
        "GIF": ["jif"],
        "SQL": ["sequel"],
        "in New York City": ["the big apple"],
        "O'Brien": ["/oʊˈbɹaɪən/"],
        "O’Brien": ["/oʊˈbɹaɪən/"],
        "2": ["two = too"],
        "old": [],
        "Names": [],
    }


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ("a = b\nno entry", ["line 2", "'no entry'", "word = respelling", "/fəʊniːmz/"]),
        ("= b", ["line 1", "'= b'"]),
        ("a =", ["line 1", "'a ='"]),
        ("a = # nothing", ["line 1", "'a = # nothing'"]),
        ("a = /b", ["line 1", "'/b'", "two slashes"]),
        ("a = /", ["line 1", "'/'", "two slashes"]),
        ("a = //", ["line 1", "'//'"]),
        ("a = /k@t/", ["line 1", "'@'", "'/k@t/'", "International Phonetic Alphabet"]),
        ("a = ...", ["line 1", "'...' has no letter"]),
        ("a = b\n\n# x\na = c", ["line 4", "'a'", "in line 1"]),
        ("w" * 101 + " = b", ["line 1", "101 characters", "100"]),
        ("a = " + "b" * 201, ["line 1", "201 characters", "200"]),
    ],
)
def test_a_line_that_is_wrong_is_named_with_what_is_allowed(lines: str, named: list[str]) -> None:
    with pytest.raises(BadLexicon) as caught:
        Lexicon.parse(lines)
    assert [part for part in named if part not in str(caught.value)] == []


def test_a_file_is_bounded() -> None:
    with pytest.raises(BadLexicon, match=f"line {MAX_ENTRIES + 1}: one entry more than the {MAX_ENTRIES}"):
        Lexicon.parse("\n".join(f"w{number} = x" for number in range(MAX_ENTRIES + 1)))


def test_a_wrong_entry_is_named() -> None:
    with pytest.raises(BadLexicon, match="'GIF': '/x'; phonemes stand between two slashes"):
        Lexicon({"SQL": "sequel", "GIF": "/x"})


@pytest.mark.parametrize(
    ("entries", "text", "expected"),
    [
        (
            {"gif": "jif"},
            "A GIF, gif-like (Gif); gifs, agif, gif_1, gif2",
            "A (GIF=jif), (gif=jif)-like ((Gif=jif)); gifs, agif, gif_1, gif2",
        ),
        ({"US": "you ess"}, "us in the US", "us in the (US=you ess)"),
        ({"us": "uss", "US": "you ess"}, "us, Us and US", "(us=uss), (Us=uss) and (US=you ess)"),
        (
            {"New York": "a", "New York City": "b", "york": "c"},
            "New York City, New York, New Yorker, York",
            "(New York City=b), (New York=a), New Yorker, (York=c)",
        ),
        ({"can": "kann", "we": "wee"}, "can, can't, CAN’T, we're", "(can=kann), can't, CAN’T, (we=wee)'re"),
        ({"nguyen": "win"}, "Nguyen's and Nguyen’s", "(Nguyen=win)'s and (Nguyen=win)’s"),
        ({"avion": "x"}, "l'avion, l’avion", "l'(avion=x), l’(avion=x)"),
        ({"C++": "see plus plus", "c": "x"}, "C++ and C.", "(C++=see plus plus) and (C=x)."),
        ({"東京": "とうきょう", "東京都": "とうきょうと"}, "東京都と東京", "(東京都=とうきょうと)と(東京=とうきょう)"),
        ({"settings": "x"}, "请打开settings页面", "请打开(settings=x)页面"),
        ({"ก": "x"}, "กกิ", "(ก=x)กิ"),
        ({"Москва": "x", "привет": "y"}, "ПРИВЕТ, Москва! Москвачка", "(ПРИВЕТ=y), (Москва=x)! Москвачка"),
        ({"café": "x"}, "Cafe\u0301 café cafes\u0301", "(Cafe\u0301=x) (café=x) cafes\u0301"),
        ({"cafe": "x"}, "cafe\u0301", "cafe\u0301"),
        ({"İx": "y", "ab": "z"}, "İİİ AB", "İİİ (AB=z)"),
        ({"a b": "x"}, "a\u00a0b a  b", "(a\u00a0b=x) a  b"),
        ({"→": "to"}, "A→B", "A(→=to)B"),
    ],
)
def test_whole_words_are_found_in_any_script(entries: dict[str, str], text: str, expected: str) -> None:
    assert found(entries, text) == expected


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("/hɛ'loʊ/", "/hɛˈloʊ/"),
        ("/ga:.t͡ʃi/", "/ɡaːtʃi/"),
        ("/nuː jɔːk/", "/nuː/ /jɔːk/"),
        ("/ni2 xau3/", "/ni2/ /xau3/"),
        ("and/or", "and/or"),
        ("a \ue000x\ue001 b", "a x b"),
    ],
)
def test_phonemes_are_taken_as_people_type_them(written: str, said: str) -> None:
    assert found({"word": written}, "word") == f"(word={said})"


def test_the_version_is_a_hash_of_what_it_says() -> None:
    one = Lexicon({"a": "b", "c": "d"})
    assert Lexicon().version == Lexicon.parse("# nothing").version == ""
    assert one.version == Lexicon({"c": "d", "a": "b"}).version == Lexicon.parse("a = b\nc = d # x").version != ""
    others = [{"a": "b"}, {"a": "b", "c": "e"}, {"a": "b", "C": "d"}, {"a": "bc", "": "d"} | {"c": "d"}]
    versions = {Lexicon({w: s for w, s in other.items() if w}).version for other in others}
    assert len(versions | {one.version}) == 5


@given(st.dictionaries(st.text("abAB '", min_size=1, max_size=6), st.just("x")), st.text("abAB ',\u0301", max_size=40))
def test_what_is_found_is_in_the_text_once_and_in_order(entries: dict[str, str], text: str) -> None:
    lexicon = Lexicon({word: said for word, said in entries.items() if word.strip()})
    places = [(start, end) for start, end, _ in lexicon.find(text, 0, len(text))]
    assert all(start < end for start, end in places)
    assert places == sorted(places)
    assert all(before[1] <= after[0] for before, after in pairwise(places))
    words = {" ".join(word.split()).lower() for word in entries}
    assert all(text[start:end].lower() in words for start, end in places)


def test_thousands_of_entries_cost_no_more_than_one() -> None:
    """Counted in looks, not in seconds: a word is looked up by how it begins."""
    lexicon = Lexicon({f"word{number} of the {number}": "x" for number in range(20_000)})
    assert max(map(len, lexicon._lengths.values())) < 20
    text = "word77 of the 77 and nothing " * 17
    assert [said for *_, said in lexicon.find(text, 0, len(text))] == ["x"] * 17


def test_the_worst_of_callers_own_costs_little() -> None:
    """Nowhere near what a step on the event loop may take; the bound is wide, for machines that are busy."""
    lexicon = Lexicon({"a " * number + "b": "x" for number in range(1, 50)})
    text = ("a " * 250)[:500]
    list(lexicon.find(text, 0, len(text)))

    def took() -> float:
        began = perf_counter()
        list(lexicon.find(text, 0, len(text)))
        return perf_counter() - began

    assert min(took() for _ in range(10)) < 0.02
