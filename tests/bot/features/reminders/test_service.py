"""Who is reminded, when and how often. Nothing is sent to Discord: reminders are only recorded.

Times in the tests are hours since the turn began. Kinds are 'post', 'turn', 'again' and 'last', see
rules.py, with 'silent' or 'named' (without a mention) before them, and 'time up'.
"""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from bot.features.clock.service import NOTICE
from bot.features.reminders.player_settings import Delivery, ReminderLevel
from bot.features.reminders.rules import DIGEST, REMIND, Sent, is_sent_to_match, is_silent
from bot.features.reminders.service import MAX_QUIET_SECONDS, RESULT_MESSAGE, STRIP, Ready
from bot.kernel import queries
from bot.kernel.clocks import GRANTS, WARNING
from bot.kernel.room import Room
from bot.model import Job, Pace, PlannedTurn, Terms, TimeTerms
from engine import Seat
from tests.bot.backend import ANA, BEA, CEM, PLACE, Backend, match_of
from tests.bot.manual_clock import DAY, HOUR, moment
from tests.bot.services import Services

DIRECT = {"way": Delivery.DIRECT, "channel": 99}
QUICK_BANK_HOURS = GRANTS[Pace.QUICK].bank // HOUR
"""The time for a first turn with a quick clock."""


class SentReminder(Struct, frozen=True):
    """A reminder that was sent."""

    at: int
    """Seconds since the turn began."""
    user: int
    kind: str
    where: str
    in_quiet_hours: bool = False


class ReminderBackend(Backend):
    """A backend that records reminders as the outbox and the sender would make them."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.sent: list[SentReminder] = []
        self.started_at = self.clock.now
        self.is_discord_down = False
        self._one_at_a_time = asyncio.Lock()

    async def open(self) -> Services:
        """Start the services, and record their backend."""
        matches = await super().open()
        handlers = matches.scheduler._handlers
        handlers |= dict.fromkeys((REMIND, WARNING, RESULT_MESSAGE), self._remind)
        handlers |= {DIGEST: self._send_digest, NOTICE: self._note_expiry}
        return matches

    async def _note_expiry(self, due: Job) -> None:
        await self.note(due.user, "time up", "")

    async def _remind(self, job: Job) -> None:
        self._require_discord()
        # The outbox sends the reminders of a match one after another.
        async with self._one_at_a_time:
            for user in (None, job.user):
                for ready in await self.matches.pings.find_due(job.match, user):
                    await self._send(ready)

    async def _send(self, ready: Ready) -> None:
        chosen = ready.settings
        here = is_sent_to_match(ready.room, chosen)
        sound = "silent " if is_silent(chosen, self.clock.now, ready.kind) else ""
        named = "named " if chosen.level is ReminderLevel.OFF else ""
        kind = f"{sound}{named}{ready.kind}"
        await self.note(ready.job.user, kind, "here" if here else "direct")
        await self.matches.pings.note_sent(ready.job, *(() if here else (99, 1)))

    def _require_discord(self) -> None:
        if self.is_discord_down:
            raise OSError("Discord can't be reached")

    async def _send_digest(self, job: Job) -> None:
        self._require_discord()
        pings = self.matches.pings
        digest = await pings.load_digest(job.user)
        if not await pings.put_off_digest(job, digest):
            kind = " ".join(room.record.id for room, _ in digest.turns)
            await self.note(job.user, kind, "direct")
            await pings.note_digest_sent(job, digest, Sent(0, 99, 1))

    async def wanted(self) -> list[int]:
        """Return the users who should be reminded now."""
        store = self.matches.store
        due = await store.read(queries.due_jobs, 1 << 40, 99, own=store.own)
        kinds = (REMIND, WARNING, RESULT_MESSAGE)
        return [job.user for job in due if job.kind in kinds and job.at <= self.clock.now]

    async def note(self, user: int, kind: str, where: str) -> None:
        """Record a reminder."""
        chosen = await self.matches.pings.of(user)
        is_quiet = chosen.quiet_hours_at(self.clock.now) is not None
        self.sent.append(
            SentReminder(int(self.clock.now - self.started_at), user, kind, where, is_quiet)
        )

    async def post_and_remind(self) -> None:
        """Post pending boards and run due jobs, which remind people."""
        pings, announcements = self.matches.pings, self.matches.kernel.matches
        for due in await announcements.pending_posts():
            plan = await pings.extend_post(await announcements.post_of(due))
            await announcements.note_post(due, 1, plan.jobs)
            for user in plan.mentions:
                await self.note(user, "post", "here")
        await self.matches.scheduler.run_due()

    async def advance(self, seconds: float) -> None:
        """Let time pass, and remind everybody in time."""
        end = self.clock.now + seconds
        await self.post_and_remind()
        while (
            next_due := await self.matches.store.read(
                queries.next_job_at, own=self.matches.store.own
            )
        ) is not None and next_due <= end:
            self.clock.now = max(self.clock.now, next_due)
            await self.matches.scheduler.run_due()
            await self.post_and_remind()
        self.clock.now = end

    async def choose(self, user: int = BEA.id, **choices: Any) -> None:
        """Change somebody's settings."""
        await self.matches.pings.change_settings(user, **choices)

    async def start_beas_turn(self, pace: Pace = Pace.NONE, weekends: str = "") -> Room:
        """Start a match in which Bea is to move."""
        settings = {"first": "1"}
        terms = Terms(time=TimeTerms(pace=pace, weekends=weekends))
        room = await self.matches.open_lobby("blue_lagoon", settings, PLACE, ANA, terms=terms)
        await self.matches.join(room.record.id, BEA)
        room = await self.matches.start(room.record.id, ANA)
        await self.post_and_remind()
        room = (await self.take_turn(room, 0)).room
        self.sent.clear()
        self.started_at = self.clock.now
        await self.post_and_remind()
        return room

    def reminders_of(self, user: int = BEA.id) -> list[tuple[float, str, str]]:
        """Return somebody's backend: hours since the start, kind and place."""
        return [
            (reminder.at / HOUR, reminder.kind, reminder.where)
            for reminder in self.sent
            if reminder.user == user and reminder.where
        ]

    def history(self, user: int = BEA.id) -> list[tuple[float, str]]:
        """Return somebody's reminders and expiry: hours since the start and kind."""
        return [
            (reminder.at / HOUR, reminder.kind) for reminder in self.sent if reminder.user == user
        ]


@pytest.fixture
async def backend(tmp_path: Path) -> AsyncIterator[ReminderBackend]:
    """Return a backend on an empty database that records reminders."""
    backend = ReminderBackend(tmp_path / "motu.sqlite3")
    await backend.open()
    yield backend
    await backend.matches.close()


async def test_a_turn_is_reminded_of_at_most_three_times_at_growing_intervals(
    backend: ReminderBackend,
) -> None:
    await backend.start_beas_turn()
    await backend.advance(60 * DAY)
    assert backend.reminders_of() == [
        (0, "post", "here"),
        (24, "again", "here"),
        (96, "last", "here"),
    ]
    assert backend.reminders_of(ANA.id) == []


async def test_a_player_who_has_moved_is_not_reminded(backend: ReminderBackend) -> None:
    room = await backend.start_beas_turn()
    await backend.advance(23 * HOUR)
    await backend.take_turn(room, 1)
    await backend.advance(23 * HOUR)
    assert backend.reminders_of() == [(0, "post", "here")]
    assert backend.reminders_of(ANA.id) == [(23, "post", "here")]


async def test_a_move_cancels_the_reminder_that_it_answers(backend: ReminderBackend) -> None:
    await backend.choose(**DIRECT)
    room = await backend.start_beas_turn()
    backend.clock.now += DAY
    assert await backend.wanted() == [BEA.id]
    await backend.take_turn(room, 1)
    assert await backend.wanted() == []
    standing = await backend.matches.store.read(queries.find_job, STRIP, room.record.id, BEA.id)
    assert standing.facts["message"] == 1, "what stands in her direct message loses its buttons"


async def test_a_delayed_post_does_not_mention_a_player_who_has_moved(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_match("blue_lagoon")
    await backend.post_and_remind()
    for seat in (0, 1, 0):
        room = (await backend.take_turn(room, seat)).room
    backend.sent.clear()
    await backend.post_and_remind()
    assert [reminder.user for reminder in backend.sent] == [BEA.id]


async def test_a_step_within_a_turn_postpones_the_reminder(
    backend: ReminderBackend,
) -> None:
    """In Reef a dive may be followed by another of the same diver."""
    room = await backend.start_match(people=2)
    for _ in range(200):
        before = match_of(room)
        seat = before.waiting_for()[0]
        await backend.post_and_remind()
        room = (await backend.take_turn(room, seat)).room
        after = match_of(room)
        if (
            after.waiting_for() == before.waiting_for() == (seat,)
            and not await backend.matches.pending_posts()
        ):
            break
    else:
        raise AssertionError("no such turn in this match")
    user = room.record.chairs[seat].id
    backend.started_at = backend.clock.now
    backend.sent.clear()
    await backend.advance(23 * HOUR)
    assert backend.reminders_of(user) == []
    await backend.advance(HOUR)
    assert backend.reminders_of(user) == [(24, "again", "here")]


async def test_after_a_step_within_a_turn_the_warning_still_comes_last(
    backend: ReminderBackend,
) -> None:
    terms = Terms(time=TimeTerms(pace=Pace.STEADY))
    room = await backend.matches.open_lobby("toy", {}, PLACE, ANA, terms=terms)
    await backend.matches.join(room.record.id, BEA)
    room = await backend.matches.start(room.record.id, ANA)
    for _ in range(200):
        before = match_of(room)
        seat = before.waiting_for()[0]
        await backend.post_and_remind()
        # Where all are asked at once they use up much of their time.
        await backend.advance(30 * HOUR if len(before.waiting_for()) > 1 else 15 * HOUR)
        room = (await backend.take_turn(await backend.matches.find(room.record.id), seat)).room
        is_in_midst = match_of(room).waiting_for() == before.waiting_for() == (seat,)
        if is_in_midst and not await backend.matches.pending_posts():
            break
    else:
        raise AssertionError("no such turn in this match")
    user = room.record.chairs[seat].id
    backend.started_at = backend.clock.now
    backend.sent.clear()
    await backend.advance(10 * DAY)
    at = [0.0, *(hour for hour, _, _ in backend.reminders_of(user))]
    waits = [later - sooner for sooner, later in pairwise(at)]
    assert waits and all(sooner < later for sooner, later in pairwise(waits))
    assert [kind for _, kind, _ in backend.reminders_of(user)][-1] == "last"


async def test_in_a_secret_round_players_are_reminded_until_they_have_answered(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_match(people=3)
    await backend.advance(HOUR)
    await backend.take_turn(room, 0)
    await backend.advance(DAY)
    assert [(reminder.at // HOUR, reminder.user, reminder.kind) for reminder in backend.sent] == [
        *((0, user, "post") for user in (10, 11, 12)),
        *((24, user, "again") for user in (11, 12)),
    ]


async def test_with_direct_messages_the_post_mentions_nobody(backend: ReminderBackend) -> None:
    await backend.choose(**DIRECT)
    await backend.start_beas_turn()
    await backend.advance(60 * DAY)
    assert backend.reminders_of() == [
        (0, "turn", "direct"),
        (24, "again", "direct"),
        (96, "last", "direct"),
    ]


async def test_reminders_that_are_off_never_come(backend: ReminderBackend) -> None:
    await backend.choose(level=ReminderLevel.OFF)
    await backend.start_beas_turn()
    await backend.advance(60 * DAY)
    assert backend.reminders_of() == []


async def test_without_a_clock_the_last_call_comes_after_days(backend: ReminderBackend) -> None:
    await backend.choose(level=ReminderLevel.LAST)
    await backend.start_beas_turn()
    await backend.advance(60 * DAY)
    assert backend.reminders_of() == [(96, "last", "here")]


async def test_a_digest_comes_daily_and_stops_eventually(backend: ReminderBackend) -> None:
    """It is noon on a Monday, and digests come at nine."""
    await backend.choose(level=ReminderLevel.DIGEST)
    first = await backend.start_beas_turn()
    await backend.advance(DAY)
    second = await backend.start_beas_turn()
    backend.started_at = backend.clock.now - DAY
    await backend.advance(60 * DAY)
    both = f"{first.record.id} {second.record.id}"
    told = [(hour, set(kind.split())) for hour, kind, _ in backend.reminders_of()]
    assert told == [(45, set(both.split())), (69, set(both.split())), (93, {second.record.id})]


async def test_a_digest_leaves_out_finished_turns_and_is_not_sent_empty(
    backend: ReminderBackend,
) -> None:
    await backend.choose(level=ReminderLevel.DIGEST)
    room = await backend.start_beas_turn()
    await backend.advance(10 * HOUR)
    room = (await backend.take_turn(room, 1)).room
    await backend.advance(3 * DAY)
    assert backend.reminders_of() == []
    await backend.take_turn(room, 0)
    await backend.advance(DAY)
    assert [kind for _, kind, _ in backend.reminders_of()] == [room.record.id]


@pytest.mark.parametrize("pace", [Pace.QUICK, Pace.STEADY, Pace.EASY])
@pytest.mark.parametrize("spent", [0, 5, 19.9])
@pytest.mark.parametrize("quiet", [None, (22 * 60, 8 * 60), (13 * 60, 18 * 60)])
async def test_with_a_clock_the_intervals_grow_and_the_warning_comes_last(
    backend: ReminderBackend, pace: Pace, spent: float, quiet: tuple[int, int] | None
) -> None:
    """A used-up quick clock still has the four hours that the last turn has earned."""
    room = await backend.start_beas_turn(pace)
    bank = GRANTS[pace].bank - spent * HOUR
    await backend.advance(bank)
    await backend.take_turn(await backend.matches.find(room.record.id), 1)
    await backend.take_turn(await backend.matches.find(room.record.id), 0)
    await backend.choose(quiet=quiet, zone="UTC")
    backend.sent.clear()
    backend.started_at = backend.clock.now
    await backend.advance(14 * DAY)
    at = [hour for hour, _, _ in backend.reminders_of()]
    waits = [later - sooner for sooner, later in pairwise(at)]
    assert waits and all(sooner < later for sooner, later in pairwise(waits))
    assert [kind for _, kind in backend.history()][-2:] == ["last", "time up"]


async def test_a_nearly_used_up_clock_still_warns_in_time(backend: ReminderBackend) -> None:
    """Four hours are left: the first call with the post, the warning when a third of them is
    left.
    """
    room = await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(DAY - 1)
    await backend.take_turn(await backend.matches.find(room.record.id), 1)
    await backend.take_turn(await backend.matches.find(room.record.id), 0)
    backend.sent.clear()
    backend.started_at = backend.clock.now
    await backend.advance(DAY)
    expected = [(0, "post"), (1.1, "again"), (2.7, "last"), (4, "time up")]
    assert [(round(hour, 1), kind) for hour, kind in backend.history()] == expected


async def test_last_call_only_players_hear_just_the_clock_warning(
    backend: ReminderBackend,
) -> None:
    await backend.choose(level=ReminderLevel.LAST)
    await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(25 * HOUR)
    assert [kind for _, kind, _ in backend.reminders_of()] == ["last"]


async def test_a_clock_warning_names_players_without_reminders_without_mentioning_them(
    backend: ReminderBackend,
) -> None:
    await backend.choose(level=ReminderLevel.OFF)
    await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(25 * HOUR)
    assert [kind for _, kind, _ in backend.reminders_of()] == ["named last"]


async def test_digest_players_still_get_the_clock_warning(backend: ReminderBackend) -> None:
    await backend.choose(level=ReminderLevel.DIGEST)
    room = await backend.start_beas_turn(Pace.EASY)
    await backend.advance(73 * HOUR)
    assert [kind for _, kind, _ in backend.reminders_of()] == [
        room.record.id,
        room.record.id,
        "last",
    ]


async def test_nobody_is_reminded_during_quiet_hours(backend: ReminderBackend) -> None:
    """Noon in London is nine in the evening in Tokyo."""
    await backend.choose(quiet=(21 * 60, 7 * 60), zone="Asia/Tokyo")
    await backend.start_beas_turn()
    await backend.advance(4 * DAY)
    assert backend.reminders_of() == [(10, "turn", "here"), (34, "again", "here")]


async def test_quiet_hours_end_by_local_time_when_summer_time_begins(
    backend: ReminderBackend,
) -> None:
    for day, hours in (("2026-03-27 23:00", 9), ("2026-03-28 23:00", 8), ("2026-10-24 23:00", 10)):
        backend.clock.now = moment(day, "Europe/Berlin")
        await backend.choose(quiet=(22 * 60, 8 * 60), zone="Europe/Berlin")
        room = await backend.start_beas_turn()
        await backend.advance(12 * HOUR)
        assert backend.reminders_of() == [(hours, "turn", "here")]
        await backend.take_turn(room, 1)


async def test_a_reminder_that_falls_into_quiet_hours_waits_too(backend: ReminderBackend) -> None:
    await backend.start_beas_turn()
    await backend.choose(quiet=(11 * 60, 15 * 60), zone="UTC")
    await backend.advance(2 * DAY)
    assert backend.reminders_of() == [(0, "post", "here"), (27, "again", "here")]


async def test_a_last_call_waits_for_the_end_of_quiet_hours_if_it_can(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_beas_turn(Pace.QUICK)
    deadline = backend.matches.clocks.deadline(room, Seat(1))
    assert deadline is not None
    await backend.advance(13 * HOUR)
    warned = await last_call_at(backend)
    end = moment("2026-03-03 09:00")
    assert backend.clock.now < warned < end < deadline - HOUR
    await backend.choose(quiet=(0, 9 * 60), zone="UTC")
    await backend.advance(DAY)
    assert backend.reminders_of()[-1] == ((end - backend.started_at) / HOUR, "last", "here")


async def last_call_at(backend: ReminderBackend) -> int:
    """Return when the clock will warn Bea."""
    (at,) = [
        due.at
        for due in await backend.matches.store.read(
            queries.due_jobs, 1 << 40, 99, own=backend.matches.store.own
        )
        if due.kind == "clock"
    ]
    return at


async def test_a_clock_waits_for_the_end_of_quiet_hours_before_it_warns(
    backend: ReminderBackend,
) -> None:
    """Otherwise the warning would come at four in the morning, and time would be up at noon."""
    room = await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(13 * HOUR)
    await backend.choose(quiet=(0, 23 * 60), zone="UTC")
    await backend.advance(4 * HOUR)
    waits = await backend.matches.find(room.record.id)
    until = moment("2026-03-03 23:00") + 8 * HOUR
    assert backend.matches.clocks.deadline(waits, Seat(1)) == until, "and everybody sees until when"
    await backend.advance(2 * DAY)
    assert backend.history()[-2:] == [(35, "last"), (43, "time up")]


async def test_a_short_clock_also_waits_for_the_end_of_quiet_hours(
    backend: ReminderBackend,
) -> None:
    """Bea is asked at eleven in the evening, with four hours left."""
    room = await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(DAY - 1)
    await backend.take_turn(await backend.matches.find(room.record.id), 1)
    backend.clock.now = moment("2026-03-10 23:00")
    await backend.choose(quiet=(22 * 60, 8 * 60), zone="UTC")
    backend.sent.clear()
    backend.started_at = backend.clock.now
    await backend.take_turn(await backend.matches.find(room.record.id), 0)
    await backend.advance(DAY)
    last, up = backend.history()
    assert last == (9, "last")
    assert up[1] == "time up"
    assert round(up[0], 1) == 10.3


async def test_changing_quiet_hours_repeatedly_does_not_postpone_a_deadline_for_ever(
    backend: ReminderBackend,
) -> None:
    await backend.start_beas_turn(Pace.QUICK)
    for _ in range(4 * 24):
        # Every hour, quiet hours are moved so that it is always the middle of them.
        hour = int(backend.clock.now) % DAY // HOUR
        await backend.choose(quiet=((hour - 1) % 24 * 60, (hour + 12) % 24 * 60), zone="UTC")
        await backend.advance(HOUR)
    *_, (_, warning), (hours, end) = backend.history()
    assert (warning, end) == ("silent last", "time up")
    one_step = 1
    assert hours <= QUICK_BANK_HOURS + MAX_QUIET_SECONDS // HOUR + one_step


async def test_a_warning_that_could_not_be_sent_in_time_leaves_time_to_act_on_it(
    backend: ReminderBackend,
) -> None:
    """Nothing can be sent for twenty hours, until long after time would have been up."""
    room = await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(15 * HOUR)
    backend.is_discord_down = True
    for _ in range(39):
        backend.clock.now += HOUR / 2
        await backend.matches.scheduler.run_due()
    assert not (await backend.matches.find(room.record.id)).is_expired(Seat(1)), (
        "it has not run out unheard"
    )
    backend.is_discord_down = False
    backend.clock.now += HOUR / 2
    await backend.post_and_remind()
    late = await backend.matches.find(room.record.id)
    assert backend.reminders_of()[-1] == (35, "last", "here")
    assert backend.matches.clocks.deadline(late, Seat(1)) == backend.clock.now + 8 * HOUR
    await backend.advance(DAY)
    assert backend.history()[-1] == (43, "time up")


async def test_a_warning_that_fails_is_tried_again_and_the_clock_waits(
    backend: ReminderBackend,
) -> None:
    """Every try fails for twenty hours, until long after the time would have been up."""
    room = await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(15 * HOUR)
    backend.is_discord_down = True
    for _ in range(40):
        backend.clock.now += HOUR / 2
        await backend.matches.scheduler.run_due()
    warning = await backend.matches.store.read(queries.find_job, WARNING, room.record.id, BEA.id)
    assert warning.tries > 20
    assert not (await backend.matches.find(room.record.id)).is_expired(Seat(1))
    backend.is_discord_down = False
    await backend.advance(DAY)
    (last, _), (up, kind) = backend.history()[-2:]
    assert backend.reminders_of()[-1] == (last, "last", "here") and kind == "time up"
    assert 35 <= last < 35.5 and up == last + 8, "with as much time left as if it had come in time"


@pytest.mark.parametrize(
    ("zone", "quiet", "resumed", "heard"),
    [
        ("UTC", None, "2026-03-05 22:30", "2026-03-05 22:30"),
        ("UTC", (22 * 60, 8 * 60), "2026-03-05 22:30", "2026-03-06 08:00"),
        # Almost all of a day of 25 hours.
        ("Europe/Berlin", (0, 23 * 60 + 59), "2026-10-24 22:00", "2026-10-25 22:59"),
    ],
)
async def test_a_warning_leaves_an_hour_however_little_time_was_left_at_a_pause(
    backend: ReminderBackend, zone: str, quiet: tuple[int, int] | None, resumed: str, heard: str
) -> None:
    room = await backend.start_beas_turn(Pace.QUICK)
    await backend.advance(DAY - 30)
    for kind in ("pause", "resume"):
        vote = await backend.matches.votes.propose(room.record.id, ANA, kind)
        await backend.matches.votes.cast(room.record.id, vote.number, BEA.id, "yes")
        if kind == "pause":
            assert (
                backend.matches.clocks.seconds_left(
                    await backend.matches.find(room.record.id), Seat(1)
                )
                == 30
            )
            await backend.choose(quiet=quiet, zone=zone)
            backend.clock.now = moment(resumed)
    backend.sent.clear()
    backend.started_at = moment(heard)
    await backend.advance(2 * DAY)
    assert backend.history()[-2:] == [(0, "last"), (1, "time up")]


async def test_a_late_warning_is_not_sent_to_players_who_moved_or_left_on_vacation(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_beas_turn(Pace.QUICK)
    backend.clock.now += 17 * HOUR
    backend.is_discord_down = True
    await backend.matches.scheduler.run_due()
    assert await backend.matches.store.read(queries.find_job, WARNING, room.record.id, BEA.id)
    await backend.matches.vacations.begin(BEA.id, days=2)
    backend.is_discord_down = False
    await backend.advance(60)
    assert "last" not in [kind for _, kind, _ in backend.reminders_of()]
    await backend.matches.vacations.end(BEA.id)
    await backend.advance(HOUR)
    assert [kind for _, kind, _ in backend.reminders_of()][-1] == "last", (
        "the clock asks for it again"
    )
    await backend.take_turn(await backend.matches.find(room.record.id), 1)
    await backend.advance(0)
    assert [kind for _, kind, _ in backend.reminders_of()][-1] == "last"


async def test_a_last_call_comes_on_vacation_once_its_days_are_used_up(
    backend: ReminderBackend,
) -> None:
    await backend.start_beas_turn(Pace.QUICK)
    await backend.matches.vacations.begin(BEA.id, days=60)
    await backend.advance(20 * DAY)
    assert [kind for _, kind in backend.history()][-2:] == ["last", "time up"]


@pytest.mark.parametrize("seed", range(6))
async def test_nobody_s_time_runs_out_without_a_warning_outside_quiet_hours(
    backend: ReminderBackend, seed: int
) -> None:
    """Three weeks with a clock change, forgetful players, and a bot that is down at times."""
    random = Random(seed)
    backend.clock.now = moment(random.choice(("2026-03-20 12:00", "2026-10-16 12:00")))
    zone = random.choice(("Europe/Berlin", "America/New_York", "Pacific/Auckland", "UTC"))
    pace = random.choice((Pace.QUICK, Pace.STEADY))
    weekends = random.choice(("", zone))
    end = backend.clock.now + 21 * DAY
    room = await backend.start_beas_turn(pace, weekends)
    for user in (ANA.id, BEA.id):
        await backend.choose(
            user,
            level=random.choice((ReminderLevel.TURN, ReminderLevel.LAST, ReminderLevel.DIGEST)),
        )
    runs_out = 0
    while backend.clock.now < end:
        room = await backend.matches.find(room.record.id)
        seat = match_of(room).waiting_for()[0]
        user = room.record.chairs[seat].id
        begun = len(backend.sent)
        longest = backend.matches.clocks.seconds_left(room, seat)
        put, changed = backend.clock.now, False
        moves_at = put + random.choice((1, 5, 20, 200)) * HOUR
        while backend.clock.now < moves_at and not (
            await backend.matches.find(room.record.id)
        ).is_expired(seat):
            if not changed and random.random() < 0.2:
                start = random.randrange(24 * 60)
                hours = random.randint(1, 12)
                await backend.choose(
                    user, quiet=(start, (start + hours * 60) % (24 * 60)), zone=zone
                )
                changed = True
            if random.random() < 0.03:
                # It was there until now: only a test's clock passes without a heartbeat.
                backend.matches.scheduler.on_clock_moved()
                await backend.stop_for(5 * HOUR)
                put += 5 * HOUR
            await backend.advance(HOUR)
            assert longest is not None
            assert backend.clock.now - put < longest + 25 * HOUR + DAY + bool(weekends) * 5 * DAY
        heard = [reminder.kind for reminder in backend.sent[begun:] if reminder.user == user]
        if "time up" in heard:
            runs_out += 1
            assert heard[heard.index("time up") - 1] == "last", heard
        await backend.take_turn(await backend.matches.find(room.record.id), seat)
    assert runs_out and not [
        reminder for reminder in backend.sent if reminder.in_quiet_hours and reminder.where
    ]


async def test_after_a_week_of_downtime_players_are_reminded_once(backend: ReminderBackend) -> None:
    await backend.start_beas_turn()
    await backend.choose(ANA.id, level=ReminderLevel.DIGEST)
    await backend.advance(HOUR)
    await backend.stop_for(7 * DAY)
    await backend.advance(HOUR)
    assert backend.reminders_of() == [(0, "post", "here"), (169, "again", "here")]
    await backend.advance(60 * DAY)
    assert [kind for _, kind, _ in backend.reminders_of()] == ["post", "again", "last"]


async def test_a_digest_that_was_missed_for_a_week_comes_once(backend: ReminderBackend) -> None:
    await backend.choose(level=ReminderLevel.DIGEST)
    await backend.start_beas_turn()
    await backend.stop_for(7 * DAY)
    await backend.advance(2 * HOUR)
    assert len(backend.reminders_of()) == 1


async def test_a_new_turn_does_not_postpone_a_missed_digest(backend: ReminderBackend) -> None:
    await backend.choose(level=ReminderLevel.DIGEST)
    await backend.start_beas_turn()
    await backend.stop_for(DAY)
    backend.is_discord_down = True
    other = await backend.start_beas_turn()
    backend.is_discord_down = False
    await backend.advance(60)
    assert [other.record.id in kind for _, kind, _ in backend.reminders_of()] == [True]


async def test_a_reminder_due_when_the_bot_stopped_is_sent_after_the_start(
    backend: ReminderBackend,
) -> None:
    await backend.choose(**DIRECT)
    await backend.start_beas_turn()
    backend.clock.now += DAY
    assert await backend.wanted() == [BEA.id]
    await backend.restart()
    await backend.advance(0)
    assert [kind for _, kind, _ in backend.reminders_of()] == ["turn", "again"]


async def test_a_changed_setting_applies_to_the_next_reminder(backend: ReminderBackend) -> None:
    await backend.choose(level=ReminderLevel.OFF)
    await backend.start_beas_turn()
    await backend.advance(3 * DAY)
    await backend.choose(level=ReminderLevel.TURN)
    await backend.advance(DAY)
    assert backend.reminders_of() == [(96, "turn", "here")]
    await backend.choose(level=ReminderLevel.OFF)
    await backend.advance(30 * DAY)
    assert len(backend.reminders_of()) == 1


async def test_a_paused_match_reminds_nobody(backend: ReminderBackend) -> None:
    room = await backend.start_beas_turn()
    await backend.matches.pause(room.record.id, "gone")
    await backend.advance(10 * DAY)
    assert backend.reminders_of() == [(0, "post", "here")]
    await backend.matches.move(room.record.id, room.record.place)
    await backend.advance(DAY)
    assert [kind for _, kind, _ in backend.reminders_of()] == ["post", "again"]


async def test_the_player_to_move_is_reminded_when_a_match_resumes(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await backend.post_and_remind()
    votes, match = backend.matches.votes, room.record.id
    await votes.propose(match, ANA, "pause")
    await votes.cast(match, 1, BEA.id, "yes")
    await backend.advance(3 * DAY)
    await backend.matches.resign(backend.press(room, 2))
    await backend.post_and_remind()
    assert backend.reminders_of(ANA.id) == [(0, "post", "here")]
    await votes.propose(match, BEA, "resume")
    await votes.cast(match, 2, ANA.id, "yes")
    await backend.advance(10 * DAY)
    assert backend.reminders_of(ANA.id)[1:] == [
        (72, "post", "here"),
        (96, "again", "here"),
        (168, "last", "here"),
    ]


async def test_a_resigned_seat_is_not_reminded(backend: ReminderBackend) -> None:
    room = await backend.start_match(people=3)
    await backend.post_and_remind()
    await backend.matches.resign(backend.press(room, 1))
    await backend.advance(30 * DAY)
    assert [reminder.kind for reminder in backend.sent if reminder.user == BEA.id] == ["post"]
    assert [reminder.kind for reminder in backend.sent if reminder.user == ANA.id] == [
        "post",
        "again",
        "last",
    ]


async def test_a_player_on_vacation_is_reminded_afterwards(backend: ReminderBackend) -> None:
    await backend.matches.vacations.begin(BEA.id, 10)
    await backend.start_beas_turn()
    await backend.advance(11 * DAY)
    assert backend.reminders_of() == [(240, "turn", "here"), (264, "again", "here")]


async def test_taking_back_an_unposted_turn_schedules_a_reminder(backend: ReminderBackend) -> None:
    room = await backend.start_match(people=3)
    await backend.post_and_remind()
    await backend.take_turn(room, 0)
    await backend.matches.rewinds.take_back(backend.press(room, 0))
    assert await backend.matches.pending_posts() == []
    backend.sent.clear()
    await backend.advance(DAY)
    assert ANA.id in {reminder.user for reminder in backend.sent if reminder.kind == "again"}


async def test_nobody_is_reminded_while_their_plan_is_about_to_answer(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_beas_turn()
    plan = PlannedTurn(
        id=1, seat=1, move="", answers=(), kept=True, at=int(backend.clock.now + DAY + HOUR)
    )
    await backend.matches.pipeline.change(
        room.record.id, lambda change: change.update(plans=(plan,))
    )
    await backend.advance(26 * HOUR - 1)
    assert backend.reminders_of() == [(0, "post", "here")]


async def test_the_result_is_sent_to_players_reminded_of_every_turn(
    backend: ReminderBackend,
) -> None:
    await backend.choose(**DIRECT)
    room = await backend.start_beas_turn()
    await backend.matches.resign(backend.press(room, 0))
    await backend.advance(DAY)
    assert backend.reminders_of(ANA.id) == [(0, "post", "here")]
    assert backend.reminders_of()[-1] == (0, "end", "direct")
    assert await backend.wanted() == []
    assert not await backend.matches.store.read(queries.find_job, REMIND, room.record.id, BEA.id)


async def test_nobody_is_reminded_of_paused_ended_or_handed_over_matches(
    backend: ReminderBackend,
) -> None:
    room, votes = await backend.start_beas_turn(), backend.matches.votes
    for kind in ("pause", "resume", "end"):
        vote = await votes.propose(room.record.id, ANA, kind)
        await votes.cast(room.record.id, vote.number, BEA.id, "yes")
        backend.sent.clear()
        await backend.advance(5 * DAY)
        called = {"pause": [], "resume": ["post", "again", "last"], "end": []}[kind]
        assert [kind for _, kind, _ in backend.reminders_of()] == called
    room = await backend.start_beas_turn()
    offered = await backend.matches.seats.offer(room, BEA, Seat(1))
    await backend.matches.seats.ask_for(room, CEM, Seat(1))
    await votes.cast(room.record.id, offered.number + 1, ANA.id, "yes")
    backend.sent.clear()
    await backend.advance(5 * DAY)
    assert [kind for _, kind, _ in backend.reminders_of(CEM.id)] == ["post", "again", "last"]
    assert backend.reminders_of() == []


async def test_a_second_that_passes_while_posting_drops_no_mention(
    backend: ReminderBackend,
) -> None:
    room = await backend.start_match("blue_lagoon")
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)

    def tick() -> float:
        backend.clock.now += 1
        return backend.clock.now

    backend.matches.clocks._now = backend.matches.pings.now = tick
    extras = await backend.matches.pings.extend_post(post)
    assert extras.mentions == (room.record.chairs[0].id,)
