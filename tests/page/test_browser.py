"""Where the browser of these tests comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.browser import chromium


def test_a_missing_browser_is_an_error_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="apt-get install chromium"):
        chromium(tmp_path / "none")


def test_a_browser_on_the_path_goes_before_playwrights_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, installed = tmp_path / "own", tmp_path / "google-chrome"
    for file in (own, installed):
        file.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium(own) == installed
    installed.unlink()
    assert chromium(own) == own
