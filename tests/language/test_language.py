"""A second language is nothing but files: in a made-up one, no English is left anywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.language.made_up import made_up, write_all

ROOT = Path(__file__).parents[2]


def test_the_made_up_language_leaves_fields_as_they_are() -> None:
    assert made_up("{seat:name} takes [{n:plural one=# shell|other=# shells}] `g7`") == (
        "{seat:name} уакдтттт [{n:plural one=# тздллллл|other=# тздллтттт}] `g7`"
    )


def test_nothing_is_said_in_english_where_another_language_is_spoken(tmp_path: Path) -> None:
    for package in ("engine", "render", "bot", "tests/language"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "tests" / "__init__.py", tmp_path / "tests")
    assert write_all(tmp_path) > len(("core", "bot", "render"))
    walk = [sys.executable, "-P", "-m", "tests.language.walk", str(ROOT / "tests" / "transcripts")]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(walk, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
