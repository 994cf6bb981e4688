"""Discord in trouble: broken sockets, rate limits, errors, lost channels.

Nothing is lost or doubled.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.local import Response
from bot.local.faults import Fault
from bot.local.model import Thread
from bot.model import Status
from tests.e2e.harness import Stage, Table, met, on_stage, private
from tests.e2e.ways import confirm, pick

POST, EDIT = ("POST", "/channels/*/messages"), ("PATCH", "/channels/*/messages/*")
CALLBACK, ANSWER = (
    ("POST", "/interactions/*/*/callback"),
    ("PATCH", "/webhooks/*/*/messages/@original"),
)


def check(table: Table, *keys: str) -> None:
    """These moves were made, and every due board was posted once and in order."""
    assert [key for _, made in table.commits() for key in made] == list(keys)
    assert table.numbers == [row[0] for row in table.announced()]
    assert len(table.posts) == len(keys) + 1 and table.with_buttons() == table.posts[-1:]


# The socket


async def test_presses_made_while_the_socket_is_broken_arrive_after_the_resume(
    stage: Stage,
) -> None:
    table = await stage.started()
    panel = await pick(stage.ana, await table.panel(stage.ana), "17")
    stage.discord.gateway.hold()
    stage.discord.gateway.drop()
    pressed = await stage.ana.click(panel, "Confirm", wait="nothing")
    asked = await stage.bea.slash("/games", wait="nothing")
    stage.discord.gateway.release()
    for answer in (pressed, asked):
        await answer.settle("answer")
    assert stage.discord.gateway.resumed >= 1 and stage.discord.gateway.identified == 1
    assert pressed.content.startswith("Done.")
    await table.caught_up()
    check(table, "17")


async def test_the_bot_goes_on_after_op_7_and_op_9(stage: Stage) -> None:
    table, gateway = await stage.started(), stage.discord.gateway
    troubles: list[tuple[Callable[[], None], Callable[[], int]]] = [
        (gateway.ask_reconnect, lambda: gateway.resumed),
        (lambda: gateway.invalidate(resumable=True), lambda: gateway.resumed),
        (gateway.invalidate, lambda: gateway.identified),
    ]
    for number, (trouble, count) in enumerate(troubles):
        before = count()
        trouble()
        await back(stage, count, before)
        person = table.to_move
        await confirm(person, await pick(person, await table.panel(person), str(17 + number)))
        await table.caught_up()
    check(table, "17", "18", "19")


async def back(stage: Stage, count: Callable[[], int], before: int) -> None:
    """Wait until the bot has come back once more."""
    there = lambda: count() > before and stage.discord.gateway.connected  # noqa: E731
    await stage.discord.until(there, about="the bot to come back")


# Rate limits and errors


async def test_a_rate_limit_only_delays(stage: Stage) -> None:
    table = await stage.started()
    stage.complaints = ["is rate limited", "being rate limited"]
    for number, route in enumerate((POST, EDIT, CALLBACK, ANSWER)):
        fault = stage.discord.faults.answer(*route, 429, retry_after=0.05)
        answer = await table.play(table.to_move, f"{17 + number}!")
        await table.caught_up()
        assert fault.met.is_set() and answer.content.startswith("Done.")
    check(table, "17", "18", "19", "20")


async def test_a_post_that_fails_is_tried_again_and_posted_once(stage: Stage) -> None:
    """An error 500 and a broken connection, each before and after Discord has carried the
    request out.
    """
    table, faults = await stage.started(), stage.discord.faults
    stage.refusals, stage.complaints = {0}, ["retrying in"]
    troubles: list[Callable[[], Fault]] = [
        lambda: faults.answer(*POST, 500),
        lambda: faults.answer(*POST, 500, applied=True),
        lambda: faults.cut(*POST),
        lambda: faults.cut(*POST, applied=True),
    ]
    for number, trouble in enumerate(troubles):
        fault = trouble()
        await table.play(table.to_move, f"{17 + number}!")
        await table.caught_up()
        assert fault.met.is_set()
    check(table, "17", "18", "19", "20")


async def test_a_long_outage_of_posts_is_waited_out_while_play_goes_on(stage: Stage) -> None:
    table = await stage.started()
    held = stage.discord.faults.hold(*POST)
    await table.play(stage.ana, "17!")
    await met(held)
    answer = await stage.bea.slash("/play", channel=table.place, move="18!")
    assert answer.content.startswith("Done.")
    held.release()
    await table.caught_up()
    check(table, "17", "18")


async def test_an_answer_that_comes_too_late_leaves_the_move_made_once(stage: Stage) -> None:
    table = await stage.started()
    held = stage.discord.faults.hold(*CALLBACK)
    stage.refusals = {10062}
    late = await stage.ana.slash("/play", channel=table.place, move="17!", wait="nothing")
    await met(held)
    stage.clock.advance(4)
    held.release()
    assert (await late.settle("answer")).expired
    again = await table.play(stage.ana, "17!")
    assert again.acknowledged
    await table.caught_up()
    check(table, "17")


async def test_an_answer_that_is_cut_off_is_a_line_in_the_log_and_no_more(stage: Stage) -> None:
    stage.refusals, stage.complaints = (
        {0},
        ["an answer could not be given: ServerDisconnectedError"],
    )
    fault = stage.discord.faults.cut(*ANSWER)
    await stage.cem.slash("/play", wait="nothing")
    await met(fault)
    await stage.settled(lambda: "could not be given" in stage.bot.log, "a word in the log")


async def test_a_lobby_that_discord_will_not_show_is_not_left_open(stage: Stage) -> None:
    stage.refusals, stage.complaints = {50035}, ["HTTPException|BadRequest"]
    stage.discord.faults.answer(*CALLBACK, 400, code=50035)
    failed = await stage.lobby()
    assert private([failed]) and "went wrong" in failed.content
    (match,) = stage.matches()
    assert stage.room(match).record.status is Status.CANCELLED
    assert "no lobby here" in (await stage.bea.slash("/game join")).content


async def test_a_lobby_whose_answer_comes_too_late_is_posted_all_the_same(stage: Stage) -> None:
    stage.refusals = {10062}
    held = stage.discord.faults.hold(*CALLBACK)
    late = await stage.ana.slash("/game new", game="blue_lagoon", wait="nothing")
    await met(held)
    stage.clock.advance(4)
    held.release()
    shown = await stage.discord.message(lambda message: bool(message.embeds))
    # Told of it a second time, as Discord may, the bot is too late once more.
    stage.discord.interactions.repeat(late.interaction)
    await stage.settled(
        lambda: stage.bot.log.count("/game new done") == 2, "the second one to be handled"
    )
    assert [message for message in stage.discord.messages() if message.embeds] == [shown]
    await stage.bea.click(shown, "Join")
    assert "2. Bea" in shown.text


# Lost places


def lose_access(table: Table) -> None:
    table.discord.deny(
        table.discord.channel("general"), "send_messages_in_threads", "send_messages"
    )


def lose_sight(table: Table) -> None:
    table.discord.deny(table.discord.channel("general"), "view_channel")


def lose_thread(table: Table) -> None:
    table.discord.delete_channel(table.place)


def lose_channel(table: Table) -> None:
    table.discord.delete_channel(table.discord.channel("general"))


LOSSES = [lose_access, lose_sight, lose_thread, lose_channel]


@pytest.mark.parametrize("lose", LOSSES)
async def test_a_lost_place_pauses_the_match_and_it_goes_on_elsewhere(
    stage: Stage, lose: Callable[[Table], None]
) -> None:
    table = await stage.started()
    harbour = stage.discord.add_channel("harbour")
    stage.refusals, stage.complaints = {10003, 10008, 50001, 50013}, ["is paused"]
    panel = await pick(stage.ana, await table.panel(stage.ana), "17")
    await confirm_while(stage, panel, lambda: lose(table))
    await stage.discord.until(stage.ana.inbox, about="a word to the host")
    await check_paused(table)

    resumed = await stage.bea.slash("/game resume", channel=harbour)
    assert resumed.ephemeral and "goes on here" in resumed.content
    await stage.settled(lambda: table.room.record.status is Status.RUNNING, "the match to go on")
    await table.caught_up()
    assert isinstance(table.place, Thread) and table.place.parent == harbour.id
    assert table.board.channel is table.place and stage.bea.user in table.board.pings
    await confirm(stage.bea, await pick(stage.bea, await table.panel(stage.bea), "18"))
    await table.caught_up()
    assert [key for _, made in table.commits() for key in made] == ["17", "18"]
    assert (
        table.numbers[-2:] == [2, 3]
        and table.numbers.count(2) == 1
        and table.with_buttons()[-1] == table.board
    )


async def check_paused(table: Table) -> None:
    """The host was told once, nobody else; the move is kept, and nothing can be done until the
    match goes on.
    """
    stage = table.stage
    (letter,) = stage.ana.inbox()
    assert (
        "paused" in letter.content
        and table.id in letter.content
        and "/game resume" in letter.content
    )
    assert stage.bea.inbox() == [] and stage.cem.inbox() == []
    assert table.room.record.status is Status.PAUSED and table.match.number == 1
    before = stage.everything()
    listed = await stage.bea.slash("/games", channel=stage.discord.channel("harbour"))
    assert "paused" in listed.content
    played = await stage.bea.slash(
        "/play", channel=stage.discord.channel("harbour"), match=table.id, move="18!"
    )
    assert "paused" in played.content and played.ephemeral
    assert stage.everything() == before


async def test_a_refusal_403_pauses_and_the_same_place_can_be_tried_again(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals, stage.complaints = {50013, 160004}, ["is paused"]
    stage.discord.faults.answer(*POST, 403, code=50013)
    await table.play(stage.ana, "17!")
    await stage.discord.until(stage.ana.inbox, about="a word to the host")
    assert table.room.record.status is Status.PAUSED and table.match.number == 1
    assert "goes on here" in (await stage.ana.slash("/game resume", match=table.id)).content
    await table.caught_up()
    assert table.numbers == [1, 2] and table.board.channel is table.place
    assert (await table.play(stage.bea, "18!")).content.startswith("Done.")


async def test_a_match_paused_by_a_deleted_thread_survives_a_restart(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals, stage.complaints = {10003, 160004}, ["is paused"]
    panel = await pick(stage.ana, await table.panel(stage.ana), "17")
    await confirm_while(stage, panel, lambda: stage.discord.delete_channel(table.place))
    await stage.discord.until(stage.ana.inbox, about="a word to the host")
    await stage.bot.restart()
    assert table.room.record.status is Status.PAUSED
    await stage.ana.slash("/game resume", match=table.id)
    await table.caught_up()
    assert table.board.channel is table.place and len(stage.ana.inbox()) == 1
    assert (await table.play(stage.bea, "18!")).content.startswith("Done.")


async def confirm_while(stage: Stage, panel: Response, deed: Callable[[], None]) -> None:
    """Confirm, with something that happens before the board is posted."""
    held = stage.discord.faults.hold(*POST)
    await confirm(stage.ana, panel)
    await met(held)
    deed()
    held.release()


async def test_a_host_who_takes_no_letters_does_not_stop_the_pause(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals, stage.complaints = {10003, 50007}, ["is paused"]
    stage.ana.user.takes_dms = False
    panel = await pick(stage.ana, await table.panel(stage.ana), "17")
    await confirm_while(stage, panel, lambda: stage.discord.delete_channel(table.place))
    await stage.settled(lambda: table.room.record.status is Status.PAUSED, "the pause")
    assert stage.ana.inbox() == []


async def test_an_archived_thread_is_opened_again(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals = {50083}
    stage.discord.archive(table.place)
    answer = await stage.ana.slash("/play", move="17!", match=table.id)
    assert answer.content.startswith("Done.")
    await table.caught_up()
    assert isinstance(table.place, Thread) and not table.place.archived
    check(table, "17")


async def test_a_match_whose_thread_was_locked_goes_on_in_a_new_one(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals, stage.complaints = {50083, 50013, 160004, 160005}, ["is paused"]
    locked = table.place
    stage.discord.archive(locked, locked=True)
    await stage.ana.slash("/play", move="17!", match=table.id)
    await stage.discord.until(stage.ana.inbox, about="a word to the host")
    assert "goes on here" in (await stage.bea.slash("/game resume", match=table.id)).content
    await table.caught_up()
    assert table.place is not locked and table.board.channel is table.place
    assert (await table.play(stage.bea, "18!")).content.startswith("Done.")


async def test_with_too_many_threads_the_match_is_played_in_the_channel(tmp_path: Path) -> None:
    async with on_stage(tmp_path, active_threads=0) as stage:
        stage.refusals = {160006}
        table = await stage.started()
        assert table.place is stage.discord.channel("general")
        await confirm(stage.ana, await pick(stage.ana, await table.panel(stage.ana), "17"))
        await table.caught_up()
        check(table, "17")


async def test_a_deleted_board_does_not_hold_up_the_next(stage: Stage) -> None:
    table = await stage.started()
    stage.refusals = {10008}
    stage.discord.delete_message(table.board)
    await table.play(stage.ana, "17!")
    await table.caught_up()
    assert table.numbers == [2] and table.with_buttons() == table.posts


async def test_where_the_bot_cannot_play_it_says_so_at_once(stage: Stage) -> None:
    channel = stage.discord.channel("general")
    for lacking in (
        "Send Messages",
        "Embed Links",
        "Attach Files",
        "Create Public Threads",
        "View Channel",
    ):
        permission = lacking.lower().replace(" ", "_")
        stage.discord.deny(channel, permission)
        answer = await stage.lobby()
        assert private([answer]) and lacking in answer.content
        stage.discord.allow(channel, permission)
    assert stage.matches() == [] and stage.discord.messages() == []
