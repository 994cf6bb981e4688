"""Votes and seats that change hands, over the local Discord: buttons, commands, private answers,
many at once.
"""

from bot.local import Person, together
from bot.local.model import Message
from bot.model import Status
from tests.e2e.harness import Stage, Table, private, said

CROWD = 50


async def ballot(stage: Stage, words: str) -> Message:
    """The newest public message with these words, once it is there."""

    def found() -> list[Message]:
        return [message for message in stage.discord.messages() if words in message.content]

    await stage.discord.until(lambda: bool(found()), about=f"a message that says {words!r}")
    return found()[-1]


async def ask(
    stage: Stage, table: Table, who: Person, command: str, words: str, **options: str
) -> Message:
    """A vote asked for by command; its message."""
    answer = await who.slash(f"/game {command}", channel=table.place, match=table.id, **options)
    assert private([answer]) and "discord.com/channels" in answer.content
    return await ballot(stage, words)


async def test_a_table_pauses_goes_on_changes_hands_and_ends(stage: Stage) -> None:
    table = await stage.started(stage.bea, stage.cem)
    dag = stage.discord.user("Dag")
    # A majority pauses, fifty at once come to one result, and the match takes no move meanwhile.
    asked = await ask(stage, table, stage.ana, "pause", "asks to pause")
    assert (
        set(asked.pings) == {stage.bea.user, stage.cem.user}
        and "Not yet: Bea and Cem" in asked.content
    )
    crowd = [stage.discord.user(f"Guest {n}") for n in range(CROWD - 3)]
    pressed = [
        *(person.click(asked, "Yes", wait="nothing") for person in (stage.bea, stage.cem, *crowd)),
        stage.ana.click(asked, "No", wait="nothing"),
    ]
    answers = await together(*pressed)
    for answer in answers:
        await answer.settle("answer")
    await stage.discord.until(lambda: "**Paused." in asked.content, about="the result")
    assert private(answers) and table.room.record.status is Status.ON_HOLD and asked.buttons == []
    assert (
        len([message for message in stage.discord.messages() if "asks to pause" in message.content])
        == 1
    )
    refused = ("This vote is for those who play", "This vote is closed")
    strangers = [a for a in answers[2:-1] if said(a) and said(a)[0].content.startswith(refused)]
    assert len(strangers) == len(crowd)
    assert "agreed on it" in (await table.play(stage.ana, "17!")).content
    posts = len(table.posts)
    await stage.bea.click(await ask(stage, table, stage.cem, "resume", "asks to go on"), "Yes")
    await stage.discord.until(lambda: len(table.posts) > posts, about="the turn posted anew")
    assert table.room.record.status is Status.RUNNING and table.board.pings == [stage.ana.user]
    # Ana leaves her seat to Dag, who has not been here before.
    offer = await ask(stage, table, stage.ana, "replace", "wants to leave")
    assert offer.pings == [] and offer.labels == ["Take over the seat", "Withdraw"]
    taken = await dag.click(offer, "Take over the seat")
    assert private([taken]) and "The table is asked" in taken.content
    consent = await ballot(stage, "would take over the seat")
    assert set(consent.pings) == {stage.bea.user, stage.cem.user}
    await stage.bea.click(consent, "Yes")
    await stage.cem.click(consent, "Yes")
    welcome = await ballot(stage, "is yours now")
    await stage.discord.until(
        lambda: table.board.pings == [dag.user], about="the board to call Dag"
    )
    assert welcome.pings == [], "one call is enough"
    panel = await dag.click(welcome, "Your move")
    assert private([panel]) and "Where do you place a piece?" in panel.content
    await table.caught_up()
    await stage.discord.until(
        lambda: "Dag, Bea and Cem" in table.place.name, about="the thread's new name"
    )
    for command in ("/hand", "/play"):
        refused = await stage.ana.slash(command, channel=table.place, match=table.id)
        assert (
            private([refused])
            and "not your match" in refused.content
            and not refused.message.attachments
        )
    assert "not your match" in (await stage.ana.click(table.board, "Your move")).content
    assert (
        await dag.slash("/play", channel=table.place, move="17!", match=table.id)
    ).content.startswith("Done.")
    await table.caught_up()
    # All must agree to end, and then the match says so everywhere.
    ended = await ask(stage, table, stage.bea, "end", "without a result")
    await stage.cem.click(ended, "Yes")
    assert table.room.record.status is Status.RUNNING
    await dag.click(ended, "Yes")
    await stage.discord.until(
        lambda: "Rematch" in table.board.labels, about="the last board with other buttons"
    )
    assert table.room.record.status is Status.CALLED_OFF
    await stage.settled(lambda: not table.room.record.result_unannounced, "the end to be told")
    assert "without a result" in table.place.name
    assert "ended it without a result" in (await table.play(stage.bea, "18!")).content


async def test_a_player_who_left_the_server_is_noticed_at_their_turn_and_the_bot_may_be_killed_meanwhile(
    stage: Stage,
) -> None:
    # A thread in which nothing is said for a week is archived, and what stands in it cannot be
    # edited.
    stage.refusals = {10007, 50083}
    table = await stage.started(stage.bea, stage.cem)
    stage.bea.user.is_member = False
    await table.play(stage.ana, "17!")
    vote = await ballot(stage, "has left this server")
    assert set(vote.pings) == {stage.ana.user, stage.cem.user}
    await stage.ana.click(vote, "Yes")
    await stage.bot.restart()
    await stage.cem.click(vote, "Yes")
    await stage.discord.until(
        lambda: "A computer plays on for Bea" in vote.content, about="the result"
    )
    await ballot(stage, f"The seat of **Bea** in Blue Lagoon (`{table.id}`) can be taken over.")
    await stage.settled(
        lambda: table.match.waiting_for() == (2,), "the computer to have moved for Bea"
    )
    await table.caught_up()
    assert len([m for m in stage.discord.messages() if "has left this server" in m.content]) == 1
    # The others remove her altogether.
    removal = await ask(stage, table, stage.ana, "remove", "asks to remove", player="Bea")
    await stage.cem.click(removal, "Yes")
    await stage.discord.until(lambda: "is removed" in removal.content, about="the result")
    assert [chair.id for chair in table.room.record.chairs] == [stage.ana.id, 0, stage.cem.id]
    # To look for somebody else they agree as well.
    looking = await ask(stage, table, stage.ana, "replace", "asks to look for one more", player="2")
    assert looking.pings == [stage.cem.user]
    await stage.cem.click(looking, "Yes")
    offer = ["Take over the seat", "Withdraw"]
    await stage.discord.until(
        lambda: stage.discord.messages()[-1].labels == offer, about="the offer"
    )
    # After two weeks without a move the bot asks the table.
    stage.discord.state.move_clock(15 * 86_400)
    silence = await ballot(stage, "Nothing has happened in Blue Lagoon")
    assert silence.labels == ["Go on", "Pause", "End without a result"]
    for person in (stage.ana, stage.cem):
        await person.click(silence, "Pause")
    await stage.settled(lambda: table.room.record.status is Status.ON_HOLD, "the pause")
