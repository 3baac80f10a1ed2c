"""Every setting as an option of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from gateway.settings import Settings, read_settings

_KINDS = {"<class 'int'>": "INTEGER", "<class 'float'>": "NUMBER", "<class 'bool'>": "TRUE|FALSE"}


def with_settings(run: Callable[[Settings], None]) -> Callable[..., None]:
    """A command for `run` with an option for each setting; it raises BadSettings, which names every mistake.

    Values come as they were typed: whether they can be is said in one place, as for the environment.
    """

    def command(**options: str | None) -> None:
        run(read_settings(**options))

    shapes = {name: Annotated[str | None, _option(name)] for name in Settings.model_fields}
    command.__name__, command.__doc__ = run.__name__, run.__doc__
    command.__annotations__ = {**shapes, "return": None}
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what typer asks for
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=shape)
            for name, shape in shapes.items()
        ]
    )
    return command


def _option(name: str) -> typer.models.OptionInfo:
    field = Settings.model_fields[name]
    kind = _KINDS.get(str(field.annotation)) or name.rpartition("_")[2].upper()
    default = f" Default: {field.default}." if str(field.default) else ""
    option: typer.models.OptionInfo = typer.Option(
        f"--{name.replace('_', '-')}", metavar=kind, help=f"{field.description}{default}", show_default=False
    )
    return option
