"""`onset warm` and `onset cache` as a shell runs them."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.test_cli import PATIENCE_S, ROOT, VOICE, environment, here, one_line, onset
from tests.redis_server import HOST, RedisServer, free_port

TINY = "tiny_low_1"
PHRASES = "# greetings\nGood morning.\n\nOne moment. Thank you.\nGood morning.\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with RedisServer(tmp_path) as running:
        yield running


@pytest.fixture
def phrases(tmp_path: Path) -> str:
    file = tmp_path / "phrases.txt"
    file.write_text(PHRASES, encoding="utf-8")
    return str(file)


def test_a_list_is_warmed_once_shown_and_cleared_by_voice(server: RedisServer, phrases: str) -> None:
    settings: Any = {"ONSET_REDIS_URL": server.url, "ONSET_VOICES": str(ROOT / "tests" / "voices")}
    first = here("warm", phrases, "--voice", TINY, **settings)
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.stdout.startswith(f"{HOST}:{server.port}: 3 new (")
    both = onset("warm", "-", "--voice", TINY, "--speed", "1", "--speed", "2", stdin=PHRASES.encode(), **settings)
    assert (both.returncode, both.stderr) == (0, b"")
    assert b": 3 new (" in both.stdout and b", 3 there already, 0 failed;" in both.stdout

    server.command("SET", "another", "program's")
    server.command("SET", f"onset:phrase:{16 * 'a'}:{64 * '0'}", "of a voice that is gone")
    shown = here("cache", "stats", **settings)
    assert TINY in shown.stdout and " 6 " in shown.stdout
    assert f"{16 * 'a'} (not installed here)" in shown.stdout
    told = json.loads(here("cache", "stats", "--json", **settings).stdout)
    assert (told["redis"], told["entries"]) == (f"{HOST}:{server.port}", 7)
    (tiny,) = [one for one in told["voices"] if one["voice"] == TINY]
    assert (tiny["entries"], tiny["installed"]) == (6, True)
    assert 0 < tiny["first_ttl_s"] <= tiny["last_ttl_s"] <= 7 * 24 * 3600

    asked = here("cache", "clear", "--voice", TINY, **settings)
    assert asked.exit_code == 2
    assert "--yes" in one_line(asked.stderr)
    cleared = here("cache", "clear", "--voice", TINY, "--yes", **settings)
    assert cleared.stdout.startswith(f"{HOST}:{server.port}: 6 phrases of {TINY} deleted")
    cleared = here("cache", "clear", "--voice", 16 * "a", "--yes", **settings)
    assert ": 1 phrases of aaaa" in cleared.stdout
    assert "no phrases" in here("cache", "stats", **settings).stdout
    assert server.command("DBSIZE") == ":1"


def test_ctrl_c_finishes_what_runs_and_reports(server: RedisServer, tmp_path: Path) -> None:
    lines = [f"This is the sentence of the number {number} and it is long enough." for number in range(300)]
    (tmp_path / "many.txt").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "gateway", "warm", str(tmp_path / "many.txt"), "--voice", TINY]
    settings = environment(ONSET_REDIS_URL=server.url, ONSET_VOICES=str(ROOT / "tests" / "voices"), TERM="xterm")
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, env=settings) as process:
        os.close(theirs)
        while not re.search(rb"\b[1-9]\d* new", shown):
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE_S)
    os.close(ours)
    assert process.returncode == 130 and b"Traceback" not in shown
    there = int(server.command("DBSIZE").removeprefix(":"))
    assert f": {there} new (".encode() in said
    assert f" 0 failed, {300 - there} not begun;".encode() in said


@pytest.mark.parametrize("command", [("warm", "phrases.txt"), ("cache", "stats"), ("cache", "clear", "--yes")])
def test_without_a_redis_it_is_said_what_to_do(command: tuple[str, ...], phrases: str) -> None:
    words = [phrases if word == "phrases.txt" else word for word in command]
    ran = here(*words)
    assert ran.exit_code == 2
    line = one_line(ran.stderr)
    assert "ONSET_REDIS_URL is not set" in line and "ONSET_WARM" in line

    nowhere = here(*words, ONSET_REDIS_URL=f"redis://:geheim@{HOST}:{free_port()}")
    assert nowhere.exit_code == 1
    assert "is not there" in one_line(nowhere.stderr) and "geheim" not in nowhere.stderr

    wrong = here(*words, ONSET_REDIS_URL="http://there")
    assert (wrong.exit_code, "redis+sentinel://" in one_line(wrong.stderr)) == (2, True)


@pytest.mark.parametrize(
    ("words", "content", "said"),
    [
        (["warm", "FILE", "--voice", "nobody"], PHRASES, f"no voice 'nobody'; installed: {VOICE}"),
        (["warm", "FILE", "--speaker", "7"], PHRASES, "'speaker' is 7; allowed: 0"),
        (["warm", "FILE"], "# nothing\n\n", "has no phrase"),
        (["warm", "FILE"], "one\ntw\udcff", "line 2: not UTF-8"),
        (["cache", "clear", "--voice", "nobody"], "", f"no voice 'nobody'; installed: {VOICE}"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    words: list[str], content: str, said: str, tmp_path: Path, server: RedisServer
) -> None:
    (tmp_path / "list").write_bytes(content.encode(errors="surrogateescape"))
    ran = here(*[str(tmp_path / "list") if word == "FILE" else word for word in words], ONSET_REDIS_URL=server.url)
    assert ran.exit_code == 2
    assert said in one_line(ran.stderr)
