"""The reminders of all players: written with what causes them, withdrawn with what answers them.

A decision is put to somebody by a public post. From then on they are reminded as they have chosen
(player_settings.py), at most three times and each time after a longer wait (rules.py). The next
reminder is a job; when its time comes the reminder is wanted, and sender.py sends it. The commit
that makes the decision withdraws its reminder in the same transaction. A reminder that would come
in quiet hours waits for their end, and so does the clock of a player who would be warned then.
"""

from collections.abc import Collection, Iterable
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from bot.features.reminders import queries, rules
from bot.features.reminders.player_settings import (
    Delivery,
    PlayerSettings,
    ReminderLevel,
    ReminderSettings,
    settings_of_players,
)
from bot.features.reminders.rules import END, LAST, SECOND_REMINDER_DELAY, TURN, Turn
from bot.kernel.change import Change
from bot.kernel.clocks import ALARM, with_clock
from bot.kernel.feature import PostExtras
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.post_rules import people_to_move
from bot.kernel.queries import cancel_job, commits, has_job, jobs_of_match, rematches_awaiting
from bot.kernel.room import Post, Room
from bot.kernel.scheduler import HOLD
from bot.model.clocks import SeatClock
from bot.model.jobs import Job
from bot.model.match import Status
from bot.model.posts import Reminder
from bot.model.stored import REMINDERS_REQUESTED
from bot.model.votes import Vote
from bot.runtime.clock import DAY, HOUR
from bot.store.sql import Database, Write
from engine import Commit, Match, Seat

REMIND, DIGEST = "remind", "digest"
"""Jobs: a reminder of one decision, and the digest of a day."""
TERMS = "terms"
"""The job that tells somebody of a lobby whose terms have changed, unless their next digest
does.
"""
AT_ONCE = 100
"""Reminders that one transaction asks for."""
LONGEST_QUIET = 25 * HOUR
"""Seconds that a clock waits for quiet hours in one turn: as long as they can be on a day of 25
hours. Somebody who changes theirs again and again does not stop it for good.
"""


class OpenVotes:
    """Knows which votes wait for somebody: implemented by the feature that has votes."""

    async def awaiting(self, room: Room, user: int) -> list[Vote]:
        """Return the open votes of a match to which somebody is asked and has said nothing."""
        raise NotImplementedError


class Digest(Struct, frozen=True):
    """Everything that waits for somebody."""

    turns: tuple[tuple[Room, Reminder], ...] = ()
    """The decisions that they may still be reminded of, the most urgent first."""
    votes: tuple[tuple[Room, Vote], ...] = ()
    lobbies: tuple[Room, ...] = ()
    """Lobbies that they sit in whose terms have changed."""
    rematches: tuple[Room, ...] = ()
    """Lobbies of rematches that wait for them."""

    @property
    def rooms(self) -> list[Room]:
        """The matches that it is about."""
        return [*(room for room, _ in (*self.turns, *self.votes)), *self.lobbies, *self.rematches]


class Ready(Struct, frozen=True):
    """A reminder that can be sent now."""

    room: Room
    reminder: Reminder
    settings: ReminderSettings


class Reminders:
    """Decides about reminders, and keeps them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = kernel.store
        self.now = kernel.now
        self.settings = PlayerSettings(kernel.store)

    async def of(self, user: int) -> ReminderSettings:
        """Return what somebody has chosen."""
        return await self.settings.of(user)

    def _turn(self, room: Room, user: int) -> Turn | None:
        """Return the decision that a match waits for somebody to make; None if it waits for none
        of theirs.
        """
        seat, match, clocks = room.seat_of(user), room.match, self._kernel.clocks
        if seat is None or match is None or room.is_over or seat not in people_to_move(match):
            return None
        plan = room.plan_of(seat)
        return Turn(
            seat,
            clocks.now,
            clocks.deadline(room, seat),
            clocks.warning(room, seat),
            room.is_paused,
            plan.at if plan else 0,
        )

    # A decision is put to somebody.

    async def extend_post(self, post: Post) -> PostExtras:
        """Return whom a post mentions, and who is reminded otherwise or later."""
        room = await self._kernel.matches.find(post.announcement.match)
        settings, kept, later = await self._store.read(
            _load_for_post, room, post.announcement.number
        )
        mentions: list[int] = []
        reminders: list[Reminder] = []
        jobs: list[Job] = []
        if post.room.playing().outcome is not None:
            # Those who want to hear of every turn hear of the end.
            for user in room.players:
                chosen, now = settings[user], int(self.now())
                if chosen.level is not ReminderLevel.TURN:
                    continue
                if not rules.is_sent_to_match(room, chosen):
                    reminders.append(Reminder(room.record.id, user, wanted=END, since=now))
                elif not rules.is_silent(chosen, now):
                    mentions.append(user)
            return PostExtras(
                tuple(mentions), writes=self._replace_reminders(room, kept, reminders)
            )
        reminded = {reminder.user for reminder in kept if not reminder.over}
        # It may have waited for Discord, and some have answered meanwhile. If it is the newest it
        # also asks those whom nothing reminds of what they are asked, as after a pause.
        asked = [
            seat
            for seat in people_to_move(room.playing())
            if seat not in later
            and (seat in post.newly or not (later or room.record.chairs[seat].id in reminded))
        ]
        for user in room.people(asked):
            turn, chosen = self._turn(room, user), settings[user]
            if turn is None:
                continue
            reminder, at = Reminder(room.record.id, user), rules.first_reminder(turn, chosen)
            if chosen.level is ReminderLevel.DIGEST:
                await self.put_in_digest(user)
            elif at == turn.now and rules.is_sent_to_match(room, chosen):
                mentions.append(user)
                reminder = replace(reminder, times=1)
                at = rules.next_reminder(turn, chosen, times=1)
            elif at == turn.now:
                reminder = replace(reminder, wanted=TURN, since=at)
                at = None
            reminders.append(reminder)
            if at is not None:
                jobs.append(Job(REMIND, at, room.record.id, user))
        writes = self._replace_reminders(room, kept, reminders)
        return PostExtras(tuple(mentions), tuple(jobs), writes)

    def _replace_reminders(
        self, room: Room, kept: list[Reminder], added: list[Reminder]
    ) -> tuple[Write, ...]:
        """Return what is written with a post: outdated reminders go, and new ones come."""
        outdated = self._outdated(room, kept, {reminder.user for reminder in added})
        return (
            Write(queries.forget_reminders, tuple(outdated)),
            Write(queries.put_reminders, tuple(added)),
        )

    # A match changes.

    def follow(self, change: Change) -> Change:
        """Withdraw reminders of what was answered, and remind those who are asked without a post
        telling them.
        """
        if change.after.match is None or change.before.match is None or change.is_draft_only:
            return change
        if change.commits:
            change = self._follow_commits(change)
        return self._remind_newly_asked(change)

    def _follow_commits(self, change: Change) -> Change:
        """Withdraw reminders of decisions that are made or gone.

        Somebody in the midst of their turn has the same decision still, and is reminded as if they
        had been just now.
        """
        room, asked = change.before, change.commits[0][0].waiting_for()
        awaited = people_to_move(change.after.playing())
        moved = {
            stood.last.seat
            for was, stood in change.commits
            if stood.last and _has_answered(was, stood.last)
        }
        is_told = change.announce_up_to is not None
        over = [seat for seat in asked if seat not in awaited or (is_told and seat in moved)]
        going_on = room.people(seat for seat in asked if seat in moved and seat not in over)
        for job in change.context[jobs_of_match]:
            turn = self._turn(room, job.user)
            if job.kind == REMIND and job.user in going_on and turn is not None:
                later = rules.next_reminder(
                    turn, change.context[settings_of_players][job.user], times=1
                )
                # Where there is no time for a reminder, the clock's warning comes first and takes
                # its place.
                change = change.schedule(replace(job, at=max(job.at, later or turn.deadline or 0)))
        # A player who takes a turn back is reminded anew.
        kept = {reminder.user for reminder in change.queued_args(queries.put_reminders)}
        answered = [user for user in room.people(over) if user not in kept]
        if answered:
            change = change.write(queries.answer_reminders, change.match_id, *answered)
        return change.cancel_jobs(*((REMIND, user) for user in answered))

    def _remind_newly_asked(self, change: Change) -> Change:
        """Schedule a reminder for those who are asked now and whom no post tells.

        Such as a newcomer in a seat, or somebody who has come back or taken a turn back: they know,
        but may forget.
        """
        last_post = change.before.last_post
        is_told = last_post is not None and last_post.number == change.after.playing().number
        kept = {reminder.user for reminder in change.queued_args(queries.put_reminders)}
        asked = _awaited(change.after) - _awaited(change.before) - kept
        if change.announce_up_to is not None or is_told or not asked:
            return change
        known = {reminder.user: reminder for reminder in change.context[queries.reminders_of_match]}
        reminders = [known.get(user, Reminder(change.match_id, user, times=1)) for user in asked]
        added = [replace(reminder, over=False) for reminder in reminders]
        jobs = [
            Job(REMIND, change.now + SECOND_REMINDER_DELAY, change.match_id, user) for user in asked
        ]
        return change.write(queries.put_reminders, *added).schedule(*jobs)

    # The time for a reminder has come.

    async def remind(self, job: Job) -> None:
        """Ask for a reminder of one decision, and for others whose time has come with it, some at a
        time.

        What kind of reminder it is, if any, is only worked out when it is sent. So ten thousand at
        once cost the database next to nothing, and nobody who plays has to wait for them.
        """
        await self._store.write(
            queries.request_reminders, job, int(self.now()), AT_ONCE, own=self._store.own
        )
        self._kernel.on_notification(REMINDERS_REQUESTED)

    async def warn(self, job: Job) -> None:
        """Ask for the warning that somebody's time runs out; their clock does so until it was
        sent.
        """
        room = await self._kernel.matches.find(job.match)
        turn = self._turn(room, job.user)
        if turn is None or turn.warning is None or turn.is_paused:
            return
        reminder = await self._find(job.match, job.user)
        if reminder.wanted == LAST and not reminder.over:
            return
        # A clock may warn a second time, for example after a vacation, and that warning must be
        # heard too.
        times = 0 if reminder.over else min(reminder.times, rules.MAX_REMINDERS - 1)
        warning = replace(reminder, times=times, wanted=LAST, since=turn.now, over=False)
        await self._store.write(queries.put_reminders, warning)
        await self._store.write(cancel_job, REMIND, job.match, job.user)
        self._kernel.on_notification(REMINDERS_REQUESTED)

    async def digest(self, job: Job) -> None:
        """Ask for the digest of a day; where nothing waits there is none, until something does
        again.
        """
        chosen, now = await self.of(job.user), int(self.now())
        if chosen.level is not ReminderLevel.DIGEST or not (await self.load_digest(job.user)).rooms:
            return
        if until := chosen.quiet_until(now):
            await self._kernel.scheduler.set(replace(job, at=until))
            return
        wanted = replace(await self._find("", job.user), wanted=DIGEST, since=now, over=False)
        await self._store.write(
            queries.remind_later, (wanted,), (replace(job, at=chosen.next_digest(now)),)
        )
        self._kernel.on_notification(REMINDERS_REQUESTED)

    async def put_in_digest(self, user: int, changed_lobby: str = "") -> None:
        """Have the next digest tell somebody of a turn, a vote or a rematch, or of a lobby whose
        terms have changed.
        """
        at = (await self.of(user)).next_digest(self.now())
        # A digest that is scheduled stays so: after a stop it may be overdue.
        if not await self._store.read(has_job, DIGEST, user=user):
            await self._kernel.scheduler.set(Job(DIGEST, at, user=user))
        if changed_lobby:
            await self._kernel.scheduler.set(Job(TERMS, at + DAY, changed_lobby, user))

    async def load_digest(self, user: int) -> Digest:
        """Return everything that waits for somebody."""
        known = {
            reminder.match: reminder
            for reminder in await self._store.read(queries.reminders, user=user)
        }
        turns: list[tuple[float, Room, Reminder]] = []
        votes: list[tuple[Room, Vote]] = []
        lobbies: list[Room] = []
        for room in await self._kernel.matches.of_user(user):
            match, turn = room.record.id, self._turn(room, user)
            reminder = known.get(match) or Reminder(match, user)
            if turn and not turn.is_paused and rules.has_reminders_left(turn, reminder):
                turns.append((turn.deadline or inf, room, reminder))
            if room.record.status is Status.LOBBY:
                if await self._store.read(has_job, TERMS, match, user):
                    lobbies.append(room)
            elif not room.record.paused_for:
                for source in self._kernel.services.all(OpenVotes):
                    votes += [(room, vote) for vote in await source.awaiting(room, user)]
        rematches = await self._kernel.matches.select(rematches_awaiting, user)
        turns.sort(key=lambda one: one[0])
        return Digest(
            tuple(one[1:] for one in turns), tuple(votes), tuple(lobbies), tuple(rematches)
        )

    # A reminder is sent.

    async def mentionable(self, users: Iterable[int]) -> list[int]:
        """Return those who may be mentioned now for what is no turn: not in quiet hours, and
        only at level TURN.
        """
        chosen = [(user, await self.of(user)) for user in users]
        return [
            user
            for user, choices in chosen
            if choices.level is ReminderLevel.TURN and not rules.is_silent(choices, self.now())
        ]

    async def wanted(self, most: int) -> list[Reminder]:
        """Return the reminders to send now, oldest first.

        Those that any process may send are this one's for a while.
        """
        now, own = int(self.now()), self._store.own
        found = await self._store.read(queries.wanted_reminders, most, own=own)
        if self._store.is_shared:
            found += await self._store.write(
                queries.claim_reminders, now, most, now + HOLD, own=own
            )
        return found

    async def wanted_here(self, match: str) -> list[Ready]:
        """Return the reminders to send now where a match is played."""
        wanted = [
            reminder
            for reminder in await self._store.read(queries.reminders, match)
            if reminder.wanted
        ]
        prepared = [await self.prepare(reminder) for reminder in wanted]
        return [
            ready
            for ready in prepared
            if ready and rules.is_sent_to_match(ready.room, ready.settings)
        ]

    async def prepare(self, reminder: Reminder) -> Ready | None:
        """Return what to send now; None if the reminder is dropped or put off."""
        room, chosen = await self._kernel.matches.find(reminder.match), await self.of(reminder.user)
        turn = self._turn(room, reminder.user)
        if reminder.wanted == END:
            return Ready(room, reminder, chosen)
        kind = rules.kind_to_send(turn, chosen, reminder) if turn else ""
        at = rules.put_off_until(turn, chosen, kind) if turn and kind else None
        if turn and at is None and rules.is_warning(turn, kind):
            # It may have waited, so it is asked again whether to send it, and until when they have
            # time.
            warned = await self._ready_to_warn(reminder.match, turn.seat)
            kind, room = (kind, warned) if warned else ("", room)
        prepared = replace(reminder, wanted="" if at else kind)
        if prepared != reminder and not await self._change(reminder, prepared, at):
            return None
        return Ready(room, prepared, chosen) if prepared.wanted else None

    async def give_up(self, reminder: Reminder) -> None:
        """Give up a reminder that could not be sent.

        It counts as sent, and the next one may fare better. A last call or a digest is dropped
        without counting: a clock asks for its warning again, and runs out only after that was sent.
        """
        known = await self._find(reminder.match, reminder.user)
        if known.wanted in (LAST, DIGEST):
            await self.drop(known)
        elif known.wanted:
            await self.note_sent(known, known.channel, known.message)

    async def drop(self, reminder: Reminder) -> None:
        """Do not send a reminder after all."""
        await self._change(reminder, replace(reminder, wanted=""))

    async def note_sent(self, reminder: Reminder, channel: int = 0, message: int = 0) -> None:
        """Note that a reminder was sent, perhaps by a message of its own, and schedule the next
        one.
        """
        if reminder.wanted == END:
            await self.forget(reminder)
            return
        times = rules.times_after_sending(reminder)
        after = replace(reminder, times=times, wanted="", channel=channel, message=message)
        turn, at = self._turn(await self._kernel.matches.find(reminder.match), reminder.user), None
        if turn is not None:
            if rules.is_warning(turn, reminder.wanted):
                await self.mark_warned(reminder.match, turn.seat)
            at = rules.next_reminder(turn, await self.of(reminder.user), times)
        if not await self._change(reminder, after, at):
            # While it was on its way they have moved, and it loses its buttons at once; or their
            # clock has asked for a warning, which is still to be sent.
            known = await self._find(reminder.match, reminder.user)
            await self._store.write(
                queries.put_reminders, replace(known, channel=channel, message=message)
            )

    async def note_digest_sent(
        self, reminder: Reminder, digest: Digest, channel: int, message: int
    ) -> None:
        """Note that a digest was sent: it counts as a reminder of each decision in it."""
        for room in digest.lobbies:
            await self._store.write(cancel_job, TERMS, room.record.id, reminder.user)
        counted = [
            replace(listed, times=rules.times_after_sending(listed)) for _, listed in digest.turns
        ]
        sent = replace(reminder, wanted="", channel=channel, message=message)
        await self._store.write(queries.put_reminders, sent, *counted)

    async def outdated(self, match: str) -> list[Reminder]:
        """Return the reminders of a match whose messages may still be there although they are
        answered or gone.
        """
        kept = await self._store.read(queries.reminders, match)
        return self._outdated(await self._kernel.matches.find(match), kept)

    def _outdated(
        self, room: Room, kept: list[Reminder], reminded_anew: Collection[int] = ()
    ) -> list[Reminder]:
        """Return the reminders that are answered or gone.

        So are those of people who are reminded anew, as after a rewind, or whose seat is another's
        by now.
        """
        return [
            one
            for one in kept
            if one.wanted != END
            and (one.over or one.user in reminded_anew or self._turn(room, one.user) is None)
        ]

    async def forget(self, reminder: Reminder) -> None:
        """Forget a reminder whose message has no buttons any more."""
        await self._store.write(queries.forget_reminders, reminder)

    async def _find(self, match: str, user: int) -> Reminder:
        """Return how somebody is reminded of their decision in a match; in no match (''), by
        digests.

        Where nothing is kept their last decision is over.
        """
        found = await self._store.read(queries.reminders, match, user)
        return found[0] if found else Reminder(match, user, over=True)

    async def _change(self, reminder: Reminder, after: Reminder, at: int | None = None) -> bool:
        """Write how a reminder goes on, unless it was withdrawn meanwhile, and when the next one
        comes.
        """
        jobs = (Job(REMIND, at, reminder.match, reminder.user),) if at else ()
        is_changed = await self._store.write(queries.replace_reminder, reminder, after, jobs)
        self._kernel.scheduler.poke()
        return is_changed

    # The warning of a clock.

    async def wait_for_quiet_end(self, change: Change, seat: Seat, clock: SeatClock) -> bool:
        """Let a clock that is to warn its player wait until their quiet hours are over; return
        whether it does.
        """
        room, clocks = change.before, self._kernel.clocks
        quiet = (await self.of(clock.user)).quiet_hours_at(change.now)
        if quiet is None:
            return False
        more = clocks.counted_until(room, quiet[1])
        if clock.quiet + more > LONGEST_QUIET:
            return False
        # Counted separately: what a clock lacks for its warning must not use up how long it may
        # wait for quiet hours.
        short = clocks.short_of_warning(room, clock)
        waits = replace(
            clock, bank=clock.bank + more + short, quiet=clock.quiet + more, late=clock.late + short
        )
        alarm = Job(ALARM, quiet[1], room.record.id, clock.user)
        await self._kernel.pipeline.commit(with_clock(change, seat, waits).schedule(alarm))
        return True

    @retry_on_conflict
    async def _ready_to_warn(self, match: str, seat: Seat) -> Room | None:
        """Return the match if a warning can be sent now, with enough time left to act on it; None
        if it is not due.

        Since it was asked for the player may have moved or gone on vacation, or their quiet hours
        have begun. The clock asks again when it is time.
        """
        async with self._kernel.pipeline.exclusive(match) as (change, _):
            in_time = self._with_time_to_act(change, seat)
            clock = self._kernel.clocks.clock(change.before, seat)
            if clock is None or in_time is None:
                return None
            if (await self.of(clock.user)).vacation.pays(change.now):
                return None
            if await self.wait_for_quiet_end(change, seat, clock):
                return None
            if in_time == clock:
                return change.before
            return (await self._kernel.pipeline.commit(with_clock(change, seat, in_time))).after

    async def mark_warned(self, match: str, seat: Seat) -> None:
        """Note that a player was warned; if that comes late, as after the bot was down, they
        have more time.
        """

        def mark(change: Change) -> Change:
            clock = self._with_time_to_act(change, seat)
            return with_clock(change, seat, replace(clock, warned=change.now)) if clock else change

        await self._kernel.pipeline.change(match, mark)

    def _with_time_to_act(self, change: Change, seat: Seat) -> SeatClock | None:
        """Return a clock that is to warn now, with enough time left to act on it; None if it is
        not to warn.
        """
        room, clocks = change.before, self._kernel.clocks
        clock, at = clocks.clock(room, seat), clocks.warning(room, seat)
        if clock is None or at is None or at > change.now:
            return None
        short = clocks.short_of_warning(room, clock)
        return replace(clock, bank=clock.bank + short, late=clock.late + short)

    # Players choose.

    async def on_vacation_ended(self, job: Job) -> None:
        """Remind somebody who is back of what waits for them."""
        await self.change_settings(job.user)

    async def change_settings(self, user: int, **changes: object) -> ReminderSettings:
        """Change a player's settings; they are reminded by the new ones of what waits for them
        already.
        """
        chosen, now = await self.settings.change(user, **changes), int(self.now())
        if chosen.level is ReminderLevel.DIGEST:
            await self._kernel.scheduler.set(Job(DIGEST, chosen.next_digest(now), user=user))
        elif chosen.level is not ReminderLevel.OFF:
            reminders = [reminder for _, reminder in (await self.load_digest(user)).turns]
            jobs = [
                Job(REMIND, now + SECOND_REMINDER_DELAY, reminder.match, user)
                for reminder in reminders
            ]
            await self._store.write(queries.remind_later, reminders, jobs)
            self._kernel.scheduler.poke()
        return chosen

    async def note_direct_closed(self, user: int) -> None:
        """Note that somebody takes no direct messages: they are reminded where they play, and
        told so there once.
        """
        await self.settings.change(user, way=Delivery.MENTION, channel=0, closed=True)

    async def note_told_closed(self, user: int) -> None:
        """Note that somebody was told why they are reminded where they play."""
        await self.settings.change(user, closed=False)


def _load_for_post(
    db: Database, room: Room, number: int
) -> tuple[dict[int, ReminderSettings], list[Reminder], set[int]]:
    """Return the players' settings, the reminders of a match, and which seats moved later."""
    match = room.record.id
    later = commits(db, match, number) if room.playing().number > number else []
    seats = {commit.seat for commit in later}
    return settings_of_players(db, room.record), queries.reminders(db, match), seats


def _awaited(room: Room) -> set[int]:
    """Return the people whose decision a match waits for."""
    return set(room.people(people_to_move(room.match))) if room.match else set()


def _has_answered(before: Match, commit: Commit) -> bool:
    """Whether a commit answers a question; an offer that was taken leaves it open."""
    asked = {(question.seat, question.kind) for question in before.asked()}
    return any((commit.seat, answer.kind) in asked for answer in commit.answers)
