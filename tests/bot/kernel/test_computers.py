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
from tests.bot.seating import ANA, BEA, CEM, PLACE, House, first_keys, playing
from tests.patience import PATIENCE


async def open_with_thinker(path: Path, thinks: Any, **options: Any) -> House:
    """Start services whose computers think in this way."""
    house = House(path / "motu.sqlite3", thinker=thinks, **options)
    await house.open()
    return house


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


async def test_a_computer_answers_for_a_resigned_seat(house: House) -> None:
    room = await house.start_match("blue_lagoon", people=3)
    update = await house.matches.resign(house.press(room, 0, turn=0))
    assert playing(update.room).resigned == {0} and update.committed
    assert playing(update.room).waiting_for() == (1,)
    assert playing(update.room).number == 2
    with pytest.raises(Refused, match="gave up"):
        await house.matches.undo(house.press(update.room, 0))
    assert await house.matches.of_user(ANA.id) == []
    room = await house.reopen(room)
    for _ in range(5):
        seat = playing(room).waiting_for()[0]
        assert seat != 0
        room = (await house.take_turn(room, seat)).room


async def test_the_match_ends_when_one_person_is_left(house: House) -> None:
    room = await house.start_match("blue_lagoon", people=2, computers=1)
    update = await house.matches.resign(house.press(room, 1))
    outcome = playing(update.room).outcome
    assert update.room.record.status is Status.FINISHED
    assert outcome is not None and outcome.reason == "resigned" and outcome.ranking[0] == (0,)
    assert "p2 resigns" in await house.matches.transcript(room.record.id)


async def test_a_failing_computer_costs_nobody_a_move(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = [True]

    async def fails(*position: Any) -> Thought:
        if broken:
            raise ValueError("no idea")
        return await think_here(*position)

    house = await open_with_thinker(tmp_path, fails)
    room = await house.start_match("blue_lagoon", people=1, computers=1)
    update = await house.take_turn(room, 0)
    assert update.committed and playing(update.room).waiting_for() == (1,)
    assert "can't move in match" in caplog.text and playing(room).seed not in caplog.text
    broken.clear()
    await house.restart()
    assert playing(await wait_for_computers(house, room)).waiting_for() == (0,)
    await house.matches.close()


async def test_a_match_begins_while_a_computer_still_thinks_about_its_first_turn(
    tmp_path: Path,
) -> None:
    slow = Slow()
    house = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    lobby = await house.matches.open_lobby(
        "blue_lagoon", {"first": "2"}, PLACE, ANA, 1, ["strong"], Terms()
    )
    begun = await house.matches.start(lobby.record.id, ANA)
    assert begun.record.status is Status.RUNNING and playing(begun).number == 0
    slow.let.set()
    await house.matches.close()


async def wait_for_computers(house: House, room: Room) -> Room:
    """Start a match, and return it once its computers have moved."""
    await house.matches.recover()
    await house.matches.computers.wait(await house.matches.find(room.record.id), PATIENCE)
    return await house.matches.find(room.record.id)


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
    for house in (
        await open_with_thinker(whole, think_here),
        await open_with_thinker(dying, dies_once),
    ):
        room = await house.start_match("blue_lagoon", people=1, computers=1)
        lost.clear()
        boards.append(playing((await house.take_turn(room, 0)).room).number)
        await house.matches.close()
    assert boards == [2, 2]
    assert len(lost) == MAX_LOST_WORKERS
    assert lost[0] == lost[-1]


@pytest.mark.parametrize("error", [WorkerLost, JobFailed])
async def test_without_a_thought_the_simple_player_moves(
    tmp_path: Path, error: type[Exception]
) -> None:
    async def never(*position: Any) -> Thought:
        raise error

    house = await open_with_thinker(tmp_path, never)
    update = await house.take_turn(await house.start_match("blue_lagoon", people=1, computers=1), 0)
    assert playing(update.room).number == 2
    await house.matches.close()


async def test_an_incomplete_thought_cannot_block_the_bot(tmp_path: Path) -> None:
    async def nothing(*position: Any) -> Thought:
        return Thought()

    house = await open_with_thinker(tmp_path, nothing)
    update = await house.take_turn(await house.start_match("blue_lagoon", people=1, computers=1), 0)
    assert update.committed and playing(update.room).number == 1
    await house.matches.close()


async def test_a_thought_is_dropped_when_the_match_has_changed(tmp_path: Path) -> None:
    slow = Slow()
    house = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await house.start_match("blue_lagoon", people=3, computers=1)
    for seat in range(3):
        room = (await house.take_turn(room, seat)).room
    await slow.begun.wait()
    # A computer thinks, and meanwhile somebody leaves: that is another commit, so it has to think
    # again.
    await house.matches.resign(house.press(room, 1))
    slow.let.set()
    await house.matches.computers.wait(await house.matches.find(room.record.id), PATIENCE)
    after = playing(await house.matches.find(room.record.id))
    assert slow.thoughts >= 2
    assert after.resigned == {1}
    assert after.number == 5
    assert after.waiting_for() == (0,)
    await house.matches.close()


async def test_a_match_that_ends_while_a_computer_thinks_stays_ended(tmp_path: Path) -> None:
    slow = Slow()
    house = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await house.start_match("blue_lagoon", people=2, computers=1)
    for seat in range(2):
        room = (await house.take_turn(room, seat)).room
    await slow.begun.wait()
    ended = (await house.matches.resign(house.press(room, 0))).room
    slow.let.set()
    await house.matches.computers.wait(await house.matches.find(room.record.id), PATIENCE)
    assert ended.record.status is Status.FINISHED
    assert playing(await house.matches.find(room.record.id)).number == playing(ended).number == 3
    await house.matches.close()


async def test_an_interrupted_thought_is_repeated_after_the_start(tmp_path: Path) -> None:
    slow = Slow()
    house = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await house.start_match("blue_lagoon", people=1, computers=1)
    await house.take_turn(room, 0)
    await slow.begun.wait()
    house.options["thinker"] = think_here
    await house.restart()
    assert playing(await house.matches.find(room.record.id)).waiting_for() == (1,)
    assert playing(await wait_for_computers(house, room)).waiting_for() == (0,)
    await house.matches.close()


async def test_a_computer_that_thinks_for_a_second_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.kernel.computers.SLOW_SECONDS", 0.0)
    slow, told = Slow(), asyncio.Event()
    house = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await house.start_match("blue_lagoon", people=1, computers=1, first="1")
    house.matches.kernel.add(Parts(on_slow_computer=(lambda match: told.set(),)))
    await house.take_turn(room, 0)
    await told.wait()
    assert house.matches.computers.slow_seat(room.record.id) == Seat(1)
    slow.let.set()
    await house.matches.computers.wait(await house.matches.find(room.record.id), PATIENCE)
    assert house.matches.computers.slow_seat(room.record.id) is None
    await house.matches.close()


async def test_drafts_and_answers_do_not_wait_for_a_thought(tmp_path: Path) -> None:
    slow = Slow()
    house = await open_with_thinker(tmp_path, slow, computer_wait_seconds=0.0)
    room = await house.start_match("toy", people=2, computers=1)
    # All bid at once: the computer thinks about its bid while people make theirs.
    await slow.begun.wait()
    for seat in (0, 1):
        assert (await house.take_turn(await house.matches.find(room.record.id), seat)).committed
    assert playing(await house.matches.find(room.record.id)).waiting_for() == (2,)
    await house.matches.close()


async def test_a_computer_gets_what_its_seat_may_know_and_never_the_seed(tmp_path: Path) -> None:
    handed: list[tuple[Any, ...]] = []

    async def notes(*position: Any) -> Thought:
        handed.append(position)
        return await think_here(*position)

    house = await open_with_thinker(tmp_path, notes)
    room = await house.start_match("toy", people=1, computers=1)
    now = playing(await house.matches.find(room.record.id)).number
    stood = [await house.matches.position(room.record.id, number) for number in range(now + 1)]
    for game, state, seat, seed, level, *_ in handed:
        assert state in [deal_for(game, match.base, seat) for match in stood]
        assert state not in [match.base for match in stood]
        assert stood[0].seed not in seed and level == "steady"
    assert handed
    await house.matches.close()


async def test_a_hint_stays_the_same_when_others_give_orders_in_secret(tmp_path: Path) -> None:
    handed: list[tuple[Any, ...]] = []

    async def notes(*position: Any) -> Thought:
        handed.append(position)
        return await think_here(*position)

    house = await open_with_thinker(tmp_path, notes)
    room = await house.start_match("conquest", people=2)
    (seat,) = playing(room).waiting_for()
    rival = Seat(1 - seat)
    before = await house.matches.advise(room, seat)
    await house.matches.pick(house.press(room, rival), "set_all_orders", ("swift",))
    await house.matches.pick(house.press(room, rival), "set_card_order", ("each",))
    room = await house.matches.find(room.record.id)
    assert playing(room).number == 2
    assert await house.matches.advise(room, seat) == before
    assert len(handed) == 2
    assert handed[0] == handed[1], "there is nothing that could make a difference"
    await house.matches.close()


async def test_a_resigned_seat_is_played_at_the_chosen_level(
    tmp_path: Path,
) -> None:
    levels: list[str] = []

    async def notes(*position: Any) -> Thought:
        levels.append(position[4])
        return await think_here(*position)

    house = await open_with_thinker(tmp_path, notes)
    room = await house.matches.open_lobby("blue_lagoon", {"first": "1"}, PLACE, ANA)
    for person in (BEA, CEM):
        await house.matches.join(room.record.id, person)
    await house.matches.set_terms(room.record.id, ANA, Terms(stand_in="easy"))
    room = await house.matches.start(room.record.id, ANA)
    await house.matches.resign(house.press(room, 0))
    assert levels == ["easy"]
    assert (await house.reopen(room)).record.terms.stand_in == "easy"
    await house.matches.close()


async def test_after_taking_an_offer_the_computer_thinks_again(tmp_path: Path) -> None:
    taken: list[Answer] = []

    async def takes(game: Any, state: Any, seat: Seat, seed: str, level: Any, *_: Any) -> Thought:
        offers = [offer for offer in game.offers(state) if offer.seat == seat]
        if offers and not taken:
            taken.append(Answer(seat, offers[0].kind, first_keys(offers[0])))
            return Thought(offer=taken[0])
        return await think_here(game, state, seat, seed, level)

    house = await open_with_thinker(tmp_path, takes)
    for _ in range(40):
        room = await house.start_match("toy", people=1, computers=1)
        while (
            not taken and room.record.status is Status.RUNNING and 0 in playing(room).waiting_for()
        ):
            room = (await house.take_turn(room, 0)).room
        if taken:
            break
    kinds = [
        answer.kind
        for commit in await house.matches.log(room.record.id, Seat(1))
        for answer in commit.answers
    ]
    assert taken[0].kind in kinds and kinds[-1] != taken[0].kind
    await house.matches.close()


async def test_advice_on_a_position_is_computed_once(tmp_path: Path) -> None:
    """A coach asks for advice at every step of a turn, and so does the Hint button."""
    thinks = Slow()
    thinks.let.set()
    house = await open_with_thinker(tmp_path, thinks)
    room = await house.start_match("blue_lagoon", people=2)
    first = await house.matches.advise(room, Seat(0))
    assert await house.matches.advise(room, Seat(0)) == first and thinks.thoughts == 1
    moved = (await house.take_turn(room, 0)).room
    assert await house.matches.advise(moved, Seat(1)) != first
    await house.matches.advise((await house.take_turn(moved, 1)).room, Seat(0))
    assert thinks.thoughts == 3
    await house.matches.close()


async def test_shared_advice_is_computed_once_and_one_waiter_may_give_up(
    tmp_path: Path,
) -> None:
    thinks = Slow()
    house = await open_with_thinker(tmp_path, thinks)
    room = await house.start_match("blue_lagoon", people=2)
    waiting = [asyncio.create_task(house.matches.advise(room, Seat(0))) for _ in range(3)]
    await thinks.begun.wait()
    assert house.matches.cached_advice(room, Seat(0)) is None
    waiting[0].cancel()
    thinks.let.set()
    assert await waiting[1] == await waiting[2] == house.matches.cached_advice(room, Seat(0))
    assert waiting[0].cancelled() and thinks.thoughts == 1
    await house.matches.close()


async def test_waiting_for_advice_ends_with_a_message_when_the_bot_stops(tmp_path: Path) -> None:
    thinks = Slow()
    house = await open_with_thinker(tmp_path, thinks)
    room = await house.start_match("blue_lagoon", people=2)
    waiting = asyncio.create_task(house.matches.advise(room, Seat(0)))
    await thinks.begun.wait()
    house.matches.stop_computers()
    with pytest.raises(Refused, match="restart"):
        await waiting
    await house.matches.close()
