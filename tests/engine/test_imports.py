"""Which package may import which. A new game is checked without an edit here."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import GAMES

ROOT = Path(__file__).parents[2]
BANNED = {"random", "time", "datetime", "os", "asyncio", "sqlite3", "secrets"}
STATE_MODULES = {"state", "steps"}
PACKAGES = ("engine", "render", "bot")


def modules(package: str) -> list[Path]:
    """Return the files of a package."""
    return sorted((ROOT / package).rglob("*.py"))


def imports(source: str, package: str) -> Iterator[str]:
    """Return every name that a file imports, dotted; relative ones are resolved."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = (
                package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            )
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _imports_by_name(node.func) and node.args:
            yield from _constant(node.args[0])


def _imports_by_name(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in {"import_module", "__import__"}


def _constant(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def imported_by(path: Path) -> set[str]:
    """Return what a file of the project imports."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return set(imports(path.read_text(encoding="utf-8"), package))


def within(name: str, *packages: str) -> bool:
    """Return whether a dotted name lies in one of the packages."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def engine_faults(name: str) -> bool:
    """Return the imports that the engine may not have."""
    top = name.split(".")[0]
    return top in BANNED or top not in {*sys.stdlib_module_names, "babel", "msgspec", "engine"}


def game_faults(name: str, game: str) -> bool:
    """Return the imports that a game may not have: other games, or anything but engine.core."""
    return within(name, "engine") and not within(name, "engine.core", f"engine.{game}")


def render_faults(name: str) -> bool:
    """Return the imports that render may not have: states, steps, or higher layers."""
    parts = name.split(".")
    in_game = parts[0] == "engine" and len(parts) > 2 and parts[1] in GAMES
    sees_state = in_game and (parts[2] in STATE_MODULES or parts[-1] in {"State", "Side", "GAME"})
    return within(name, "bot") or sees_state or parts[-1] == "State"


@pytest.mark.parametrize("path", modules("engine"), ids=lambda path: str(path.relative_to(ROOT)))
def test_engine_imports_the_standard_library_msgspec_babel_and_itself_without_chance_clock_or_disk(
    path: Path,
) -> None:
    assert [name for name in imported_by(path) if engine_faults(name)] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_the_core_and_itself(game: str) -> None:
    for path in modules(f"engine/{game}"):
        assert [name for name in imported_by(path) if game_faults(name, game)] == [], path


def test_the_core_imports_no_game() -> None:
    for path in modules("engine/core"):
        assert [
            name
            for name in imported_by(path)
            if within(name, *(f"engine.{game}" for game in GAMES))
        ] == [], path


def test_render_sees_views_and_never_a_state() -> None:
    for path in modules("render"):
        assert [name for name in imported_by(path) if render_faults(name)] == [], path


def test_nothing_imports_bot() -> None:
    for path in [*modules("engine"), *modules("render")]:
        assert [name for name in imported_by(path) if within(name, "bot")] == [], path


def test_no_part_of_the_program_imports_its_tests() -> None:
    for package in PACKAGES:
        for path in modules(package):
            assert [name for name in imported_by(path) if within(name, "tests")] == [], path


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import random", "random"),
        ("import os.path as p", "os.path"),
        ("from time import sleep", "time.sleep"),
        ("def f():\n    from secrets import token_hex", "secrets.token_hex"),
        ("from ..maori import board", "engine.maori.board"),
        ("from . import state", "engine.fifth.state"),
        ("from engine import maori", "engine.maori"),
        ("import_module('random')", "random"),
        ("__import__('os')", "os"),
    ],
)
def test_every_way_to_import_is_seen(source: str, found: str) -> None:
    assert set(imports(source, "engine.fifth")) == {found}


def test_the_rules_find_what_breaks_them() -> None:
    assert all(
        map(
            engine_faults,
            ("random.Random", "os", "discord.Client", "PIL", "render.draw", "bot.app"),
        )
    )
    assert not any(
        map(engine_faults, ("msgspec.Struct", "hashlib.sha256", "engine.core.table", "enum"))
    )
    assert game_faults("engine.maori.board", "polynesia")
    assert game_faults("engine.players.search", "polynesia")
    assert not game_faults("engine.polynesia.board", "polynesia")
    assert not game_faults("engine.core.steps", "polynesia")
    assert all(
        map(
            render_faults,
            ("engine.blue_lagoon.state.State", "engine.blue_lagoon.State", "bot.panel"),
        )
    )
    assert not any(
        map(render_faults, ("engine.View", "engine.blue_lagoon.view.BlueLagoonView", "PIL.Image"))
    )
