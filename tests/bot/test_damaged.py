"""A damaged match: its players are told, and everything else works."""

import sqlite3

from bot.model import Status
from tests.bot.world import World

SPOILT = "UPDATE moves SET position = '{' WHERE match_id = ? AND number = ?"


async def restart_damaged(world: World, match: str, number: int, also: str = "") -> None:
    """Restart the bot with a damaged position of a match."""
    await world.stop()
    with sqlite3.connect(world.path) as database:
        assert database.execute(SPOILT, (match, number)).rowcount == 1
        if also:
            database.execute(also)
    database.close()
    await world.start()
    await world.wait_until_ready()


async def test_every_command_reports_a_damaged_match(world: World) -> None:
    room = await world.start_match()
    other = await world.ana.slash("/game new", game="maori")
    await restart_damaged(world, room.record.id, 0)
    listed = (await world.ana.ask("/games")).content
    assert "**Blue Lagoon** with Bea · " in listed and "paused (its saved data is damaged" in listed
    assert "Maori" in listed
    for command in ("play", "board", "hand", "log", "undo", "resign", "game resume"):
        refused = (await world.ana.ask(command, match=room.record.id)).content
        assert "its saved data is damaged" in refused and "went wrong" not in refused, command
    for command in ("play", "board"):
        assert "its saved data is damaged" in (await world.bea.ask(command)).content, command
    board = world.newest(room)
    assert "damaged" in (await world.bea.press(board, label="Your move")).content
    await world.bea.click(other.message, label="Join")
    assert len(await world.matches.of_user(world.bea.id)) == 2
    world.expect_error("Malformed")


async def test_a_board_that_cannot_be_drawn_from_a_damaged_position_pauses_the_match(
    world: World,
) -> None:
    room = await world.start_match()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await restart_damaged(
        world, room.record.id, 0, also="UPDATE announcements SET is_posted = FALSE WHERE number = 1"
    )
    paused = await world.reload(room)
    assert paused.record.status is Status.PAUSED and "damaged" in paused.record.paused_for
    assert paused.match is not None and paused.match.number == 1
    world.expect_error("Malformed")
