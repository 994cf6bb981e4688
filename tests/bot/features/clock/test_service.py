"""The clocks of matches, with a clock that the test moves."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.features.clock.service import NOTICE
from bot.kernel import queries
from bot.kernel.clocks import ALARM, DRAFT_VETO_SECONDS
from bot.kernel.room import Room
from bot.model import Expiry, Job, Pace, Status, Terms, TimeTerms
from bot.runtime.base import Refused
from engine import Seat
from engine.players.simple import stand_in
from tests.bot.backend import ANA, BEA, CEM, PEOPLE, PLACE, Backend, match_of
from tests.bot.manual_clock import DAY, HOUR, moment
from tests.bot.services import Services
from tests.bot.store.keep import OLD


class TimedBackend(Backend):
    """A backend that records warnings and notices."""

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(path, **options)
        self.warned: list[tuple[int, float]] = []
        self.notices: list[tuple[str, float]] = []

    async def open(self) -> Services:
        """Start the services, and record their warnings and notices."""
        matches = await super().open()

        async def notice(due: Job) -> None:
            self.notices.append((due.facts["key"], self.clock.now))

        matches.scheduler.register(NOTICE, notice)
        return matches

    async def warn(self, job: Job) -> None:
        """Warn a player and record it."""
        seat = (await self.matches.find(job.match)).seat_of(job.user)
        assert seat is not None
        self.warned.append((seat, self.clock.now))
        await super().warn(job)

    async def start_timed_match(
        self,
        pace: Pace = Pace.QUICK,
        expiry: Expiry = Expiry.REMIND,
        weekends: str = "",
        people: int = 2,
        **more: Any,
    ) -> Room:
        """Start a match with this clock."""
        game = more.pop("game", "blue_lagoon")
        settings = {"first": "1"} if game == "blue_lagoon" else {}
        terms = Terms(time=TimeTerms(pace, expiry, weekends))
        room = await self.matches.open_lobby(game, settings, PLACE, ANA, terms=terms)
        for person in PEOPLE[1:people]:
            await self.matches.join(room.record.id, person)
        return await self.matches.start(room.record.id, ANA)

    async def reload(self, room: Room) -> Room:
        """Return the current state of a match."""
        return await self.matches.find(room.record.id)

    def hours_left(self, room: Room, seat: int) -> float:
        """Return the hours that a seat has left."""
        left = self.matches.clocks.seconds_left(room, Seat(seat))
        assert left is not None
        return left / HOUR


@pytest.fixture
async def timed(tmp_path: Path) -> AsyncIterator[TimedBackend]:
    """A backend with clocks."""
    backend = TimedBackend(tmp_path / "motu.sqlite3")
    await backend.open()
    yield backend
    await backend.matches.close()


def facts_of(terms: TimeTerms) -> dict[str, Any]:
    """Return the facts of a vote on other time terms."""
    return {"time": msgspec.to_builtins(terms)}


def seat_to_move(room: Room) -> int:
    """Return the first seat that is waited for."""
    return match_of(room).waiting_for()[0]


async def test_a_table_has_no_clock_by_default(backend: Backend) -> None:
    room = await backend.start_match()
    assert backend.matches.clocks.deadline(room, Seat(seat_to_move(room))) is None
    assert [due.kind for due in await backend.matches.store.read(queries.jobs, room.record.id)] == [
        "silence"
    ]


async def test_the_clock_runs_on_your_turn_and_finishing_it_earns_the_increment(
    timed: TimedBackend,
) -> None:
    start, room = timed.clock.now, await timed.start_timed_match()
    seat = seat_to_move(room)
    assert timed.matches.clocks.deadline(room, Seat(seat)) == start + 24 * HOUR
    assert timed.matches.clocks.deadline(room, Seat(1 - seat)) is None
    await timed.advance(10 * HOUR)
    assert timed.hours_left(room, seat) == 14
    room = (await timed.take_turn(room, seat)).room
    assert timed.hours_left(room, seat) == 18
    await timed.advance(5 * HOUR)
    room = await timed.reload(room)
    assert [timed.hours_left(room, seat), timed.hours_left(room, 1 - seat)] == [18, 19], (
        "who has moved loses no time"
    )


async def test_the_bank_never_grows_beyond_the_cap(timed: TimedBackend) -> None:
    room = await timed.start_timed_match()
    for _ in range(40):
        room = (await timed.take_turn(room, seat_to_move(room))).room
    assert [timed.hours_left(room, 0), timed.hours_left(room, 1)] == [72, 72]


async def test_steps_within_a_turn_earn_no_increment(timed: TimedBackend) -> None:
    room, steps = await timed.start_timed_match(game="conquest"), 0
    while (posts := len(await timed.matches.pending_posts(room.record.id))) < 8:
        seat = Seat(seat_to_move(room))
        update = await timed.matches.play(
            timed.press(room, seat), lambda room, seat: [stand_in(room.playing(), seat)]
        )
        room = update.room
        steps += 1
        # Between two posts everybody earns once, however many small steps they make.
        assert max(timed.hours_left(room, 0), timed.hours_left(room, 1)) <= 24 + 4 * (posts + 1)
    assert steps > 12


async def test_all_clocks_run_while_everyone_is_asked(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(game="toy", people=3)
    assert match_of(room).waiting_for() == (0, 1, 2)
    await timed.advance(HOUR)
    room = (await timed.take_turn(room, 0)).room
    await timed.advance(2 * HOUR)
    room = (await timed.take_turn(await timed.reload(room), 2)).room
    await timed.advance(3 * HOUR)
    room = await timed.reload(room)
    # Ana is in after an hour and Cem after three; Bea is still thinking.
    assert [timed.hours_left(room, seat) for seat in range(3)] == [27, 18, 25]


async def test_by_default_a_player_is_warned_and_then_only_reminded(
    timed: TimedBackend,
) -> None:
    start, room = timed.clock.now, await timed.start_timed_match()
    await timed.advance(23 * HOUR)
    assert timed.warned == [(0, start + 16 * HOUR)]
    assert not timed.notices
    assert not (await timed.reload(room)).is_expired(Seat(0))
    await timed.advance(30 * DAY)
    assert timed.warned == [(0, start + 16 * HOUR)]
    assert timed.notices == [("remind", start + 24 * HOUR)]
    room = await timed.reload(room)
    assert room.is_expired(Seat(0)) and seat_to_move(room) == 0
    # The late move counts, and the next decision begins with an increment.
    room = (await timed.take_turn(room, 0)).room
    assert timed.hours_left(room, 0) == 4 and not room.is_expired(Seat(0))


async def test_a_player_who_has_moved_is_not_warned(timed: TimedBackend) -> None:
    room = await timed.start_timed_match()
    await timed.advance(15 * HOUR)
    room = (await timed.take_turn(room, 0)).room
    await timed.advance(10 * HOUR)
    assert not timed.warned
    await timed.take_turn(await timed.reload(room), 1)
    await timed.advance(8 * HOUR)
    # Thirteen hours were left for the next turn: a third of them before the end.
    assert not timed.warned
    await timed.advance(1 * HOUR)
    assert [seat for seat, _ in timed.warned] == [0]


async def test_an_expired_turn_is_drafted_by_a_computer_and_confirmed_hours_later(
    timed: TimedBackend,
) -> None:
    start = timed.clock.now
    room = await timed.start_timed_match(expiry=Expiry.DRAFT)
    await timed.advance(24 * HOUR)
    room = await timed.reload(room)
    assert timed.notices == [("draft", start + 24 * HOUR)]
    assert match_of(room).is_complete(Seat(0)) and match_of(room).number == 0
    assert (
        timed.matches.clocks.draft_confirmed_at(room, Seat(0))
        == start + 24 * HOUR + DRAFT_VETO_SECONDS
    )
    public = await timed.matches.log(room.record.id, None)
    assert len(public) == 1, "nobody else sees what was drafted"
    await timed.advance(DRAFT_VETO_SECONDS - 1)
    assert match_of(await timed.reload(room)).number == 0
    await timed.advance(1)
    room = await timed.reload(room)
    assert match_of(room).number == 1 and seat_to_move(room) == 1
    assert timed.hours_left(room, 0) == 4


async def test_a_player_can_change_the_computer_s_draft(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.DRAFT)
    await timed.advance(25 * HOUR)
    drafted = match_of(await timed.reload(room)).draft(Seat(0)).answers
    undone = (await timed.matches.undo(timed.press(room, 0), everything=True)).room
    other = next(
        option.key
        for option in match_of(undone).decisions(Seat(0))[0].options
        if option.key not in {key for answer in drafted for key in answer.keys}
    )
    picked = (await timed.pick(undone, 0, other)).room
    mine = match_of(picked).draft(Seat(0)).answers
    await timed.advance(DRAFT_VETO_SECONDS)
    (_, made) = await timed.matches.log(room.record.id, Seat(0))
    if match_of(picked).is_complete(Seat(0)):
        assert made.answers == mine
    assert match_of(await timed.reload(room)).number == 1


async def test_a_draft_left_half_changed_is_finished_by_the_computer(
    timed: TimedBackend,
) -> None:
    room = await timed.start_timed_match(expiry=Expiry.DRAFT)
    await timed.advance(25 * HOUR)
    await timed.matches.undo(timed.press(room, 0), everything=True)
    await timed.advance(DRAFT_VETO_SECONDS)
    assert match_of(await timed.reload(room)).number == 1


async def test_a_player_s_complete_draft_is_not_replaced(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.DRAFT)
    while not match_of(room).is_complete(Seat(0)):
        room = (await timed.pick(room, 0)).room
    mine = match_of(room).draft(Seat(0)).answers
    await timed.advance(24 * HOUR)
    assert [key for key, _ in timed.notices] == ["draft"]
    await timed.advance(DRAFT_VETO_SECONDS)
    (_, made) = await timed.matches.log(room.record.id, Seat(0))
    assert made.answers == mine


async def test_a_computer_plays_an_absent_player_s_seat_until_they_return(
    timed: TimedBackend,
) -> None:
    room = await timed.start_timed_match(expiry=Expiry.COMPUTER)
    await timed.advance(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.reload(room)
    assert [key for key, _ in timed.notices] == ["computer"]
    assert Seat(0) in match_of(room).away and seat_to_move(room) == 1
    room = (await timed.take_turn(room, 1)).room
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.reload(room)
    assert seat_to_move(room) == 1, "the computer has moved for Ana"
    room = (await timed.matches.come_back(timed.press(room, 0))).room
    assert Seat(0) in match_of(room).humans()
    room = (await timed.take_turn(room, 1)).room
    assert seat_to_move(room) == 0 and timed.hours_left(room, 0) == 4
    await timed.advance(DAY)
    assert [key for key, _ in timed.notices] == ["computer"] * 2


async def test_a_player_who_returns_may_move_at_once(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.COMPUTER, people=3)
    await timed.advance(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.reload(room)
    update = await timed.matches.play(
        timed.press(room, 0), lambda room, seat: [room.playing().resign(seat)]
    )
    assert update.committed and Seat(0) in match_of(update.room).resigned


async def test_the_others_may_vote_on_an_expired_seat(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.CLAIM)
    await timed.advance(2 * DAY)
    assert [key for key, _ in timed.notices] == ["claim"]
    assert (await timed.reload(room)).is_expired(Seat(0))


async def test_a_seat_is_forfeited(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.FORFEIT, people=3)
    await timed.advance(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    room = await timed.reload(room)
    assert [key for key, _ in timed.notices] == ["forfeit"]
    assert Seat(0) in match_of(room).resigned
    two = await timed.start_timed_match(expiry=Expiry.FORFEIT)
    await timed.advance(24 * HOUR)
    assert (await timed.reload(two)).record.status is Status.FINISHED


@pytest.mark.parametrize("expiry", list(Expiry))
async def test_a_week_of_downtime_costs_nobody_time(timed: TimedBackend, expiry: Expiry) -> None:
    start, room = timed.clock.now, await timed.start_timed_match(expiry=expiry)
    await timed.advance(15 * HOUR)
    await timed.stop_for(7 * DAY)
    room = await timed.reload(room)
    assert timed.hours_left(room, 0) == 9
    assert timed.matches.clocks.deadline(room, Seat(0)) == start + 7 * DAY + 24 * HOUR
    await timed.advance(9 * HOUR - 1)
    assert timed.warned == [(0, start + 7 * DAY + 16 * HOUR)]
    assert not timed.notices
    await timed.advance(1)
    assert [key for key, _ in timed.notices] == [expiry]


async def test_a_computer_s_draft_is_not_confirmed_while_the_bot_was_down(
    timed: TimedBackend,
) -> None:
    room = await timed.start_timed_match(expiry=Expiry.DRAFT)
    await timed.advance(30 * HOUR)
    await timed.stop_for(7 * DAY)
    await timed.advance(DRAFT_VETO_SECONDS - 6 * HOUR - 1)
    assert match_of(await timed.reload(room)).number == 0
    await timed.advance(1)
    assert match_of(await timed.reload(room)).number == 1


async def test_a_clock_that_jumps_past_the_deadline_warns_first(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.FORFEIT)
    timed.clock.now += 3 * DAY
    await timed.matches.scheduler.run_due()
    assert len(timed.warned) == 1 and not timed.notices
    # A third of the bank is given for it.
    assert timed.hours_left(await timed.reload(room), 0) == 8
    await timed.advance(8 * HOUR)
    assert [key for key, _ in timed.notices] == ["forfeit"]


async def test_weekends_stop_the_clock_and_start_it_again(timed: TimedBackend) -> None:
    timed.clock.now = moment("2026-03-27 12:00", "Europe/Berlin")
    room = await timed.start_timed_match(expiry=Expiry.COMPUTER, weekends="Europe/Berlin")
    # Twelve hours on Friday, twelve on Monday; the change to summer time in between takes none.
    assert timed.matches.clocks.deadline(room, Seat(0)) == moment(
        "2026-03-30 12:00", "Europe/Berlin"
    )
    timed.clock.now = moment("2026-03-29 12:00", "Europe/Berlin")
    assert timed.hours_left(room, 0) == 12
    await timed.advance(moment("2026-03-30 03:59", "Europe/Berlin") - timed.clock.now)
    assert not timed.warned
    await timed.advance(60)
    assert timed.warned == [(0, moment("2026-03-30 04:00", "Europe/Berlin"))]
    await timed.advance(8 * HOUR)
    assert [key for key, _ in timed.notices] == ["computer"]


async def test_a_move_on_a_weekend_earns_its_increment(timed: TimedBackend) -> None:
    timed.clock.now = moment("2026-03-07 12:00")
    room = await timed.start_timed_match(weekends="UTC")
    room = (await timed.take_turn(room, 0)).room
    assert timed.hours_left(room, 0) == 28
    assert timed.matches.clocks.deadline(room, Seat(1)) == moment("2026-03-10 00:00")


async def test_a_paused_match_stops_its_clocks(timed: TimedBackend) -> None:
    room = await timed.start_timed_match()
    await timed.advance(10 * HOUR)
    room = await timed.matches.pause(room.record.id, "gone")
    await timed.advance(20 * DAY)
    assert not timed.warned and timed.hours_left(room, 0) == 14
    assert timed.matches.clocks.deadline(room, Seat(0)) is None
    room = await timed.matches.move(room.record.id, PLACE)
    assert timed.matches.clocks.deadline(room, Seat(0)) == timed.clock.now + 14 * HOUR


async def test_scheduled_jobs_survive_a_restart(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.FORFEIT)
    await timed.restart()
    await timed.advance(17 * HOUR)
    assert len(timed.warned) == 1
    await timed.restart()
    await timed.advance(7 * HOUR)
    assert (await timed.reload(room)).record.status is Status.FINISHED
    assert [due.kind for due in await timed.matches.store.read(queries.jobs, room.record.id)] == [
        "silence"
    ]


async def test_rewinding_a_match_restores_the_clocks(timed: TimedBackend) -> None:
    room = await timed.start_timed_match()
    await timed.advance(10 * HOUR)
    room = (await timed.take_turn(room, 0)).room
    await timed.advance(12 * HOUR)
    room = (await timed.take_turn(await timed.reload(room), 1)).room
    await timed.advance(3 * HOUR)
    room = await timed.reload(room)
    assert [timed.hours_left(room, seat) for seat in (0, 1)] == [15, 16]
    for number, banks in ((1, [18, 24]), (0, [24, 24])):
        then = await timed.matches.store.read(queries.clocks_at, room.record.id, number)
        clocks = timed.matches.clocks.rewind(room.record, then)
        assert [clock.bank / HOUR for clock in clocks.seats] == banks


async def test_vacation_is_spent_only_where_a_clock_would_run_out(timed: TimedBackend) -> None:
    start = timed.clock.now
    room = await timed.start_timed_match(expiry=Expiry.FORFEIT)
    vacation = await timed.matches.vacations.begin(ANA.id, days=3)
    await timed.advance(23 * HOUR)
    assert (await timed.matches.vacations.of(ANA.id)).spent == 0
    await timed.advance(49 * HOUR - 1)
    # From the end of the first day to the end of the third.
    assert not timed.warned and timed.notices == [("vacation", start + DAY)]
    assert (await timed.matches.vacations.of(ANA.id)).spent == 2 * DAY
    # Then the warning, with some hours left, and only then the end.
    await timed.advance(1)
    assert timed.warned == [(0, vacation.until)]
    assert vacation.until == start + 3 * DAY
    await timed.advance(12 * HOUR - 1)
    assert seat_to_move(await timed.reload(room)) == 0
    await timed.advance(1)
    assert [key for key, _ in timed.notices] == ["vacation", "forfeit"]


async def test_a_vacation_day_counts_once_for_all_matches(timed: TimedBackend) -> None:
    rooms = [await timed.start_timed_match(expiry=Expiry.FORFEIT) for _ in range(3)]
    await timed.matches.vacations.begin(ANA.id, days=2)
    await timed.advance(2 * DAY - 1)
    assert (await timed.matches.vacations.of(ANA.id)).spent == DAY
    assert all([(await timed.reload(room)).record.status is Status.RUNNING for room in rooms])


async def test_the_vacation_budget_is_limited_and_renewed_each_year(timed: TimedBackend) -> None:
    timed.clock.now = moment("2026-12-01 12:00")
    await timed.start_timed_match(expiry=Expiry.REMIND)
    await timed.matches.vacations.begin(ANA.id, days=60)
    await timed.advance(15 * DAY)
    assert (await timed.matches.vacations.of(ANA.id)).spent == 14 * DAY
    assert len(timed.warned) == 1, "the budget is spent, and the warning comes"
    with pytest.raises(Refused):
        await timed.matches.vacations.begin(ANA.id, days=1)
    await timed.advance(10 * DAY)
    assert [key for key, _ in timed.notices] == ["vacation", "remind"]
    timed.clock.now = moment("2027-01-01 00:00")
    assert (await timed.matches.vacations.of(ANA.id)).left(int(timed.clock.now)) == 14 * DAY


async def test_a_vacation_can_begin_later_and_end_early(timed: TimedBackend) -> None:
    start = timed.clock.now
    room = await timed.start_timed_match(expiry=Expiry.COMPUTER)
    await timed.matches.vacations.begin(ANA.id, days=10, in_days=2)
    await timed.advance(17 * HOUR)
    assert len(timed.warned) == 1, "hasn't started"
    room = (await timed.take_turn(await timed.reload(room), 0)).room
    room = (await timed.take_turn(room, 1)).room
    # Eleven hours are left, and the vacation begins in thirty-one.
    await timed.matches.vacations.begin(ANA.id, days=10)
    await timed.advance(11 * HOUR + 3600)
    assert [key for key, _ in timed.notices] == ["vacation"]
    await timed.matches.vacations.end(ANA.id)
    await timed.advance(6 * HOUR)
    assert len(timed.warned) == 2
    await timed.advance(12 * HOUR)
    assert [key for key, _ in timed.notices] == ["vacation", "computer"]
    assert start < timed.clock.now
    with pytest.raises(Refused):
        await timed.matches.vacations.end(ANA.id)


async def test_a_vacation_is_announced_at_every_waiting_table_once(
    timed: TimedBackend,
) -> None:
    with_clock = await timed.start_timed_match(expiry=Expiry.REMIND)
    without = await timed.start_match(people=2)
    await timed.start_match(people=1, computers=1)
    tables = await timed.matches.vacations.find_affected_matches(ANA.id)
    assert sorted(tables) == sorted([with_clock.record.id, without.record.id])
    first = await timed.matches.vacations.begin(ANA.id, days=3, interaction_id=7)
    timed.clock.now += HOUR
    assert await timed.matches.vacations.begin(ANA.id, days=3, interaction_id=7) == first
    assert first.asked == 7
    ended = await timed.matches.vacations.end(ANA.id, interaction_id=8)
    assert await timed.matches.vacations.end(ANA.id, interaction_id=8) == ended


async def test_computers_do_not_play_on_among_themselves(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.COMPUTER)
    await timed.advance(24 * HOUR)
    await timed.matches.computers.wait(await timed.matches.find(room.record.id), 60)
    await timed.advance(10 * DAY)
    room = await timed.reload(room)
    # Bea is the last person at the table: the match waits for her.
    assert [key for key, _ in timed.notices] == ["computer", "remind"]
    assert match_of(room).humans() == (1,) and seat_to_move(room) == 1


async def test_a_table_where_everyone_is_absent_waits_for_somebody_to_return(
    timed: TimedBackend,
) -> None:
    room = await timed.start_timed_match(expiry=Expiry.DRAFT)
    await timed.advance(60 * DAY)
    room = await timed.reload(room)
    assert [key for key, _ in timed.notices] == ["draft"] * 4 + ["remind"]
    assert match_of(room).number == 4
    room = (await timed.take_turn(room, 0)).room
    await timed.advance(10 * DAY)
    assert [key for key, _ in timed.notices][5:7] == ["draft", "draft"]


@pytest.mark.parametrize("game", ["blue_lagoon", "maori", "polynesia", "conquest", "toy"])
async def test_a_computer_can_draft_in_every_game(timed: TimedBackend, game: str) -> None:
    room = await timed.start_timed_match(game=game, expiry=Expiry.DRAFT)
    # Until all sleep, after two decisions each.
    await timed.advance(40 * DAY)
    told = [key for key, _ in timed.notices]
    assert told[:4] == ["draft"] * 4 and told[-1] == "remind"
    assert match_of(await timed.reload(room)).number >= 4


async def test_a_match_from_an_older_release_can_vote_for_a_clock(tmp_path: Path) -> None:
    backend = TimedBackend(tmp_path / "motu.sqlite3")
    with closing(sqlite3.connect(backend.path)) as database:
        database.executescript((OLD / "schema_1.sql").read_text(encoding="utf-8"))
    await backend.open()
    (room,) = await backend.matches.of_user(BEA.id)
    assert backend.matches.clocks.seconds_left(room, Seat(0)) is None
    terms = facts_of(TimeTerms(Pace.STEADY, Expiry.COMPUTER))
    vote = await backend.matches.votes.propose(room.record.id, ANA, "pace", terms)
    assert vote.is_open
    assert (await backend.reload(room)).record.terms.time.pace is Pace.NONE
    await backend.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
    room = await backend.reload(room)
    assert (
        backend.matches.clocks.deadline(room, Seat(seat_to_move(room)))
        == backend.clock.now + 72 * HOUR
    )
    await backend.advance(3 * DAY)
    assert len(backend.warned) == 1
    assert [key for key, _ in backend.notices] == ["computer"]
    await backend.matches.close()


async def test_weekends_off_voted_later_count_from_then_on(timed: TimedBackend) -> None:
    timed.clock.now = moment("2026-03-07 12:00")
    room = await timed.start_timed_match()
    await timed.advance(6 * HOUR)
    vote = await timed.matches.votes.propose(
        room.record.id, ANA, "pace", facts_of(TimeTerms(Pace.QUICK, weekends="UTC"))
    )
    await timed.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
    room = await timed.reload(room)
    assert timed.hours_left(room, 0) == 18
    assert timed.matches.clocks.deadline(room, Seat(0)) == moment("2026-03-09 18:00")


async def test_a_claim_needs_a_majority_and_a_move_closes_it(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.CLAIM, people=3)
    with pytest.raises(Refused, match="can't be claimed"):
        await timed.matches.votes.propose(room.record.id, BEA, "claim", {"seat": 0})
    await timed.advance(DAY)
    vote = await timed.matches.votes.propose(room.record.id, BEA, "claim", {"seat": 0})
    room = (await timed.take_turn(await timed.reload(room), 0)).room
    assert (await timed.matches.votes.find(room.record.id, vote.number)).outcome == "void"
    await timed.advance(DAY)
    vote = await timed.matches.votes.propose(room.record.id, ANA, "claim", {"seat": 1})
    assert vote.is_open
    await timed.matches.votes.cast(room.record.id, vote.number, CEM.id, "yes")
    assert Seat(1) in match_of(await timed.reload(room)).resigned


@pytest.mark.parametrize("expiry", [Expiry.DRAFT, Expiry.REMIND])
async def test_a_late_step_within_a_turn_still_earns_the_increment_at_its_end(
    timed: TimedBackend, expiry: Expiry
) -> None:
    room, in_midst = await timed.start_timed_match(game="conquest", expiry=expiry), 0
    for _ in range(30):
        seat = Seat(seat_to_move(room))
        told = len(await timed.matches.pending_posts(room.record.id))
        while not room.is_expired(seat):
            await timed.advance(HOUR)
            room = await timed.reload(room)
        press = timed.press(room, seat)
        room = (
            await timed.matches.play(press, lambda room, seat: [stand_in(room.playing(), seat)])
        ).room
        assert not room.is_expired(seat) and timed.hours_left(room, seat) == 4
        has_passed = len(await timed.matches.pending_posts(room.record.id)) > told
        in_midst += seat in match_of(room).waiting_for() and not has_passed
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


async def test_taking_a_turn_back_restores_its_time_and_removes_its_increment(
    timed: TimedBackend,
) -> None:
    room = await timed.start_timed_match()
    for _ in range(3):
        await timed.advance(5 * HOUR)
        room = (await timed.take_turn(room, 0)).room
        assert timed.hours_left(room, 0) == 23
        await timed.advance(HOUR)
        room = (await timed.matches.rewinds.take_back(timed.press(room, 0))).room
        assert [timed.hours_left(room, seat) for seat in (0, 1)] == [24, 24]
        assert timed.matches.clocks.deadline(room, Seat(0)) == timed.clock.now + 24 * HOUR
        assert timed.matches.clocks.deadline(room, Seat(1)) is None


async def test_a_table_can_vote_to_remove_its_clock(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.FORFEIT)
    await timed.advance(20 * HOUR)
    vote = await timed.matches.votes.propose(
        room.record.id, ANA, "pace", facts_of(TimeTerms(Pace.NONE))
    )
    await timed.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
    room = await timed.reload(room)
    assert timed.matches.clocks.deadline(room, Seat(0)) is None
    assert room.record.clocks.seats == ()
    await timed.advance(13 * DAY)
    assert not timed.notices and (await timed.reload(room)).record.status is Status.RUNNING


async def test_a_vote_to_pause_stops_the_clocks(timed: TimedBackend) -> None:
    room = await timed.start_timed_match(expiry=Expiry.FORFEIT)
    await timed.advance(10 * HOUR)
    for kind, expected in (("pause", 14), ("resume", 14)):
        vote = await timed.matches.votes.propose(room.record.id, ANA, kind)
        await timed.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
        assert timed.hours_left(await timed.reload(room), 0) == expected
        await timed.advance(5 * DAY if kind == "pause" else HOUR)
    assert timed.hours_left(await timed.reload(room), 0) == 13 and not timed.notices
