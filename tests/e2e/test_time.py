"""A table's clock over days: the terms on the card, the draft of an absent player, a vote, a
claim, a vacation.
"""

from bot.local import Person, Response
from bot.local.model import Message
from bot.model import Expiry, Status
from tests.e2e.harness import Stage, Table, match_of, private
from tests.e2e.ways import at_once

HOUR, DAY = 3600, 86_400


def menu(asked: Response, name: str) -> str:
    """The custom id of a menu of the private answer."""
    return next(
        part["custom_id"] for part in asked.message.selects if part["custom_id"].endswith(name)
    )


async def told(table: Table, words: str) -> Message:
    """The post at the table that says so."""

    def found() -> Message | None:
        posts = [post for post in table.discord.messages() if post.channel is table.place]
        return next((post for post in posts if words in post.content), None)

    return await table.discord.until(found, about=words)


async def vote_for(table: Table, asks: Person, agrees: Person, expiry: str) -> None:
    """The table changes what happens when somebody's time is up."""
    asked = await asks.slash("/game pace", channel=table.place, time_up=expiry)
    assert private([asked])
    ballots = [post for post in table.discord.messages() if "like this from now on" in post.content]
    assert table.room.record.terms.time.expiry is not Expiry(expiry)
    await agrees.click(ballots[-1], "Yes")
    await table.stage.settled(
        lambda: table.room.record.terms.time.expiry is Expiry(expiry), "the vote to carry"
    )


async def run_out(table: Table, seat: int) -> None:
    """Let somebody's time pass: first to the warning, then to its end."""
    state, stage = table.discord.state, table.stage
    state.move_clock(17 * HOUR)
    await stage.settled(lambda: bool(table.room.record.clocks.seats[seat].warned), "the warning")
    state.move_clock(DAY)


async def test_a_match_is_played_by_the_clock(stage: Stage) -> None:
    # The whole contract stands on the card before anybody sits down, and only the host chooses it.
    opened = await stage.lobby()
    assert "No clock" in opened.message.text
    asked = await stage.ana.click(opened, "Time…")
    assert private([asked]) and len(asked.message.selects) == 1
    await stage.ana.choose(asked, menu(asked, "time_pace"), "quick")
    await stage.ana.choose(asked, menu(asked, "time_expiry"), "draft")
    await stage.ana.choose(asked, menu(asked, "time_weekends"), "pacific-auckland")
    for words in (
        "24 h",
        "4 h more",
        "up to 72 h",
        "after a warning",
        "change for 12 h",
        "Auckland",
        "14 days a year",
    ):
        await stage.discord.until(lambda words=words: words in opened.message.text, about=words)
    seen = await stage.bea.click(opened, "Time…")
    assert private([seen]) and "24 h" in seen.content and not seen.message.selects
    await stage.ana.choose(asked, menu(asked, "time_weekends"), "none")
    await stage.bea.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    table = Table(stage, match_of(opened.message), [stage.ana, stage.bea])
    await table.caught_up()
    panel = await table.panel(stage.ana)
    assert "Your time: until <t:" in panel.content

    # Ana is away: her clock runs out, after a warning, and a computer drafts her turn.
    stage.discord.state.move_clock(17 * HOUR)
    await stage.settled(lambda: bool(table.room.record.clocks.seats[0].warned), "the warning")
    assert not table.room.record.clocks.seats[0].expired
    warning = await told(table, "Last call")
    assert (
        stage.ana.mention in warning.content
        and "After that: a computer drafts their decision" in warning.content
    )
    stage.discord.state.move_clock(8 * HOUR)
    notice = await told(table, "A computer proposes")
    assert "**Ana** can change it" in notice.content and "<t:" in notice.content
    drafted = table.match.draft(table.match.waiting_for()[0]).answers
    keys = {key for answer in drafted for key in answer.keys}
    assert keys and not [key for key in keys if key in notice.content.split()]
    shown = await stage.ana.click(notice, "Your move")
    assert (
        private([shown])
        and "a computer proposes it" in shown.content
        and "Confirm" in str(shown.components)
    )
    stranger = await stage.bea.click(notice, "Your move")
    assert private([stranger]) and not [key for key in keys if f"{key}:" in stranger.content]

    # It is confirmed when its owner lets it be; then it is Bea's turn.
    stage.discord.state.move_clock(13 * HOUR)
    await stage.settled(lambda: table.match.number == 1, "the draft to be confirmed")
    await table.caught_up()
    assert table.to_move is stage.bea

    # The table votes for other terms; they hold from then on.
    await vote_for(table, stage.bea, stage.ana, "computer")
    clocks = await stage.ana.slash("/game pace", channel=table.place)
    assert "h left" in clocks.content and "until they come back" in clocks.content

    # Bea's time runs out: a computer plays for her until she comes back.
    await run_out(table, 1)
    notice = await told(table, "A computer plays for them until they come back")
    await stage.settled(lambda: table.match.number == 3, "the computer's move")
    await table.caught_up()
    assert table.to_move is stage.ana
    back = await stage.bea.click(notice, "I am back")
    assert private([back]) and "You are back" in back.content and table.match.humans() == (0, 1)
    assert "Bea: 4 h left" in (await stage.bea.slash("/game pace", channel=table.place)).content
    await table.caught_up()
    question = table.match.question(table.match.waiting_for()[0])
    assert question is not None
    await at_once(table, stage.ana, question.options[0].key)
    await table.caught_up()
    assert table.to_move is stage.bea
    await vote_for(table, stage.ana, stage.bea, "claim")

    # Bea says that she leaves, and her clock waits as long as she is away.
    away = await stage.bea.slash("/vacation begin", channel=table.place, days=2)
    assert "Your table is told" in away.content
    assert "**Bea** is away" in (await told(table, "is away from")).content
    stage.discord.state.move_clock(36 * HOUR)
    await told(table, "is on vacation until")
    left = await stage.bea.slash("/vacation show", channel=table.place)
    assert "13.75 of 14 days" in left.content

    # Her vacation is over, and so is her time: after one more warning the seat can be claimed.
    await stage.bea.slash("/vacation end", channel=table.place)
    stage.discord.state.move_clock(7 * HOUR)
    await stage.settled(
        lambda: bool(table.room.record.clocks.seats[1].warned), "the second warning"
    )
    stage.discord.state.move_clock(DAY)
    claim = await told(table, "The others may vote")
    refused = await stage.cem.click(claim, "Claim the seat")
    assert private([refused]) and "not your match" in refused.content
    await stage.ana.click(claim, "Claim the seat")
    await stage.settled(
        lambda: table.room.record.status is Status.FINISHED, "the seat to be given up"
    )
    await table.caught_up()
