"""`onset` as a shell runs it: real processes, real pipes, the real voice."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gateway import __version__
from gateway.wav import wav_header
from tests.hearing import SENTENCES, hear, words_heard

ROOT = Path(__file__).resolve().parent.parent.parent
VOICE = "en_US-joe-medium"
RATE_HZ = 22_050
PATIENCE_S = 60


def environment(**settings: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ONSET_")}
    return {**clean, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **settings}


def onset(*arguments: str, stdin: bytes = b"", cwd: Path = ROOT, **settings: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "gateway", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=cwd, env=environment(**settings), timeout=PATIENCE_S, check=False
    )


def started(*arguments: str, stdin: int | None = None, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gateway", *arguments]
    return subprocess.Popen(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=ROOT, env=environment(TERM="xterm")
    )


def heard(pcm: bytes) -> str:
    return hear(np.frombuffer(pcm, "<i2"), RATE_HZ)


def one_line(stderr: bytes) -> str:
    """What a user is told: one line, which begins with the program's name."""
    text = stderr.decode()
    assert text.count("\n") == 1 and text.startswith("onset: "), text
    return text


# ---- say


def test_say_writes_a_whole_wav_of_the_words(tmp_path: Path) -> None:
    ran = onset("say", SENTENCES[0], "-o", str(tmp_path / "out.wav"))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    with wave.open(str(tmp_path / "out.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        pcm = file.readframes(file.getnframes())
    assert len(pcm) == (tmp_path / "out.wav").stat().st_size - 44
    assert words_heard(SENTENCES[0], heard(pcm)) >= 0.8


def test_say_speaks_what_is_in_a_pipe_before_the_pipe_ends() -> None:
    with started("say", "-o", "-", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{SENTENCES[1]} The doctor".encode())
        process.stdin.flush()
        early = process.stdout.read(44 + RATE_HZ)  # the pipe is still open: this is the first sentence
        process.stdin.write(SENTENCES[2].removeprefix("The doctor").encode())
        sound, errors = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, errors) == (0, b"")
    assert early[:44] == wav_header(RATE_HZ, None)
    text = heard(early[44:] + sound)
    assert words_heard(f"{SENTENCES[1]} {SENTENCES[2]}", text) >= 0.8
    assert text.index("river") < text.index("doctor")


def test_say_reads_a_file_and_the_same_seed_sounds_the_same(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes(b"\xef\xbb\xbfGood morning.\r\n")
    runs = [
        onset("say", "-f", str(tmp_path / "note.txt"), "--raw", "--seed", seed, "--speed", speed)
        for seed, speed in (("1", "1"), ("1", "1"), ("2", "0.5"))
    ]
    assert [(ran.returncode, ran.stderr) for ran in runs] == [(0, b"")] * 3
    same, again, slow = (ran.stdout for ran in runs)
    assert same == again
    assert 1.5 < len(slow) / len(same) < 2.5
    assert len(same) % 2 == 0


def test_say_to_a_redirected_file_has_true_sizes_and_appending_has_none(tmp_path: Path) -> None:
    path = tmp_path / "out.wav"
    for mode in ("wb", "ab"):
        with path.open(mode) as file:
            command = [sys.executable, "-m", "gateway", "say", "Yes."]
            subprocess.run(command, stdout=file, cwd=ROOT, env=environment(), timeout=PATIENCE_S, check=True)
    data = path.read_bytes()
    second = data.rindex(b"RIFF")
    assert data[:44] == wav_header(RATE_HZ, second - 44)
    assert data[second : second + 44] == wav_header(RATE_HZ, None)


def test_say_ends_quietly_when_nobody_reads_on() -> None:
    with started("say", "-o", "-", " ".join(SENTENCES * 3)) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1000)
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 141
        assert process.stderr.read() == b""


def test_say_shows_its_progress_stops_at_ctrl_c_and_leaves_a_file_that_plays(tmp_path: Path) -> None:
    path = tmp_path / "out.wav"
    ours, theirs = pty.openpty()
    shown = b""
    with started("say", "-f", "-", "-o", str(path), stdin=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(b"Yes. The rest of it does not come ")
        process.stdin.flush()
        while not re.search(rb"[1-9] s of sound", shown):
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
    os.close(ours)
    assert b"Traceback" not in shown
    with wave.open(str(path)) as file:
        assert file.getnframes() > 0
        assert 2 * file.getnframes() == path.stat().st_size - 44


def test_say_says_nothing_about_nothing() -> None:
    ran = onset("say", "-o", "-", stdin=b"?! ...")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert "nothing was said" in one_line(ran.stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["hi", "-f", "x.txt"], 2, "either TEXT or --file"),
        (["hi", "-o", "out.mp3"], 2, "ffmpeg -i - out.mp3"),
        (["-f", "absent.txt", "-o", "x.wav"], 1, "absent.txt: No such file or directory"),
        (["-f", "latin.txt", "-o", "x.wav"], 1, "latin.txt is not UTF-8 text: invalid continuation byte at byte 3"),
        (["hi", "-o", "absent/x.wav"], 1, "absent/x.wav: there is no folder absent"),
        (["hi", "-o", "x.wav", "--voice", "bob"], 1, f"no voice 'bob'; installed: {VOICE}"),
        (["hi", "-o", "x.wav", "--speaker", "7"], 1, f"'speaker' is 7; allowed: 0, the only one for {VOICE}"),
        (["  ", "-o", "x.wav"], 1, "the text is blank"),
    ],
)
def test_a_mistake_is_one_line_and_makes_no_file(
    arguments: Sequence[str], code: int, message: str, tmp_path: Path
) -> None:
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 noir")
    ran = onset("say", *arguments, cwd=tmp_path)
    assert ran.returncode == code
    assert message in one_line(ran.stderr)
    assert ran.stdout == b"" and not (tmp_path / "x.wav").exists()


@pytest.mark.parametrize(
    ("arguments", "message"), [(["hi"], "a terminal plays no sound"), (["-o", "x.wav"], "say what?")]
)
def test_a_terminal_is_told_what_is_missing(arguments: Sequence[str], message: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gateway", "say", *arguments]
    try:
        ran = subprocess.run(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=environment(),
            timeout=PATIENCE_S,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert ran.returncode == 2
    assert message in one_line(ran.stderr)


# ---- voices


def test_voices_lists_what_can_speak_and_why_a_pair_cannot(tmp_path: Path) -> None:
    (tmp_path / "lonely.onnx").write_bytes(b"not a model")
    (tmp_path / "bad.onnx").write_bytes(b"not a model")
    (tmp_path / "bad.onnx.json").write_text("{}")
    table = onset("voices", "--voices", str(tmp_path))
    assert (table.returncode, table.stderr) == (0, b"")
    lines = table.stdout.decode().splitlines()
    assert re.search(rf"^{VOICE} +en-US +22050 Hz +1 +default +yes", lines[1])
    assert [line.startswith("left out: ") for line in lines[2:]] == [True, True]
    assert "lonely.onnx" in table.stdout.decode() and "bad.onnx" in table.stdout.decode()

    ran = onset("voices", "--json", ONSET_VOICES=str(tmp_path))
    shown = json.loads(ran.stdout)
    assert (shown["default"], len(shown["broken"])) == (VOICE, 2)
    assert shown["voices"][0]["whole"] == ""
    assert shown["voices"][0]["name"] == VOICE and len(shown["voices"][0]["fingerprint"]) >= 32


def test_voices_fails_where_the_default_is_not_there() -> None:
    ran = onset("voices", ONSET_VOICE="bob")
    assert ran.returncode == 1
    assert "'bob'" in one_line(ran.stderr)


# ---- text


def test_text_shows_each_line_and_goes_on_after_a_bad_one() -> None:
    lines = [
        '"Hello there. How are you"',
        '["He paid 3", ".5", " dollars. ", "Dr", ". Lee left"]',
        "",
        "5",
        '{"x"',
        '"\\ud800"',
        '["a", 1]',
        '"今天下雨。我们改天去。"',
        '""',
    ]
    ran = onset("text", stdin="\n".join(lines).encode() + b'\n"\xff"\n')
    shown = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line["sentences"] for line in shown] == [
        ["Hello there.", "How are you"],
        ["He paid 3.5 dollars.", "Dr. Lee left"],
        ["今天下雨。", "我们改天去。"],
        [],
    ]
    assert all(set(line) == {"sentences", "spoken"} for line in shown)
    assert ran.returncode == 1
    named = re.findall(r"^onset: line (\d+): ", ran.stderr.decode(), re.MULTILINE)
    assert named == ["4", "5", "6", "7", "10"]


def test_text_takes_an_argument() -> None:
    ran = onset("text", "One is done. Two is", "done.")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["sentences"] == ["One is done.", "Two is done."]


# ---- everything


@pytest.mark.parametrize("command", [[], ["say"]])
def test_help_helps(command: Sequence[str]) -> None:
    ran = onset(*command, "--help")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"Usage: onset" in ran.stdout
    assert all(
        part.encode() in ran.stdout
        for part in (["--output", "--file", "--seed"] if command else ["serve", "say", "voices", "text"])
    )


def test_version_is_the_packages() -> None:
    ran = onset("--version")
    assert ran.stdout.decode() == f"onset {__version__}\n"


def test_wrong_settings_are_all_named_at_once() -> None:
    ran = onset("serve", ONSET_PORT="abc", ONSET_AHEAD_S="0")
    assert ran.returncode == 2
    line = one_line(ran.stderr)
    assert "ONSET_PORT is 'abc'" in line and "ONSET_AHEAD_S is '0'" in line
    assert ran.stdout == b""


def test_a_misspelt_setting_is_named() -> None:
    ran = onset("voices", ONSET_PROT="9000")
    assert ran.returncode == 2
    assert "ONSET_PROT" in one_line(ran.stderr)


def test_serve_says_that_its_port_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = onset("serve", "--port", str(taken.getsockname()[1]))
    assert ran.returncode == 1
    assert b"in use" in ran.stderr and b"Traceback" not in ran.stderr
