"""Start, count and close votes. A result is applied in the transaction that closes the vote.

A vote is decided as soon as the missing votes cannot change the result, or when its time is up.
After every change to a match, its open votes are counted again, and those that no longer apply are
closed as void. When a vote passes, and what it then does, is decided in rules.py.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from bot.features.reminders.service import OpenVotes
from bot.features.votes import queries, rules
from bot.features.votes.queries import VOTE_ENDS
from bot.features.votes.rules import (
    ABSENT,
    ANSWERED,
    ASK_AGAIN_SECONDS,
    BACK,
    GO_ON,
    NO,
    VOID,
    YES,
    Kind,
    VoteEffect,
)
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.languages import speaking_to_table
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.room import Room
from bot.model import COMPUTER, OPEN, HandledInteraction, Job, Person, Vote
from bot.runtime.base import BotError, NotFound, Refused
from bot.text import say
from engine import EngineError


class Votes(OpenVotes):
    """The votes of all matches. What can be voted on is registered as kinds (rules.Kind)."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._kinds: dict[str, Kind] = {}

    def register(self, *kinds: Kind) -> None:
        """Add kinds of votes; features call this when they are built."""
        self._kinds |= {kind.name: kind for kind in kinds}

    def kind(self, vote: Vote) -> Kind:
        """Return the kind of a vote; refuse if the feature that registers it is switched off."""
        if vote.kind not in self._kinds:
            raise Refused("unavailable.other")
        return self._kinds[vote.kind]

    # Look up votes

    async def all(self, match_id: str) -> list[Vote]:
        """Return the votes of a match, in order."""
        return await self._kernel.store.read(queries.votes, match_id)

    async def find(self, match_id: str, number: int) -> Vote:
        """Return a vote of a match by its number."""
        return _find_numbered(await self.all(match_id), number)

    async def unannounced(self, match_id: str) -> list[Vote]:
        """Return the votes of a match that are open, or whose result is not posted yet."""
        votes = await self.all(match_id)
        return [vote for vote in votes if not vote.told and vote.kind in self._kinds]

    async def find_open(self, match_id: str, kind: str) -> list[Vote]:
        """Return the open votes of a kind in a match."""
        return [vote for vote in await self.all(match_id) if vote.is_open and vote.kind == kind]

    async def awaiting(self, room: Room, user: int) -> list[Vote]:
        """Return the open votes of a match in which a user may vote and has not yet."""
        votes = await self.unannounced(room.record.id)
        return [vote for vote in votes if user in rules.missing_voters(room, vote, self.kind(vote))]

    async def find_matches_voting(self) -> list[str]:
        """Return the matches with votes that are open, or whose result is not posted yet."""
        store = self._kernel.store
        return await store.read(queries.matches_with_unposted_votes, own=store.own)

    # Start and cast votes

    @retry_on_conflict
    async def propose(
        self,
        match_id: str,
        by: Person,
        kind: str,
        facts: dict[str, Any] | None = None,
        interaction_id: int | None = None,
    ) -> Vote:
        """Start a vote with its starter's yes, or add the yes to an open vote on the same thing.

        Returns the vote as saved. Refuses people who may not start it, and a vote that does not
        apply to the match.
        """
        async with self._kernel.pipeline.exclusive(match_id, interaction_id) as (change, handled):
            votes = await self.all(match_id)
            if handled is not None:
                return _find_numbered(votes, handled.number)
            room, chosen = change.before, self._kinds[kind]
            _check_running(room)
            vote = Vote(
                match=match_id,
                number=len(votes) + 1,
                kind=kind,
                by=by,
                chairs=room.record.chairs,
                opened=change.now,
                ends=change.now + chosen.duration_seconds,
                facts=facts or {},
            )
            if chosen.notes_absence:
                vote = rules.note_absence(room, vote, self._kernel.clocks.silent_seconds(room))
            self._check(room, vote, votes)
            vote = self._join_same_vote(room, vote, votes)
            if by.id in rules.voters(room, vote) and YES in chosen.options:
                vote = replace(vote, said={**vote.said, by.id: YES})
            return await self._write(change, vote, votes, interaction_id)

    def _join_same_vote(self, room: Room, vote: Vote, votes: list[Vote]) -> Vote:
        """Return the open vote that asks the same as a new one, or the new one if there is none.

        Refuse people who may not start it, and those whose last such vote failed only recently.
        """
        by, kind = vote.by.id, self.kind(vote)
        is_asked = by in rules.voters(room, vote)
        if by != COMPUTER and not is_asked and not kind.for_strangers:
            raise Refused("refusal.not_seated")
        same_votes = [other for other in votes if rules.asks_same(other, vote)]
        for other in same_votes:
            if other.is_open:
                # The reason why a player seems absent does not make it another question.
                compared = vote.facts.keys() - {ABSENT, ANSWERED}
                differs = any(vote.facts[key] != other.facts.get(key) for key in compared)
                if differs or not is_asked:
                    raise Refused("vote.asked_already")
                return other
        failed_at = [
            other.closed for other in same_votes if other.by.id == by and other.outcome == NO
        ]
        if max(failed_at, default=0) > vote.opened - ASK_AGAIN_SECONDS and YES in kind.options:
            raise Refused("vote.too_soon")
        return vote

    @retry_on_conflict
    async def cast(
        self, match_id: str, number: int, user: int, option: str, interaction_id: int | None = None
    ) -> Vote:
        """Cast or change a user's vote, and return the vote as saved.

        The same buttons withdraw an offer, and let an absent player show that they are back.
        """
        async with self._kernel.pipeline.exclusive(match_id, interaction_id) as (change, handled):
            room, votes = change.before, await self.all(match_id)
            vote = _find_numbered(votes, number)
            if handled is not None:
                return vote
            if not vote.is_open:
                raise Refused("vote.closed")
            kind = self.kind(vote)
            back = replace(vote, facts={**vote.facts, BACK: True})
            is_about_them = "seat" in vote.facts and room.seat_of(user) == vote.facts["seat"]
            # The button that takes up an offer is not handled here: it starts another vote.
            if option not in kind.options or option == rules.TAKE:
                raise Refused("refusal.old_button")
            if kind.is_offer:
                if user not in (vote.by.id, vote.facts.get("owner")):
                    raise Refused("vote.not_yours")
                vote = back
            elif room.has_resigned(user):
                raise Refused("refusal.resigned")
            elif is_about_them and self._count(room, back, votes, change.now).outcome == VOID:
                # Any press by the absent player shows that they are back, which voids the vote.
                vote = back
            elif user not in rules.voters(room, vote):
                raise Refused("vote.about_you" if is_about_them else "vote.not_asked")
            elif vote.said.get(user) == option:
                raise Refused("vote.said_already")
            else:
                vote = replace(vote, said={**vote.said, user: option})
            return await self._write(change, vote, votes, interaction_id)

    @retry_on_conflict
    async def withdraw_requests(self, match_id: str, user: int) -> None:
        """Close a user's open requests for a seat; called when their data is deleted."""
        async with self._kernel.pipeline.exclusive(match_id) as (unchanged, _):
            change = unchanged
            for vote in await self.unannounced(match_id):
                if vote.is_open and vote.by.id == user and self.kind(vote).for_strangers:
                    with speaking_to_table(unchanged.before.record):
                        why = say("vote.withdrawn")
                    change = _save_with(change, _void(vote, why, change.now))
            if change is not unchanged:
                await self._kernel.pipeline.commit(change)

    @retry_on_conflict
    async def end(self, job: Job) -> None:
        """Close a vote whose time is up, and apply its result. The handler of VOTE_ENDS."""
        async with self._kernel.pipeline.exclusive(job.match) as (change, _):
            votes = await self.all(job.match)
            vote = _find_numbered(votes, job.user)
            if vote.is_open and vote.kind in self._kinds:
                await self._write(change, vote, votes)

    # Count votes

    def close_settled(self, change: Change) -> Change:
        """Close the votes that a change to a match has decided or made void, and apply results.

        This is an extender: it runs before the clocks are updated.
        """
        return self._close_others(change, change.context.values.get(queries.votes_of_match) or [])

    def close_pointless(self, change: Change) -> Change:
        """Close the votes that became void when the clocks were updated, such as a claim.

        This is a follower: it runs too late to change the match, so it applies no results.
        """
        votes = change.context.values.get(queries.votes_of_match) or []
        return self._close_others(change, votes, only_pointless=True)

    def _close_others(
        self, change: Change, votes: list[Vote], only_pointless: bool = False
    ) -> Change:
        """Close the votes that a change has settled, except those that it saves itself."""
        for vote in votes:
            written = {one.number: one for one in change.queued_args(queries.put_vote)}
            if not vote.is_open or vote.number in written or vote.kind not in self._kinds:
                continue
            current = [written.get(one.number, one) for one in votes]
            counted = self._count(change.after, vote, current, change.now)
            kind = self.kind(vote)
            if counted.outcome == VOID:
                change = _save_with(change, counted)
            elif counted.is_open or only_pointless:
                continue
            elif kind.load_effect is None:
                change = self._apply_result(change, counted, current, kind.apply)
            else:
                # Followers cannot await the database, which `load_effect` reads. So let the job
                # that ends the vote run now, and apply the result.
                change = change.schedule(Job(VOTE_ENDS, change.now, vote.match, vote.number))
        return change

    def _check(self, room: Room, vote: Vote, votes: list[Vote]) -> None:
        """Refuse a vote that does not apply, or no longer applies, to the current match."""
        _check_running(room)
        if room.record.paused_for and vote.is_open and not vote.message:
            raise Refused("refusal.paused_resume", why=room.why_paused)
        kind = self.kind(vote)
        kind.check(room, vote)
        others = [other for other in votes if other.is_open and other.number != vote.number]
        kind.check_others(room, vote, others)
        passes_without_voters = bool(kind.rule(Counter(), 0, False)) or kind.is_offer
        if not rules.voters(room, vote) and not passes_without_voters:
            raise Refused("vote.nobody")

    def _count(self, room: Room, vote: Vote, votes: list[Vote], now: int) -> Vote:
        """Return an open vote with its current result: still open, decided or void."""
        with speaking_to_table(room.record):
            try:
                self._check(room, vote, votes)
            except (BotError, EngineError) as error:
                return _void(vote, str(error), now)
        outcome = rules.outcome(room, vote, self.kind(vote), now)
        return replace(vote, outcome=outcome, closed=now) if outcome else vote

    async def _write(
        self, change: Change, vote: Vote, votes: list[Vote], interaction_id: int | None = None
    ) -> Vote:
        """Count a vote, save it, apply its result if it is decided, and return it as saved."""
        if interaction_id is not None:
            handled = HandledInteraction(interaction=interaction_id, number=vote.number)
            change = replace(change, handled=handled)
        kind, counted = self.kind(vote), self._count(change.before, vote, votes, change.now)
        apply = kind.apply
        if kind.load_effect is not None and not counted.is_open:
            apply = await kind.load_effect(change.before, vote)
        change = self._apply_result(change, counted, votes, apply)
        # One vote can settle another: withdrawing an offer voids the requests for that seat.
        change = await self._kernel.pipeline.commit(self._close_others(change, votes))
        return _find_numbered(change.queued_args(queries.put_vote), vote.number)

    def _apply_result(
        self, change: Change, vote: Vote, votes: list[Vote], apply: VoteEffect
    ) -> Change:
        """Save a counted vote and apply its result; if that is refused, the vote is void."""
        if vote.outcome in ("", NO, GO_ON, VOID):
            return _save_with(change, vote)
        follow_up = self.kind(vote).follow_up
        with speaking_to_table(change.after.record):
            try:
                applied = apply(change, vote)
                next_vote = follow_up(change.after, vote) if follow_up else None
            except (BotError, EngineError) as error:
                return _save_with(change, _void(vote, str(error), change.now))
        applied = _save_with(applied, vote)
        if next_vote is None:
            return applied
        numbers = [other.number for other in (*votes, *applied.queued_args(queries.put_vote))]
        return _save_with(applied, replace(next_vote, number=max(numbers) + 1))


def _save_with(change: Change, vote: Vote) -> Change:
    """Return the change with a vote to save, and with the job that ends it while it is open."""
    change = change.write(queries.put_vote, vote)
    if vote.is_open:
        return change.schedule(Job(VOTE_ENDS, vote.ends, vote.match, vote.number))
    return change.cancel_jobs((VOTE_ENDS, vote.number))


def _void(vote: Vote, why: str, now: int) -> Vote:
    return replace(vote, outcome=VOID, why=why, closed=now)


def _find_numbered(votes: Iterable[Vote], number: int) -> Vote:
    for vote in votes:
        if vote.number == number:
            return vote
    raise NotFound("vote.none")


def _check_running(room: Room) -> None:
    if room.match is None or room.record.status not in OPEN:
        raise Refused("vote.not_running")
