"""The clocks of matches, with a clock in the test's hand: every sentence about pace."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.features.clock.service import NOTICE
from bot.kernel import queries
from bot.kernel.clocks import ALARM, VETO
from bot.kernel.room import Room
from bot.model import Expiry, Job, Pace, Status, Terms, TimeTerms
from bot.runtime.base import Refused
from engine import Seat
from engine.players.simple import stand_in
from tests.bot.desk import Desk
from tests.bot.hand_clock import DAY, HOUR, moment
from tests.bot.seating import ANA, BEA, CEM, PEOPLE, PLACE, House, playing
from tests.bot.store.keep import OLD


class TimedHouse(House):
    """A house that notes whom it warns and what it tells the tables."""

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(path, **options)
        self.warned: list[tuple[int, float]] = []
        self.told: list[tuple[str, float]] = []

    async def open(self) -> Desk:
        """The service started, its warnings and notices heard here."""
        matches = await super().open()

        async def notice(due: Job) -> None:
            self.told.append((due.facts["key"], self.clock.now))

        matches.scheduler.register(NOTICE, notice)
        return matches

    async def warn(self, job: Job) -> None:
        """Warn somebody, and note it."""
        seat = (await self.matches.find(job.match)).seat_of(job.user)
        assert seat is not None
        self.warned.append((seat, self.clock.now))
        await super().warn(job)

    async def timed(
        self,
        pace: Pace = Pace.QUICK,
        expiry: Expiry = Expiry.REMIND,
        weekends: str = "",
        people: int = 2,
        **more: Any,
    ) -> Room:
        """A running match with such a clock."""
        game = more.pop("game", "blue_lagoon")
        settings = {"first": "1"} if game == "blue_lagoon" else {}
        terms = Terms(time=TimeTerms(pace, expiry, weekends))
        room = await self.matches.open_lobby(game, settings, PLACE, ANA, terms=terms)
        for person in PEOPLE[1:people]:
            await self.matches.join(room.record.id, person)
        return await self.matches.start(room.record.id, ANA)

    async def now(self, room: Room) -> Room:
        """The match as it stands."""
        return await self.matches.find(room.record.id)

    def left(self, room: Room, seat: int) -> float:
        """The hours that a seat has left."""
        left = self.matches.clocks.left(room, Seat(seat))
        assert left is not None
        return left / HOUR


@pytest.fixture
async def timed(tmp_path: Path) -> AsyncIterator[TimedHouse]:
    """A house with clocks."""
    house = TimedHouse(tmp_path / "motu.sqlite3")
    await house.open()
    yield house
    await house.matches.close()


def facts_of(terms: TimeTerms) -> dict[str, Any]:
    """The facts of a vote on other terms."""
    return {"time": msgspec.to_builtins(terms)}


def waiting(room: Room) -> int:
    """The first seat that is waited for."""
    return playing(room).waiting_for()[0]


async def test_a_table_has_no_clock_by_default(house: House) -> None:
    room = await house.started()
    assert house.matches.clocks.deadline(room, Seat(waiting(room))) is None
    assert [due.kind for due in await house.matches.store.read(queries.jobs, room.record.id)] == [
        "silence"
    ]


async def test_the_bank_runs_while_one_is_waited_for_and_a_turn_earns_the_increment(
    timed: TimedHouse,
) -> None:
    start, room = timed.clock.now, await timed.timed()
    seat = waiting(room)
    assert timed.matches.clocks.deadline(room, Seat(seat)) == start + 24 * HOUR
    assert timed.matches.clocks.deadline(room, Seat(1 - seat)) is None
    await timed.later(10 * HOUR)
    assert timed.left(room, seat) == 14
    room = (await timed.turn(room, seat)).room
    assert timed.left(room, seat) == 18
    await timed.later(5 * HOUR)
    room = await timed.now(room)
    assert [timed.left(room, seat), timed.left(room, 1 - seat)] == [18, 19], (
        "who has moved loses no time"
    )


async def test_the_bank_never_grows_beyond_the_cap(timed: TimedHouse) -> None:
    room = await timed.timed()
    for _ in range(40):
        room = (await timed.turn(room, waiting(room))).room
    assert [timed.left(room, 0), timed.left(room, 1)] == [72, 72]


async def test_the_small_steps_of_a_turn_earn_nothing(timed: TimedHouse) -> None:
    room, steps = await timed.timed(game="conquest"), 0
    while (posts := len(await timed.matches.due(room.record.id))) < 8:
        seat = Seat(waiting(room))
        update = await timed.matches.play(
            timed.press(room, seat), lambda room, seat: [stand_in(room.playing(), seat)]
        )
        room = update.room
        steps += 1
        # Between two posts everybody earns once, however many small steps they make.
        assert max(timed.left(room, 0), timed.left(room, 1)) <= 24 + 4 * (posts + 1)
    assert steps > 12


async def test_the_clocks_of_all_run_at_once_where_all_are_asked_at_once(timed: TimedHouse) -> None:
    room = await timed.timed(game="toy", people=3)
    assert playing(room).waiting_for() == (0, 1, 2)
    await timed.later(HOUR)
    room = (await timed.turn(room, 0)).room
    await timed.later(2 * HOUR)
    room = (await timed.turn(await timed.now(room), 2)).room
    await timed.later(3 * HOUR)
    room = await timed.now(room)
    # Ana is in after an hour and Cem after three; Bea is still thinking.
    assert [timed.left(room, seat) for seat in range(3)] == [27, 18, 25]


async def test_a_warning_comes_before_the_end_and_reminds_only_by_default(
    timed: TimedHouse,
) -> None:
    start, room = timed.clock.now, await timed.timed()
    await timed.later(23 * HOUR)
    assert timed.warned == [(0, start + 16 * HOUR)]
    assert not timed.told and not (await timed.now(room)).is_expired(Seat(0))
    await timed.later(30 * DAY)
    assert timed.warned == [(0, start + 16 * HOUR)]
    assert timed.told == [("remind", start + 24 * HOUR)]
    room = await timed.now(room)
    assert room.is_expired(Seat(0)) and waiting(room) == 0
    # The late move counts, and the next decision begins with an increment.
    room = (await timed.turn(room, 0)).room
    assert timed.left(room, 0) == 4 and not room.is_expired(Seat(0))


async def test_nobody_is_warned_who_has_moved(timed: TimedHouse) -> None:
    room = await timed.timed()
    await timed.later(15 * HOUR)
    room = (await timed.turn(room, 0)).room
    await timed.later(10 * HOUR)
    assert not timed.warned
    await timed.turn(await timed.now(room), 1)
    await timed.later(8 * HOUR)
    # Thirteen hours were left for the next turn: a third of them before the end.
    assert not timed.warned
    await timed.later(1 * HOUR)
    assert [seat for seat, _ in timed.warned] == [0]


async def test_a_computer_drafts_and_the_draft_is_confirmed_after_some_hours(
    timed: TimedHouse,
) -> None:
    start, room = timed.clock.now, await timed.timed(expiry=Expiry.DRAFT)
    await timed.later(24 * HOUR)
    room = await timed.now(room)
    assert timed.told == [("draft", start + 24 * HOUR)]
    assert playing(room).is_complete(Seat(0)) and playing(room).number == 0
    assert timed.matches.clocks.confirmed_at(room, Seat(0)) == start + 24 * HOUR + VETO
    public = await timed.matches.log(room.record.id, None)
    assert len(public) == 1, "nobody else sees what was drafted"
    await timed.later(VETO - 1)
    assert playing(await timed.now(room)).number == 0
    await timed.later(1)
    room = await timed.now(room)
    assert playing(room).number == 1 and waiting(room) == 1
    assert timed.left(room, 0) == 4


async def test_the_owner_can_change_what_a_computer_drafted(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.DRAFT)
    await timed.later(25 * HOUR)
    drafted = playing(await timed.now(room)).draft(Seat(0)).answers
    undone = (await timed.matches.undo(timed.press(room, 0), everything=True)).room
    other = next(
        option.key
        for option in playing(undone).decisions(Seat(0))[0].options
        if option.key not in {key for answer in drafted for key in answer.keys}
    )
    picked = (await timed.pick(undone, 0, other)).room
    mine = playing(picked).draft(Seat(0)).answers
    await timed.later(VETO)
    (_, made) = await timed.matches.log(room.record.id, Seat(0))
    if playing(picked).is_complete(Seat(0)):
        assert made.answers == mine
    assert playing(await timed.now(room)).number == 1


async def test_a_draft_that_its_owner_left_half_changed_is_played_by_the_computer(
    timed: TimedHouse,
) -> None:
    room = await timed.timed(expiry=Expiry.DRAFT)
    await timed.later(25 * HOUR)
    await timed.matches.undo(timed.press(room, 0), everything=True)
    await timed.later(VETO)
    assert playing(await timed.now(room)).number == 1


async def test_what_somebody_has_drafted_whole_is_not_replaced(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.DRAFT)
    while not playing(room).is_complete(Seat(0)):
        room = (await timed.pick(room, 0)).room
    mine = playing(room).draft(Seat(0)).answers
    await timed.later(24 * HOUR)
    assert [key for key, _ in timed.told] == ["draft"]
    await timed.later(VETO)
    (_, made) = await timed.matches.log(room.record.id, Seat(0))
    assert made.answers == mine


async def test_a_computer_plays_the_seat_until_its_owner_comes_back(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.COMPUTER)
    await timed.later(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.now(room)
    assert [key for key, _ in timed.told] == ["computer"]
    assert Seat(0) in playing(room).away and waiting(room) == 1
    room = (await timed.turn(room, 1)).room
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.now(room)
    assert waiting(room) == 1, "the computer has moved for Ana"
    room = (await timed.matches.come_back(timed.press(room, 0))).room
    assert Seat(0) in playing(room).humans()
    room = (await timed.turn(room, 1)).room
    assert waiting(room) == 0 and timed.left(room, 0) == 4
    await timed.later(DAY)
    assert [key for key, _ in timed.told] == ["computer"] * 2


async def test_whoever_comes_back_may_move_at_once(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.COMPUTER, people=3)
    await timed.later(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.now(room)
    update = await timed.matches.play(
        timed.press(room, 0), lambda room, seat: [room.playing().resign(seat)]
    )
    assert update.committed and Seat(0) in playing(update.room).resigned


async def test_the_others_may_claim_the_seat(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.CLAIM)
    await timed.later(2 * DAY)
    assert [key for key, _ in timed.told] == ["claim"]
    assert (await timed.now(room)).is_expired(Seat(0))


async def test_a_seat_is_forfeited(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.FORFEIT, people=3)
    await timed.later(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.now(room)
    assert [key for key, _ in timed.told] == ["forfeit"] and Seat(0) in playing(room).resigned
    two = await timed.timed(expiry=Expiry.FORFEIT)
    await timed.later(24 * HOUR)
    assert (await timed.now(two)).record.status is Status.FINISHED


@pytest.mark.parametrize("expiry", list(Expiry))
async def test_a_bot_that_was_down_for_a_week_takes_nobodys_time(
    timed: TimedHouse, expiry: Expiry
) -> None:
    start, room = timed.clock.now, await timed.timed(expiry=expiry)
    await timed.later(15 * HOUR)
    await timed.down(7 * DAY)
    room = await timed.now(room)
    assert timed.left(room, 0) == 9
    assert timed.matches.clocks.deadline(room, Seat(0)) == start + 7 * DAY + 24 * HOUR
    await timed.later(9 * HOUR - 1)
    assert timed.warned == [(0, start + 7 * DAY + 16 * HOUR)] and not timed.told
    await timed.later(1)
    assert [key for key, _ in timed.told] == [expiry]


async def test_a_draft_cannot_be_confirmed_while_its_owner_could_not_change_it(
    timed: TimedHouse,
) -> None:
    room = await timed.timed(expiry=Expiry.DRAFT)
    await timed.later(30 * HOUR)
    await timed.down(7 * DAY)
    await timed.later(VETO - 6 * HOUR - 1)
    assert playing(await timed.now(room)).number == 0
    await timed.later(1)
    assert playing(await timed.now(room)).number == 1


async def test_a_clock_that_leaps_past_the_end_warns_first(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.FORFEIT)
    timed.clock.now += 3 * DAY
    await timed.matches.scheduler.run_due()
    assert len(timed.warned) == 1 and not timed.told
    # A third of the bank is given for it.
    assert timed.left(await timed.now(room), 0) == 8
    await timed.later(8 * HOUR)
    assert [key for key, _ in timed.told] == ["forfeit"]


async def test_weekends_stop_the_clock_and_start_it_again(timed: TimedHouse) -> None:
    timed.clock.now = moment("2026-03-27 12:00", "Europe/Berlin")
    room = await timed.timed(expiry=Expiry.COMPUTER, weekends="Europe/Berlin")
    # Twelve hours on Friday, twelve on Monday; the change to summer time in between takes none.
    assert timed.matches.clocks.deadline(room, Seat(0)) == moment(
        "2026-03-30 12:00", "Europe/Berlin"
    )
    timed.clock.now = moment("2026-03-29 12:00", "Europe/Berlin")
    assert timed.left(room, 0) == 12
    await timed.later(moment("2026-03-30 03:59", "Europe/Berlin") - timed.clock.now)
    assert not timed.warned
    await timed.later(60)
    assert timed.warned == [(0, moment("2026-03-30 04:00", "Europe/Berlin"))]
    await timed.later(8 * HOUR)
    assert [key for key, _ in timed.told] == ["computer"]


async def test_a_move_on_a_weekend_earns_its_increment(timed: TimedHouse) -> None:
    timed.clock.now = moment("2026-03-07 12:00")
    room = await timed.timed(weekends="UTC")
    room = (await timed.turn(room, 0)).room
    assert timed.left(room, 0) == 28
    assert timed.matches.clocks.deadline(room, Seat(1)) == moment("2026-03-10 00:00")


async def test_a_paused_match_stops_its_clocks(timed: TimedHouse) -> None:
    room = await timed.timed()
    await timed.later(10 * HOUR)
    room = await timed.matches.pause(room.record.id, "gone")
    await timed.later(20 * DAY)
    assert not timed.warned and timed.left(room, 0) == 14
    assert timed.matches.clocks.deadline(room, Seat(0)) is None
    room = await timed.matches.moved(room.record.id, PLACE)
    assert timed.matches.clocks.deadline(room, Seat(0)) == timed.clock.now + 14 * HOUR


async def test_what_is_due_survives_a_restart(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.FORFEIT)
    await timed.restart()
    await timed.later(17 * HOUR)
    assert len(timed.warned) == 1
    await timed.restart()
    await timed.later(7 * HOUR)
    assert (await timed.now(room)).record.status is Status.FINISHED
    assert [due.kind for due in await timed.matches.store.read(queries.jobs, room.record.id)] == [
        "silence"
    ]


async def test_the_time_used_is_given_back_when_a_match_goes_back(timed: TimedHouse) -> None:
    room = await timed.timed()
    await timed.later(10 * HOUR)
    room = (await timed.turn(room, 0)).room
    await timed.later(12 * HOUR)
    room = (await timed.turn(await timed.now(room), 1)).room
    await timed.later(3 * HOUR)
    room = await timed.now(room)
    assert [timed.left(room, seat) for seat in (0, 1)] == [15, 16]
    for number, banks in ((1, [18, 24]), (0, [24, 24])):
        then = await timed.matches.store.read(queries.clocks_at, room.record.id, number)
        clocks = timed.matches.clocks.rewind(room.record, then)
        assert [clock.bank / HOUR for clock in clocks.seats] == banks


async def test_vacation_is_spent_only_where_a_clock_would_run_out(timed: TimedHouse) -> None:
    start, room = timed.clock.now, await timed.timed(expiry=Expiry.FORFEIT)
    vacation = await timed.matches.vacations.begin(ANA.id, days=3)
    await timed.later(23 * HOUR)
    assert (await timed.matches.vacations.of(ANA.id)).spent == 0
    await timed.later(49 * HOUR - 1)
    # From the end of the first day to the end of the third.
    assert not timed.warned and timed.told == [("vacation", start + DAY)]
    assert (await timed.matches.vacations.of(ANA.id)).spent == 2 * DAY
    # Then the warning, with some hours left, and only then the end.
    await timed.later(1)
    assert timed.warned == [(0, vacation.until)] and vacation.until == start + 3 * DAY
    await timed.later(12 * HOUR - 1)
    assert waiting(await timed.now(room)) == 0
    await timed.later(1)
    assert [key for key, _ in timed.told] == ["vacation", "forfeit"]


async def test_what_is_spent_counts_once_for_all_matches(timed: TimedHouse) -> None:
    rooms = [await timed.timed(expiry=Expiry.FORFEIT) for _ in range(3)]
    await timed.matches.vacations.begin(ANA.id, days=2)
    await timed.later(2 * DAY - 1)
    assert (await timed.matches.vacations.of(ANA.id)).spent == DAY
    assert all([(await timed.now(room)).record.status is Status.RUNNING for room in rooms])


async def test_the_budget_is_small_and_comes_back_with_the_year(timed: TimedHouse) -> None:
    timed.clock.now = moment("2026-12-01 12:00")
    await timed.timed(expiry=Expiry.REMIND)
    await timed.matches.vacations.begin(ANA.id, days=60)
    await timed.later(15 * DAY)
    assert (await timed.matches.vacations.of(ANA.id)).spent == 14 * DAY
    assert len(timed.warned) == 1, "the budget is spent, and the warning comes"
    with pytest.raises(Refused):
        await timed.matches.vacations.begin(ANA.id, days=1)
    await timed.later(10 * DAY)
    assert [key for key, _ in timed.told] == ["vacation", "remind"]
    timed.clock.now = moment("2027-01-01 00:00")
    assert (await timed.matches.vacations.of(ANA.id)).left(int(timed.clock.now)) == 14 * DAY


async def test_a_vacation_can_begin_later_and_end_early(timed: TimedHouse) -> None:
    start, room = timed.clock.now, await timed.timed(expiry=Expiry.COMPUTER)
    await timed.matches.vacations.begin(ANA.id, days=10, in_days=2)
    await timed.later(17 * HOUR)
    assert len(timed.warned) == 1, "it has not begun"
    room = (await timed.turn(await timed.now(room), 0)).room
    room = (await timed.turn(room, 1)).room
    # Eleven hours are left, and the vacation begins in thirty-one.
    await timed.matches.vacations.begin(ANA.id, days=10)
    await timed.later(11 * HOUR + 3600)
    assert [key for key, _ in timed.told] == ["vacation"]
    await timed.matches.vacations.end(ANA.id)
    await timed.later(6 * HOUR)
    assert len(timed.warned) == 2
    await timed.later(12 * HOUR)
    assert [key for key, _ in timed.told] == ["vacation", "computer"] and start < timed.clock.now
    with pytest.raises(Refused):
        await timed.matches.vacations.end(ANA.id)


async def test_a_vacation_is_told_to_every_table_that_waits_and_a_repeat_changes_nothing(
    timed: TimedHouse,
) -> None:
    with_clock = await timed.timed(expiry=Expiry.REMIND)
    without = await timed.started(people=2)
    await timed.started(people=1, computers=1)
    tables = await timed.matches.vacations.tables_that_wait(ANA.id)
    assert sorted(tables) == sorted([with_clock.record.id, without.record.id])
    first = await timed.matches.vacations.begin(ANA.id, days=3, interaction=7)
    timed.clock.now += HOUR
    assert (
        await timed.matches.vacations.begin(ANA.id, days=3, interaction=7) == first
        and first.asked == 7
    )
    ended = await timed.matches.vacations.end(ANA.id, interaction=8)
    assert await timed.matches.vacations.end(ANA.id, interaction=8) == ended


async def test_computers_do_not_play_on_among_themselves(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.COMPUTER)
    await timed.later(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    await timed.later(10 * DAY)
    room = await timed.now(room)
    # Bea is the last person at the table: the match waits for her.
    assert [key for key, _ in timed.told] == ["computer", "remind"]
    assert playing(room).humans() == (1,) and waiting(room) == 1


async def test_a_table_where_all_sleep_is_left_alone_until_somebody_wakes(
    timed: TimedHouse,
) -> None:
    room = await timed.timed(expiry=Expiry.DRAFT)
    await timed.later(60 * DAY)
    room = await timed.now(room)
    assert [key for key, _ in timed.told] == ["draft"] * 4 + ["remind"] and playing(
        room
    ).number == 4
    room = (await timed.turn(room, 0)).room
    await timed.later(10 * DAY)
    assert [key for key, _ in timed.told][5:7] == ["draft", "draft"]


@pytest.mark.parametrize("game", ["blue_lagoon", "maori", "polynesia", "conquest", "toy"])
async def test_a_computer_drafts_whatever_a_game_asks(timed: TimedHouse, game: str) -> None:
    room = await timed.timed(game=game, expiry=Expiry.DRAFT)
    # Until all sleep, after two decisions each.
    await timed.later(40 * DAY)
    told = [key for key, _ in timed.told]
    assert told[:4] == ["draft"] * 4 and told[-1] == "remind"
    assert playing(await timed.now(room)).number >= 4


async def test_a_match_of_an_older_release_gets_a_clock_by_vote(tmp_path: Path) -> None:
    house = TimedHouse(tmp_path / "motu.sqlite3")
    with closing(sqlite3.connect(house.path)) as database:
        database.executescript((OLD / "schema_1.sql").read_text(encoding="utf-8"))
    await house.open()
    (room,) = await house.matches.of_user(BEA.id)
    assert house.matches.clocks.left(room, Seat(0)) is None
    terms = facts_of(TimeTerms(Pace.STEADY, Expiry.COMPUTER))
    vote = await house.matches.votes.propose(room.record.id, ANA, "pace", terms)
    assert vote.is_open and (await house.now(room)).record.terms.time.pace is Pace.NONE
    await house.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
    room = await house.now(room)
    assert house.matches.clocks.deadline(room, Seat(waiting(room))) == house.clock.now + 72 * HOUR
    await house.later(3 * DAY)
    assert len(house.warned) == 1 and [key for key, _ in house.told] == ["computer"]
    await house.matches.close()


async def test_weekends_off_by_vote_count_from_then_on(timed: TimedHouse) -> None:
    timed.clock.now = moment("2026-03-07 12:00")
    room = await timed.timed()
    await timed.later(6 * HOUR)
    vote = await timed.matches.votes.propose(
        room.record.id, ANA, "pace", facts_of(TimeTerms(Pace.QUICK, weekends="UTC"))
    )
    await timed.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
    room = await timed.now(room)
    assert timed.left(room, 0) == 18
    assert timed.matches.clocks.deadline(room, Seat(0)) == moment("2026-03-09 18:00")


async def test_a_claim_is_closed_by_a_move_and_carries_by_a_majority(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.CLAIM, people=3)
    with pytest.raises(Refused, match="cannot be claimed"):
        await timed.matches.votes.propose(room.record.id, BEA, "claim", {"seat": 0})
    await timed.later(DAY)
    vote = await timed.matches.votes.propose(room.record.id, BEA, "claim", {"seat": 0})
    room = (await timed.turn(await timed.now(room), 0)).room
    assert (await timed.matches.votes.find(room.record.id, vote.number)).outcome == "void"
    await timed.later(DAY)
    vote = await timed.matches.votes.propose(room.record.id, ANA, "claim", {"seat": 1})
    assert vote.is_open
    await timed.matches.votes.cast(room.record.id, vote.number, CEM.id, "yes")
    assert Seat(1) in playing(await timed.now(room)).resigned


@pytest.mark.parametrize("expiry", [Expiry.DRAFT, Expiry.REMIND])
async def test_a_late_move_in_the_midst_of_a_turn_earns_the_increment_for_the_rest_of_it(
    timed: TimedHouse, expiry: Expiry
) -> None:
    room, in_midst = await timed.timed(game="conquest", expiry=expiry), 0
    for _ in range(30):
        seat, told = Seat(waiting(room)), len(await timed.matches.due(room.record.id))
        while not room.is_expired(seat):
            await timed.later(HOUR)
            room = await timed.now(room)
        press = timed.press(room, seat)
        room = (
            await timed.matches.play(press, lambda room, seat: [stand_in(room.playing(), seat)])
        ).room
        assert not room.is_expired(seat) and timed.left(room, seat) == 4
        has_passed = len(await timed.matches.due(room.record.id)) > told
        in_midst += seat in playing(room).waiting_for() and not has_passed
        # And when that is up as well, they are warned and it is done about as before.
        alarms = {
            due.user
            for due in await timed.matches.store.read(queries.jobs, room.record.id)
            if due.kind == ALARM
        }
        assert alarms >= {
            clock.user for clock in room.record.clocks.seats if clock.since and not clock.expired
        }
    assert in_midst


async def test_a_turn_taken_back_gives_its_time_back_and_takes_its_increment(
    timed: TimedHouse,
) -> None:
    room = await timed.timed()
    for _ in range(3):
        await timed.later(5 * HOUR)
        room = (await timed.turn(room, 0)).room
        assert timed.left(room, 0) == 23
        await timed.later(HOUR)
        room = (await timed.matches.rewinds.take_back(timed.press(room, 0))).room
        assert [timed.left(room, seat) for seat in (0, 1)] == [24, 24]
        assert timed.matches.clocks.deadline(room, Seat(0)) == timed.clock.now + 24 * HOUR
        assert timed.matches.clocks.deadline(room, Seat(1)) is None


async def test_a_table_can_give_its_clock_up_by_vote(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.FORFEIT)
    await timed.later(20 * HOUR)
    vote = await timed.matches.votes.propose(
        room.record.id, ANA, "pace", facts_of(TimeTerms(Pace.NONE))
    )
    await timed.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
    room = await timed.now(room)
    assert timed.matches.clocks.deadline(room, Seat(0)) is None and room.record.clocks.seats == ()
    await timed.later(13 * DAY)
    assert not timed.told and (await timed.now(room)).record.status is Status.RUNNING


async def test_a_match_that_its_table_pauses_stops_its_clocks(timed: TimedHouse) -> None:
    room = await timed.timed(expiry=Expiry.FORFEIT)
    await timed.later(10 * HOUR)
    for kind, expected in (("pause", 14), ("resume", 14)):
        vote = await timed.matches.votes.propose(room.record.id, ANA, kind)
        await timed.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
        assert timed.left(await timed.now(room), 0) == expected
        await timed.later(5 * DAY if kind == "pause" else HOUR)
    assert timed.left(await timed.now(room), 0) == 13 and not timed.told
