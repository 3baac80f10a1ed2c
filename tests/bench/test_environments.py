"""Environments of the other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bench import environments
from bench.environments import NotInstalled, environment


class Shell:
    """Stands for pip: notes what it was told, and makes the folder as `venv` does."""

    def __init__(self) -> None:
        self.commands: list[Sequence[str]] = []
        self.broken = False

    def run(self, command: Sequence[str]) -> None:
        self.commands.append(command)
        if "venv" in command:
            Path(command[-1]).mkdir(parents=True)
        elif self.broken:
            raise NotInstalled("no such package")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    shell = Shell()
    monkeypatch.setattr(environments, "FOLDER", tmp_path / ".bench")
    monkeypatch.setattr(environments, "_run", shell.run)
    return shell


def test_an_environment_is_made_once(shell: Shell) -> None:
    python = environment("other", ["other-server"])
    made, installed = shell.commands
    assert python == Path(made[-1]) / "bin" / "python"
    assert installed[0] == str(python)
    assert "other-server" in installed
    assert environment("other", ["other-server"]) == python
    assert len(shell.commands) == 2


def test_it_is_made_again_when_what_it_holds_has_changed(shell: Shell) -> None:
    environment("other", ["other-server"])
    environment("other", ["other-server==2"])
    assert len(shell.commands) == 4


def test_what_could_not_be_installed_is_tried_again(shell: Shell) -> None:
    shell.broken = True
    with pytest.raises(NotInstalled, match="no such package"):
        environment("other", ["other-server"])
    shell.broken = False
    environment("other", ["other-server"])
    assert len(shell.commands) == 4


def test_the_reason_is_the_last_line_of_what_was_said() -> None:
    with pytest.raises(NotInstalled, match=r"^because$"):
        environments._run(["sh", "-c", "echo first >&2; echo because >&2; exit 1"])
    with pytest.raises(NotInstalled, match="no-such-program"):
        environments._run(["no-such-program"])
