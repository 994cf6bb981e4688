"""Computer players and seats given up: answered for, and never at a person's cost."""

from pathlib import Path

import pytest

from bot.errors import Refused
from bot.matches.room import Status
from engine import Match, Seat
from engine.players.simple import stand_in
from tests.bot.seating import ANA, House, playing


async def test_a_seat_is_given_up_and_answered_for(house: House) -> None:
    room = await house.started("blue_lagoon", people=3)
    update = await house.matches.resign(house.press(room, 0, turn=0))
    assert playing(update.room).resigned == {0} and update.committed
    assert playing(update.room).waiting_for() == (1,) and playing(update.room).number == 2
    with pytest.raises(Refused, match="given up"):
        await house.matches.undo(house.press(update.room, 0))
    assert await house.matches.of_user(ANA.id) == []
    room = await house.kept(room)
    for _ in range(5):
        seat = playing(room).waiting_for()[0]
        assert seat != 0
        room = (await house.turn(room, seat)).room


async def test_the_match_ends_when_one_person_is_left(house: House) -> None:
    room = await house.started("blue_lagoon", people=2, computers=1)
    update = await house.matches.resign(house.press(room, 1))
    outcome = playing(update.room).outcome
    assert update.room.info.status is Status.FINISHED
    assert outcome is not None and outcome.reason == "resigned" and outcome.ranking[0] == (0,)
    assert "p2 resigns" in await house.matches.transcript(room.info.id)


async def test_a_computer_that_fails_costs_nobody_a_move(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    broken = [True]

    def fails(match: Match, seat: Seat) -> Match:
        if broken:
            raise ValueError("no idea")
        return stand_in(match, seat)

    house = House(tmp_path / "motu.sqlite3", sits_in=fails)
    await house.open()
    room = await house.started("blue_lagoon", people=1, computers=1)
    update = await house.turn(room, 0)
    assert update.committed and playing(update.room).waiting_for() == (1,)
    assert "cannot play on" in caplog.text and playing(room).seed not in caplog.text
    broken.clear()
    await house.restart()
    await house.matches.recover()
    assert playing(await house.matches.find(room.info.id)).waiting_for() == (0,)
    await house.matches.close()


@pytest.mark.parametrize("stuck", [lambda match, seat: match, lambda match, seat: stand_in(stand_in(match, seat), 0)])
async def test_a_computer_that_makes_no_turn_cannot_hold_the_bot(tmp_path: Path, stuck: object) -> None:
    house = House(tmp_path / "motu.sqlite3", sits_in=stuck)
    await house.open()
    update = await house.turn(await house.started("blue_lagoon", people=1, computers=1), 0)
    assert playing(update.room).number == 1
    await house.matches.close()
