"""A match days later: any moment can be viewed, and a deleted person is gone."""

import json
from contextlib import closing

from bot.features.thinning import IDLE_SECONDS, KEEP_EVERY, MIN_AGE_SECONDS
from bot.local.model import Message
from bot.model import Status
from bot.ui import error_codes
from engine import Seat
from tests.e2e.harness import Stage, Table, are_private

MOVES = 5


async def leave_ana_alone(table: Table) -> None:
    """Have Cem and Bea resign."""
    for person in (table.stage.cem, table.stage.bea):
        response = await person.slash("/resign", channel=table.place)
        await person.click(response, "Yes, give up my seat")
    await table.stage.wait_until(lambda: table.room.record.status is Status.FINISHED, "the end")
    await table.wait_until_posted()


def stored_positions(table: Table) -> list[int]:
    """Return the commits whose positions are stored."""
    found = "SELECT number FROM moves WHERE match_id = ? AND position IS NOT NULL ORDER BY number"
    with closing(table.stage.database()) as database:
        return [number for (number,) in database.execute(found, (table.id,))]


def moment(shown: Message) -> str:
    """Return which moment an answer shows."""
    return shown.content.split("\n")[0]


async def test_a_match_can_be_viewed_days_later_and_survives_a_deleted_player(
    stage: Stage,
) -> None:
    table = await stage.start_match(stage.bea, stage.cem)
    bea = stage.bea
    for _ in range(MOVES):
        question = table.match.question(table.match.waiting_for()[0])
        assert question is not None
        await table.play(table.to_move, f"{question.options[0].key}!")
        await table.wait_until_posted()
    await leave_ana_alone(table)
    last = table.match.number
    # Its positions are thinned once it has rested for a day. A panel that is being edited just now
    # loses its token.
    stage.refusals = {error_codes.TOKEN_DEAD}
    stage.discord.state.move_clock(MIN_AGE_SECONDS + 2 * IDLE_SECONDS)
    await stage.wait_until(
        lambda: stored_positions(table) == sorted({*range(0, last, KEEP_EVERY), last}),
        "the positions to be thinned",
    )
    await stage.bot.restart()
    shown = await bea.slash("/board", channel=table.place, at="3")
    assert are_private([shown]) and shown.files and "move 3 of" in moment(shown.last)
    shown = await bea.click(shown, "My view")
    shown = await bea.click(shown, "Step ›")
    assert "move 4 of" in moment(shown.last) and "Everyone's view" in shown.last.labels
    shown = await bea.click(shown, "« Round")
    assert "round" in moment(shown.last)
    checked = await bea.slash("/verify", channel=table.place)
    assert are_private([checked]) and "**Everything checks out**" in checked.content
    response = await bea.slash("/me export")
    known = json.loads(response.files["motu-export.json"])
    assert are_private([response])
    assert [one["match"] for one in known["matches"]] == [table.id]
    asked = await bea.slash("/me delete")
    assert are_private([asked]) and asked.last.labels == ["Forget me", "Keep everything"]
    done = await bea.click(asked, "Forget me")
    assert "I've forgotten you." in done.content
    for path in stage.bot.data.iterdir():
        data = path.read_bytes()
        for form in (str(bea.user.id).encode(), bea.user.id.to_bytes(8, "big")):
            assert form not in data, path.name
    await stage.bot.restart()
    assert table.room.record.chairs[Seat(1)].name == "a former player"
    again = await stage.ana.slash("/board", channel=table.place, at="last")
    assert are_private([again]) and "a former player" in again.content
    assert (
        "My view"
        not in (
            await bea.slash("/board", channel=table.place, match=table.id, at="last")
        ).last.labels
    )
