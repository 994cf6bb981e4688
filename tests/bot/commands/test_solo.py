"""/solo: a table of one person and computers, by one command."""

import pytest
from simcord import InteractionResult

from bot.kernel.room import Room
from bot.model import Status
from engine import GAMES, Seat
from tests.bot.answers import answer, labels, said
from tests.bot.conftest import World


async def alone(world: World, **options: object) -> tuple[InteractionResult, Room]:
    """Ana plays alone in the channel."""
    begun = await world.ana.slash(world.channel, "solo", **options)
    await world.env.settle()
    (room,) = await world.matches.of_user(world.ana.id)
    return begun, room


@pytest.mark.parametrize("game", list(GAMES))
async def test_one_command_seats_computers_and_begins(world: World, game: str) -> None:
    seats = min(3, max(GAMES[game].seats))
    begun, room = await alone(world, game=game, level="easy", seats=str(seats))
    assert not begun.ephemeral and room.record.status is Status.RUNNING
    assert [person.level for person in room.record.chairs] == [None, *["easy"] * (seats - 1)]
    first = world.place(room).last_message
    assert first is not None and first.content.startswith(f"<@{world.ana.id}>")
    panel = answer(await world.ana.click(first, label="Your move"))
    assert labels(panel), "and the first question can be answered right there"


async def test_it_is_two_seats_against_an_easy_computer_unless_said_otherwise(world: World) -> None:
    _, room = await alone(world, game="Blue Lagoon")
    assert [person.level for person in room.record.chairs] == [None, "easy"]


@pytest.mark.parametrize(("game", "seats"), [("blue_lagoon", "5"), ("conquest", "5")])
async def test_too_many_seats_are_refused_privately(world: World, game: str, seats: str) -> None:
    refused = await world.ana.slash(world.channel, "solo", game=game, seats=seats)
    assert refused.ephemeral and "2 to 4 players, not for 5" in said(refused)
    assert await world.matches.of_user(world.ana.id) == []


async def test_a_game_that_does_not_exist_is_refused(world: World) -> None:
    assert (
        "no such game"
        in said(await world.ana.slash(world.channel, "solo", game="chess")).casefold()
    )


async def test_a_resignation_ends_it(world: World) -> None:
    _, room = await alone(world, game="polynesia")
    asked = await world.ana.slash(world.place(room), "resign")
    assert "The match ends with it." in said(asked)
    await world.ana.click(answer(asked).message, label="Yes, give up my seat")
    after = await world.room(room)
    assert after.record.status is Status.FINISHED and after.playing().resigned == {Seat(0)}


async def test_its_rematch_begins_at_once_and_without_a_coach(world: World) -> None:
    await world.ana.slash(world.channel, "learn", game="blue_lagoon")
    await world.env.settle()
    (room,) = await world.matches.of_user(world.ana.id)
    asked = await world.ana.slash(world.place(room), "resign")
    await world.ana.click(answer(asked).message, label="Yes, give up my seat")
    await world.env.settle()
    pressed = await world.ana.click(world.place(room).last_message, label="Rematch")
    await world.env.settle()
    (again,) = await world.matches.of_user(world.ana.id)
    assert "The rematch has begun" in said(pressed) and again.record.status is Status.RUNNING
    assert (
        sorted(person.level or "" for person in again.record.chairs) == ["", "easy"]
        and not again.record.terms.lesson
    )
    offered = [
        message.content for message in world.channel.history() if "rematch" in message.content
    ]
    assert len(offered) == 1 and offered[0].startswith("**Ana** plays a rematch of Blue Lagoon")


async def test_the_panel_tells_what_the_computers_did_after_a_turn(world: World) -> None:
    _, room = await alone(world, game="blue_lagoon")
    choice = room.playing().question(Seat(0))
    assert choice is not None
    done = answer(
        await world.ana.slash(world.place(room), "play", move=f"{choice.options[0].key}!")
    ).content
    told = [line for line in done.splitlines() if line.startswith("Then: ")]
    assert len(told) == 1 and room.record.chairs[1].name in told[0], done
