"""The votes of all tables: asked, answered, decided once, and carried out in the same transaction.

A vote is decided as soon as the missing answers cannot change the result, otherwise when its time is over. After every
change to a match its open votes are looked at: one that has become pointless is closed.
"""

from collections.abc import Iterable
from itertools import count
from typing import Any

from msgspec.structs import replace

from bot.features.reminders.service import OpenVotes
from bot.features.votes import queries as vote_queries
from bot.features.votes import rules
from bot.features.votes.rules import ABSENT, AGAIN_AFTER, BACK, NO, VOID, YES, Kind, voters
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.model.match import COMPUTER, OPEN, Person
from bot.model.stored import HandledInteraction
from bot.model.votes import Vote
from bot.runtime.errors import BotError, NotFound, Refused
from bot.text import say
from engine import EngineError

VOTE_ENDS = "vote"
"""The job at the end of a vote; its user is the number of the vote."""
NO_SEAT = -1


class Votes(OpenVotes):
    """All votes. Their kinds, which features register, say what can be asked and what it leads to."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._pipeline = kernel.pipeline
        self._now = kernel.now
        self._kinds: dict[str, Kind] = {}

    def register(self, *kinds: Kind) -> None:
        """Add kinds of votes."""
        self._kinds |= {kind.name: kind for kind in kinds}

    def kind(self, vote: Vote) -> Kind:
        """Return what kind of vote it is; refuse if its feature is left out."""
        if vote.kind not in self._kinds:
            raise Refused(say("unavailable.other"))
        return self._kinds[vote.kind]

    async def find(self, match: str, number: int) -> Vote:
        """Return a vote of a match by its number."""
        for vote in await self.all(match):
            if vote.number == number:
                return vote
        raise NotFound(say("vote.none"))

    async def all(self, match: str) -> list[Vote]:
        """Return the votes of a match, in order."""
        votes, jobs = await self._store.read(vote_queries.votes_and_jobs, match)
        return _with_ends(votes, jobs)

    async def unannounced(self, match: str) -> list[Vote]:
        """Return the votes of a match whose messages may have to change: open ones, and results not told yet."""
        return [vote for vote in await self.all(match) if not vote.told and vote.kind in self._kinds]

    async def open_ones(self, match: str, kind: str) -> list[Vote]:
        """Return the open votes of a kind in a match."""
        return [vote for vote in await self.all(match) if vote.is_open and vote.kind == kind]

    async def awaiting(self, room: Room, user: int) -> list[Vote]:
        """Return the open votes of a match to which somebody is asked and has said nothing."""
        asked = [
            vote
            for vote in await self.all(room.record.id)
            if vote.is_open and vote.kind in self._kinds and not self.kind(vote).is_offer
        ]
        return [vote for vote in asked if user in voters(room, vote) and user not in vote.said]

    async def matches_voting(self) -> list[str]:
        """Return the matches with votes that are open, or whose result is not told yet."""
        return await self._store.read(vote_queries.matches_with_unposted_votes, own=self._store.own)

    @retry_on_conflict
    async def propose(
        self, match: str, by: Person, kind: str, facts: dict[str, Any] | None = None, interaction: int | None = None
    ) -> Vote:
        """Ask the table; the asker is for it. If the same is being asked already, that counts as a yes to it."""
        async with self._pipeline.exclusive(match, interaction) as (change, handled):
            if handled is not None:
                return await self.find(match, handled.number)
            room, votes, chosen = change.before, await self.all(match), self._kinds[kind]
            _must_run(room)
            vote = Vote(
                match=match,
                number=len(votes) + 1,
                kind=kind,
                by=by,
                chairs=room.record.chairs,
                opened=change.now,
                ends=change.now + chosen.lasts,
                facts=facts or {},
            )
            vote = chosen.prepare(room, vote)
            self._check(room, vote, votes)
            vote = self._join_same_vote(room, vote, votes, facts or {})
            if by.id in voters(room, vote) and YES in chosen.options:
                vote = rules.cast(vote, by.id, YES)
            return await self._count(change, vote, votes, interaction)

    def _join_same_vote(self, room: Room, vote: Vote, votes: list[Vote], facts: dict[str, Any]) -> Vote:
        """Return a new vote, or the open one that asks the same; refuse what may not be asked now."""
        asked, by, kind = voters(room, vote), vote.by.id, self.kind(vote)
        if by != COMPUTER and by not in asked and not kind.for_strangers:
            raise Refused(say("refusal.not_seated"))
        alike = [other for other in votes if rules.is_same(other, vote)]
        same = next((other for other in alike if other.is_open), None)
        if same is not None:
            if by not in asked or not _asks_the_same(same, facts):
                raise Refused(say("vote.asked_already"))
            return same
        was_refused = any(other.by.id == by and _is_fresh_no(other, vote.opened) for other in alike)
        if was_refused and YES in kind.options:
            raise Refused(say("vote.too_soon"))
        return vote

    @retry_on_conflict
    async def cast(self, match: str, number: int, user: int, option: str, interaction: int | None = None) -> Vote:
        """Say something to a vote; one may say something else as long as it is open."""
        async with self._pipeline.exclusive(match, interaction) as (change, handled):
            room, votes = change.before, await self.all(match)
            vote = _numbered(votes, number)
            if handled is not None:
                return vote
            _must_be_open(vote)
            if room.has_resigned(user):
                raise Refused(say("refusal.resigned"))
            is_about_them = user != COMPUTER and room.seat_of(user) == vote.facts.get("seat", NO_SEAT)
            back = replace(vote, facts={**vote.facts, BACK: True})
            if is_about_them and self._closes(room, back, votes):
                # They were thought to be away.
                vote = back
            elif user not in voters(room, vote):
                raise Refused(say("vote.about_you") if is_about_them else say("vote.not_asked"))
            elif option not in self.kind(vote).options or self.kind(vote).is_offer:
                raise Refused(say("refusal.old_button"))
            elif vote.said.get(user) == option:
                raise Refused(say("vote.said_already"))
            else:
                vote = rules.cast(vote, user, option)
            return await self._count(change, vote, votes, interaction)

    @retry_on_conflict
    async def withdraw(self, match: str, number: int, user: int, interaction: int | None = None) -> Vote:
        """Take back an offer, by the person who made it or whose seat it is about."""
        async with self._pipeline.exclusive(match, interaction) as (change, handled):
            votes = await self.all(match)
            vote = _numbered(votes, number)
            if handled is not None:
                return vote
            _must_be_open(vote)
            if not self.kind(vote).is_offer or user not in (vote.by.id, vote.facts.get("owner")):
                raise Refused(say("vote.not_yours"))
            withdrawn = replace(vote, facts={**vote.facts, BACK: True})
            return await self._count(change, withdrawn, votes, interaction)

    @retry_on_conflict
    async def give_up(self, match: str, user: int) -> None:
        """Close what somebody asks for who has no seat and is gone."""
        async with self._pipeline.exclusive(match) as (change, _):
            mine = [vote for vote in await self.all(match) if vote.is_open and vote.by.id == user]
            closed = [
                replace(vote, outcome=VOID, why=say("vote.withdrawn"), closed=change.now)
                for vote in mine
                if vote.kind in self._kinds and self.kind(vote).for_strangers
            ]
            if closed:
                await self._pipeline.commit(_keep(change, closed))

    @retry_on_conflict
    async def end(self, job: Job) -> None:
        """Decide a vote whose time is over."""
        async with self._pipeline.exclusive(job.match) as (change, _):
            votes = await self.all(job.match)
            vote = _numbered(votes, job.user)
            is_known = vote.kind in self._kinds
            if vote.is_open and is_known and self._closes(change.before, vote, votes):
                await self._count(change, vote, votes)

    async def note_message(self, vote: Vote, message: int, place: int) -> None:
        """Note which message shows a vote as it was given; if it is decided, it needs no other from then on."""
        await self._store.write(vote_queries.note_vote_message, vote, message, place)

    def close_settled(self, change: Change) -> Change:
        """Close open votes that a change has decided or made pointless, and carry out what was decided."""
        return self._close_others(change, _votes_before(change))

    def close_pointless(self, change: Change) -> Change:
        """Close open votes that have become pointless once the clocks are set, such as the claim of a seat."""
        return self._close_others(change, _votes_before(change), only_pointless=True)

    def _close_others(self, change: Change, votes: list[Vote], only_pointless: bool = False) -> Change:
        """Close open votes that a change has decided or made pointless, except those that it writes itself."""
        for vote in votes:
            written = {one.number: one for one in change.written(vote_queries.put_vote)}
            if not vote.is_open or vote.number in written or vote.kind not in self._kinds:
                continue
            current = [written.get(one.number, one) for one in votes]
            if self._is_pointless(change.after, vote, current):
                change = self._decide(change, vote, current, None)
            elif only_pointless or not self._outcome(change.after, vote):
                continue
            elif self.kind(vote).load is None:
                change = self._decide(change, vote, current, None)
            else:
                # What it needs has to be read first: the job that ends the vote does that at once.
                change = change.schedule(Job(VOTE_ENDS, change.now, vote.match, vote.number))
        return change

    def _check(self, room: Room, vote: Vote, votes: list[Vote]) -> None:
        """Refuse what cannot be asked at all, or no more, given all votes of the match."""
        _must_run(room)
        if room.record.paused_for and vote.is_open and not vote.message:
            raise Refused(say("refusal.paused_resume", why=room.why_paused))
        kind = self.kind(vote)
        kind.check(room, vote)
        kind.among(room, vote, [other for other in votes if other.is_open and other.number != vote.number])
        if not voters(room, vote) and not kind.rule({}, 0, False) and not kind.is_offer:
            raise Refused(say("vote.nobody"))

    def _is_pointless(self, room: Room, vote: Vote, votes: list[Vote]) -> bool:
        try:
            self._check(room, vote, votes)
        except (BotError, EngineError):
            return True
        return False

    def _outcome(self, room: Room, vote: Vote) -> str:
        """Return what was decided by now; '' if nothing yet."""
        return rules.decided(self.kind(vote), vote, voters(room, vote), self._now())

    def _closes(self, room: Room, vote: Vote, votes: list[Vote]) -> bool:
        return self._is_pointless(room, vote, votes) or bool(self._outcome(room, vote))

    async def _count(self, change: Change, vote: Vote, votes: list[Vote], interaction: int | None = None) -> Vote:
        """Write a vote as it stands now, and carry it out if it is decided."""
        if interaction is not None:
            handled = HandledInteraction(interaction=interaction, seat=0, since=vote.number, number=vote.number)
            change = replace(change, handled=handled)
        load, loaded = self.kind(vote).load, None
        if load is not None:
            loaded = await load(change.before, vote)
        change = self._decide(change, vote, votes, loaded)
        # One vote may decide about another: a request for a seat is void once the offer is withdrawn.
        change = await self._pipeline.commit(self._close_others(change, votes))
        written: list[Vote] = change.written(vote_queries.put_vote)
        return next(kept for kept in written if kept.number == vote.number)

    def _decide(self, change: Change, vote: Vote, votes: list[Vote], loaded: Any) -> Change:
        """Count a vote and carry out what was decided; void if that is no longer possible."""
        kind, room, opened = self.kind(vote), change.after, tuple[Vote, ...]()
        try:
            self._check(room, vote, votes)
            if outcome := self._outcome(room, vote):
                decided = replace(vote, outcome=outcome, closed=change.now)
                if outcome not in (NO, rules.GO_ON):
                    change = kind.carry_out(change, decided, loaded)
                    opened = kind.opens(room, decided)
                vote = decided
        except (BotError, EngineError) as error:
            vote = replace(vote, outcome=VOID, why=str(error), closed=change.now)
        written = change.written(vote_queries.put_vote)
        numbers = count(max(other.number for other in (*votes, *written, vote)) + 1)
        return _keep(change, [vote, *(replace(one, number=next(numbers)) for one in opened)])


def _keep(change: Change, votes: Iterable[Vote]) -> Change:
    """Write votes with a change: an open one ends at its time, a closed one has no job any more."""
    for vote in votes:
        change = change.write(vote_queries.put_vote, vote)
        if vote.is_open:
            change = change.schedule(Job(VOTE_ENDS, vote.ends, vote.match, vote.number))
        else:
            change = change.cancel_jobs((VOTE_ENDS, vote.number))
    return change


def _votes_before(change: Change) -> list[Vote]:
    """Return the votes of a match as they were read for a change; none if they were not."""
    values = change.context.values
    return _with_ends(values.get(vote_queries.votes_of_match) or [], values.get(queries.jobs_of_match) or [])


def _with_ends(votes: list[Vote], jobs: list[Job]) -> list[Vote]:
    """Return the votes with their ends as scheduled: later than first said, if the bot was down meanwhile."""
    ends = {job.user: job.at for job in jobs if job.kind == VOTE_ENDS}
    return [replace(vote, ends=ends.get(vote.number, vote.ends)) if vote.is_open else vote for vote in votes]


def _numbered(votes: list[Vote], number: int) -> Vote:
    for vote in votes:
        if vote.number == number:
            return vote
    raise NotFound(say("vote.none"))


def _must_run(room: Room) -> None:
    if room.match is None or room.record.status not in OPEN:
        raise Refused(say("vote.not_running"))


def _must_be_open(vote: Vote) -> None:
    if not vote.is_open:
        raise Refused(say("vote.closed"))


def _asks_the_same(vote: Vote, facts: dict[str, Any]) -> bool:
    """Return whether a vote asks what somebody else would ask with these facts, for whatever reason."""
    return all(vote.facts.get(key) == given for key, given in facts.items() if key != ABSENT)


def _is_fresh_no(vote: Vote, now: int) -> bool:
    """Return whether the table has said no within AGAIN_AFTER."""
    return vote.outcome == NO and vote.closed > now - AGAIN_AFTER
