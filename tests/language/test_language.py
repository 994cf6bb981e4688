"""In a second language no English is left, and everything has room."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.language.made_up import made_up, write_all

ROOT = Path(__file__).parents[2]


def test_the_made_up_language_leaves_fields_as_they_are() -> None:
    assert made_up("{seat:name} takes [{n:plural one=# shell|other=# shells}] `g7`") == (
        "{seat:name} уакдтттт [{n:plural one=# тздллллл|other=# тздллтттт}] `g7`"
    )


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the packages, and add texts in the made-up language."""
    root = tmp_path_factory.mktemp("translated")
    for package in ("engine", "render", "bot", "tests/language"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, root / package, ignore=ignored)
    shutil.copy(ROOT / "tests" / "__init__.py", root / "tests")
    assert write_all(root) > len(("core", "bot", "render"))
    return root


def run_module(module: str, root: Path, *arguments: str) -> str:
    """Run a module of the copy in a separate process; return its output."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", module, *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_text_is_read_during_imports() -> None:
    """A text that is read then would stay in the language that is spoken at that moment."""
    program = """
import importlib, pkgutil
from engine.core import words

def refuse(*_):
    raise AssertionError("a text is read during the import")

words._read_text = refuse
for name in ("engine", "render", "bot"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_nothing_is_said_in_english_where_another_language_is_spoken(translated: Path) -> None:
    assert run_module("tests.language.walk", translated, str(ROOT / "tests" / "transcripts")) == ""


def test_in_a_longer_language_all_texts_of_pictures_fit(translated: Path) -> None:
    *faults, drawn = run_module("tests.language.pictures", translated).splitlines()
    assert faults == []
    number, _ = drawn.split()
    assert int(number) > 200
