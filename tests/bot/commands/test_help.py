"""/help: one screen, and from there to a first match."""

import re

import pytest

from bot.features.help import screen
from engine import GAMES
from tests.bot.answers import answer, labels, said
from tests.bot.conftest import World


async def test_it_fits_one_screen_and_names_only_commands_that_exist(world: World) -> None:
    embed = screen()
    assert len(embed) < 2000 and len(embed.fields) == 4
    told = " ".join(field.value or "" for field in embed.fields)
    there = {command.qualified_name for command in world.bot.tree.walk_commands()}
    named = set(re.findall(r"`/((?:game |me |vacation )?\w+)", told))
    assert named <= there and {"learn", "solo", "game new", "play", "games", "settings"} <= named


@pytest.mark.parametrize(("way", "lesson"), [("Learn a game", True), ("Play a computer", False)])
async def test_two_presses_lead_to_a_first_match(world: World, way: str, lesson: bool) -> None:
    shown = answer(await world.ana.slash(world.channel, "help"))
    which = answer(await world.ana.click(shown.message, label=way))
    assert not which.embeds and labels(which) == [GAMES[game].title for game in GAMES]
    await world.ana.click(which.message, label="Maori")
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
    someone = world.env.create_user("Dee")
    shown = answer(await someone.slash("help"))
    which = answer(await someone.click(shown.message, label="Rules"))
    assert "**Polynesia:" in said(await someone.click(which.message, label="Polynesia"))
    shown = answer(await someone.slash("help"))
    assert "You are in no match" in said(await someone.click(shown.message, label="My matches"))
