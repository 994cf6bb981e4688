"""A table's clock over days: terms, an absent player's draft, votes, a claim, a vacation."""

from bot.local import Person
from bot.local.model import Message
from bot.model import Expiry, Status
from bot.ui import error_codes
from tests.e2e.harness import Stage, Table, are_private, match_of
from tests.e2e.ways import play_at_once

HOUR, DAY = 3600, 86_400


async def find_post(table: Table, words: str) -> Message:
    """Return the post that contains a text."""

    def found() -> Message | None:
        posts = [post for post in table.discord.messages() if post.channel is table.place]
        return next((post for post in posts if words in post.content), None)

    return await table.discord.until(found, about=words)


async def pass_vote(table: Table, asks: Person, agrees: Person, expiry: str) -> None:
    """Vote to change what happens when time is up."""
    response = await asks.slash("/game pace", channel=table.place, time_up=expiry)
    assert are_private([response])
    ballots = [
        post
        for post in table.discord.messages()
        if "wants to change the time limits" in post.content
    ]
    assert table.room.record.terms.time.expiry is not Expiry(expiry)
    await agrees.click(ballots[-1], "Yes")
    await table.stage.wait_until(
        lambda: table.room.record.terms.time.expiry is Expiry(expiry), "the vote to carry"
    )


async def let_time_run_out(table: Table, seat: int) -> None:
    """Let somebody's time pass: first to the warning, then to its end."""
    state, stage = table.discord.state, table.stage
    state.move_clock(17 * HOUR)
    await stage.wait_until(lambda: bool(table.room.record.clocks.seats[seat].warned), "the warning")
    state.move_clock(DAY)


async def test_a_match_is_played_by_the_clock(stage: Stage) -> None:
    # The clock may jump by hours while a panel is being edited, so that its token has expired.
    stage.refusals = {error_codes.TOKEN_DEAD}
    # The whole contract stands on the card before anybody sits down, and only the host chooses it.
    opened = await stage.open_lobby()
    assert "No clock" in opened.message.text
    response = await stage.ana.click(opened, "Pace")
    chosen = {
        "Pace": "quick",
        "When somebody's time is up": "draft",
        "Weekends": "pacific-auckland",
    }
    await stage.ana.submit(response, chosen)
    for words in (
        "24 h",
        "4 h per turn",
        "up to 72 h",
        "You get a warning first",
        "12 h to change it",
        "Auckland",
        "14 days a year",
    ):
        await stage.discord.until(lambda words=words: words in opened.message.text, about=words)
    refused = await stage.bea.click(opened, "Pace")
    assert are_private([refused]) and "Only the host" in refused.content
    await stage.ana.submit(response, {**chosen, "Weekends": "none"})
    await stage.bea.click(opened, "Join")
    await stage.ana.click(opened, "Start")
    table = Table(stage, match_of(opened.message), [stage.ana, stage.bea])
    await table.wait_until_posted()
    panel = await table.open_panel(stage.ana)
    assert "Due <t:" in panel.content

    # Ana is away: her clock runs out, after a warning, and a computer drafts her turn.
    stage.discord.state.move_clock(17 * HOUR)
    await stage.wait_until(lambda: bool(table.room.record.clocks.seats[0].warned), "the warning")
    assert not table.room.record.clocks.seats[0].expired
    warning = await find_post(table, "Last reminder")
    assert stage.ana.mention in warning.content
    assert "After that, a computer suggests a move, and you have 12 h" in warning.content
    stage.discord.state.move_clock(8 * HOUR)
    notice = await find_post(table, "A computer suggests")
    assert "They can change it until" in notice.content and "<t:" in notice.content
    drafted = table.match.draft(table.match.waiting_for()[0]).answers
    keys = {key for answer in drafted for key in answer.keys}
    assert keys and not [key for key in keys if key in notice.content.split()]
    shown = await stage.ana.click(notice, "Your move")
    assert are_private([shown])
    assert "If you do nothing, this turn is played" in shown.content
    assert "Confirm" in str(shown.components)
    stranger = await stage.bea.click(notice, "Your move")
    assert are_private([stranger]) and not [key for key in keys if f"{key}:" in stranger.content]

    # It is confirmed when its owner lets it be; then it is Bea's turn.
    stage.discord.state.move_clock(13 * HOUR)
    await stage.wait_until(lambda: table.match.number == 1, "the draft to be confirmed")
    await table.wait_until_posted()
    assert table.to_move is stage.bea

    # The table votes for other terms; they hold from then on.
    await pass_vote(table, stage.bea, stage.ana, "computer")
    clocks = await stage.ana.slash("/game pace", channel=table.place)
    assert "h left" in clocks.content and "until they come back" in clocks.content

    # Bea's time runs out: a computer plays for her until she comes back.
    await let_time_run_out(table, 1)
    notice = await find_post(table, "A computer plays for them until they come back")
    await stage.wait_until(lambda: table.match.number == 3, "the computer's move")
    await table.wait_until_posted()
    assert table.to_move is stage.ana
    back = await stage.bea.click(notice, "I'm back")
    assert are_private([back])
    assert "Welcome back!" in back.content
    assert table.match.humans() == (0, 1)
    assert "Bea: 4 h left" in (await stage.bea.slash("/game pace", channel=table.place)).content
    await table.wait_until_posted()
    question = table.match.question(table.match.waiting_for()[0])
    assert question is not None
    await play_at_once(table, stage.ana, question.options[0].key)
    await table.wait_until_posted()
    assert table.to_move is stage.bea
    await pass_vote(table, stage.ana, stage.bea, "claim")

    # Bea says that she leaves, and her clock waits as long as she is away.
    away = await stage.bea.slash("/vacation begin", channel=table.place, days=2)
    assert "Your table has been told" in away.content
    assert "**Bea** is away" in (await find_post(table, "is away from")).content
    stage.discord.state.move_clock(36 * HOUR)
    await find_post(table, "is on vacation until")
    left = await stage.bea.slash("/vacation show", channel=table.place)
    assert "13.75 of 14 days" in left.content

    # Her vacation is over, and so is her time: after one more warning the seat can be claimed.
    await stage.bea.slash("/vacation end", channel=table.place)
    stage.discord.state.move_clock(7 * HOUR)
    await stage.wait_until(
        lambda: bool(table.room.record.clocks.seats[1].warned), "the second warning"
    )
    stage.discord.state.move_clock(DAY)
    claim = await find_post(table, "The others can vote")
    refused = await stage.cem.click(claim, "Claim the seat")
    assert are_private([refused]) and "not in this match" in refused.content
    await stage.ana.click(claim, "Claim the seat")
    await stage.wait_until(
        lambda: table.room.record.status is Status.FINISHED, "the seat to be given up"
    )
    await table.wait_until_posted()
