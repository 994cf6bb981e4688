"""Schedule and cancel the reminders of all players.

A post tells a player that it is their turn. From then on they are reminded according to their
settings (player_settings.py), at most three times, after ever longer waits (rules.py). Each pending
decision has one job: its time is that of the next reminder, its facts record those sent so far. The
transaction that saves the decision also deletes the job. When the job runs, sender.py sends the
reminder.

Quiet hours postpone a reminder until they end. A player must not be warned in their quiet hours
either, so their clock gets extra time for the warning to come after them.
"""

from collections.abc import Iterable
from math import inf

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from bot.features.reminders import rules
from bot.features.reminders.player_settings import (
    Delivery,
    ReminderLevel,
    ReminderSettings,
    change_settings,
    settings_of,
    settings_of_players,
)
from bot.features.reminders.rules import (
    DIGEST,
    END,
    LAST,
    NEVER,
    REMIND,
    SECOND_REMINDER_DELAY,
    Sent,
    Turn,
    reminder_job,
)
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.clocks import WARNING, set_clock
from bot.kernel.feature import PostExtras
from bot.kernel.kernel import Kernel
from bot.kernel.post_rules import people_to_move
from bot.kernel.room import Post, Room
from bot.model import Job, SeatClock, Status, Vote
from bot.runtime.base import DAY, HOUR
from engine import Commit, Match, Seat

RESULT_MESSAGE, STRIP = "reminder_of_end", "reminder_answered"
"""Kinds of jobs: tell a player the result of a match; remove an answered reminder's buttons."""
TERMS = "terms"
"""The kind of job that notifies a player of changed time limits in a lobby.

A digest that mentions them first cancels it.
"""
MAX_QUIET_SECONDS = 25 * HOUR
"""The longest that a clock waits for quiet hours in one turn.

One day, which may have 25 hours. Without a limit, a player could stop the clock for good by
changing their quiet hours again and again.
"""


class OpenVotes:
    """Finds the votes that await a player. Implemented by the votes feature, if it is there."""

    async def awaiting(self, room: Room, user: int) -> list[Vote]:
        """Return the open votes of a match in which a user may vote and has not yet."""
        raise NotImplementedError


class Digest(Struct, frozen=True):
    """Everything that awaits one player."""

    turns: tuple[tuple[Room, Job], ...] = ()
    """Decisions that they may still be reminded of, with their jobs, most urgent first."""
    votes: tuple[tuple[Room, Vote], ...] = ()
    lobbies: tuple[Room, ...] = ()
    """Lobbies they have joined whose time limits have changed."""
    rematches: tuple[Room, ...] = ()
    """Lobbies of rematches to which they are invited."""
    last_in: frozenset[str] = frozenset()
    """The matches in which all other people have answered."""

    @property
    def rooms(self) -> list[Room]:
        """All matches in the digest."""
        turns = [room for room, _ in self.turns]
        votes = [room for room, _ in self.votes]
        return [*turns, *votes, *self.lobbies, *self.rematches]


class Ready(Struct, frozen=True):
    """A reminder that can be sent now."""

    job: Job
    kind: str
    """A key of [call]."""
    room: Room
    settings: ReminderSettings
    is_last: bool = False
    """Whether all other people have answered."""


class Reminders:
    """Decides who is reminded when, and schedules the jobs."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = kernel.store
        self.now = kernel.now

    async def of(self, user: int) -> ReminderSettings:
        """Return a player's reminder settings."""
        return await self._store.read(settings_of, user)

    def _find_turn(self, room: Room, user: int) -> Turn | None:
        """Return the facts about a player's pending decision; None if they have none."""
        if user not in _users_to_move(room):
            return None
        seat, clocks = room.own_seat(user), self._kernel.clocks
        plan = room.plan_of(seat)
        return Turn(
            seat,
            clocks.now,
            clocks.deadline(room, seat),
            clocks.warning_at(room, seat),
            room.is_paused,
            plan.at if plan else 0,
        )

    # When a post is sent

    async def extend_post(self, post: Post) -> PostExtras:
        """Return the players that a post mentions, and the jobs that remind the others."""
        match = post.announcement.match
        kernel, needs = self._kernel, (settings_of_players, queries.jobs_of_match)
        room, _, context = await kernel.matches.load(match, needs=needs)
        settings = context[settings_of_players]
        all_jobs = context[queries.jobs_of_match]
        pending = {job.user: job for job in all_jobs if job.kind == REMIND}
        newer_commits = await kernel.matches.commits_between(
            room, post.announcement.number, room.playing().number
        )
        moved_since = {commit.seat for commit in newer_commits.values()}
        mentions: list[int] = []
        jobs: list[Job] = []
        if post.room.playing().outcome is not None:
            # Players who are notified of every turn are also notified of the end.
            now = int(self.now())
            for user in room.players:
                user_settings = settings[user]
                if user_settings.level is not ReminderLevel.TURN:
                    continue
                if not rules.is_sent_to_match(room, user_settings):
                    jobs.append(Job(RESULT_MESSAGE, now, match, user))
                elif not rules.is_silent(user_settings, now):
                    mentions.append(user)
            return PostExtras(tuple(mentions), tuple(jobs))
        newly_asked = []
        for seat in people_to_move(room.playing()):
            # An outage may have delayed the post, and this player has moved since.
            if seat in moved_since:
                continue
            # A post notifies the players who are newly to move. The newest one also notifies those
            # who have no pending reminder, for instance after a pause.
            is_overlooked = not moved_since and room.record.chairs[seat].id not in pending
            if seat in post.newly or is_overlooked:
                newly_asked.append(seat)
        for user in room.people(newly_asked):
            turn, user_settings = self._find_turn(room, user), settings[user]
            if turn is None:
                continue
            at, sent = rules.first_reminder(turn, user_settings), Sent()
            if user_settings.level is ReminderLevel.DIGEST:
                await self.put_in_digest(user)
            elif at == turn.now and rules.is_sent_to_match(room, user_settings):
                mentions.append(user)
                sent = Sent(times=1)
                at = rules.next_reminder(turn, user_settings, sent.times)
            jobs.append(reminder_job(match, user, at, sent))
            if user in pending:
                jobs += _strip_jobs(pending[user])
        return PostExtras(tuple(mentions), tuple(jobs))

    # When a match changes

    def follow(self, change: Change) -> Change:
        """Cancel reminders of decisions that were made, and schedule those that no post schedules.

        If a player has moved but still has to decide more, their next reminder is put off, as if
        they had just been reminded. This is a follower.
        """
        if change.after.match is None or change.before.match is None or not change.context.values:
            # Without a context, only a draft was changed, which affects no reminders.
            return change
        before, awaited = change.before, _users_to_move(change.after)
        is_posted = change.announce_up_to is not None
        moved = before.people(
            after.last.seat
            for before_commit, after in change.commits
            if after.last and _has_answered(before_commit, after.last)
        )
        # The change may schedule reminders itself, such as for a player who takes back a turn.
        scheduled = {job.user for job in change.jobs if job.kind == REMIND}
        for job in change.context[queries.jobs_of_match]:
            user = job.user
            if job.kind != REMIND or user in scheduled:
                continue
            turn = self._find_turn(before, user)
            is_withdrawn = (REMIND, user) in change.cancelled_jobs
            if user not in awaited or is_withdrawn or (is_posted and user in moved):
                change = change.cancel_jobs((REMIND, user)).schedule(*_strip_jobs(job))
            elif user in moved and turn is not None:
                settings = change.context[settings_of_players][user]
                # If there is no time for another reminder, keep the job but schedule it for the
                # deadline: the clock's warning comes before that and replaces it.
                later = rules.next_reminder(turn, settings, times=1) or turn.deadline or 0
                change = change.schedule(replace(job, at=max(job.at, later)))
        last_post = change.before.last_post
        is_posted = is_posted or (
            last_post is not None and last_post.number == change.after.playing().number
        )
        if is_posted:
            return change
        # No post announces the turn of a player who has just taken a seat or come back. They know
        # that it is their turn, which counts as their first reminder.
        at = change.now + SECOND_REMINDER_DELAY
        for user in awaited - _users_to_move(before) - scheduled:
            change = change.schedule(reminder_job(change.match_id, user, at, Sent(times=1)))
        return change

    # The daily digest

    async def put_in_digest(
        self, user: int, changed_lobby: str = "", has_new_time: bool = False
    ) -> None:
        """Schedule a player's next digest, because something awaits them.

        `changed_lobby` is the id of a lobby whose changed time limits the digest will mention. With
        `has_new_time`, a digest that is already scheduled moves to the player's new time.
        """
        at = (await self.of(user)).next_digest(self.now())
        scheduled = await self._store.read(queries.find_job, DIGEST, user=user)
        # A scheduled digest keeps its time. After an outage it may be overdue, and must then be
        # sent at once, not a day later.
        if scheduled is None or scheduled.at == NEVER or has_new_time:
            facts = scheduled.facts if scheduled else {}
            await self._kernel.scheduler.set(Job(DIGEST, at, user=user, facts=facts))
        if changed_lobby:
            await self._kernel.scheduler.set(Job(TERMS, at + DAY, changed_lobby, user))

    async def load_digest(self, user: int) -> Digest:
        """Return everything that awaits a player."""
        turns: list[tuple[float, Room, Job]] = []
        votes: list[tuple[Room, Vote]] = []
        lobbies: list[Room] = []
        for room in await self._kernel.matches.of_user(user):
            match, turn = room.record.id, self._find_turn(room, user)
            jobs = {
                job.kind: job
                for job in await self._store.read(queries.jobs, match)
                if job.user == user
            }
            reminder = jobs.get(REMIND) or reminder_job(match, user, None, Sent())
            times = _read_sent(reminder).times
            if turn and not turn.is_paused and rules.has_reminders_left(turn, times):
                turns.append((turn.deadline or inf, room, reminder))
            if room.record.status is Status.LOBBY:
                if TERMS in jobs:
                    lobbies.append(room)
            elif not room.record.paused_for:
                open_votes = self._kernel.services.get(OpenVotes)
                awaiting = await open_votes.awaiting(room, user) if open_votes else []
                votes += [(room, vote) for vote in awaiting]
        rematches = await self._kernel.matches.select(queries.rematches_awaiting, user)
        turns.sort(key=lambda one: one[0])
        last_in = [
            room.record.id
            for _, room, _ in turns
            if await self._kernel.matches.is_last_awaited(room, user)
        ]
        return Digest(
            tuple(one[1:] for one in turns),
            tuple(votes),
            tuple(lobbies),
            tuple(rematches),
            frozenset(last_in),
        )

    async def put_off_digest(self, job: Job, digest: Digest) -> bool:
        """Put a digest off if it is empty or the player has quiet hours; return whether it was.

        An empty one is put off until something awaits the player.
        """
        chosen = await self.of(job.user)
        is_wanted = chosen.level is ReminderLevel.DIGEST and digest.rooms
        until = chosen.quiet_until(self.now()) if is_wanted else NEVER
        if until is not None:
            await self._kernel.scheduler.set(replace(job, at=until))
        return until is not None

    async def note_digest_sent(self, job: Job, digest: Digest, sent: Sent) -> None:
        """Record that a digest was sent; it counts as a reminder of each decision in it."""
        for room in digest.lobbies:
            await self._store.write(queries.cancel_job, TERMS, room.record.id, job.user)
        counted = [
            replace(listed, facts={**listed.facts, "times": _read_sent(listed).times + 1})
            for _, listed in digest.turns
        ]
        at = (await self.of(job.user)).next_digest(self.now())
        following = replace(job, at=at, facts=asdict(sent))
        await self._kernel.scheduler.set(following, *counted, *_strip_jobs(job))

    # When a reminder's job runs

    async def mentionable(self, users: Iterable[int]) -> list[int]:
        """Return the users who may be mentioned now for something other than a turn."""
        mentionable = []
        for user in users:
            chosen = await self.of(user)
            if chosen.level is ReminderLevel.TURN and not rules.is_silent(chosen, self.now()):
                mentionable.append(user)
        return mentionable

    async def find_due(self, match_id: str, user: int | None = None) -> list[Ready]:
        """Return a match's reminders to send now: to its thread, or to `user` as direct messages.

        Reminders that have to wait are rescheduled, and those no longer needed are left out.
        """
        room = await self._kernel.matches.find(match_id)
        ready_reminders = []
        for job in await self._store.read(queries.jobs, match_id):
            is_reminder = job.kind in (REMIND, WARNING, RESULT_MESSAGE)
            if not is_reminder or job.at > self.now() or user not in (None, job.user):
                continue
            chosen = await self.of(job.user)
            is_wanted_here = rules.is_sent_to_match(room, chosen) is (user is None)
            if is_wanted_here and (ready := await self._prepare(job, room, chosen)):
                is_last = await self._kernel.matches.is_last_awaited(ready.room, job.user)
                ready_reminders.append(replace(ready, is_last=is_last))
                # A late warning extends the player's time, and the message shows the new deadline.
                room = ready.room
        return ready_reminders

    async def _prepare(self, job: Job, room: Room, chosen: ReminderSettings) -> Ready | None:
        """Return a reminder ready to send; None if it is put off or no longer needed."""
        if job.kind == RESULT_MESSAGE:
            return Ready(job, END, room, chosen)
        turn = self._find_turn(room, job.user)
        if turn is None:
            return None
        if job.kind == WARNING:
            # The player's vacation or quiet hours may have begun since the warning was scheduled.
            # If it is dropped now, the clock requests it again later.
            clock = self._kernel.clocks.clock_after_warning(room, turn.seat)
            is_away = turn.planned_at or chosen.vacation.pays(turn.now)
            if clock is None or is_away or self.quiet_end(room, clock, chosen):
                return None
            # Show the extended deadline; the clock itself is updated once the warning is sent.
            change = Change(before=room, after=room, now=turn.now)
            return Ready(job, LAST, set_clock(change, turn.seat, clock).after, chosen)
        kind = rules.kind_to_send(turn, chosen, _read_sent(job).times)
        at = rules.put_off_until(turn, chosen) if kind else NEVER
        if at is None:
            return Ready(job, kind, room, chosen)
        await self._kernel.scheduler.replace(job, replace(job, at=at))
        return None

    async def note_sent(self, job: Job, channel: int = 0, message: int = 0) -> None:
        """Record that a reminder was sent, and schedule the next.

        The channel and the message are given for a direct message, which loses its buttons later.
        """
        if job.kind == RESULT_MESSAGE:
            return
        match, user = job.match, job.user
        room, chosen = await self._kernel.matches.find(match), await self.of(user)
        pending = await self._store.read(queries.find_job, REMIND, match, user)
        turn, at = self._find_turn(room, user), None
        is_last = job.kind == WARNING or chosen.level is ReminderLevel.LAST
        times = _read_sent(pending).times + 1 if pending and not is_last else rules.MAX_REMINDERS
        if turn is not None:
            if job.kind == WARNING:
                await self.mark_warned(match, turn.seat)
            at = rules.next_reminder(turn, chosen, times)
        following = reminder_job(match, user, at, Sent(times, channel, message))
        if not await self._kernel.scheduler.replace(job, following):
            # The job was cancelled: they moved while the reminder was being sent. So remove the
            # buttons from the new reminder at once.
            pending = following
        if pending is not None:
            await self._kernel.scheduler.set(*_strip_jobs(pending))

    async def skip(self, job: Job) -> None:
        """Count a reminder that Discord refuses as sent, so that the next one is scheduled."""
        if job.kind == DIGEST:
            at = (await self.of(job.user)).next_digest(self.now())
            await self._kernel.scheduler.set(replace(job, at=at))
        else:
            await self.note_sent(job)

    # Warnings of clocks

    def quiet_end(self, room: Room, clock: SeatClock, settings: ReminderSettings) -> int | None:
        """Return the end of the quiet hours that a clock's warning has to wait for.

        None if it is not in quiet hours, or the clock has waited for MAX_QUIET_SECONDS already.
        """
        quiet = settings.quiet_hours_at(self.now())
        if quiet is None:
            return None
        more = self._kernel.clocks.counted_seconds_until(room, quiet[1])
        return quiet[1] if clock.quiet + more <= MAX_QUIET_SECONDS else None

    async def mark_warned(self, match_id: str, seat: Seat) -> None:
        """Record that a player was warned, and extend their time if the warning came late."""

        def mark(change: Change) -> Change:
            clock = self._kernel.clocks.clock_after_warning(change.before, seat)
            return set_clock(change, seat, clock) if clock else change

        await self._kernel.pipeline.change(match_id, mark)

    # Settings of players

    async def on_vacation_ended(self, job: Job) -> None:
        """Reschedule the reminders of a player who is back early from vacation."""
        await self.change_settings(job.user)

    async def change_settings(self, user: int, **changes: object) -> ReminderSettings:
        """Change a player's settings, and reschedule their pending reminders accordingly."""
        chosen = await self._store.write(change_settings, user, changes)
        if chosen.level is ReminderLevel.DIGEST:
            await self.put_in_digest(user, has_new_time=True)
        elif chosen.level is not ReminderLevel.OFF:
            at = int(self.now()) + SECOND_REMINDER_DELAY
            waiting = (await self.load_digest(user)).turns
            await self._kernel.scheduler.set(*(replace(job, at=at) for _, job in waiting))
        return chosen

    async def note_direct_closed(self, user: int) -> None:
        """Switch a player whose direct messages are closed to mentions; tell them once."""
        changes = {"way": Delivery.MENTION, "channel": 0, "closed": True}
        await self._store.write(change_settings, user, changes)

    async def note_told_closed(self, user: int) -> None:
        """Record that a player was told that their direct messages are closed."""
        await self._store.write(change_settings, user, {"closed": False})


def _read_sent(job: Job) -> Sent:
    return msgspec.convert(job.facts, Sent)


def _strip_jobs(job: Job) -> list[Job]:
    """Return the job that removes the buttons from a reminder's message, if it has one."""
    if not _read_sent(job).message:
        return []
    # A time of 0 means at once.
    return [Job(STRIP, 0, job.match, job.user, job.facts)]


def _users_to_move(room: Room) -> set[int]:
    """Return the users who are to move in a match."""
    if room.match is None or room.is_over:
        return set()
    return set(room.people(people_to_move(room.match)))


def _has_answered(before: Match, commit: Commit) -> bool:
    """Return whether a commit answers a question that was asked, not only an optional offer."""
    questions = {(question.seat, question.kind) for question in before.asked()}
    return any((commit.seat, answer.kind) in questions for answer in commit.answers)
