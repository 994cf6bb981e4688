"""Solo matches with the bot and its worker in their own processes."""

import asyncio

from bot.local.model import Channel
from bot.model import Status
from engine import Seat
from tests.e2e.harness import Stage, Table


async def start_solo(stage: Stage, channel: Channel | None = None, **options: object) -> Table:
    """Start Ana's match against computers, and wait for its first board."""
    await stage.ana.slash("/solo", channel=channel, game="blue_lagoon", **options)
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana])
    await stage.wait_until(lambda: bool(table.announcements()), "the first board to be due")
    await table.wait_until_posted()
    return table


async def play_turn(table: Table) -> None:
    """Play Ana's turn, and wait until the computers have moved."""
    number = table.match.number
    chosen = table.match.question(Seat(0))
    assert chosen is not None
    typed = await table.stage.ana.slash(
        "/play", channel=table.place, move=f"{chosen.options[0].key}!", match=table.id
    )
    assert typed.ephemeral and "Done." in typed.content
    everybody = table.room.record.chairs
    await table.stage.wait_until(
        lambda: table.match.number == number + len(everybody), "the computers to have moved"
    )
    await table.wait_until_posted()


async def test_a_newcomer_plays_in_a_direct_message(stage: Stage) -> None:
    place = stage.discord.dm(stage.ana)
    table = await start_solo(stage, place, level="easy", seats="3")
    assert table.place is place
    assert table.board.attachments
    assert "Where do you place your piece?" in table.board.content
    for _ in range(2):
        await play_turn(table)
    assert table.board.channel is place and len(table.posts) == 1, "one message moves on"
    looked = await stage.ana.slash("/board", channel=place)
    listed = await stage.ana.slash("/games", channel=place)
    assert looked.files and "Blue Lagoon" in listed.content
    response = await stage.ana.slash("/resign", channel=place)
    await stage.ana.click(response, "Yes, give up my seat")
    await stage.wait_until(lambda: table.room.record.status is Status.FINISHED, "the end")
    await table.wait_until_posted()
    assert table.board.channel is place
    again, told = [await stage.ana.slash(command, channel=place) for command in ("/board", "/log")]
    assert again.files
    assert "Ana resigned" in told.content, "what has ended here can still be looked at"


async def test_a_bot_killed_while_a_computer_thinks_finishes_the_turn_later(stage: Stage) -> None:
    table = await start_solo(stage, level="strong", seats="4")
    chosen = table.match.question(Seat(0))
    before = table.match.number
    assert chosen is not None
    playing = asyncio.create_task(table.play(stage.ana, f"{chosen.options[0].key}!"))
    await stage.wait_until(lambda: table.match.number > before, "her move")
    await stage.bot.kill()
    playing.cancel()
    await stage.bot.start()
    await stage.wait_until(lambda: table.match.number == before + 4, "the computers to have moved")
    await table.wait_until_posted()
    assert table.match.waiting_for() == (Seat(0),)
    assert table.board.pings == [stage.ana.user]
