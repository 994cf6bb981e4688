"""The documents agree with the program: permissions, commands, settings, links."""

import re
from pathlib import Path

from bot.app import Motu
from bot.feature_list import FEATURES
from bot.kernel.kernel import Kernel
from bot.text import say
from bot.ui.permissions import NEEDED, PERMISSIONS, invitation
from tests.bot.backend import Backend

HOME = Path(__file__).parents[2]
README = (HOME / "README.md").read_text(encoding="utf-8")
PAGES = {path.name: path for path in (*HOME.glob("*.md"), *(HOME / "docs").glob("*.md"))}


def page(name: str) -> str:
    return PAGES[name].read_text(encoding="utf-8")


def commands(backend: Backend) -> set[str]:
    """Return the full names of all commands, or of their group where that is documented."""
    # A separate kernel, because the backend replaces some of the bot's handlers.
    kernel = Kernel(backend.matches.kernel.store, [feature.build for feature in FEATURES])
    found = {command.qualified_name for command in Motu(kernel).tree.walk_commands()}
    return {
        name for name in found if name != "game" and (" " not in name or name.startswith("game "))
    }


def test_the_permissions_are_those_of_the_invitation() -> None:
    hosting = page("hosting.md")
    assert f"`{PERMISSIONS.value}`" in hosting
    assert f"permissions={PERMISSIONS.value}" in invitation(1)
    text = " ".join(hosting.split())
    for name in (say(f"permission.{key}") for key in NEEDED):
        assert name.replace("View Channel", "View Channels") in text


async def test_the_documents_name_every_command_and_no_other(backend: Backend) -> None:
    named = r"`/(game \w+|\w+)"
    existing = commands(backend)
    assert set(re.findall(named, page("commands.md"))) == existing
    assert set(re.findall(named, README + page("playing.md"))) <= existing


def test_every_link_between_documents_works() -> None:
    for path in PAGES.values():
        for target, anchor in re.findall(
            r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", path.read_text(encoding="utf-8")
        ):
            found = (path.parent / target).resolve() if target else path
            assert found.exists(), f"{path.name} links to {target}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in [
                    re.sub(r"[^\w-]", "", one.lower().replace(" ", "-")) for one in headings
                ]


def test_every_setting_is_documented() -> None:
    named = set(re.findall(r"`(MOTU_\w+)", "".join(map(page, PAGES))))
    explained = set(re.findall(r"^(MOTU_\w+)=", (HOME / ".env.example").read_text(), re.MULTILINE))
    assert named and named <= explained


def test_the_readme_s_container_commands_work() -> None:
    steps = re.findall(
        r"^RUN (.*pip install.*)$", (HOME / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(steps) == 1 and steps[0] in README
    # The files that those commands read must be in the image, but no token.
    left_out = (HOME / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ".env" in left_out and ".venv" in left_out
    assert not {"*", ".*", "requirements.lock", "pyproject.toml", "README.md", "LICENSE"} & set(
        left_out
    )
