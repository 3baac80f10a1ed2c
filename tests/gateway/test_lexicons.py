"""Lexicon files: read at the start, and again when they change."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BadLexicon
from engine.text.blocks import shown
from gateway.lexicons import Lexicons, read_lexicon
from gateway.settings import BadSettings, read_settings
from tests.wire import Gateway, running


def said(lexicons: Lexicons, word: str, voice: str = "ann") -> list[str]:
    """What each lexicon of a voice says for a word, the first one is meant."""
    return [shown(said) for one in lexicons.of(voice) for _, _, said in one.find(word, 0, len(word))]


def write(file: Path, text: str) -> None:
    """As an editor does it: a new file in the place of the old one."""
    new = file.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "gateway.lexicons")
    return caplog


def test_a_voice_s_own_goes_before_the_deployment_s(tmp_path: Path) -> None:
    write(tmp_path / "ann.lexicon.txt", "GIF = jif\n")
    write(tmp_path / "all.txt", "GIF = ghif\nSQL = /siːkwəl/\n")
    lexicons = Lexicons(tmp_path, ["ann", "ben"], tmp_path / "all.txt")
    assert said(lexicons, "GIF") == ["jif", "ghif"]
    assert said(lexicons, "GIF", "ben") == ["ghif"]
    assert said(lexicons, "SQL") == ["/siːkwəl/"]
    assert Lexicons(tmp_path / "absent", ["ann"]).of("ann") == ()


def test_a_file_that_changed_comes_or_goes_is_seen(tmp_path: Path, logged: pytest.LogCaptureFixture) -> None:
    own, every = tmp_path / "ann.lexicon.txt", tmp_path / "all.txt"
    write(every, "a = one")
    lexicons = Lexicons(tmp_path, ["ann"], every)
    before = lexicons.of("ann")
    lexicons.refresh()
    assert lexicons.of("ann")[0] is before[0]
    write(every, "a = two")
    write(own, "a = mine")
    assert said(lexicons, "a") == ["one"]
    lexicons.refresh()
    assert said(lexicons, "a") == ["mine", "two"]
    own.unlink()
    lexicons.refresh()
    assert said(lexicons, "a") == ["two"]
    assert [record.levelname for record in logged.records] == ["INFO"] * 3
    assert f"{own}: 1 entries" in logged.text


def test_a_file_of_the_same_size_and_place_that_was_touched_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    file.write_text("a = one")
    lexicons = Lexicons(tmp_path, ["ann"], file)
    file.write_text("a = two")
    os.utime(file, ns=(0, 1))
    lexicons.refresh()
    assert said(lexicons, "a") == ["two"]


def test_a_broken_new_file_is_named_once_and_the_old_one_stays(
    tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    own, every = tmp_path / "ann.lexicon.txt", tmp_path / "all.txt"
    write(every, "a = one")
    write(own, "b = mine")
    lexicons = Lexicons(tmp_path, ["ann"], every)
    logged.clear()
    write(own, "b = other\nc")
    every.unlink()
    for _ in range(3):
        lexicons.refresh()
    assert (said(lexicons, "a"), said(lexicons, "b")) == (["one"], ["mine"])
    warned = [record.getMessage() for record in logged.records]
    assert len(warned) == 2
    assert warned[0].startswith(f"lexicon {every} is left as it was: it cannot be read")
    assert warned[1].startswith(f"lexicon {own} is left as it was: line 2: 'c'; allowed: word = respelling")
    write(own, "b = other")
    write(every, "a = again")
    lexicons.refresh()
    assert (said(lexicons, "a"), said(lexicons, "b")) == (["again"], ["other"])


def test_a_voice_s_file_that_is_broken_at_the_start_is_a_line_in_the_log(
    tmp_path: Path, logged: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "ann.lexicon.txt").write_bytes(b"a = b\nc = caf\xe9")
    lexicons = Lexicons(tmp_path, ["ann"])
    assert lexicons.of("ann") == ()
    (record,) = logged.records
    assert (record.levelname, "line 2: not UTF-8" in record.getMessage()) == ("WARNING", True)


def test_a_deployment_s_file_that_is_broken_at_the_start_is_an_error_among_all_others(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("a = b\nc = /k@/\n")
    with pytest.raises(BadLexicon, match="line 2: '@'"):
        Lexicons(tmp_path, ["ann"], tmp_path / "all.txt")
    with pytest.raises(BadSettings) as caught:
        read_settings(lexicon=tmp_path / "all.txt", code="sing", early_clause="perhaps")
    told = str(caught.value)
    for part in (f"--lexicon is '{tmp_path / 'all.txt'}': line 2: '@' in '/k@/' is no phoneme", "--code", "--early-"):
        assert part in told
    with pytest.raises(BadSettings, match=r"--lexicon is 'absent.txt': it cannot be read: No such file"):
        read_settings(lexicon="absent.txt")


def test_a_folder_is_no_lexicon(tmp_path: Path) -> None:
    with pytest.raises(BadLexicon, match="it cannot be read"):
        read_lexicon(tmp_path)


async def test_files_are_looked_at_again_and_again(tmp_path: Path) -> None:
    loop, looks = asyncio.get_running_loop(), asyncio.Semaphore(0)

    class Watched(Lexicons):
        def refresh(self) -> None:
            super().refresh()
            loop.call_soon_threadsafe(looks.release)

    write(tmp_path / "all.txt", "a = one")
    lexicons = Watched(tmp_path, ["ann"], tmp_path / "all.txt")
    watching = asyncio.create_task(lexicons.watch(every_s=0))
    for new in ("two", "three"):
        write(tmp_path / "all.txt", f"a = {new}")
        async with asyncio.timeout(20):
            for _ in range(3):  # one may have been under way
                await looks.acquire()
        assert said(lexicons, "a") == [new]
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


# ---- over the wire


async def spoken(gateway: Gateway, text: str, **settings: Any) -> str:
    async with gateway.client() as client:
        await client.speak(text, pace="fast", **settings)
        (sentence,) = client.ear.of("sentence")
        assert sentence["text"] == text
        return client.ear.text()


async def test_a_server_speaks_by_the_files_as_they_are_now(tmp_path: Path) -> None:
    write(tmp_path / "fake.lexicon.txt", "GIF = jif")
    write(tmp_path / "all.txt", "GIF = wrong\nSQL = /siːkwəl/")
    async with running(voices=tmp_path, lexicon=str(tmp_path / "all.txt")) as gateway:
        assert await spoken(gateway, "A GIF of SQL.") == "A jif of /siːkwəl/."
        own = {"gif": "/ɡɪf/"}
        assert await spoken(gateway, "A GIF of SQL.", lexicon=own) == "A /ɡɪf/ of /siːkwəl/."
        write(tmp_path / "fake.lexicon.txt", "GIF = gee if")
        async with asyncio.timeout(20):
            while (text := await spoken(gateway, "A GIF of SQL.")) == "A jif of /siːkwəl/.":
                pass
        assert text == "A gee if of /siːkwəl/."
        write(tmp_path / "all.txt", "broken")
        gateway.house.lexicons.refresh()
        assert await spoken(gateway, "A GIF of SQL.") == "A gee if of /siːkwəl/."
