"""Picks, drafts, undo and confirm."""

import pytest

from bot.kernel.room import Press
from bot.model import Place
from bot.runtime.base import NotFound, Refused
from engine import IllegalAnswer, NotFinished, Seat
from tests.bot.seating import ANA, CEM, House, answer_with, first_keys, playing, question_of


async def test_a_pick_is_saved_in_a_draft_that_nobody_else_sees(house: House) -> None:
    room = await house.start_match()
    update = await house.pick(room, 0)
    assert not update.committed and update.events == () and playing(update.room).number == 0
    after = await house.reopen(room)
    assert playing(after) == playing(update.room)
    assert len(playing(after).draft(Seat(0)).answers) == 1
    assert (await house.matches.log(room.record.id, None))[1:] == []


async def test_a_restart_in_the_middle_of_a_draft_loses_nothing(house: House) -> None:
    room = await house.start_match()
    room = (await house.pick(room, 0)).room
    room = (await house.pick(room, 1)).room
    room = await house.reopen(room)
    update = await house.matches.confirm(house.press(room, 0, playing(room).turn(Seat(0))))
    assert update.committed and playing(update.room).waiting_for() == (1,)
    assert playing(await house.reopen(room)).draft(Seat(1)).answers


async def test_a_confirm_commits_the_draft_with_its_events_and_snapshot(house: House) -> None:
    room = await house.start_match()
    update = await house.take_turn(room, 0)
    after = await house.reopen(room)
    assert update.committed
    assert playing(after) == playing(update.room)
    assert playing(after).number == 1
    (commit,) = (await house.matches.log(room.record.id, Seat(0)))[1:]
    assert commit.events == update.events and commit.answers


async def test_a_turn_is_accepted_after_the_computers_have_stopped(house: House) -> None:
    room = await house.start_match("blue_lagoon", people=1, computers=1)
    house.matches.computers.stop()
    update = await house.take_turn(room, 0)
    assert update.committed and playing(update.room).waiting_for() == (1,)


async def test_play_is_all_or_nothing(house: House) -> None:
    room = await house.start_match("blue_lagoon")
    question = question_of(playing(room), Seat(0))
    answers = ((question.kind, first_keys(question)), (question.kind, ("nowhere",)))
    with pytest.raises(IllegalAnswer):
        await house.matches.play(house.press(room, 0), answer_with(*answers))
    assert playing(await house.reopen(room)) == playing(room)
    update = await house.matches.play(house.press(room, 0), answer_with(*answers[:1]))
    assert update.committed and playing(update.room).number == 1
    assert playing(await house.reopen(room)) == playing(update.room)


async def test_an_incomplete_turn_is_refused(house: House) -> None:
    room = await house.start_match("blue_lagoon")
    with pytest.raises(NotFinished):
        await house.matches.play(house.press(room, 0), answer_with())


async def test_a_person_without_a_seat_is_refused(house: House) -> None:
    room = await house.start_match()
    for user in (CEM.id, 0, -1):
        with pytest.raises(Refused, match="don't have a seat"):
            await house.matches.confirm(Press(room.record.id, user, 1))
    with pytest.raises(NotFound):
        await house.matches.confirm(Press("nothing1", ANA.id, 1))


async def test_a_lobby_takes_no_moves(house: House) -> None:
    room = await house.matches.open_lobby("toy", {}, Place(1, 2), ANA)
    with pytest.raises(Refused, match="hasn't started"):
        await house.matches.resign(Press(room.record.id, ANA.id, 1))
    await house.matches.cancel(room.record.id, ANA)
    with pytest.raises(Refused, match="cancelled"):
        await house.matches.confirm(Press(room.record.id, ANA.id, 2))
