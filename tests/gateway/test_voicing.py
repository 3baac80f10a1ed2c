"""A `start` against the voices that are installed."""

from __future__ import annotations

import pytest

from engine.text.blocks import shown
from engine.text.lexicon import Lexicon
from engine.types import Utterance, Voice
from gateway.errors import StartRefused
from gateway.events import Start
from gateway.voicing import Voicing, voicing

ANN = Voice("ann", "0", 22050, "en-US", 0.667, 1.0, 0.8, speakers={"low": 0, "high": 1}, speaker_count=2)
BEN = Voice("ben", "1", 16000, "de-DE", 0.667, 1.0, 0.8)
VOICES = {"ann": ANN, "ben": BEN}


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (Start("a"), Voicing(ANN)),
        (Start("a", voice="ben"), Voicing(BEN)),
        (Start("a", language="de"), Voicing(BEN)),
        (Start("a", language="DE_de"), Voicing(BEN)),
        (Start("a", language="en-US"), Voicing(ANN)),
        (Start("a", voice="ben", language="de-DE", sample_rate=16000), Voicing(BEN)),
        (Start("a", speaker="high"), Voicing(ANN, 1)),
        (Start("a", speaker=1), Voicing(ANN, 1)),
        (Start("a", voice="ben", speaker=0), Voicing(BEN)),
        (Start("a", words=True), Voicing(ANN, words=True)),
        (Start("a", markdown=False, early=True), Voicing(ANN, markdown=False, early=True)),
        (Start("a", lexicon={}), Voicing(ANN)),
    ],
)
def test_a_start_chooses_a_voice(start: Start, expected: Voicing) -> None:
    assert voicing(start, VOICES, ANN) == expected


@pytest.mark.parametrize(
    ("start", "code", "named"),
    [
        (Start("a", voice="nobody"), "unknown_voice", ["'nobody'", "ann, ben"]),
        (Start("a", language="fr"), "unknown_language", ["'fr'", "de-DE, en-US"]),
        (Start("a", language="e"), "unknown_language", ["'e'", "de-DE, en-US"]),
        (Start("a", voice="ann", language="de"), "unknown_language", ["'de'", "en-US", "ann"]),
        (Start("a", speaker="middle"), "unknown_speaker", ["'middle'", "0 to 1", "low, high"]),
        (Start("a", speaker=2), "unknown_speaker", ["2", "0 to 1", "low, high"]),
        (Start("a", speaker=-1), "unknown_speaker", ["-1", "0 to 1", "low, high"]),
        (Start("a", voice="ben", speaker=1), "unknown_speaker", ["1", "0", "ben"]),
        (Start("a", sample_rate=7999), "unsupported_format", ["7999", "any whole number from 8000 to 48000"]),
        (Start("a", sample_rate=-1), "unsupported_format", ["-1", "any whole number from 8000 to 48000"]),
        (
            Start("a", format="opus", sample_rate=22_050),
            "unsupported_format",
            ["22050", "8000, 12000, 16000, 24000, 48000 for opus"],
        ),
        (Start("a", format="mp3", sample_rate=24_000, kbps=192), "unsupported_format", ["192", "144, 160", "kbps"]),
        (Start("a", kbps=64), "unsupported_format", ["pcm_s16le has no bitrate"]),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(start: Start, code: str, named: list[str]) -> None:
    with pytest.raises(StartRefused) as caught:
        voicing(start, VOICES, ANN)
    assert (caught.value.code, caught.value.context) == (code, "a")
    assert [name for name in named if name not in caught.value.message] == []


def test_a_context_brings_words_of_its_own() -> None:
    one = voicing(Start("a", lexicon={"GIF": "jif", "sql": "/siːkwəl/"}), VOICES, ANN)
    said = one.saying("A GIF of SQL.", [Lexicon({"GIF": "wrong", "of": "off"})])
    assert shown(said.spoken.text) == "A jif off /siːkwəl/."
    assert one.utterance(said) == Utterance(said.spoken.text, ANN, lexicon=said.lexicon)
    assert said.lexicon.startswith(one.lexicon.version)


@pytest.mark.parametrize(
    ("lexicon", "named"),
    [
        ({"GIF": "jif", "SQL": 5}, ["'SQL'", "is 5", "a respelling"]),
        ({"SQL": None}, ["'SQL'", "is null"]),
        ({"SQL": "/x"}, ["'SQL'", "'/x'", "two slashes"]),
        ({"SQL": ""}, ["'SQL'", "nothing is said"]),
        ({" ": "x"}, ["' '", "no word"]),
        ({"x" * 101: "x"}, ["'xxx", "101 characters", "100"]),
        ({"x": "y" * 101}, ["'x'", "101 characters", "100"]),
        ({f"w{n}": "x" for n in range(101)}, ["101 entries", "100"]),
    ],
)
def test_a_wrong_entry_is_refused_by_its_name(lexicon: dict[str, object], named: list[str]) -> None:
    with pytest.raises(StartRefused) as caught:
        voicing(Start("a", lexicon=lexicon), VOICES, ANN)
    assert (caught.value.code, caught.value.context) == ("bad_value", "a")
    assert [
        name for name in ["'lexicon'" if len(lexicon) < 9 else "lexicon", *named] if name not in caught.value.message
    ] == []


@pytest.mark.parametrize(
    ("start", "rate_hz"),
    [
        (Start("a", format="mp3"), 44_100),
        (Start("a", format="opus"), 24_000),
        (Start("a", format="mulaw"), 8000),
        (Start("a", format="flac"), None),  # the voice's own
        (Start("a", sample_rate=22_050), None),
        (Start("a", sample_rate=16_000), 16_000),
    ],
)
def test_a_format_has_the_rate_that_is_asked_for_or_one_that_suits_it(start: Start, rate_hz: int | None) -> None:
    made = voicing(start, VOICES, ANN)
    assert (made.format, made.sample_rate) == (start.format, rate_hz)
