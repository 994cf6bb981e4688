"""The lock file holds a version of everything that the README's commands install."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = ROOT / ".requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def locked() -> dict[str, Requirement]:
    """Every line of the lock file, by the package's name."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(one.name): one for one in map(Requirement, lines)}


def asked_for() -> list[str]:
    return [
        *PROJECT["project"]["dependencies"],
        *(line for lines in EXTRAS.values() for line in lines),
    ]


def needed(line: str, seen: set[str]) -> Iterator[str]:
    """A requirement and all that it brings along on this machine, as far as it is installed."""
    wanted = Requirement(line)
    name = canonicalize_name(wanted.name)
    if name in seen:
        return
    seen.add(name)
    yield name
    try:
        lines = requires(name) or []
    except PackageNotFoundError:
        return
    for line in lines:
        marker = Requirement(line).marker
        surroundings = [{**default_environment(), "extra": extra} for extra in ("", *wanted.extras)]
        if marker is None or any(marker.evaluate(each) for each in surroundings):
            yield from needed(line, seen)


@pytest.mark.parametrize("line", asked_for())
def test_what_the_project_asks_for_is_locked_within_its_bounds(line: str) -> None:
    wanted = Requirement(line)
    (pinned,) = locked()[canonicalize_name(wanted.name)].specifier
    assert pinned.operator == "==" and wanted.specifier.contains(pinned.version, prereleases=True)


def test_what_that_brings_along_is_locked_too() -> None:
    seen: set[str] = set()
    assert {name for line in asked_for() for name in needed(line, seen)} <= locked().keys()


def test_a_lock_names_versions_and_no_place() -> None:
    assert not re.search(r"://|@|/|\\|^-", LOCK.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_every_installation_goes_by_the_lock(file: str) -> None:
    commands = re.findall(r"pip install .*", (ROOT / file).read_text(encoding="utf-8"))
    assert commands and all("-c .requirements.lock" in command for command in commands)
