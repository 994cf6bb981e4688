"""The lock files pin everything that the README's commands install, with hashes."""

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
RUN_LOCK = ROOT / "requirements.lock"
TEST_LOCK = ROOT / "tests/requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def locked(lock: Path) -> dict[str, Requirement]:
    """Return the pinned requirements of a lock file, by the package's name."""
    lines = re.findall(r"^[^\s-].*?(?= \\$)", lock.read_text(encoding="utf-8"), re.MULTILINE)
    return {canonicalize_name(one.name): one for one in map(Requirement, lines)}


def asked_for(*extras: str) -> list[str]:
    """Return the project's dependencies and those of these extras, without `motu[...]` itself."""
    lines = [*PROJECT["project"]["dependencies"], *(line for one in extras for line in EXTRAS[one])]
    return [line for line in lines if not line.startswith("motu[")]


LOCKED_FOR = {RUN_LOCK: asked_for("all", "postgres"), TEST_LOCK: asked_for(*EXTRAS)}


def needed(line: str, seen: set[str]) -> Iterator[str]:
    """Return a requirement and everything that it depends on, as far as it is installed here."""
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


@pytest.mark.parametrize(
    ("lock", "line"), [(lock, line) for lock, lines in LOCKED_FOR.items() for line in lines]
)
def test_required_packages_are_locked_within_their_bounds(lock: Path, line: str) -> None:
    wanted = Requirement(line)
    (pinned,) = locked(lock)[canonicalize_name(wanted.name)].specifier
    assert pinned.operator == "==" and wanted.specifier.contains(pinned.version, prereleases=True)


@pytest.mark.parametrize("lock", LOCKED_FOR)
def test_transitive_packages_are_locked_too(lock: Path) -> None:
    seen: set[str] = set()
    names = {name for line in LOCKED_FOR[lock] for name in needed(line, seen)}
    assert names <= locked(lock).keys()


def test_both_lock_files_agree() -> None:
    tested = locked(TEST_LOCK)
    assert {name: one.specifier for name, one in locked(RUN_LOCK).items()} == {
        name: tested[name].specifier for name in locked(RUN_LOCK)
    }


@pytest.mark.parametrize("lock", LOCKED_FOR)
def test_every_package_has_hashes_and_none_names_a_place(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    hashed = re.findall(r"^(\S+)==.*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(hashed) == len(locked(lock)) > 40
    assert not re.search(r"://|@|/", text)


@pytest.mark.parametrize(
    "file", ["README.md", "Dockerfile", ".ci/run", ".github/workflows/check.yml"]
)
def test_every_installation_goes_by_a_lock_file(file: str) -> None:
    commands = re.findall(r"pip install ([^&\n`]*)", (ROOT / file).read_text(encoding="utf-8"))
    allowed = ("-q -r requirements.lock", "-q -r tests/requirements.lock", "-q --no-deps -e .")
    assert commands and all(command.strip() in allowed for command in commands)
