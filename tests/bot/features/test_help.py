"""/help: one screen that leads to a first match."""

import re

import pytest

from bot.features.help import screen
from engine import GAMES
from tests.bot.world import World


async def test_help_fits_one_screen_and_names_only_existing_commands(world: World) -> None:
    parts = screen(manages_server=True)
    assert len(parts) == 5
    text = "\n".join(parts)
    assert len(text) < 2000
    there = {command.qualified_name for command in world.bot.tree.walk_commands()}
    named = set(re.findall(r"`/((?:game |me |vacation )?\w+)", text))
    assert named <= there and {"learn", "solo", "game new", "play", "games", "settings"} <= named


async def test_help_names_settings_only_to_people_who_may_change_them(world: World) -> None:
    shown = [(await who.ask("/help")).text for who in (world.ana, world.owner)]
    assert ["/settings" in text for text in shown] == [False, True]


@pytest.mark.parametrize(("way", "lesson"), [("Learn a game", True), ("Play a computer", False)])
async def test_two_presses_start_a_first_match(world: World, way: str, lesson: bool) -> None:
    shown = await world.ana.ask("/help")
    which = await world.ana.press(shown, label=way)
    assert not which.embeds and which.labels == [GAMES[game].title for game in GAMES]
    await world.ana.click(which, label="Maori")
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.game == "maori"
    assert room.record.terms.lesson == lesson
    assert len(room.record.chairs) == 2
    assert room.match is not None


async def test_help_works_in_direct_messages(
    world: World,
) -> None:
    someone = world.add_person("Dee")
    shown = await someone.ask("/help", channel=world.discord.dm(someone))
    which = await someone.press(shown, label="Rules")
    assert "**Polynesia:" in (await someone.press(which, label="Polynesia")).content
    shown = await someone.ask("/help", channel=world.discord.dm(someone))
    assert "You're not in a match" in (await someone.press(shown, label="My matches")).content
