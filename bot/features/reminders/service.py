"""The reminders of all players: scheduled with what causes them, withdrawn with what answers them.

A decision is put to somebody by a public post. From then on they are reminded as they have chosen
(player_settings.py), at most three times and each time after a longer wait (rules.py). A reminder
is a job: its time is that of the next one, its facts are what was sent so far. It is there as long
as the decision is awaited; the commit that makes the decision deletes it in the same transaction.
When its time has come sender.py sends it. A reminder that would come in quiet hours waits for their
end, and so does the clock of a player who would be warned then.
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
from bot.kernel.clocks import WARNING, with_clock
from bot.kernel.feature import PostExtras
from bot.kernel.kernel import Kernel
from bot.kernel.post_rules import people_to_move
from bot.kernel.room import Post, Room
from bot.model import Job, SeatClock, Status, Vote
from bot.runtime.base import DAY, HOUR
from engine import Commit, Match, Seat

RESULT_MESSAGE, STRIP = "reminder_of_end", "reminder_answered"
"""Jobs: tell somebody how a match has ended, and take the buttons off a message that reminded."""
TERMS = "terms"
"""The job that tells somebody of a lobby whose terms have changed; a digest may come first."""
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

    turns: tuple[tuple[Room, Job], ...] = ()
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

    job: Job
    kind: str
    """What it says: a key of [call]."""
    room: Room
    settings: ReminderSettings


class Reminders:
    """Decides about reminders, and keeps them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = kernel.store
        self.now = kernel.now

    async def of(self, user: int) -> ReminderSettings:
        """Return what somebody has chosen."""
        return await self._store.read(settings_of, user)

    def _turn(self, room: Room, user: int) -> Turn | None:
        """Return the decision that a match awaits from somebody; None if it awaits none."""
        if user not in _awaited(room):
            return None
        seat, clocks = room.own_seat(user), self._kernel.clocks
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
        match = post.announcement.match
        kernel, needs = self._kernel, (settings_of_players, queries.jobs_of_match)
        room, _, context = await kernel.matches.load(match, needs=needs)
        settings = context[settings_of_players]
        known = context[queries.jobs_of_match]
        reminded = {job.user: job for job in known if job.kind == REMIND}
        newer = await kernel.matches.commits_between(
            room, post.announcement.number, room.playing().number
        )
        later = {commit.seat for commit in newer.values()}
        mentions: list[int] = []
        jobs: list[Job] = []
        if post.room.playing().outcome is not None:
            # Those who want to hear of every turn hear of the end.
            now = int(self.now())
            for user in room.players:
                chosen = settings[user]
                if chosen.level is not ReminderLevel.TURN:
                    continue
                if not rules.is_sent_to_match(room, chosen):
                    jobs.append(Job(RESULT_MESSAGE, now, match, user))
                elif not rules.is_silent(chosen, now):
                    mentions.append(user)
            return PostExtras(tuple(mentions), tuple(jobs))
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
            at, sent = rules.first_reminder(turn, chosen), Sent()
            if chosen.level is ReminderLevel.DIGEST:
                await self.put_in_digest(user)
            elif at == turn.now and rules.is_sent_to_match(room, chosen):
                mentions.append(user)
                sent = Sent(times=1)
                at = rules.next_reminder(turn, chosen, sent.times)
            jobs.append(reminder_job(match, user, at, sent))
            if user in reminded:
                jobs += _strip(reminded[user])
        return PostExtras(tuple(mentions), tuple(jobs))

    # A match changes.

    def follow(self, change: Change) -> Change:
        """Withdraw reminders of what was answered, and remind those who are asked without a post.

        Somebody in the midst of their turn has the same decision still, and is reminded as if they
        had been just now.
        """
        if change.after.match is None or change.before.match is None or not change.context.values:
            # Nothing is read for a change to a draft, by which nobody is reminded.
            return change
        before, awaited = change.before, _awaited(change.after)
        is_told = change.announce_up_to is not None
        moved = before.people(
            after.last.seat
            for stood, after in change.commits
            if after.last and _has_answered(stood, after.last)
        )
        # A player who takes a turn back is reminded anew.
        reminded = {job.user for job in change.jobs if job.kind == REMIND}
        for job in change.context[queries.jobs_of_match]:
            user = job.user
            if job.kind != REMIND or user in reminded:
                continue
            turn = self._turn(before, user)
            is_withdrawn = (REMIND, user) in change.cancelled_jobs
            if user not in awaited or is_withdrawn or (is_told and user in moved):
                change = change.cancel_jobs((REMIND, user)).schedule(*_strip(job))
            elif user in moved and turn is not None:
                settings = change.context[settings_of_players][user]
                # Where there is no time for a reminder, the clock's warning comes first and takes
                # its place.
                later = rules.next_reminder(turn, settings, times=1) or turn.deadline or 0
                change = change.schedule(replace(job, at=max(job.at, later)))
        last_post = change.before.last_post
        is_told = is_told or (
            last_post is not None and last_post.number == change.after.playing().number
        )
        if is_told:
            return change
        # A newcomer in a seat, or somebody who has come back: they know, but may forget.
        return change.schedule(
            *(
                reminder_job(
                    change.match_id, user, change.now + SECOND_REMINDER_DELAY, Sent(times=1)
                )
                for user in awaited - _awaited(before) - reminded
            )
        )

    # The digest of a day.

    async def put_in_digest(
        self, user: int, changed_lobby: str = "", has_new_time: bool = False
    ) -> None:
        """Have the next digest tell somebody of a turn, vote or rematch, or of a changed lobby."""
        at = (await self.of(user)).next_digest(self.now())
        known = await self._store.read(queries.find_job, DIGEST, user=user)
        # A digest that is scheduled stays so: after a stop it may be overdue.
        if known is None or known.at == NEVER or has_new_time:
            facts = known.facts if known else {}
            await self._kernel.scheduler.set(Job(DIGEST, at, user=user, facts=facts))
        if changed_lobby:
            await self._kernel.scheduler.set(Job(TERMS, at + DAY, changed_lobby, user))

    async def load_digest(self, user: int) -> Digest:
        """Return everything that waits for somebody."""
        turns: list[tuple[float, Room, Job]] = []
        votes: list[tuple[Room, Vote]] = []
        lobbies: list[Room] = []
        for room in await self._kernel.matches.of_user(user):
            match, turn = room.record.id, self._turn(room, user)
            jobs = {
                job.kind: job
                for job in await self._store.read(queries.jobs, match)
                if job.user == user
            }
            reminder = jobs.get(REMIND) or reminder_job(match, user, None, Sent())
            times = _sent(reminder).times
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
        return Digest(
            tuple(one[1:] for one in turns), tuple(votes), tuple(lobbies), tuple(rematches)
        )

    async def put_off_digest(self, job: Job, digest: Digest) -> bool:
        """Put a digest off in quiet hours, or until something waits; return whether it is."""
        chosen = await self.of(job.user)
        is_wanted = chosen.level is ReminderLevel.DIGEST and digest.rooms
        until = chosen.quiet_until(self.now()) if is_wanted else NEVER
        if until is not None:
            await self._kernel.scheduler.set(replace(job, at=until))
        return until is not None

    async def note_digest_sent(self, job: Job, digest: Digest, sent: Sent) -> None:
        """Note that a digest was sent: it counts as a reminder of each decision in it."""
        for room in digest.lobbies:
            await self._store.write(queries.cancel_job, TERMS, room.record.id, job.user)
        counted = [
            replace(listed, facts={**listed.facts, "times": _sent(listed).times + 1})
            for _, listed in digest.turns
        ]
        at = (await self.of(job.user)).next_digest(self.now())
        following = replace(job, at=at, facts=asdict(sent))
        await self._kernel.scheduler.set(following, *counted, *_strip(job))

    # The time for a reminder has come.

    async def mentionable(self, users: Iterable[int]) -> list[int]:
        """Return those who may be mentioned now for what is no turn."""
        found = []
        for user in users:
            chosen = await self.of(user)
            if chosen.level is ReminderLevel.TURN and not rules.is_silent(chosen, self.now()):
                found.append(user)
        return found

    async def due(self, match: str, user: int | None = None) -> list[Ready]:
        """Return the reminders to send now where a match is played, or directly to somebody.

        What is not to be sent yet is put off, and what is not to be sent at all is dropped.
        """
        room = await self._kernel.matches.find(match)
        found = []
        for job in await self._store.read(queries.jobs, match):
            is_reminder = job.kind in (REMIND, WARNING, RESULT_MESSAGE)
            if not is_reminder or job.at > self.now() or user not in (None, job.user):
                continue
            chosen = await self.of(job.user)
            is_wanted_here = rules.is_sent_to_match(room, chosen) is (user is None)
            if is_wanted_here and (ready := await self._prepare(job, room, chosen)):
                found.append(ready)
                # A warning that is late gives its player time, which the message is to name.
                room = ready.room
        return found

    async def _prepare(self, job: Job, room: Room, chosen: ReminderSettings) -> Ready | None:
        if job.kind == RESULT_MESSAGE:
            return Ready(job, END, room, chosen)
        turn = self._turn(room, job.user)
        if turn is None:
            return None
        if job.kind == WARNING:
            # It may have waited. If it is not sent after all, the clock asks again when it is time.
            clock = self._kernel.clocks.warned(room, turn.seat)
            is_away = turn.planned_at or chosen.vacation.pays(turn.now)
            if clock is None or is_away or self.quiet_end(room, clock, chosen):
                return None
            # With the time that they have from now on: the clock is set once it is sent.
            change = Change(before=room, after=room, now=turn.now)
            return Ready(job, LAST, with_clock(change, turn.seat, clock).after, chosen)
        kind = rules.kind_to_send(turn, chosen, _sent(job).times)
        at = rules.put_off_until(turn, chosen) if kind else NEVER
        if at is None:
            return Ready(job, kind, room, chosen)
        await self._kernel.scheduler.replace(job, replace(job, at=at))
        return None

    async def note_sent(self, job: Job, channel: int = 0, message: int = 0) -> None:
        """Note that a reminder was sent, perhaps by a message of its own; schedule the next one."""
        if job.kind == RESULT_MESSAGE:
            return
        match, user = job.match, job.user
        room, chosen = await self._kernel.matches.find(match), await self.of(user)
        known = await self._store.read(queries.find_job, REMIND, match, user)
        turn, at = self._turn(room, user), None
        is_last = job.kind == WARNING or chosen.level is ReminderLevel.LAST
        times = _sent(known).times + 1 if known and not is_last else rules.MAX_REMINDERS
        if turn is not None:
            if job.kind == WARNING:
                await self.mark_warned(match, turn.seat)
            at = rules.next_reminder(turn, chosen, times)
        following = reminder_job(match, user, at, Sent(times, channel, message))
        if not await self._kernel.scheduler.replace(job, following):
            # While it was on its way they have moved: it loses its buttons at once.
            known = following
        if known is not None:
            await self._kernel.scheduler.set(*_strip(known))

    async def skip(self, job: Job) -> None:
        """Count a reminder that Discord refuses as sent: the next one may fare better."""
        if job.kind == DIGEST:
            at = (await self.of(job.user)).next_digest(self.now())
            await self._kernel.scheduler.set(replace(job, at=at))
        else:
            await self.note_sent(job)

    # The warning of a clock.

    def quiet_end(self, room: Room, clock: SeatClock, settings: ReminderSettings) -> int | None:
        """Return the end of quiet hours for which a clock waits before it warns, if it does."""
        quiet = settings.quiet_hours_at(self.now())
        if quiet is None:
            return None
        more = self._kernel.clocks.counted_until(room, quiet[1])
        return quiet[1] if clock.quiet + more <= LONGEST_QUIET else None

    async def mark_warned(self, match: str, seat: Seat) -> None:
        """Note that a player was warned; if that comes late, they have more time."""

        def mark(change: Change) -> Change:
            clock = self._kernel.clocks.warned(change.before, seat)
            return with_clock(change, seat, clock) if clock else change

        await self._kernel.pipeline.change(match, mark)

    # Players choose.

    async def on_vacation_ended(self, job: Job) -> None:
        """Remind somebody who is back of what waits for them."""
        await self.change_settings(job.user)

    async def change_settings(self, user: int, **changes: object) -> ReminderSettings:
        """Change a player's settings, which also hold for what waits for them already."""
        chosen = await self._store.write(change_settings, user, changes)
        if chosen.level is ReminderLevel.DIGEST:
            await self.put_in_digest(user, has_new_time=True)
        elif chosen.level is not ReminderLevel.OFF:
            at = int(self.now()) + SECOND_REMINDER_DELAY
            waiting = (await self.load_digest(user)).turns
            await self._kernel.scheduler.set(*(replace(job, at=at) for _, job in waiting))
        return chosen

    async def note_direct_closed(self, user: int) -> None:
        """Note that somebody takes no direct messages: they are told so once where they play."""
        changes = {"way": Delivery.MENTION, "channel": 0, "closed": True}
        await self._store.write(change_settings, user, changes)

    async def note_told_closed(self, user: int) -> None:
        """Note that somebody was told why they are reminded where they play."""
        await self._store.write(change_settings, user, {"closed": False})


def _sent(job: Job) -> Sent:
    return msgspec.convert(job.facts, Sent)


def _strip(job: Job) -> list[Job]:
    """Return the job that takes the buttons off the message of a reminder, if it has one."""
    # At once: it is due whenever it is scheduled.
    return [Job(STRIP, 0, job.match, job.user, job.facts)] if _sent(job).message else []


def _awaited(room: Room) -> set[int]:
    """Return the people whose decision a match waits for."""
    if room.match is None or room.is_over:
        return set()
    return set(room.people(people_to_move(room.match)))


def _has_answered(before: Match, commit: Commit) -> bool:
    """Whether a commit answers a question; an offer that was taken leaves it open."""
    asked = {(question.seat, question.kind) for question in before.asked()}
    return any((commit.seat, answer.kind) in asked for answer in commit.answers)
