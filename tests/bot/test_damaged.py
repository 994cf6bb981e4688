"""A match that the database has lost part of: its people are told, everything else goes on."""

import sqlite3

from bot.model import Status
from tests.bot.world import World

SPOILT = "UPDATE moves SET position = '{' WHERE match_id = ? AND number = ?"


async def spoilt(world: World, match: str, number: int, also: str = "") -> None:
    """The bot started anew, with one position of a match spoilt."""
    await world.stop()
    with sqlite3.connect(world.path) as database:
        assert database.execute(SPOILT, (match, number)).rowcount == 1
        if also:
            database.execute(also)
    database.close()
    await world.start()
    await world.ready()


async def test_whoever_plays_a_damaged_match_is_told_so_everywhere(world: World) -> None:
    room = await world.started()
    other = await world.ana.slash("/game new", game="maori")
    await spoilt(world, room.record.id, 0)
    listed = (await world.ana.slash("/games")).private.content
    assert (
        "**Blue Lagoon** with Bea: paused: what was kept of it is damaged" in listed
        and "Maori" in listed
    )
    for command in ("play", "board", "hand", "log", "undo", "resign", "game resume"):
        refused = (await world.ana.slash(command, match=room.record.id)).private.content
        assert "what was kept of it is damaged" in refused and "went wrong" not in refused, command
    for command in ("play", "board"):
        assert (
            "what was kept of it is damaged" in (await world.bea.slash(command)).private.content
        ), command
    board = world.newest(room)
    assert "damaged" in (await world.bea.click(board, label="Your move")).private.content
    await world.bea.click(other.message, label="Join")
    assert len(await world.matches.of_user(world.bea.id)) == 2
    world.expected("Malformed")


async def test_a_board_that_cannot_be_drawn_from_a_damaged_position_pauses_the_match(
    world: World,
) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await spoilt(
        world, room.record.id, 0, also="UPDATE announcements SET is_posted = FALSE WHERE number = 1"
    )
    paused = await world.room(room)
    assert paused.record.status is Status.PAUSED and "damaged" in paused.record.paused_for
    assert paused.match is not None and paused.match.number == 1
    world.expected("Malformed")
