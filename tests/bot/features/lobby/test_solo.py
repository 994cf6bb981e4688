"""/solo: a table of one person and computers, by one command."""

import pytest

from bot.kernel.room import Room
from bot.local import Response
from bot.model import Status
from engine import GAMES, Seat
from tests.bot.world import World


async def alone(world: World, **options: object) -> tuple[Response, Room]:
    """Ana plays alone in the channel."""
    begun = await world.ana.slash("/solo", **options)
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    return begun, room


@pytest.mark.parametrize("game", list(GAMES))
async def test_one_command_seats_computers_and_begins(world: World, game: str) -> None:
    seats = min(3, max(GAMES[game].seats))
    begun, room = await alone(world, game=game, level="easy", seats=str(seats))
    assert not begun.ephemeral and room.record.status is Status.RUNNING
    assert [person.level for person in room.record.chairs] == [None, *["easy"] * (seats - 1)]
    first = world.newest(room)
    assert first is not None and first.content.startswith(f"<@{world.ana.id}>")
    panel = (await world.ana.click(first, label="Your move")).private
    assert panel.labels, "and the first question can be answered right there"


async def test_it_is_two_seats_against_an_easy_computer_unless_said_otherwise(world: World) -> None:
    _, room = await alone(world, game="Blue Lagoon")
    assert [person.level for person in room.record.chairs] == [None, "easy"]


@pytest.mark.parametrize(("game", "seats"), [("blue_lagoon", "5"), ("conquest", "5")])
async def test_too_many_seats_are_refused_privately(world: World, game: str, seats: str) -> None:
    refused = await world.ana.slash("/solo", game=game, seats=seats)
    assert refused.ephemeral and "2 to 4 players, not for 5" in refused.private.content
    assert await world.matches.of_user(world.ana.id) == []


async def test_a_game_that_does_not_exist_is_refused(world: World) -> None:
    assert (
        "no such game" in (await world.ana.slash("/solo", game="chess")).private.content.casefold()
    )


async def test_a_resignation_ends_it(world: World) -> None:
    _, room = await alone(world, game="polynesia")
    asked = await world.ana.slash("/resign", channel=world.place(room))
    assert "The match ends with it." in asked.private.content
    await world.ana.click(asked.private, label="Yes, give up my seat")
    after = await world.room(room)
    assert after.record.status is Status.FINISHED and after.playing().resigned == {Seat(0)}


async def test_its_rematch_begins_at_once_and_without_a_coach(world: World) -> None:
    await world.ana.slash("/learn", game="blue_lagoon")
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    asked = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(asked.private, label="Yes, give up my seat")
    await world.idle()
    pressed = await world.ana.click(world.newest(room), label="Rematch")
    await world.idle()
    (again,) = await world.matches.of_user(world.ana.id)
    assert (
        "The rematch has begun" in pressed.private.content and again.record.status is Status.RUNNING
    )
    assert (
        sorted(person.level or "" for person in again.record.chairs) == ["", "easy"]
        and not again.record.terms.lesson
    )
    offered = [message.content for message in world.posts() if "rematch" in message.content]
    assert len(offered) == 1 and offered[0].startswith("**Ana** plays a rematch of Blue Lagoon")


async def test_the_panel_tells_what_the_computers_did_after_a_turn(world: World) -> None:
    _, room = await alone(world, game="blue_lagoon")
    choice = room.playing().question(Seat(0))
    assert choice is not None
    done = (
        await world.ana.slash("/play", channel=world.place(room), move=f"{choice.options[0].key}!")
    ).private.content
    told = [line for line in done.splitlines() if line.startswith("Then: ")]
    assert len(told) == 1 and room.record.chairs[1].name in told[0], done
