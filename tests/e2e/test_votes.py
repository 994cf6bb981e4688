"""Votes and seats that change hands, over the local Discord, with several people at once."""

from bot.local import Person, together
from bot.local.model import Message
from bot.model import Status
from tests.e2e.harness import Stage, Table, answer_messages, are_private

CROWD = 50


async def ballot(stage: Stage, words: str) -> Message:
    """Wait for the newest public message with these words, and return it."""

    def found() -> list[Message]:
        return [message for message in stage.discord.messages() if words in message.content]

    await stage.discord.until(lambda: bool(found()), about=f"a message that says {words!r}")
    return found()[-1]


async def ask(
    stage: Stage, table: Table, who: Person, command: str, words: str, **options: str
) -> Message:
    """Start a vote by command; return its message."""
    answer = await who.slash(f"/game {command}", channel=table.place, match=table.id, **options)
    assert are_private([answer]) and "discord.com/channels" in answer.content
    return await ballot(stage, words)


async def test_a_table_votes_to_pause_resume_replace_a_player_and_end(stage: Stage) -> None:
    table = await stage.start_match(stage.bea, stage.cem)
    dag = stage.discord.user("Dag")
    # A majority pauses, fifty at once come to one result, and the match takes no move meanwhile.
    asked = await ask(stage, table, stage.ana, "pause", "wants to pause")
    assert set(asked.pings) == {stage.bea.user, stage.cem.user}
    assert "Not voted yet: Bea and Cem" in asked.content
    crowd = [stage.discord.user(f"Guest {n}") for n in range(CROWD - 3)]
    pressed = [
        *(person.click(asked, "Yes", wait="nothing") for person in (stage.bea, stage.cem, *crowd)),
        stage.ana.click(asked, "No", wait="nothing"),
    ]
    answers = await together(*pressed)
    for answer in answers:
        await answer.wait("answer")
    await stage.discord.until(lambda: "**Paused." in asked.content, about="the result")
    assert are_private(answers)
    assert table.room.record.status is Status.ON_HOLD
    assert asked.buttons == []
    assert (
        len(
            [message for message in stage.discord.messages() if "wants to pause" in message.content]
        )
        == 1
    )
    refused = ("Only the match's players can vote", "This vote is over")
    strangers = [
        a
        for a in answers[2:-1]
        if answer_messages(a) and answer_messages(a)[0].content.startswith(refused)
    ]
    assert len(strangers) == len(crowd)
    assert "agreed to a break" in (await table.play(stage.ana, "17!")).content
    posts = len(table.posts)
    await stage.bea.click(await ask(stage, table, stage.cem, "resume", "wants to resume"), "Yes")
    await stage.discord.until(lambda: len(table.posts) > posts, about="the turn posted anew")
    assert table.room.record.status is Status.RUNNING
    assert table.board.pings == [stage.ana.user]
    # Ana leaves her seat to Dag, who has not been here before.
    offer = await ask(stage, table, stage.ana, "replace", "wants to leave", player="1")
    assert offer.pings == [] and offer.labels == ["Take over the seat", "Withdraw"]
    taken = await dag.click(offer, "Take over the seat")
    assert are_private([taken]) and "You asked for **Ana**'s seat" in taken.content
    consent = await ballot(stage, "wants to take over")
    assert set(consent.pings) == {stage.bea.user, stage.cem.user}
    await stage.bea.click(consent, "Yes")
    await stage.cem.click(consent, "Yes")
    welcome = await ballot(stage, "You're in: you've taken over Ana's seat")
    await stage.discord.until(
        lambda: table.board.pings == [dag.user], about="the board to call Dag"
    )
    assert welcome.pings == [], "one call is enough"
    panel = await dag.click(welcome, "Your move")
    assert are_private([panel]) and "Where do you place your piece?" in panel.content
    await table.wait_until_posted()
    await stage.discord.until(
        lambda: "Dag, Bea and Cem" in table.place.name, about="the thread's new name"
    )
    for command in ("/hand", "/play"):
        refused = await stage.ana.slash(command, channel=table.place, match=table.id)
        assert are_private([refused])
        assert "not in this match" in refused.content
        assert not refused.message.attachments
    assert "not in this match" in (await stage.ana.click(table.board, "Your move")).content
    assert (
        await dag.slash("/play", channel=table.place, move="17!", match=table.id)
    ).content.startswith("Done.")
    await table.wait_until_posted()
    # All must agree to end, and then the match says so everywhere.
    ended = await ask(stage, table, stage.bea, "end", "without a result")
    await stage.cem.click(ended, "Yes")
    assert table.room.record.status is Status.RUNNING
    await dag.click(ended, "Yes")
    await stage.discord.until(
        lambda: "Rematch" in table.board.labels, about="the last board with other buttons"
    )
    assert table.room.record.status is Status.CALLED_OFF
    await stage.wait_until(lambda: not table.room.record.result_unannounced, "the end to be told")
    assert "without a result" in table.place.name
    assert "ended this match without a result" in (await table.play(stage.bea, "18!")).content


async def test_a_player_who_left_the_server_is_noticed_at_their_turn(
    stage: Stage,
) -> None:
    # A thread in which nothing is said for a week is archived, and what stands in it cannot be
    # edited.
    stage.refusals = {10007, 50083}
    table = await stage.start_match(stage.bea, stage.cem)
    stage.bea.user.is_member = False
    await table.play(stage.ana, "17!")
    vote = await ballot(stage, "has left this server")
    assert set(vote.pings) == {stage.ana.user, stage.cem.user}
    await stage.ana.click(vote, "Yes")
    await stage.bot.restart()
    await stage.cem.click(vote, "Yes")
    await stage.discord.until(
        lambda: "A computer plays for Bea now" in vote.content, about="the result"
    )
    await ballot(stage, f"**Bea**'s seat in Blue Lagoon (`{table.id}`) is free.")
    await stage.wait_until(
        lambda: table.match.waiting_for() == (2,), "the computer to have moved for Bea"
    )
    await table.wait_until_posted()
    assert len([m for m in stage.discord.messages() if "has left this server" in m.content]) == 1
    # The others remove her altogether.
    removal = await ask(stage, table, stage.ana, "remove", "wants to remove", player="Bea")
    await stage.cem.click(removal, "Yes")
    await stage.discord.until(lambda: "was removed" in removal.content, about="the result")
    assert [chair.id for chair in table.room.record.chairs] == [stage.ana.id, 0, stage.cem.id]
    # To look for somebody else they agree as well.
    looking = await ask(stage, table, stage.ana, "replace", "wants to offer", player="2")
    assert looking.pings == [stage.cem.user]
    await stage.cem.click(looking, "Yes")
    offer = ["Take over the seat", "Withdraw"]
    await stage.discord.until(
        lambda: stage.discord.messages()[-1].labels == offer, about="the offer"
    )
    # After two weeks without a move the bot asks the table.
    stage.discord.state.move_clock(15 * 86_400)
    silence = await ballot(stage, "Nothing has happened in Blue Lagoon")
    assert silence.labels == ["Continue", "Pause", "End without a result"]
    for person in (stage.ana, stage.cem):
        await person.click(silence, "Pause")
    await stage.wait_until(lambda: table.room.record.status is Status.ON_HOLD, "the pause")
