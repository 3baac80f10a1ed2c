from __future__ import annotations

import io
import os
import wave
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from gateway.wav import UNKNOWN, WavWriter, wav_header

SOUND = np.arange(-500, 500, dtype=np.int16)


def written(path: Path, mode: Literal["wb", "ab"], *, raw: bool = False, close: bool = True) -> bytes:
    with path.open(mode) as file:
        writer = WavWriter(lambda: file, 22_050, raw=raw)
        writer.write(SOUND[:400])
        writer.write(SOUND[400:])
        if close:
            writer.close()
    return path.read_bytes()


def test_a_file_has_true_sizes(tmp_path: Path) -> None:
    data = written(tmp_path / "x.wav", "wb")
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
        assert file.readframes(file.getnframes()) == SOUND.astype("<i2").tobytes()
    assert int.from_bytes(data[4:8], "little") == len(data) - 8


def test_a_file_that_begins_elsewhere_is_mended_where_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    with path.open("wb") as file:
        file.write(b"before")
        writer = WavWriter(lambda: file, 8000)
        writer.write(SOUND)
        writer.close()
        file.write(b"after")
    data = path.read_bytes()
    assert data.startswith(b"before" + wav_header(8000, 2 * SOUND.size))
    assert data.endswith(b"after")


def test_where_nothing_can_be_mended_the_sizes_are_unknown_and_never_zero(tmp_path: Path) -> None:
    data = written(tmp_path / "x.wav", "ab")
    assert data[:44] == wav_header(22_050, None)
    assert [int.from_bytes(data[at : at + 4], "little") for at in (4, 40)] == [UNKNOWN, UNKNOWN]
    assert data[44:] == SOUND.astype("<i2").tobytes()
    assert data.count(b"RIFF") == 1


def test_a_pipe_gets_every_write_at_once() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb", buffering=0) as out, os.fdopen(writer, "wb") as file:
        wav = WavWriter(lambda: file, 22_050)
        wav.write(SOUND[:10])
        assert out.read(1000) == wav_header(22_050, None) + SOUND[:10].astype("<i2").tobytes()


def test_raw_is_samples_alone_and_silence_is_nothing(tmp_path: Path) -> None:
    assert written(tmp_path / "x.raw", "wb", raw=True) == SOUND.astype("<i2").tobytes()
    with (tmp_path / "none.wav").open("wb") as file:
        WavWriter(lambda: file, 22_050).close()
    assert (tmp_path / "none.wav").read_bytes() == b""


@pytest.mark.parametrize("size", [2**32 - 37, 2**33])
def test_past_four_gigabytes_a_size_is_unknown(size: int) -> None:
    assert wav_header(22_050, size) == wav_header(22_050, None)
    assert wav_header(22_050, 2**32 - 38) != wav_header(22_050, None)
