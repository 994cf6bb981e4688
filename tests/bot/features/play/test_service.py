"""Picks, drafts, undo and confirm."""

import pytest

from bot.kernel.room import Press
from bot.model import Place
from bot.runtime.base import NotFound, Refused
from engine import IllegalAnswer, NotFinished, Seat
from tests.bot.backend import ANA, CEM, Backend, answer_with, first_keys, match_of, question_of


async def test_a_pick_is_saved_in_a_draft_that_nobody_else_sees(backend: Backend) -> None:
    room = await backend.start_match()
    update = await backend.pick(room, 0)
    assert not update.committed and update.events == () and match_of(update.room).number == 0
    after = await backend.reopen(room)
    assert match_of(after) == match_of(update.room)
    assert len(match_of(after).draft(Seat(0)).answers) == 1
    assert (await backend.matches.log(room.record.id, None))[1:] == []


async def test_a_restart_in_the_middle_of_a_draft_loses_nothing(backend: Backend) -> None:
    room = await backend.start_match()
    room = (await backend.pick(room, 0)).room
    room = (await backend.pick(room, 1)).room
    room = await backend.reopen(room)
    update = await backend.matches.confirm(backend.press(room, 0, match_of(room).turn(Seat(0))))
    assert update.committed and match_of(update.room).waiting_for() == (1,)
    assert match_of(await backend.reopen(room)).draft(Seat(1)).answers


async def test_a_confirm_commits_the_draft_with_its_events_and_snapshot(backend: Backend) -> None:
    room = await backend.start_match()
    update = await backend.take_turn(room, 0)
    after = await backend.reopen(room)
    assert update.committed
    assert match_of(after) == match_of(update.room)
    assert match_of(after).number == 1
    (commit,) = (await backend.matches.log(room.record.id, Seat(0)))[1:]
    assert commit.events == update.events and commit.answers


async def test_a_turn_is_accepted_after_the_computers_have_stopped(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=1, computers=1)
    backend.matches.computers.stop()
    update = await backend.take_turn(room, 0)
    assert update.committed and match_of(update.room).waiting_for() == (1,)


async def test_play_is_all_or_nothing(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    question = question_of(match_of(room), Seat(0))
    answers = ((question.kind, first_keys(question)), (question.kind, ("nowhere",)))
    with pytest.raises(IllegalAnswer):
        await backend.matches.play(backend.press(room, 0), answer_with(*answers))
    assert match_of(await backend.reopen(room)) == match_of(room)
    update = await backend.matches.play(backend.press(room, 0), answer_with(*answers[:1]))
    assert update.committed and match_of(update.room).number == 1
    assert match_of(await backend.reopen(room)) == match_of(update.room)


async def test_an_incomplete_turn_is_refused(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    with pytest.raises(NotFinished):
        await backend.matches.play(backend.press(room, 0), answer_with())


async def test_a_person_without_a_seat_is_refused(backend: Backend) -> None:
    room = await backend.start_match()
    for user in (CEM.id, 0, -1):
        with pytest.raises(Refused, match="don't have a seat"):
            await backend.matches.confirm(Press(room.record.id, user, 1))
    with pytest.raises(NotFound):
        await backend.matches.confirm(Press("nothing1", ANA.id, 1))


async def test_a_lobby_takes_no_moves(backend: Backend) -> None:
    room = await backend.matches.open_lobby("toy", {}, Place(1, 2), ANA)
    with pytest.raises(Refused, match="hasn't started"):
        await backend.matches.resign(Press(room.record.id, ANA.id, 1))
    await backend.matches.cancel(room.record.id, ANA)
    with pytest.raises(Refused, match="cancelled"):
        await backend.matches.confirm(Press(room.record.id, ANA.id, 2))
