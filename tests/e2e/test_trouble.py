"""Broken sockets, late answers and lost channels, with the bot in its own process."""

from collections.abc import Callable

import pytest

from bot.local import Response
from bot.local.model import Thread
from bot.model import Status
from tests.e2e.harness import Stage, Table, wait_until_hit
from tests.e2e.ways import confirm, pick

POST = ("POST", "/channels/*/messages")
CALLBACK = ("POST", "/interactions/*/*/callback")
ANSWER = ("PATCH", "/webhooks/*/*/messages/@original")


def check(table: Table, *keys: str) -> None:
    """Check that exactly these moves were made and that every board was posted once, in order."""
    assert [key for _, made in table.commits() for key in made] == list(keys)
    assert table.numbers == [row[0] for row in table.announcements()]
    assert len(table.posts) == len(keys) + 1
    assert table.with_buttons() == table.posts[-1:]


# The socket


async def test_presses_made_while_the_socket_is_broken_arrive_after_the_resume(
    stage: Stage,
) -> None:
    table = await stage.start_match()
    panel = await pick(stage.ana, await table.open_panel(stage.ana), "17")
    stage.discord.gateway.hold()
    stage.discord.gateway.drop()
    pressed = await stage.ana.click(panel, "Confirm", wait="nothing")
    response = await stage.bea.slash("/games", wait="nothing")
    stage.discord.gateway.release()
    for answer in (pressed, response):
        await answer.wait("answer")
    assert stage.discord.gateway.resumed >= 1 and stage.discord.gateway.identified == 1
    assert pressed.content.startswith("Done.")
    await table.wait_until_posted()
    check(table, "17")


async def test_play_continues_after_op_7_and_op_9(stage: Stage) -> None:
    table, gateway = await stage.start_match(), stage.discord.gateway
    troubles: list[tuple[Callable[[], None], Callable[[], int]]] = [
        (gateway.ask_reconnect, lambda: gateway.resumed),
        (lambda: gateway.invalidate(resumable=True), lambda: gateway.resumed),
        (gateway.invalidate, lambda: gateway.identified),
    ]
    for number, (trouble, count) in enumerate(troubles):
        before = count()
        trouble()
        await wait_for_reconnect(stage, count, before)
        person = table.to_move
        await confirm(person, await pick(person, await table.open_panel(person), str(17 + number)))
        await table.wait_until_posted()
    check(table, "17", "18", "19")


async def wait_for_reconnect(stage: Stage, count: Callable[[], int], before: int) -> None:
    """Wait until the bot has reconnected."""

    def is_connected() -> bool:
        return count() > before and stage.discord.gateway.connected

    await stage.discord.until(is_connected, about="the bot to come back")


# Answers that Discord does not accept


async def test_a_move_is_made_once_although_its_answer_was_too_late(stage: Stage) -> None:
    table = await stage.start_match()
    held = stage.discord.faults.hold(*CALLBACK)
    stage.refusals = {10062}
    late = await stage.ana.slash("/play", channel=table.place, move="17!", wait="nothing")
    await wait_until_hit(held)
    stage.clock.advance(4)
    held.release()
    assert (await late.wait("answer")).expired
    again = await table.play(stage.ana, "17!")
    assert again.acknowledged
    await table.wait_until_posted()
    check(table, "17")


async def test_an_answer_that_is_cut_off_is_only_logged(stage: Stage) -> None:
    stage.refusals = {0}
    stage.complaints = ["couldn't answer an interaction: ServerDisconnectedError"]
    fault = stage.discord.faults.cut(*ANSWER)
    await stage.cem.slash("/play", wait="nothing")
    await wait_until_hit(fault)
    text = "couldn't answer an interaction"
    await stage.wait_until(lambda: text in stage.bot.log, "a word in the log")


# Lost places


def lose_access(table: Table) -> None:
    table.discord.deny(
        table.discord.channel("general"), "send_messages_in_threads", "send_messages"
    )


def lose_thread(table: Table) -> None:
    table.discord.delete_channel(table.place)


@pytest.mark.parametrize("lose", [lose_access, lose_thread])
async def test_a_match_that_lost_its_place_pauses_and_resumes_elsewhere(
    stage: Stage, lose: Callable[[Table], None]
) -> None:
    table = await stage.start_match()
    harbour = stage.discord.add_channel("harbour")
    stage.refusals = {10003, 10008, 50001, 50013}
    stage.complaints = ["is paused"]
    panel = await pick(stage.ana, await table.open_panel(stage.ana), "17")
    await confirm_while(stage, panel, lambda: lose(table))
    await stage.discord.until(stage.ana.inbox, about="a word to the host")
    await check_paused(table)

    resumed = await stage.bea.slash("/game resume", channel=harbour)
    assert resumed.ephemeral and "continues here" in resumed.content
    await stage.wait_until(lambda: table.room.record.status is Status.RUNNING, "the match to go on")
    await table.wait_until_posted()
    assert isinstance(table.place, Thread) and table.place.parent == harbour.id
    assert table.board.channel is table.place and stage.bea.user in table.board.pings
    await confirm(stage.bea, await pick(stage.bea, await table.open_panel(stage.bea), "18"))
    await table.wait_until_posted()
    assert [key for _, made in table.commits() for key in made] == ["17", "18"]
    assert table.numbers[-2:] == [2, 3]
    assert table.numbers.count(2) == 1
    assert table.with_buttons()[-1] == table.board


async def check_paused(table: Table) -> None:
    """Check that only the host was told, the move is kept, and no move is accepted."""
    stage = table.stage
    (letter,) = stage.ana.inbox()
    assert "paused" in letter.content
    assert table.id in letter.content
    assert "/game resume" in letter.content
    assert stage.bea.inbox() == [] and stage.cem.inbox() == []
    assert table.room.record.status is Status.PAUSED and table.match.number == 1
    before = stage.all_rows()
    listed = await stage.bea.slash("/games", channel=stage.discord.channel("harbour"))
    assert "paused" in listed.content
    played = await stage.bea.slash(
        "/play", channel=stage.discord.channel("harbour"), match=table.id, move="18!"
    )
    assert "paused" in played.content and played.ephemeral
    assert stage.all_rows() == before


async def confirm_while(stage: Stage, panel: Response, deed: Callable[[], None]) -> None:
    """Confirm a turn, and run `deed` before its board is posted."""
    held = stage.discord.faults.hold(*POST)
    await confirm(stage.ana, panel)
    await wait_until_hit(held)
    deed()
    held.release()


async def test_a_match_pauses_even_if_its_host_accepts_no_direct_messages(stage: Stage) -> None:
    table = await stage.start_match()
    stage.refusals, stage.complaints = {10003, 50007}, ["is paused"]
    stage.ana.user.takes_dms = False
    panel = await pick(stage.ana, await table.open_panel(stage.ana), "17")
    await confirm_while(stage, panel, lambda: stage.discord.delete_channel(table.place))
    await stage.wait_until(lambda: table.room.record.status is Status.PAUSED, "the pause")
    assert stage.ana.inbox() == []


async def test_a_match_whose_thread_was_locked_resumes_in_a_new_one(stage: Stage) -> None:
    table = await stage.start_match()
    stage.refusals = {50083, 50013, 160004, 160005}
    stage.complaints = ["is paused"]
    locked = table.place
    stage.discord.archive(locked, locked=True)
    await stage.ana.slash("/play", move="17!", match=table.id)
    await stage.discord.until(stage.ana.inbox, about="a word to the host")
    assert "continues here" in (await stage.bea.slash("/game resume", match=table.id)).content
    await table.wait_until_posted()
    assert table.place is not locked and table.board.channel is table.place
    assert (await table.play(stage.bea, "18!")).content.startswith("Done.")
