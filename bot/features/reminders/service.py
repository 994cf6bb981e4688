"""Who is reminded of a decision, when and how often. The outbox and sender.py send the reminders.

A decision is put to somebody by a public post. From then on they are reminded as they have chosen (player_settings.py):

- every turn: by the post itself, or in a direct message; again after a day, or well before the clock's warning; and
  once more
- a digest: once a day, of everything that waits for them
- last call: when their time runs out, or after some days where no clock runs
- off: never. Only the warning of a clock is posted in the thread all the same, and mentions nobody

That makes at most three reminders of a decision, and none once it is made: the commit that makes it withdraws the
reminder in the same transaction. Each comes after a longer wait than the one before it. A reminder that would come in
quiet hours waits for their end, and the clock of a player who would be warned then waits too (features/clock).
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.features.reminders import queries as reminder_queries
from bot.features.reminders.player_settings import (
    CHOICES,
    Delivery,
    PlayerSettings,
    ReminderLevel,
    ReminderSettings,
)
from bot.features.vacation import KEY as VACATION
from bot.features.vacation import Vacation, Vacations
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.clocks import Clocks
from bot.kernel.feature import PostExtras
from bot.kernel.kernel import Kernel
from bot.kernel.post_rules import people_to_move
from bot.kernel.room import Post, Room
from bot.kernel.scheduler import HOLD
from bot.model.jobs import Job
from bot.model.match import MatchRecord, Status
from bot.model.posts import Reminder
from bot.model.stored import CALLS_WANTED
from bot.model.votes import Vote
from bot.runtime.clock import DAY, HOUR
from bot.runtime.errors import log_error
from bot.store.sql import Database, Write
from engine import Commit, Match, Seat

MAX_REMINDERS = 3
"""Reminders of one decision."""
SECOND, THIRD = DAY, 3 * DAY
"""Seconds from one reminder to the next, where no clock runs."""
BEFORE_WARNING = 0.4
"""Where a clock runs, the part of the time until its warning after which somebody is reminded: less than half of it, so
that the second wait is the longer one."""
SHORT = 4 * HOUR
"""With fewer seconds left than this nobody is reminded before the clock's own warning."""
REMIND, DIGEST = "remind", "digest"
"""Jobs: a reminder of one decision, and the digest of a day."""
TERMS = "terms"
"""The job that tells somebody of a lobby whose terms have changed, unless their next digest does."""
AT_ONCE = 100
"""Reminders that one transaction asks for."""
TURN, AGAIN, LAST, END = "turn", "again", "last", "end"
"""The kinds of reminders, as [call] words them; besides them there is the digest."""


class OpenVotes:
    """Knows which votes wait for somebody: implemented by the feature that has votes."""

    async def awaiting(self, room: Room, user: int) -> list[Vote]:
        """Return the open votes of a match to which somebody is asked and has said nothing."""
        raise NotImplementedError


class ClockWarnings:
    """Decides about warnings that somebody's time runs out: implemented by the feature that lets it run out."""

    async def ready_to_warn(self, match: str, seat: Seat) -> Room | None:
        """Return the match if a warning can be sent now; None if it is not due."""
        raise NotImplementedError

    async def mark_warned(self, match: str, seat: Seat) -> None:
        """Note that a warning was sent."""
        raise NotImplementedError


class DigestExtras(Struct, frozen=True):
    """What a digest tells somebody besides the decisions that wait for them."""

    votes: tuple[tuple[Room, Vote], ...] = ()
    lobbies: tuple[Room, ...] = ()
    """Lobbies that they sit in whose terms have changed."""
    rematches: tuple[Room, ...] = ()
    """Lobbies of rematches that wait for them."""

    @property
    def rooms(self) -> list[Room]:
        """The matches that it is about."""
        return [*(room for room, _ in self.votes), *self.lobbies, *self.rematches]


class Reminders:
    """The reminders of all players: written with what causes them, withdrawn with what answers them."""

    def __init__(self, kernel: Kernel, clocks: Clocks, vacations: Vacations) -> None:
        self._store = kernel.store
        self._matches = kernel.matches
        self._scheduler = kernel.scheduler
        self._services = kernel.services
        self.now = kernel.now
        self._clocks = clocks
        self._vacations = vacations
        self.settings = PlayerSettings(kernel.store)
        self._tell = kernel.on_told

    async def of(self, user: int) -> ReminderSettings:
        """Return what somebody has chosen, with the vacation that they are on."""
        chosen = await self.settings.of(user)
        vacation = await self._vacations.of(user)
        return replace(chosen, away=vacation.until) if vacation.covers(int(self.now())) else chosen

    # A decision is put to somebody.

    async def extend_post(self, post: Post) -> PostExtras:
        """Return whom a post mentions, and who is reminded otherwise or later."""
        if post.room.playing().outcome is not None:
            return await self._tell_end(post.room)
        room = await self._matches.find(post.announcement.match)
        now = int(self.now())
        mentions: list[int] = []
        reminders: list[Reminder] = []
        jobs: list[Job] = []
        asked = [(seat, user) for seat in await self._still_asked(post, room) for user in room.people([seat])]
        for seat, user in asked:
            chosen = await self.of(user)
            reminder = Reminder(room.record.id, user)
            at = self._first(room, seat, chosen, now)
            if chosen.level is ReminderLevel.DIGEST:
                jobs += await self._digest_job(user, chosen)
            elif at == now and self.is_here(room, chosen):
                mentions.append(user)
                reminder = replace(reminder, times=1)
                at = self._next(room, seat, reminder, chosen)
            elif at == now:
                reminder = replace(reminder, wanted=TURN, since=now)
                at = None
            reminders.append(reminder)
            if at is not None:
                jobs.append(Job(REMIND, at, room.record.id, user))
        return PostExtras(tuple(mentions), tuple(jobs), (Write(reminder_queries.put_reminders, tuple(reminders)),))

    async def _digest_job(self, user: int, chosen: ReminderSettings) -> list[Job]:
        """Return the job of somebody's next digest; none if one is scheduled, which after a stop may be overdue."""
        if await self._store.read(queries.has_job, DIGEST, user=user):
            return []
        return [Job(DIGEST, chosen.next_digest(self.now()), user=user)]

    async def _tell_end(self, room: Room) -> PostExtras:
        """Return how those who want to hear of every turn hear of the end."""
        now = int(self.now())
        mentions: list[int] = []
        reminders: list[Reminder] = []
        for user in room.players:
            chosen = await self.of(user)
            if chosen.level is not ReminderLevel.TURN:
                continue
            if not self.is_here(room, chosen):
                reminders.append(Reminder(room.record.id, user, wanted=END, since=now))
            elif chosen.quiet_until(now) is None:
                mentions.append(user)
        return PostExtras(tuple(mentions), writes=(Write(reminder_queries.put_reminders, tuple(reminders)),))

    async def _still_asked(self, post: Post, room: Room) -> list[Seat]:
        """Return the seats that a post asks and that have not answered meanwhile: it may have waited for Discord.

        Besides, if it is the newest, those whom nothing reminds of what they are asked, as after a pause.
        """
        match, number = room.match, post.announcement.number
        if match is None:
            return []
        later = await self._store.read(queries.commits, room.record.id, number) if match.number > number else []
        asked = set(people_to_move(match)) - {commit.seat for commit in later}
        kept = await self._store.read(reminder_queries.reminders, room.record.id)
        reminded = {reminder.user for reminder in kept if not reminder.over}
        forgotten = {seat for seat in asked if not later and room.record.chairs[seat].id not in reminded}
        return [seat for seat in match.waiting_for() if seat in asked and (seat in post.newly or seat in forgotten)]

    def _first(self, room: Room, seat: Seat, chosen: ReminderSettings, now: int) -> int | None:
        """Return when somebody is first reminded of a decision that is put to them now, if at all."""
        match chosen.level:
            case ReminderLevel.TURN if room.is_paused:
                return now + SECOND
            case ReminderLevel.TURN:
                return chosen.quiet_until(now) or now
            case ReminderLevel.LAST if self._clocks.deadline(room, seat) is None:
                return now + SECOND + THIRD
        return None

    def _next(self, room: Room, seat: Seat, reminder: Reminder, chosen: ReminderSettings) -> int | None:
        """Return when the next reminder comes after those that were sent; with a clock its warning is the last."""
        now, deadline = int(self.now()), self._clocks.deadline(room, seat)
        if deadline is None:
            return {1: now + SECOND, 2: now + THIRD}.get(reminder.times)
        warning = self._clocks.warning(room, seat)
        if reminder.times != 1 or warning is None or deadline - now < SHORT:
            return None
        at = now + min(SECOND, round((warning - now) * BEFORE_WARNING))
        # Quiet hours may put either off.
        at = chosen.quiet_until(at) or at
        warning = chosen.quiet_until(warning) or warning
        return at if warning - at > at - now else None

    # A match changes.

    def follow(self, change: Change) -> Change:
        """Withdraw reminders of what was answered, and remind those who are asked without a post telling them."""
        if change.after.match is None or change.before.match is None or change.is_draft_only:
            return change
        if change.commits:
            change = self._follow_commits(change)
        return self._remind_newly_asked(change)

    def _follow_commits(self, change: Change) -> Change:
        """Withdraw reminders of decisions that are made or gone.

        Somebody in the midst of their turn has the same decision still, and is reminded as if they had been just now.
        """
        room, before, after = change.before, change.commits[0][0], change.after.playing()
        awaited = set(people_to_move(after))
        moved = {stood.last.seat for was, stood in change.commits if stood.last and _has_answered(was, stood.last)}
        is_told = change.announce is not None
        over = [seat for seat in before.waiting_for() if seat not in awaited or (is_told and seat in moved)]
        going_on = room.people(seat for seat in before.waiting_for() if seat in moved and seat not in over)
        postponed: list[Job] = []
        for job in change.context[queries.jobs_of_match]:
            if job.kind == REMIND and job.user in going_on:
                seat, chosen = room.own_seat(job.user), self._settings_in(change, job.user)
                later = self._next(room, seat, Reminder(room.record.id, job.user, times=1), chosen)
                # Where there is no time for a reminder, the clock's warning comes first and takes its place.
                postponed.append(replace(job, at=max(job.at, later or self._clocks.deadline(room, seat) or 0)))
        # Whoever takes a turn back is reminded anew.
        kept = {reminder.user for reminder in change.written(reminder_queries.put_reminders)}
        answered = [user for user in room.people(over) if user not in kept]
        if answered:
            change = change.write(reminder_queries.answer_reminders, change.match_id, *answered)
        return change.schedule(*postponed).cancel_jobs(*((REMIND, user) for user in answered))

    def _settings_in(self, change: Change, user: int) -> ReminderSettings:
        """Return what somebody has chosen, as it was read for a change."""
        chosen, vacation = change.context[settings_of_players].get(user, (ReminderSettings(), Vacation()))
        return replace(chosen, away=vacation.until) if vacation.covers(change.now) else chosen

    def _remind_newly_asked(self, change: Change) -> Change:
        """Schedule a reminder for those who are asked now and whom no post tells.

        Such as a newcomer in a seat, or somebody who has come back or taken a turn back: they know, but may forget.
        """
        last_post = change.context.last_post
        is_told = last_post is not None and last_post.number == change.after.playing().number
        kept = {reminder.user for reminder in change.written(reminder_queries.put_reminders)}
        asked = _awaited(change.after) - _awaited(change.before) - kept
        if change.announce is not None or is_told or not asked:
            return change
        known = {reminder.user: reminder for reminder in change.context[reminder_queries.reminders_of_match]}
        reminders = [known.get(user, Reminder(change.match_id, user, times=1)) for user in asked]
        added = [replace(reminder, over=False) for reminder in reminders]
        jobs = [Job(REMIND, change.now + SECOND, change.match_id, user) for user in asked]
        return change.write(reminder_queries.put_reminders, *added).schedule(*jobs)

    # The time for a reminder has come.

    async def remind(self, job: Job) -> None:
        """Ask for a reminder of one decision, and for others whose time has come with it, some at a time.

        What kind of reminder it is, if any, is only worked out when it is sent. So ten thousand at once cost the
        database next to nothing, and nobody who plays has to wait for them.
        """
        await self._store.write(reminder_queries.request_reminders, job, int(self.now()), AT_ONCE, own=self._store.own)
        self._tell(CALLS_WANTED)

    async def warn(self, match: str, seat: Seat) -> None:
        """Ask for the warning that somebody's time runs out; their clock calls this until it was sent."""
        room = await self._matches.find(match)
        user = room.record.chairs[seat].id
        if not self._waits(room, seat) or room.record.status is not Status.RUNNING:
            return
        reminder = await self.find(match, user) or Reminder(match, user)
        if reminder.wanted == LAST and not reminder.over:
            return
        # A clock may warn a second time, for example after a vacation, and that warning must be heard too.
        times = 0 if reminder.over else min(reminder.times, MAX_REMINDERS - 1)
        warning = replace(reminder, times=times, wanted=LAST, since=int(self.now()), over=False)
        await self._store.write(reminder_queries.put_reminders, warning)
        await self._store.write(queries.cancel_job, REMIND, match, user)
        self._tell(CALLS_WANTED)

    async def digest(self, job: Job) -> None:
        """Ask for the digest of a day; where nothing waits there is none, until something does again."""
        chosen, now = await self.of(job.user), int(self.now())
        if chosen.level is not ReminderLevel.DIGEST:
            return
        if not await self.waiting(job.user) and not (await self.digest_extras(job.user)).rooms:
            return
        if until := chosen.quiet_until(now):
            await self._store.write(queries.schedule, replace(job, at=until))
            return
        known = await self.find("", job.user) or Reminder("", job.user)
        wanted = replace(known, wanted=DIGEST, since=now)
        await self._store.write(reminder_queries.remind_later, (wanted,), (replace(job, at=chosen.next_digest(now)),))
        self._tell(CALLS_WANTED)

    async def put_in_digest(self, user: int, changed_lobby: str = "") -> None:
        """Have the next digest tell somebody of a vote or a rematch, or of a lobby whose terms have changed."""
        chosen = await self.of(user)
        jobs = await self._digest_job(user, chosen)
        if changed_lobby:
            jobs.append(Job(TERMS, chosen.next_digest(self.now()) + DAY, changed_lobby, user))
        await self._store.write(queries.schedule, *jobs)
        self._scheduler.poke()

    async def digest_extras(self, user: int) -> DigestExtras:
        """Return what a digest tells somebody besides the decisions that wait for them."""
        votes: list[tuple[Room, Vote]] = []
        lobbies: list[Room] = []
        for room in await self._matches.of_user(user):
            if room.record.status is Status.LOBBY:
                if await self._store.read(queries.has_job, TERMS, room.record.id, user):
                    lobbies.append(room)
            elif not room.record.paused_for:
                for source in self._services.all(OpenVotes):
                    votes += [(room, vote) for vote in await source.awaiting(room, user)]
        rematches = await self._matches.select(queries.rematches_awaiting, user)
        return DigestExtras(tuple(votes), tuple(lobbies), tuple(rematches))

    async def waiting(self, user: int) -> list[tuple[Room, Reminder]]:
        """Return the decisions that somebody may still be reminded of, the most urgent first."""
        known = {reminder.match: reminder for reminder in await self._store.read(reminder_queries.reminders, user=user)}
        found: list[tuple[int, Room, Reminder]] = []
        for room in await self._matches.of_user(user):
            seat, reminder = room.seat_of(user), known.get(room.record.id) or Reminder(room.record.id, user)
            if seat is None or room.record.status is not Status.RUNNING or not self._waits(room, seat):
                continue
            deadline = self._clocks.deadline(room, seat)
            # With a clock the last of the reminders is its warning.
            if not reminder.over and reminder.times < MAX_REMINDERS - (deadline is not None):
                found.append((deadline or 1 << 62, room, reminder))
        return [(room, reminder) for _, room, reminder in sorted(found, key=lambda one: one[0])]

    def _waits(self, room: Room, seat: Seat) -> bool:
        return room.match is not None and not room.is_over and seat in people_to_move(room.match)

    # A reminder is sent.

    def is_here(self, room: Room, chosen: ReminderSettings) -> bool:
        """Whether somebody is reminded where the match is played; for one in a direct message that is the same."""
        return not chosen.is_direct or not room.record.place.guild

    def is_silent(self, chosen: ReminderSettings, kind: str = "") -> bool:
        """Whether a reminder of some kind makes no sound now.

        A last call is heard on vacation: one comes only where the days of vacation are used up.
        """
        heard = replace(chosen, away=0) if kind == LAST else chosen
        return heard.quiet_until(self.now()) is not None

    def is_mentioned(self, reminder: Reminder, chosen: ReminderSettings) -> bool:
        """Whether a reminder mentions somebody: a warning to people who want none, or one too many, only names them."""
        return chosen.level is not ReminderLevel.OFF and reminder.times < MAX_REMINDERS

    async def mentionable(self, users: Iterable[int]) -> list[int]:
        """Return those who may be mentioned now for what is no turn: not in quiet hours, and only at level TURN."""
        chosen = [(user, await self.of(user)) for user in users]
        return [user for user, choices in chosen if choices.level is ReminderLevel.TURN and not self.is_silent(choices)]

    async def find(self, match: str, user: int) -> Reminder | None:
        """Return how somebody is reminded of their decision in a match; in no match (''), by digests."""
        return next(iter(await self._store.read(reminder_queries.reminders, match, user)), None)

    async def wanted(self, most: int) -> list[Reminder]:
        """Return the reminders to send now, oldest first.

        Those that any process may send are this one's for a while.
        """
        now, own = int(self.now()), self._store.own
        found = await self._store.read(reminder_queries.wanted_reminders, most, own=own)
        if self._store.is_shared:
            found += await self._store.write(reminder_queries.claim_reminders, now, most, now + HOLD, own=own)
        return found

    async def wanted_here(self, match: str) -> list[tuple[Reminder, ReminderSettings]]:
        """Return the reminders to send now where a match is played, each with what that person has chosen."""
        found: list[tuple[Reminder, ReminderSettings]] = []
        for reminder in await self._store.read(reminder_queries.reminders, match):
            prepared = await self.prepare(reminder) if reminder.wanted else None
            if prepared is None:
                continue
            room, ready = prepared
            chosen = await self.of(reminder.user)
            if self.is_here(room, chosen):
                found.append((ready, chosen))
        return found

    async def prepare(self, reminder: Reminder) -> tuple[Room, Reminder] | None:
        """Return the match and the reminder to send now; None if it is dropped or put off."""
        room, chosen = await self._matches.find(reminder.match), await self.of(reminder.user)
        seat, now = room.seat_of(reminder.user), int(self.now())
        if reminder.wanted == END:
            return room, reminder
        kind, at = "", None
        if seat is not None and self._waits(room, seat):
            kind = self._kind(room, seat, chosen, reminder)
            if kind == LAST and self._clocks.deadline(room, seat) is not None:
                # It may have waited, so it is asked again whether to send it, and until when they have time.
                warnings = self._services.get(ClockWarnings)
                warned = await warnings.ready_to_warn(reminder.match, seat) if warnings else None
                kind, room = (kind, warned) if warned else ("", room)
            else:
                at = chosen.quiet_until(now)
            if room.is_paused:
                at = now + SECOND
            elif (plan := room.plan_of(seat)) and plan.at:
                # It will be answered without them.
                at = plan.at + HOUR
        jobs = (Job(REMIND, at, reminder.match, reminder.user),) if kind and at else ()
        prepared = replace(reminder, wanted="" if jobs else kind)
        if prepared != reminder:
            is_ours = await self._store.write(reminder_queries.replace_reminder, reminder, prepared, jobs)
            if not is_ours:
                return None
        if jobs:
            self._scheduler.poke()
        return (room, prepared) if prepared.wanted else None

    def _kind(self, room: Room, seat: Seat, chosen: ReminderSettings, reminder: Reminder) -> str:
        """Return the kind of a reminder by what somebody has chosen; '' if they want none."""
        has_clock = self._clocks.deadline(room, seat) is not None
        if has_clock and reminder.wanted == LAST:
            # The warning of a clock, which nobody misses.
            return LAST
        if chosen.level is ReminderLevel.TURN and reminder.times < MAX_REMINDERS - has_clock:
            return (TURN, AGAIN, LAST)[reminder.times]
        is_last_call = chosen.level is ReminderLevel.LAST and not has_clock
        return LAST if is_last_call and reminder.times < MAX_REMINDERS else ""

    async def drop(self, reminder: Reminder) -> None:
        """Do not send a reminder after all."""
        await self._store.write(reminder_queries.replace_reminder, reminder, replace(reminder, wanted=""))

    async def give_up(self, reminder: Reminder) -> None:
        """Give up a reminder that could not be sent.

        Most count as sent, and the next one may fare better. No reminder comes after a clock's warning, so that one is
        dropped without counting: its clock asks for it again, and runs out only after it was sent.
        """
        known = await self.find(reminder.match, reminder.user)
        if known is None or not known.wanted:
            return
        if known.wanted == DIGEST or await self._is_warning(known):
            await self.drop(known)
        else:
            await self.note_sent(known, known.channel, known.message)

    async def _is_warning(self, reminder: Reminder) -> bool:
        """Return whether a reminder is the warning of a clock that has not warned yet."""
        if reminder.wanted != LAST:
            return False
        room = await self._matches.find(reminder.match)
        seat = room.seat_of(reminder.user)
        return seat is not None and self._clocks.warning(room, seat) is not None

    async def note_sent(self, reminder: Reminder, channel: int = 0, message: int = 0) -> None:
        """Note that a reminder was sent, perhaps by a message of its own, and schedule the next one."""
        after = replace(reminder, times=self._counted(reminder), wanted="", channel=channel, message=message)
        room = await self._matches.find(reminder.match)
        seat = room.seat_of(reminder.user)
        at = None
        if seat is not None:
            if reminder.wanted == LAST and (warnings := self._services.get(ClockWarnings)):
                await warnings.mark_warned(reminder.match, seat)
            at = self._next(room, seat, after, await self.of(reminder.user))
        jobs = (Job(REMIND, at, reminder.match, reminder.user),) if at is not None else ()
        if reminder.wanted == END:
            await self._store.write(reminder_queries.delete_reminder, reminder)
        elif not await self._store.write(reminder_queries.replace_reminder, reminder, after, jobs):
            # They have moved while it was on its way: it is there, and loses its buttons at once.
            await self._store.write(reminder_queries.put_reminders, replace(after, over=True))
        if jobs:
            self._scheduler.poke()

    async def note_digest_sent(
        self, digest: Reminder, listed: Sequence[tuple[Room, Reminder]], channel: int, message: int
    ) -> None:
        """Note that a digest was sent: it counts as a reminder of each decision in it."""
        for room in (await self.digest_extras(digest.user)).lobbies:
            await self._store.write(queries.cancel_job, TERMS, room.record.id, digest.user)
        counted = [replace(reminder, times=self._counted(reminder)) for _, reminder in listed]
        sent = replace(digest, wanted="", channel=channel, message=message)
        await self._store.write(reminder_queries.put_reminders, sent, *counted)

    def _counted(self, reminder: Reminder) -> int:
        return MAX_REMINDERS if reminder.wanted == LAST else reminder.times + 1

    async def outdated(self, match: str, reminded_anew: Collection[int] = ()) -> list[Reminder]:
        """Return the reminders of a match whose messages may still be there although they are answered or gone.

        So are those of people who are reminded anew, as after a rewind, or whose seat is another's by now.
        """
        reminders = [one for one in await self._store.read(reminder_queries.reminders, match) if one.wanted != END]
        if not reminders:
            return []
        room = await self._matches.find(match)
        found = []
        for reminder in reminders:
            seat = room.seat_of(reminder.user)
            is_asked = seat is not None and self._waits(room, seat)
            if reminder.over or reminder.user in reminded_anew or not is_asked:
                found.append(reminder)
        return found

    async def forget(self, reminder: Reminder) -> None:
        """Forget a reminder whose message has no buttons any more."""
        await self._store.write(reminder_queries.delete_reminder, reminder)

    # Players choose.

    async def on_vacation_ended(self, job: Job) -> None:
        """Remind somebody who is back of what waits for them."""
        await self.change_settings(job.user)

    async def change_settings(self, user: int, **changes: object) -> ReminderSettings:
        """Change a player's settings; they are reminded by the new ones of what waits for them already."""
        chosen, now = await self.settings.change(user, **changes), int(self.now())
        if chosen.level is ReminderLevel.DIGEST:
            await self._store.write(queries.schedule, Job(DIGEST, chosen.next_digest(now), user=user))
        elif chosen.level is not ReminderLevel.OFF:
            reminders = [reminder for _, reminder in await self.waiting(user)]
            jobs = [Job(REMIND, now + SECOND, reminder.match, user) for reminder in reminders]
            await self._store.write(reminder_queries.remind_later, reminders, jobs)
        self._scheduler.poke()
        return chosen

    async def note_direct_closed(self, user: int) -> None:
        """Note that somebody takes no direct messages: they are reminded where they play, and told so there once."""
        await self.settings.change(user, way=Delivery.MENTION, channel=0, closed=True)

    async def note_told_closed(self, user: int) -> None:
        """Note that somebody was told why they are reminded where they play."""
        await self.settings.change(user, closed=False)


def settings_of_players(db: Database, record: MatchRecord) -> dict[int, tuple[ReminderSettings, Vacation]]:
    """Return what the people of a match have chosen about reminders, and their vacations."""
    kept = reminder_queries.settings_of_seated(db, record.id, (CHOICES, VACATION))
    found: dict[int, tuple[ReminderSettings, Vacation]] = {}
    for user, settings in kept.items():
        try:
            chosen = msgspec.json.decode(settings.get(CHOICES, "{}"), type=ReminderSettings)
            vacation = msgspec.json.decode(settings.get(VACATION, "{}"), type=Vacation)
        except msgspec.MsgspecError as error:
            # Nobody's move may fail because of it.
            log_error(error, "somebody's settings cannot be read")
        else:
            found[user] = chosen, vacation
    return found


def _awaited(room: Room) -> set[int]:
    """Return the people whose decision a match waits for."""
    return set(room.people(people_to_move(room.match))) if room.match else set()


def _has_answered(before: Match, commit: Commit) -> bool:
    """Whether a commit answers a question; an offer that was taken leaves it open."""
    asked = {(question.seat, question.kind) for question in before.asked()}
    return any((commit.seat, answer.kind) in asked for answer in commit.answers)
