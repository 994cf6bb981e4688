"""What the README promises: the permissions, and every command there is."""

import re
from pathlib import Path

from bot.app import Motu
from bot.text import say
from bot.ui.permissions import NEEDED, PERMISSIONS, invitation
from tests.bot.seating import House

HOME = Path(__file__).parents[2]
README = (HOME / "README.md").read_text(encoding="utf-8")


def commands(house: House) -> set[str]:
    """Every command by its whole name, but of a group that is named as one only its name."""
    found = {command.qualified_name for command in Motu(house.matches.kernel).tree.walk_commands()}
    return {
        name for name in found if name != "game" and (" " not in name or name.startswith("game "))
    }


def test_the_permissions_are_those_of_the_invitation() -> None:
    assert f"`{PERMISSIONS.value}`" in README and f"permissions={PERMISSIONS.value}" in invitation(
        1
    )
    said = " ".join(README.split())
    for name in (say(f"permission.{key}") for key in NEEDED):
        assert name.replace("View Channel", "View Channels") in said


async def test_every_command_that_is_named_exists_and_every_one_has_a_place(house: House) -> None:
    assert set(re.findall(r"`/(game \w+|\w+)", README)) == commands(house)


def test_a_container_is_set_up_by_the_commands_of_the_readme() -> None:
    steps = re.findall(
        r"^RUN (.*pip install.*)$", (HOME / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(steps) == 1 and steps[0] in README
    # What those commands read must be in the image, and nobody's token.
    left_out = (HOME / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ".env" in left_out and ".venv" in left_out
    assert not {"*", ".*", "requirements.lock", "pyproject.toml", "README.md", "LICENSE"} & set(
        left_out
    )
