"""/help: one screen, and from there to a first match."""

import re

import pytest

from bot.features.help import screen
from engine import GAMES
from tests.bot.world import World


async def test_it_fits_one_screen_and_names_only_commands_that_exist(world: World) -> None:
    embed = screen()
    assert len(embed) < 2000 and len(embed.fields) == 4
    told = " ".join(field.value or "" for field in embed.fields)
    there = {command.qualified_name for command in world.bot.tree.walk_commands()}
    named = set(re.findall(r"`/((?:game |me |vacation )?\w+)", told))
    assert named <= there and {"learn", "solo", "game new", "play", "games", "settings"} <= named


@pytest.mark.parametrize(("way", "lesson"), [("Learn a game", True), ("Play a computer", False)])
async def test_two_presses_lead_to_a_first_match(world: World, way: str, lesson: bool) -> None:
    shown = (await world.ana.slash("/help")).private
    which = (await world.ana.click(shown, label=way)).private
    assert not which.embeds and which.labels == [GAMES[game].title for game in GAMES]
    await world.ana.click(which, label="Maori")
    (room,) = await world.matches.of_user(world.ana.id)
    assert (room.record.game, room.record.terms.lesson, len(room.record.chairs)) == (
        "maori",
        lesson,
        2,
    )
    assert room.match is not None


async def test_it_works_in_a_direct_message_and_leads_to_the_rules_and_to_my_matches(
    world: World,
) -> None:
    someone = world.person("Dee")
    shown = (await someone.slash("/help", channel=world.discord.dm(someone))).private
    which = (await someone.click(shown, label="Rules")).private
    assert "**Polynesia:" in (await someone.click(which, label="Polynesia")).private.content
    shown = (await someone.slash("/help", channel=world.discord.dm(someone))).private
    assert "You are in no match" in (await someone.click(shown, label="My matches")).private.content
