"""Presses are queued and applied once, however often and in whatever order they arrive."""

import asyncio
from pathlib import Path
from typing import Any

from bot.kernel.computers import think_here
from bot.kernel.room import Room
from bot.model import Place
from engine import Match, Seat
from engine.players import Thought
from tests.bot.backend import ANA, Backend, answer_with, first_keys, match_of, question_of


async def test_fifty_presses_of_one_button_make_one_move(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    question = question_of(match_of(room), Seat(0))
    presses = [backend.press(room, 0, turn=0) for _ in range(50)]
    updates = await asyncio.gather(
        *(backend.matches.pick(press, question.kind, first_keys(question)) for press in presses)
    )
    assert [update.stale for update in updates] == [False] + [True] * 49
    assert {match_of(update.room).turn(Seat(0)) for update in updates} == {1}


async def test_fifty_confirms_of_one_draft_make_one_commit(backend: Backend) -> None:
    room = (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room
    presses = [backend.press(room, 0, turn=1) for _ in range(50)]
    updates = await asyncio.gather(*(backend.matches.confirm(press) for press in presses))
    assert [update.committed for update in updates] == [True] + [False] * 49
    assert [update.stale for update in updates] == [False] + [True] * 49
    assert match_of(await backend.reopen(room)).number == 1


async def test_fifty_deliveries_of_one_interaction_make_one_move(
    backend: Backend,
) -> None:
    room = (await backend.pick(await backend.start_match("blue_lagoon"), 0)).room
    press = backend.press(room, 0, turn=1)
    updates = await asyncio.gather(*(backend.matches.confirm(press) for _ in range(50)))
    assert all(update == updates[0] for update in updates)
    assert updates[0].committed
    assert updates[0].events
    assert match_of(updates[0].room).number == 1


async def test_a_repeated_interaction_after_a_restart_changes_nothing_and_gets_the_same_result(
    backend: Backend,
) -> None:
    room = await backend.start_match()
    question = question_of(match_of(room), Seat(0))
    pick = backend.press(room, 0, turn=0)
    picked = await backend.matches.pick(pick, question.kind, first_keys(question))
    confirm = backend.press(room, 0, turn=1)
    confirmed = await backend.matches.confirm(confirm)
    matches = await backend.restart()
    assert await matches.confirm(confirm) == confirmed
    again = await matches.pick(pick, question.kind, first_keys(question))
    assert again.seat == picked.seat
    assert not again.committed
    assert not again.stale
    assert again.events == ()
    assert match_of(again.room) == match_of(confirmed.room)


async def test_repeating_a_stale_press_does_nothing(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    question = question_of(match_of(room), Seat(0))
    room = (await backend.pick(room, 0)).room
    late = backend.press(room, 0, turn=0)
    assert (await backend.matches.pick(late, question.kind, first_keys(question))).stale
    await backend.matches.undo(backend.press(room, 0, turn=1))
    assert (await backend.matches.pick(late, question.kind, first_keys(question))).stale
    assert not match_of(await backend.reopen(room)).drafts


async def test_actions_of_other_seats_make_no_button_stale(backend: Backend) -> None:
    room = await backend.start_match()
    press = backend.press(room, 1, turn=0)
    question = question_of(match_of(room), Seat(1))
    await backend.take_turn(room, 0)
    assert not (await backend.matches.pick(press, question.kind, first_keys(question))).stale


async def test_presses_of_one_match_take_their_turns_in_order(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    question = question_of(match_of(room), Seat(0))
    deeds = []
    for number in range(10):
        key = question.options[number].key
        deeds.append(backend.matches.pick(backend.press(room, 0), question.kind, (key,)))
        deeds.append(backend.matches.undo(backend.press(room, 0)))
    updates = await asyncio.gather(*deeds)
    drafted = [match_of(update.room).draft(Seat(0)).answers for update in updates]
    assert [answers[0].keys[0] for answers in drafted[::2]] == [
        option.key for option in question.options[:10]
    ]
    assert set(drafted[1::2]) == {()}


async def test_two_matches_do_not_wait_for_each_other(tmp_path: Path) -> None:
    slow, free = asyncio.Event(), asyncio.Event()

    async def waits(*position: Any) -> Thought:
        slow.set()
        await free.wait()
        return await think_here(*position)

    backend = Backend(tmp_path / "motu.sqlite3", thinker=waits)
    await backend.open()
    other = await backend.start_match("blue_lagoon", people=2)
    room = await backend.matches.open_lobby("blue_lagoon", {}, Place(1, 2), ANA)
    await backend.matches.add_computer(room.record.id, ANA)
    thinking = asyncio.create_task(
        backend.take_turn(await backend.matches.start(room.record.id, ANA), 0)
    )
    await slow.wait()
    assert (await backend.take_turn(other, 0)).committed
    assert not thinking.done()
    assert match_of(await backend.matches.find(room.record.id)).number == 1
    free.set()
    assert match_of((await thinking).room).number == 2
    await backend.matches.close()


async def test_an_action_is_computed_once_on_the_current_match(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon")
    seen: list[int] = []

    def reading(room: Room, seat: Seat) -> list[Match]:
        seen.append(match_of(room).number)
        return list(
            answer_with((question.kind, first_keys(question_of(match_of(room), seat))))(room, seat)
        )

    question = question_of(match_of(room), Seat(0))
    first = backend.press(room, 0, interaction_id=1)
    done = await backend.matches.play(first, reading)
    again = await backend.matches.play(first, reading)
    assert seen == [0] and done.committed and again.committed and done.events == again.events
    room = (await backend.pick(again.room, 1)).room
    await asyncio.gather(
        backend.matches.confirm(backend.press(room, 1)),
        backend.matches.play(backend.press(room, 0), reading),
    )
    assert seen == [0, 2], "it waited for the turn before it"
