"""The README keeps its word: its program runs, its tables are those of the code, its links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import typing
import wave
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bench.servers import Server, onset_server
from engine.text.lexicon import Lexicon
from gateway import events
from gateway.cache import PhraseCache
from gateway.cache.redis_url import parse
from gateway.counts import Counts
from gateway.dialects import native
from gateway.metrics import Metrics
from gateway.settings import PREFIX, Settings
from tests.fakes import fake_engine
from tests.graphs import graphs_folder
from tests.hearing import hear, words_heard

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def rows(after: str) -> list[list[str]]:
    """The cells of the first table that follows the words `after`."""
    table = re.search(r"(?:^\|.*\n)+", README[README.index(after) :], re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()[2:]]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_there_is_a_program_with_the_client_and_one_without() -> None:
    assert ["gateway.client" in program for program in PROGRAMS] == [False, True]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with onset_server("--graphs", str(graphs_folder())) as running:
        yield running


@pytest.mark.parametrize("program", PROGRAMS, ids=["bare", "client"])
def test_a_program_runs_as_it_stands(program: str, server: Server, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(program.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}"))
    ran = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # as after an installation
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    told = [line.split(" ", 1)[1] for line in ran.stdout.splitlines()]
    assert told == ["Hello there.", "The first sentence is spoken while this one is still being written."]
    with wave.open(str(tmp_path / "reply.wav")) as file:
        text = hear(np.frombuffer(file.readframes(file.getnframes()), "<i2"), file.getframerate())
    assert words_heard(told[1], text) >= 0.7, text


def test_every_setting_is_in_the_table_with_its_default() -> None:
    shown = {quoted(name)[0]: "".join(quoted(default)) for name, default, _ in rows("## Settings")}
    assert shown == {PREFIX + name.upper(): default(field.default) for name, field in Settings.model_fields.items()}


def default(value: object) -> str:
    """As people write it in an environment."""
    return str(value).lower() if isinstance(value, bool) else str(value)


async def test_every_metric_is_in_the_table_with_its_labels() -> None:
    """As they are scraped: counters end in _total, and a histogram has its own label beside those that are told."""
    cache = PhraseCache(max_bytes=1, redis_url="redis://127.0.0.1", ttl_s=1, timeout_ms=1)
    scraped: dict[str, str] = {}
    for family in Metrics(fake_engine(), cache, Counts()).collect():
        labels = {name for sample in family.samples for name in sample.labels} - {"le"}
        name = family.name + ("_total" if family.type == "counter" else "")
        scraped[name + (f"{{{','.join(sorted(labels))}}}" if labels else "")] = family.type
    await cache.aclose()
    assert {quoted(name)[0]: kind for name, kind, _ in rows("| metric |")} == scraped


def test_every_kind_of_redis_in_the_table_is_one() -> None:
    kinds = [parse(quoted(url)[0]).kind for url, _ in rows("| a URL |")]
    assert kinds == ["redis", "redis", "unix", "sentinel", "cluster"]


def test_the_tables_of_messages_are_those_of_the_code() -> None:
    sent = {quoted(kind)[0]: set(quoted(fields)) for kind, fields, _ in rows("You send:")}
    messages = typing.cast("dict[str, type[msgspec.Struct]]", native._MESSAGES)
    assert sent == {kind: set(shape.__struct_fields__) - {"type", "context"} for kind, shape in messages.items()}

    received = {quoted(kind)[0]: set(quoted(fields)) for kind, fields, _ in rows("You receive:")}
    names = {name: kind for kind, name in native._NAMES.items()}
    assert received == {
        name: {field for field in kind.__slots__ if field not in {"context", "data", "samples"}}
        for name, kind in names.items()
    }
    assert set(names.values()) == set(typing.get_args(events.Event)) - {events.Idle}  # which it never tells


def test_links_lead_to_files() -> None:
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert "static/page.png" in targets
    headings = {"#" + heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.*)", README, re.MULTILINE)}
    assert [target for target in targets if target not in headings and not (ROOT / target).is_file()] == []


def test_paths_in_the_text_exist() -> None:
    named = re.findall(r"`((?:gateway|engine|models|static|bench|tests)/[\w./]*)`", README)
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`?make (\w+)", README)) <= targets


def test_the_lexicon_is_one() -> None:
    (file,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    assert len(Lexicon.parse(file)) == 4
