"""Lobbies, several matches at once, computers, resignations, and all that can be looked at."""

import io

from PIL import Image

from bot.local import together
from bot.local.model import Message, Thread
from bot.model import Status
from tests.e2e.harness import Stage, Table, match_of, met, private, said
from tests.e2e.ways import choice, confirm, pick

ANSWER = ("PATCH", "/webhooks/*/*/messages/@original")


# Lobbies


async def test_a_lobby_is_filled_changed_left_and_cancelled_with_its_buttons(stage: Stage) -> None:
    opened = await stage.lobby()
    match = match_of(opened.message)
    await stage.bea.click(opened, "Join")
    twice = await stage.bea.click(opened, "Join")
    assert private([twice]) and "already" in said(twice)[0].content
    for button in ("Add computer", "Start", "Cancel"):
        refused = await stage.bea.click(opened, button)
        assert private([refused]) and "Only the host" in said(refused)[0].content
    await stage.add_computer(opened)
    assert [p.name for p in stage.room(match).record.chairs] == ["Ana", "Bea", "Teva"]
    first = next(menu for menu in opened.message.selects if menu["custom_id"].endswith(":first"))
    await stage.ana.choose(opened, first["custom_id"], "2")
    assert stage.room(match).record.settings["first"] == "2" and "player 2" in opened.message.text
    await stage.ana.click(opened, "Leave")
    assert stage.room(match).record.host == stage.bea.id
    await stage.bea.click(opened, "Cancel")
    assert opened.message.buttons == [] and "Cancelled" in opened.message.text
    assert stage.room(match).record.status is Status.CANCELLED


async def test_a_lobby_does_the_same_by_command(stage: Stage) -> None:
    opened = await stage.lobby()
    match = match_of(opened.message)
    assert "at least 2 players" in (await stage.ana.slash("/game start")).content
    joined = await stage.bea.slash("/game join")
    assert joined.ephemeral and match in joined.content
    await stage.discord.until(lambda: "Bea" in opened.message.text, about="the lobby to show Bea")
    await stage.bea.slash("/game leave", match=match)
    await stage.bea.slash("/game join")
    assert "Only the host" in (await stage.bea.slash("/game start")).content
    assert "Only the host" in (await stage.bea.slash("/game cancel")).content
    await stage.ana.slash("/game start")
    await stage.quiet()
    table = Table(stage, match, [stage.ana, stage.bea])
    assert table.board.pings == [stage.ana.user]
    await stage.discord.until(lambda: not opened.message.buttons, about="the lobby to close")
    assert "no lobby here" in (await stage.cem.slash("/game join")).content
    second = await stage.lobby()
    cancelled = await stage.ana.slash("/game cancel")
    assert match_of(second.message) in cancelled.content
    await stage.discord.until(lambda: not second.message.buttons, about="the lobby to close")


async def test_edits_of_a_lobby_that_overtake_each_other_end_in_the_truth(stage: Stage) -> None:
    opened = await stage.lobby()
    held = stage.discord.faults.hold(*ANSWER)
    bea = await stage.bea.click(opened, "Join", wait="ack")
    await met(held)
    await stage.cem.click(opened, "Join")
    held.release()
    await bea.settle("answer")
    await stage.discord.until(
        lambda: "Cem" in opened.message.text, about="the lobby to show everybody"
    )
    assert "Bea" in opened.message.text


# Several matches


async def test_two_matches_in_one_channel_do_not_mix(stage: Stage) -> None:
    with_bea = await stage.started(stage.bea, place="channel")
    with_cem = await stage.started(stage.cem, place="channel")
    assert with_bea.place is with_cem.place is stage.discord.channel("general")
    unclear = await stage.ana.slash("/play", move="17!")
    assert private([unclear]) and "Which one do you mean?" in unclear.content
    assert [
        any(table.id in label for label in unclear.message.labels) for table in (with_bea, with_cem)
    ] == [True] * 2
    offered = await stage.ana.autocomplete("/play", match="")
    assert set(offered.values) == {with_bea.id, with_cem.id}
    await with_bea.play(stage.ana, "17!")
    await stage.quiet()
    # Only one of them waits for her now, so it is clear which is meant.
    assert (await stage.ana.slash("/play", move="18!")).content.startswith("Done.")
    await stage.quiet()
    await together(stage.bea.slash("/play", move="20!"), stage.cem.slash("/play", move="21!"))
    await stage.quiet()
    assert [key for _, keys in with_bea.commits() for key in keys] == ["17", "20"]
    assert [key for _, keys in with_cem.commits() for key in keys] == ["18", "21"]
    for table in (with_bea, with_cem):
        assert len(table.posts) == 3 and table.with_buttons() == [table.board]
    await check_list(stage, with_bea, with_cem)


async def check_list(stage: Stage, *tables: Table) -> None:
    """/games lists them all with links to the boards, wherever it is asked."""
    listed = await stage.ana.slash("/games", channel=stage.discord.dm(stage.ana))
    assert private([listed]) and listed.content.count("Your move") == len(tables)
    for table in tables:
        place = table.room.record.place
        assert (
            f"https://discord.com/channels/{place.guild}/{place.posts_to}/{table.board.id}"
            in listed.content
        )


# Computers and resignations


async def test_a_computer_plays_its_turn_and_is_told_with_the_next_persons(stage: Stage) -> None:
    table = await stage.started(stage.bea, computers=2)
    await table.play(stage.ana, "17!")
    await table.caught_up()
    assert len(table.posts) == 2 and table.board.pings == [stage.bea.user]
    await confirm(stage.bea, await pick(stage.bea, await table.panel(stage.bea), "18"))
    await table.caught_up()
    assert table.match.number == 4 and [seat for seat, _ in table.commits()] == [0, 1, 2, 3]
    assert len(table.posts) == 3 and table.board.pings == [stage.ana.user]
    assert table.board.content.count("⚙") >= 2


async def test_a_seat_given_up_is_played_on_until_one_person_is_left(stage: Stage) -> None:
    table = await stage.started(stage.bea, stage.cem)
    await table.play(stage.ana, "17!")
    await table.caught_up()
    asked = await stage.bea.slash("/resign", channel=table.place)
    assert asked.ephemeral and table.match.number == 1
    await stage.bea.click(asked, "Yes, give up my seat")
    await table.caught_up()
    assert table.match.resigned == {1} and table.to_move is stage.cem
    assert table.board.pings == [stage.cem.user] and "Bea resigns. Bea ⚙" in table.board.content
    refused = await table.play(stage.bea, "20!")
    assert private([refused]) and "given up" in refused.content
    assert "in no match" in (await stage.bea.slash("/games")).content
    await table.play(stage.cem, "30!")
    await table.caught_up()
    asked = await stage.cem.slash("/resign", channel=table.place)
    await stage.cem.click(asked, "Yes, give up my seat")
    await table.caught_up()
    assert table.room.record.status is Status.FINISHED
    assert table.match.outcome is not None and table.match.outcome.reason == "resigned"
    assert table.match.outcome.ranking[0] == (0,) and "only Ana is left" in table.board.content
    assert table.with_buttons() == [table.board]


async def test_a_match_of_one_person_and_computers_ends_when_they_resign(stage: Stage) -> None:
    opened = await stage.lobby()
    await stage.add_computer(opened)
    await stage.ana.click(opened, "Start")
    await stage.quiet()
    table = Table(stage, match_of_thread(stage), [stage.ana])
    await table.play(stage.ana, "17!")
    await table.caught_up()
    assert table.match.number == 2 and table.board.pings == [stage.ana.user]
    asked = await stage.ana.slash("/resign", channel=table.place)
    await stage.ana.click(asked, "Yes, give up my seat")
    await table.caught_up()
    assert (
        table.room.record.status is Status.FINISHED
        and "ended early: Ana gave up." in table.board.content
    )


def match_of_thread(stage: Stage) -> str:
    """The only match there is."""
    (match,) = stage.matches()
    return match


# Looking


async def test_the_board_can_be_seen_again_in_every_way(stage: Stage) -> None:
    table = await stage.started()
    await table.play(stage.ana, "17")
    assert (await stage.cem.slash("/board", channel=table.place)).ephemeral
    everyones = await stage.cem.slash("/board", channel=table.place, public=True)
    assert not everyones.ephemeral and picture(everyones.message) and "on 17" not in everyones.text
    hers = await stage.ana.slash("/board", channel=table.place, mine=True)
    assert hers.ephemeral and picture(hers.message) != picture(everyones.message)
    in_words = await stage.ana.slash("/board", channel=table.place, options={"text": True})
    words = in_words.content + b"".join(in_words.files.values()).decode()
    assert in_words.ephemeral and "A1" in words and "coconut" in words
    hand = await stage.ana.slash("/hand", channel=table.place)
    assert hand.ephemeral and "17" in hand.content
    watched = await stage.cem.click(table.board, "My view")
    assert private([watched]) and picture(watched.message) == picture(everyones.message)


def picture(message: Message) -> bytes:
    """The board on a message, which opens as a picture."""
    data = message.files["board.png"]
    assert Image.open(io.BytesIO(data)).format == "PNG"
    return data


async def test_the_log_tells_what_happened_and_no_draft(stage: Stage) -> None:
    table = await stage.started()
    for person, move in ((stage.ana, "17!"), (stage.bea, "18!"), (stage.ana, "33")):
        await table.play(person, move)
    await table.caught_up()
    for person in (stage.bea, stage.cem):
        log = await person.slash("/log", channel=table.place)
        assert private([log]) and "boat on 17" in log.content and "boat on 18" in log.content
        assert "33" not in log.content.replace(table.id, "")
    whole = await stage.cem.slash("/log", channel=table.place, whole=True)
    (text,) = (data.decode() for data in whole.files.values())
    assert "boat on 18" in text and "seed" not in text.casefold() and "33" not in text


async def test_the_rules_have_pages_to_turn(stage: Stage) -> None:
    table = await stage.started()
    shown = await stage.cem.click(table.board, "Rules")
    assert private([shown]) and "Blue Lagoon" in shown.content
    menu = shown.message.selects[0]
    for option in menu["options"]:
        turned = await stage.cem.choose(shown, menu["custom_id"], option["value"])
        assert turned.message is shown.message and option["label"] in turned.content
    topic = await stage.cem.slash("/rules", topic="scoring")
    assert private([topic]) and "Majorities" in topic.content
    assert "scoring" in (await stage.cem.autocomplete("/rules", topic="scor")).values


async def test_a_panel_of_yesterday_still_works_and_can_be_opened_anew(stage: Stage) -> None:
    table = await stage.started()
    panel = await table.panel(stage.ana)
    stage.clock.advance(16 * 60)
    picked = await pick(stage.ana, panel, "17")
    assert "So far" in picked.content
    stage.clock.advance(24 * 3600)
    fresh = await table.panel(stage.ana)
    assert fresh.ephemeral and "on 17" in fresh.content
    assert (await confirm(stage.ana, fresh)).content.startswith("Done.")
    await table.caught_up()
    assert table.match.number == 1 and isinstance(table.place, Thread)


async def test_a_slow_panel_whose_token_has_run_out_loses_nothing(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals = {50027}
    panel = await table.panel(stage.ana)
    held = stage.discord.faults.hold(*ANSWER)
    picking = await stage.ana.click(panel, custom_id=choice(panel, "17"), wait="ack")
    await met(held)
    stage.clock.advance(16 * 60)
    held.release()
    await stage.discord.until(
        lambda: any(a.code == 50027 for a in stage.discord.rest.asked), about="a dead token"
    )
    assert picking.thinking
    fresh = await table.panel(stage.ana)
    assert "on 17" in fresh.content
