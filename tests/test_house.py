"""The packages describe themselves: a folder's docstring names every file in it."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from bot.feature_list import FEATURES

ROOT = Path(__file__).parents[1]
MANY = 11
"""From so many files on a folder of rules or pictures is told file by file; one of the bot
always is.
"""
NAMED = re.compile(r"(?<![\w/])(\w+)\.py\b")


def modules(folder: Path) -> set[str]:
    """Return the names of the modules in a folder, without the games, which are all alike."""
    files = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")}
    folders = {path.parent.name for path in folder.glob("*/__init__.py")}
    return (files | folders) - {path.parent.name for path in ROOT.glob("engine/*/steps*")}


def told_folders() -> list[Path]:
    found = [
        path.parent
        for package in ("bot", "engine", "render")
        for path in (ROOT / package).rglob("__init__.py")
    ]
    return sorted(
        path for path in found if path.is_relative_to(ROOT / "bot") or len(modules(path)) >= MANY
    )


@pytest.mark.parametrize("folder", told_folders(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_package_docstring_names_exactly_its_files(folder: Path) -> None:
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert modules(folder) - set(re.findall(r"\w+", told)) == set()
    assert set(NAMED.findall(told)) - modules(folder) - {"discord", "__main__"} == set()


def test_the_top_of_the_bot_is_small() -> None:
    """A newcomer sees at most six files there."""
    assert len(list((ROOT / "bot").glob("*.py"))) <= 6


def folder_of(module: tuple[str, ...]) -> Path:
    """Return the folder of a module of the bot; a feature counts as one folder."""
    path = Path(*module)
    if "features" in module:
        # A feature may be a single module.
        return Path(*module[:3])
    folder = path if (ROOT / path).is_dir() else path.parent
    return Path(*folder.parts[:2])


def test_no_two_folders_of_the_bot_import_each_other() -> None:
    edges = set()
    for file in (ROOT / "bot").rglob("*.py"):
        here = folder_of(file.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot."):
                edges.add((here, folder_of(tuple((node.module or "").split(".")))))
    assert len(edges) > 50
    assert [(a, b) for a, b in edges if a < b and (b, a) in edges] == []


def test_features_are_layered_in_their_declared_order() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = [
        layer
        for contract in settings["tool"]["importlinter"]["contracts"]
        for layer in contract.get("layers", ())
    ]
    layered = [
        layer.removeprefix("bot.features.") for layer in layers if layer.startswith("bot.features.")
    ]
    assert layered == [
        feature.name
        for feature in reversed(FEATURES)
        if feature.name in modules(ROOT / "bot/features")
    ]
