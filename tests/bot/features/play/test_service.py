"""Picks, drafts and confirms: kept, undone, committed, refused in private."""

import pytest

from bot.kernel.room import Press
from bot.model import Place
from bot.runtime.base import NotFound, Refused
from engine import IllegalAnswer, NotFinished, Seat
from tests.bot.seating import ANA, CEM, House, answered, asked, first_keys, playing


async def test_a_pick_is_kept_in_a_draft_that_nobody_else_sees(house: House) -> None:
    room = await house.started()
    update = await house.pick(room, 0)
    assert not update.committed and update.events == () and playing(update.room).number == 0
    after = await house.kept(room)
    assert (
        playing(after) == playing(update.room) and len(playing(after).draft(Seat(0)).answers) == 1
    )
    assert (await house.matches.log(room.record.id, None))[1:] == []


async def test_a_restart_in_the_middle_of_a_draft_loses_nothing(house: House) -> None:
    room = await house.started()
    room = (await house.pick(room, 0)).room
    room = (await house.pick(room, 1)).room
    room = await house.kept(room)
    update = await house.matches.confirm(house.press(room, 0, playing(room).turn(Seat(0))))
    assert update.committed and playing(update.room).waiting_for() == (1,)
    assert playing(await house.kept(room)).draft(Seat(1)).answers


async def test_a_confirm_commits_the_draft_with_its_events_and_snapshot(house: House) -> None:
    room = await house.started()
    update = await house.turn(room, 0)
    after = await house.kept(room)
    assert (
        update.committed and playing(after) == playing(update.room) and playing(after).number == 1
    )
    (commit,) = (await house.matches.log(room.record.id, Seat(0)))[1:]
    assert commit.events == update.events and commit.answers


async def test_a_turn_is_answered_though_computers_have_stopped_with_the_bot(house: House) -> None:
    room = await house.started("blue_lagoon", people=1, computers=1)
    house.matches.computers.stop()
    update = await house.turn(room, 0)
    assert update.committed and playing(update.room).waiting_for() == (1,)


async def test_undo_takes_back_one_pick_or_all(house: House) -> None:
    room = await house.started("blue_lagoon")
    room = (await house.pick(room, 0)).room
    press = house.press(room, 0, playing(room).turn(Seat(0)))
    undone = await house.matches.undo(press, everything=True)
    assert not playing(undone.room).drafts and playing(await house.kept(room)).drafts == {}
    with pytest.raises(Refused, match="nothing to undo"):
        await house.matches.undo(house.press(room, 0))


async def test_play_is_all_or_nothing(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    answers = ((question.kind, first_keys(question)), (question.kind, ("nowhere",)))
    with pytest.raises(IllegalAnswer):
        await house.matches.play(house.press(room, 0), answered(*answers))
    assert playing(await house.kept(room)) == playing(room)
    update = await house.matches.play(house.press(room, 0), answered(*answers[:1]))
    assert update.committed and playing(update.room).number == 1
    assert playing(await house.kept(room)) == playing(update.room)


async def test_play_without_confirm_leaves_a_draft(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    update = await house.matches.play(
        house.press(room, 0), answered((question.kind, first_keys(question)), confirm=False)
    )
    assert not update.committed and playing(update.room).draft(Seat(0)).answers


async def test_a_whole_turn_that_is_not_whole_is_refused(house: House) -> None:
    room = await house.started("blue_lagoon")
    with pytest.raises(NotFinished):
        await house.matches.play(house.press(room, 0), answered())


async def test_one_who_has_no_seat_is_refused(house: House) -> None:
    room = await house.started()
    for user in (CEM.id, 0, -1):
        with pytest.raises(Refused, match="no seat"):
            await house.matches.confirm(Press(room.record.id, user, 1))
    with pytest.raises(NotFound):
        await house.matches.confirm(Press("nothing1", ANA.id, 1))


async def test_one_who_is_not_asked_is_refused(house: House) -> None:
    room = await house.started("blue_lagoon")
    question = asked(playing(room), Seat(0))
    with pytest.raises(IllegalAnswer):
        await house.matches.pick(house.press(room, 1, turn=0), question.kind, first_keys(question))
    assert playing(await house.kept(room)) == playing(room)


async def test_a_lobby_takes_no_moves(house: House) -> None:
    room = await house.matches.open_lobby("toy", {}, Place(1, 2), ANA)
    with pytest.raises(Refused, match="not begun"):
        await house.matches.resign(Press(room.record.id, ANA.id, 1))
    await house.matches.cancel(room.record.id, ANA)
    with pytest.raises(Refused, match="cancelled"):
        await house.matches.confirm(Press(room.record.id, ANA.id, 2))
