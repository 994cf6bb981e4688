"""Computers and resigned seats."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.kernel.computers import MAX_LOST_WORKERS, think_here
from bot.kernel.feature import Parts
from bot.kernel.room import Room
from bot.model import Status, Terms
from bot.runtime.base import Refused
from bot.workers.pool import JobFailed, WorkerLost
from engine import Answer, Seat
from engine.players import Thought, deal_for
from tests.bot.backend import ANA, BEA, CEM, PLACE, Backend, first_keys, match_of
from tests.patience import PATIENCE


async def open_with_thinker(path: Path, thinks: Any, **options: Any) -> Backend:
    """Start services whose computers think in this way."""
    backend = Backend(path / "motu.sqlite3", thinker=thinks, **options)
    await backend.open()
    return backend


class Slow:
    """A thinker whose thoughts wait until they are released."""

    def __init__(self) -> None:
        self.begun, self.let = asyncio.Event(), asyncio.Event()
        self.thoughts = 0

    async def __call__(self, *position: Any) -> Thought:
        self.thoughts += 1
        self.begun.set()
        await self.let.wait()
        return await think_here(*position)


async def test_a_computer_answers_for_a_resigned_seat(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    update = await backend.matches.resign(backend.press(room, 0, turn=0))
    assert match_of(update.room).resigned == {0} and update.committed
    assert match_of(update.room).waiting_for() == (1,)
    assert match_of(update.room).number == 2
    with pytest.raises(Refused, match="gave up"):
        await backend.matches.undo(backend.press(update.room, 0))
    assert await backend.matches.of_user(ANA.id) == []
    room = await backend.reopen(room)
    for _ in range(5):
        seat = match_of(room).waiting_for()[0]
        assert seat != 0
        room = (await backend.take_turn(room, seat)).room


async def test_the_match_ends_when_one_person_is_left(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=2, computers=1)
    update = await backend.matches.resign(backend.press(room, 1))
    outcome = match_of(update.room).outcome
    assert update.room.record.status is Status.FINISHED
    assert outcome is not None and outcome.reason == "resigned" and outcome.ranking[0] == (0,)
    assert "p2 resigns" in await backend.matches.transcript(room.record.id)


async def test_a_failing_computer_costs_nobody_a_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = [True]

    async def fails(*position: Any) -> Thought:
        if broken:
            raise ValueError("no idea")
        return await think_here(*position)

    backend = await open_with_thinker(tmp_path, fails)
    room = await backend.start_match("blue_lagoon", people=1, computers=1)
    update = await backend.take_turn(room, 0)
    assert update.committed and match_of(update.room).waiting_for() == (1,)
    assert "can't move in match" in caplog.text and match_of(room).seed not in caplog.text
    broken.clear()
    await backend.restart()
    assert match_of(await wait_for_computers(backend, room)).waiting_for() == (0,)
    await backend.matches.close()


async def test_a_match_begins_while_a_computer_still_thinks_about_its_first_turn(
    tmp_path: Path,
) -> None:
    slow = Slow()
    backend = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    lobby = await backend.matches.open_lobby(
        "blue_lagoon", {"first": "2"}, PLACE, ANA, 1, ["strong"], Terms()
    )
    begun = await backend.matches.start(lobby.record.id, ANA)
    assert begun.record.status is Status.RUNNING and match_of(begun).number == 0
    slow.let.set()
    await backend.matches.close()


async def wait_for_computers(backend: Backend, room: Room) -> Room:
    """Start a match, and return it once its computers have moved."""
    await backend.matches.recover()
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), PATIENCE)
    return await backend.matches.find(room.record.id)


async def test_when_a_worker_dies_another_thinks_again_the_same(tmp_path: Path) -> None:
    whole, dying, lost = tmp_path / "whole", tmp_path / "dying", []
    whole.mkdir()
    dying.mkdir()

    async def dies_once(*position: Any) -> Thought:
        lost.append(position)
        if len(lost) < MAX_LOST_WORKERS:
            raise WorkerLost
        return await think_here(*position)

    boards = []
    for backend in (
        await open_with_thinker(whole, think_here),
        await open_with_thinker(dying, dies_once),
    ):
        room = await backend.start_match("blue_lagoon", people=1, computers=1)
        lost.clear()
        boards.append(match_of((await backend.take_turn(room, 0)).room).number)
        await backend.matches.close()
    assert boards == [2, 2]
    assert len(lost) == MAX_LOST_WORKERS
    assert lost[0] == lost[-1]


@pytest.mark.parametrize("error", [WorkerLost, JobFailed])
async def test_without_a_thought_the_simple_player_moves(
    tmp_path: Path, error: type[Exception]
) -> None:
    async def never(*position: Any) -> Thought:
        raise error

    backend = await open_with_thinker(tmp_path, never)
    update = await backend.take_turn(
        await backend.start_match("blue_lagoon", people=1, computers=1), 0
    )
    assert match_of(update.room).number == 2
    await backend.matches.close()


async def test_an_incomplete_thought_cannot_block_the_bot(tmp_path: Path) -> None:
    async def nothing(*position: Any) -> Thought:
        return Thought()

    backend = await open_with_thinker(tmp_path, nothing)
    update = await backend.take_turn(
        await backend.start_match("blue_lagoon", people=1, computers=1), 0
    )
    assert update.committed and match_of(update.room).number == 1
    await backend.matches.close()


async def test_a_thought_is_dropped_when_the_match_has_changed(tmp_path: Path) -> None:
    slow = Slow()
    backend = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await backend.start_match("blue_lagoon", people=3, computers=1)
    for seat in range(3):
        room = (await backend.take_turn(room, seat)).room
    await slow.begun.wait()
    # A computer thinks, and meanwhile somebody leaves: that is another commit, so it has to think
    # again.
    await backend.matches.resign(backend.press(room, 1))
    slow.let.set()
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), PATIENCE)
    after = match_of(await backend.matches.find(room.record.id))
    assert slow.thoughts >= 2
    assert after.resigned == {1}
    assert after.number == 5
    assert after.waiting_for() == (0,)
    await backend.matches.close()


async def test_a_match_that_ends_while_a_computer_thinks_stays_ended(tmp_path: Path) -> None:
    slow = Slow()
    backend = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await backend.start_match("blue_lagoon", people=2, computers=1)
    for seat in range(2):
        room = (await backend.take_turn(room, seat)).room
    await slow.begun.wait()
    ended = (await backend.matches.resign(backend.press(room, 0))).room
    slow.let.set()
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), PATIENCE)
    assert ended.record.status is Status.FINISHED
    assert (
        match_of(await backend.matches.find(room.record.id)).number == match_of(ended).number == 3
    )
    await backend.matches.close()


async def test_an_interrupted_thought_is_repeated_after_the_start(tmp_path: Path) -> None:
    slow = Slow()
    backend = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await backend.start_match("blue_lagoon", people=1, computers=1)
    await backend.take_turn(room, 0)
    await slow.begun.wait()
    backend.options["thinker"] = think_here
    await backend.restart()
    assert match_of(await backend.matches.find(room.record.id)).waiting_for() == (1,)
    assert match_of(await wait_for_computers(backend, room)).waiting_for() == (0,)
    await backend.matches.close()


async def test_a_computer_that_thinks_for_a_second_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.kernel.computers.SLOW_SECONDS", 0.0)
    slow, told = Slow(), asyncio.Event()
    backend = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await backend.start_match("blue_lagoon", people=1, computers=1, first="1")
    backend.matches.kernel.add(Parts(on_slow_computer=(lambda match: told.set(),)))
    await backend.take_turn(room, 0)
    await told.wait()
    assert backend.matches.computers.slow_seat(room.record.id) == Seat(1)
    slow.let.set()
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), PATIENCE)
    assert backend.matches.computers.slow_seat(room.record.id) is None
    await backend.matches.close()


async def test_drafts_and_answers_do_not_wait_for_a_thought(tmp_path: Path) -> None:
    slow = Slow()
    backend = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await backend.start_match("toy", people=2, computers=1)
    # All bid at once: the computer thinks about its bid while people make theirs.
    await slow.begun.wait()
    for seat in (0, 1):
        assert (await backend.take_turn(await backend.matches.find(room.record.id), seat)).committed
    assert match_of(await backend.matches.find(room.record.id)).waiting_for() == (2,)
    await backend.matches.close()


async def test_a_computer_gets_what_its_seat_may_know_and_never_the_seed(tmp_path: Path) -> None:
    handed: list[tuple[Any, ...]] = []

    async def notes(*position: Any) -> Thought:
        handed.append(position)
        return await think_here(*position)

    backend = await open_with_thinker(tmp_path, notes)
    room = await backend.start_match("toy", people=1, computers=1)
    now = match_of(await backend.matches.find(room.record.id)).number
    stood = [await backend.matches.position(room.record.id, number) for number in range(now + 1)]
    for game, state, seat, seed, level, *_ in handed:
        assert state in [deal_for(game, match.base, seat) for match in stood]
        assert state not in [match.base for match in stood]
        assert stood[0].seed not in seed and level == "steady"
    assert handed
    await backend.matches.close()


async def test_a_hint_stays_the_same_when_others_give_orders_in_secret(tmp_path: Path) -> None:
    handed: list[tuple[Any, ...]] = []

    async def notes(*position: Any) -> Thought:
        handed.append(position)
        return await think_here(*position)

    backend = await open_with_thinker(tmp_path, notes)
    room = await backend.start_match("conquest", people=2)
    (seat,) = match_of(room).waiting_for()
    rival = Seat(1 - seat)
    before = await backend.matches.advise(room, seat)
    await backend.matches.pick(backend.press(room, rival), "set_all_orders", ("swift",))
    await backend.matches.pick(backend.press(room, rival), "set_card_order", ("each",))
    room = await backend.matches.find(room.record.id)
    assert match_of(room).number == 2
    assert await backend.matches.advise(room, seat) == before
    assert len(handed) == 2
    assert handed[0] == handed[1], "there is nothing that could make a difference"
    await backend.matches.close()


async def test_a_resigned_seat_is_played_at_the_chosen_level(
    tmp_path: Path,
) -> None:
    levels: list[str] = []

    async def notes(*position: Any) -> Thought:
        levels.append(position[4])
        return await think_here(*position)

    backend = await open_with_thinker(tmp_path, notes)
    room = await backend.matches.open_lobby("blue_lagoon", {"first": "1"}, PLACE, ANA)
    for person in (BEA, CEM):
        await backend.matches.join(room.record.id, person)
    await backend.matches.set_terms(room.record.id, ANA, Terms(stand_in="easy"))
    room = await backend.matches.start(room.record.id, ANA)
    await backend.matches.resign(backend.press(room, 0))
    assert levels == ["easy"]
    assert (await backend.reopen(room)).record.terms.stand_in == "easy"
    await backend.matches.close()


async def test_after_taking_an_offer_the_computer_thinks_again(tmp_path: Path) -> None:
    taken: list[Answer] = []

    async def takes(game: Any, state: Any, seat: Seat, seed: str, level: Any, *_: Any) -> Thought:
        offers = [offer for offer in game.offers(state) if offer.seat == seat]
        if offers and not taken:
            taken.append(Answer(seat, offers[0].kind, first_keys(offers[0])))
            return Thought(offer=taken[0])
        return await think_here(game, state, seat, seed, level)

    backend = await open_with_thinker(tmp_path, takes)
    for _ in range(40):
        room = await backend.start_match("toy", people=1, computers=1)
        while (
            not taken and room.record.status is Status.RUNNING and 0 in match_of(room).waiting_for()
        ):
            room = (await backend.take_turn(room, 0)).room
        if taken:
            break
    kinds = [
        answer.kind
        for commit in await backend.matches.log(room.record.id, Seat(1))
        for answer in commit.answers
    ]
    assert taken[0].kind in kinds and kinds[-1] != taken[0].kind
    await backend.matches.close()


async def test_advice_on_a_position_is_computed_once(tmp_path: Path) -> None:
    """A coach asks for advice at every step of a turn, and so does the Hint button."""
    thinks = Slow()
    thinks.let.set()
    backend = await open_with_thinker(tmp_path, thinks)
    room = await backend.start_match("blue_lagoon", people=2)
    first = await backend.matches.advise(room, Seat(0))
    assert await backend.matches.advise(room, Seat(0)) == first and thinks.thoughts == 1
    moved = (await backend.take_turn(room, 0)).room
    assert await backend.matches.advise(moved, Seat(1)) != first
    await backend.matches.advise((await backend.take_turn(moved, 1)).room, Seat(0))
    assert thinks.thoughts == 3
    await backend.matches.close()


async def test_shared_advice_is_computed_once_and_one_waiter_may_give_up(
    tmp_path: Path,
) -> None:
    thinks = Slow()
    backend = await open_with_thinker(tmp_path, thinks)
    room = await backend.start_match("blue_lagoon", people=2)
    waiting = [asyncio.create_task(backend.matches.advise(room, Seat(0))) for _ in range(3)]
    await thinks.begun.wait()
    assert backend.matches.cached_advice(room, Seat(0)) is None
    waiting[0].cancel()
    thinks.let.set()
    assert await waiting[1] == await waiting[2] == backend.matches.cached_advice(room, Seat(0))
    assert waiting[0].cancelled() and thinks.thoughts == 1
    await backend.matches.close()


async def test_waiting_for_advice_ends_with_a_message_when_the_bot_stops(tmp_path: Path) -> None:
    thinks = Slow()
    backend = await open_with_thinker(tmp_path, thinks)
    room = await backend.start_match("blue_lagoon", people=2)
    waiting = asyncio.create_task(backend.matches.advise(room, Seat(0)))
    await thinks.begun.wait()
    backend.matches.stop_computers()
    with pytest.raises(Refused, match="restart"):
        await waiting
    await backend.matches.close()
