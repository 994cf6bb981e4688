"""What a match leaves behind days later: any moment of it, and nothing of somebody who wanted to
be forgotten.
"""

import json
from contextlib import closing

from bot.features.thinning import EVERY, IDLE, REST
from bot.local.model import Message
from bot.model import Status
from engine import Seat
from tests.e2e.harness import Stage, Table, private

MOVES = 5


async def given_up(table: Table) -> None:
    """Cem and Bea leave Ana alone."""
    for person in (table.stage.cem, table.stage.bea):
        asked = await person.slash("/resign", channel=table.place)
        await person.click(asked, "Yes, give up my seat")
    await table.stage.settled(lambda: table.room.record.status is Status.FINISHED, "the end")
    await table.caught_up()


def kept(table: Table) -> list[int]:
    """The commits of a match whose positions are kept."""
    found = "SELECT number FROM moves WHERE match_id = ? AND position IS NOT NULL ORDER BY number"
    with closing(table.stage.database()) as database:
        return [number for (number,) in database.execute(found, (table.id,))]


def moment(shown: Message) -> str:
    """Which moment an answer shows."""
    return shown.content.split("\n")[0]


async def test_a_match_is_looked_at_days_later_and_outlives_a_player_who_is_forgotten(
    stage: Stage,
) -> None:
    table, bea = await stage.started(stage.bea, stage.cem), stage.bea
    for _ in range(MOVES):
        question = table.match.question(table.match.waiting_for()[0])
        assert question is not None
        await table.play(table.to_move, f"{question.options[0].key}!")
        await table.caught_up()
    await given_up(table)
    last = table.match.number
    # Its positions are thinned once it has rested for a day.
    stage.discord.state.move_clock(REST + 2 * IDLE)
    await stage.settled(
        lambda: kept(table) == sorted({*range(0, last, EVERY), last}), "the positions to be thinned"
    )
    await stage.bot.restart()
    shown = await bea.slash("/board", channel=table.place, at="3")
    assert private([shown]) and shown.files and "moment 3 of" in moment(shown.last)
    shown = await bea.click(shown, "My view")
    shown = await bea.click(shown, "Step ›")
    assert "moment 4 of" in moment(shown.last) and "As all saw it" in shown.last.labels
    shown = await bea.click(shown, "« Round")
    assert "round" in moment(shown.last)
    checked = await bea.slash("/verify", channel=table.place)
    assert private([checked]) and "**All is right**" in checked.content
    told = await bea.slash("/me export")
    known = json.loads(told.files["motu-export.json"])
    assert private([told]) and [one["match"] for one in known["matches"]] == [table.id]
    asked = await bea.slash("/me delete")
    assert private([asked]) and asked.last.labels == ["Forget me", "Leave all as it is"]
    done = await bea.click(asked, "Forget me")
    assert "I have forgotten you." in done.content
    for path in stage.bot.data.iterdir():
        data = path.read_bytes()
        for form in (str(bea.user.id).encode(), bea.user.id.to_bytes(8, "big")):
            assert form not in data, path.name
    await stage.bot.restart()
    assert table.room.record.chairs[Seat(1)].name == "a former player"
    again = await stage.ana.slash("/board", channel=table.place, at="last")
    assert private([again]) and "a former player" in again.content
    assert (
        "My view"
        not in (
            await bea.slash("/board", channel=table.place, match=table.id, at="last")
        ).last.labels
    )
