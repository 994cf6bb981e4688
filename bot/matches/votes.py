"""The votes of all tables: asked, answered, decided once, and carried out in the same transaction.

A vote is decided as soon as what is still unsaid cannot change it, at its end otherwise. Whatever happens in a match
meanwhile is followed by a look at its open votes: one that has lost its point closes itself.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from msgspec.structs import replace

from bot.errors import BotError, NotFound, Refused
from bot.matches import ballot
from bot.matches.ballot import ABSENT, AGAIN_AFTER, BACK, NO, VOID, YES, Carried, Kind, Vote, voters
from bot.matches.room import COMPUTER, OPEN, Due, Person, Room
from bot.matches.rooms import Rooms, on_newest
from bot.store.base import Done, Store
from bot.text import say
from engine import EngineError

NOBODY = -1
DUE = "vote"
"""The kind of the rows that say when a vote ends, by its number."""


class Votes:
    """All votes. The kinds there are say what can be asked and what comes of it."""

    def __init__(self, store: Store, rooms: Rooms, now: Callable[[], float]) -> None:
        self._store = store
        self._rooms = rooms
        self._now = now
        self._kinds: dict[str, Kind] = {}
        self._when_shown: Callable[[str], None] = lambda match: None
        self._when_carried: Callable[[str], None] = lambda match: None
        self._voting: set[str] | None = None
        """Matches that may have an open vote; None until they have been read."""
        rooms.listeners.append(self._changed)

    def register(self, kind: Kind) -> None:
        """A kind of vote from now on."""
        self._kinds[kind.name] = kind

    def kind(self, vote: Vote) -> Kind:
        """What kind of vote it is."""
        return self._kinds[vote.kind]

    def call_when_shown(self, call: Callable[[str], None]) -> None:
        """Have this called with a match's id whenever the message of a vote may have to change."""
        self._when_shown = call

    def call_when_carried(self, call: Callable[[str], None]) -> None:
        """Have this called with a match's id when a vote has changed it."""
        self._when_carried = call

    async def find(self, match: str, number: int) -> Vote:
        """That vote of a match."""
        for vote in await self._all(match):
            if vote.number == number:
                return vote
        raise NotFound(say("vote.none"))

    async def untold(self, match: str) -> list[Vote]:
        """The votes of a match whose messages may have to change: open ones, and results that are not told yet."""
        return [vote for vote in await self._all(match) if not vote.told]

    async def open_ones(self, match: str, kind: str) -> list[Vote]:
        """The open votes of that kind in a match."""
        return [vote for vote in await self._all(match) if vote.is_open and vote.kind == kind]

    async def awaiting(self, room: Room, user: int) -> list[Vote]:
        """Return the open votes of a match to which somebody is asked and has said nothing."""
        asked = [vote for vote in await self._all(room.info.id) if vote.is_open and not self.kind(vote).is_offer]
        return [vote for vote in asked if user in voters(room, vote) and user not in vote.said]

    async def voting(self) -> list[str]:
        """Matches with such votes."""
        return await self._store.voting()

    @on_newest
    async def propose(
        self, match: str, by: Person, kind: str, facts: dict[str, Any] | None = None, interaction: int | None = None
    ) -> Vote:
        """The table asked; whoever asks is for it. If the same is being asked already it is a yes to that."""
        async with self._rooms.turn(match) as room:
            if done := await self._done(match, interaction):
                return await self.find(match, done.number)
            votes, now, options = await self._all(match), int(self._now()), self._kinds[kind].options
            vote = Vote(
                match=match,
                number=len(votes) + 1,
                kind=kind,
                by=by,
                chairs=room.info.chairs,
                opened=now,
                ends=now + self._kinds[kind].lasts,
                facts=facts or {},
            )
            self._must_run(room)
            vote = self._kinds[kind].prepare(room, vote)
            self._check(room, vote, votes)
            asked = voters(room, vote)
            if by.id != COMPUTER and by.id not in asked and not self._kinds[kind].for_strangers:
                raise Refused(say("refusal.not_seated"))
            alike = [other for other in votes if ballot.is_same(other, vote)]
            same = next((other for other in alike if other.is_open), None)
            if same is not None:
                if by.id not in asked or not _asks_the_same(same, facts or {}):
                    raise Refused(say("vote.asked_already"))
                vote = same
            elif any(other.by.id == by.id and _is_fresh_no(other, now) for other in alike) and YES in options:
                raise Refused(say("vote.too_soon"))
            if by.id in asked and YES in options:
                vote = ballot.cast(vote, by.id, YES)
            vote = await self._settle(room, vote, interaction)
        self._told(vote)
        return vote

    @on_newest
    async def cast(self, match: str, number: int, user: int, option: str, interaction: int | None = None) -> Vote:
        """What somebody says to a vote; they may say something else as long as it is open."""
        async with self._rooms.turn(match) as room:
            vote, is_repeat = await self._pressed_on(match, number, interaction)
            if is_repeat:
                return vote
            if room.has_resigned(user):
                raise Refused(say("refusal.resigned"))
            is_about_them = user != COMPUTER and room.seat_of(user) == vote.facts.get("seat", NOBODY)
            back = replace(vote, facts={**vote.facts, BACK: True})
            if is_about_them and self._is_to_close(room, back, await self._all(match)):
                # They were thought to be away.
                vote = back
            elif user not in voters(room, vote):
                raise Refused(say("vote.about_you") if is_about_them else say("vote.not_asked"))
            elif option not in self.kind(vote).options or self.kind(vote).is_offer:
                raise Refused(say("refusal.old_button"))
            elif vote.said.get(user) == option:
                raise Refused(say("vote.said_already"))
            else:
                vote = ballot.cast(vote, user, option)
            vote = await self._settle(room, vote, interaction)
        self._told(vote)
        return vote

    @on_newest
    async def withdraw(self, match: str, number: int, user: int, interaction: int | None = None) -> Vote:
        """An offer taken back by whoever made it, or whose seat it is about."""
        async with self._rooms.turn(match) as room:
            vote, is_repeat = await self._pressed_on(match, number, interaction)
            if is_repeat:
                return vote
            if not self.kind(vote).is_offer or user not in (vote.by.id, vote.facts.get("owner")):
                raise Refused(say("vote.not_yours"))
            vote = await self._settle(room, replace(vote, facts={**vote.facts, BACK: True}), interaction)
        self._told(vote)
        return vote

    async def give_up(self, match: str, user: int) -> None:
        """What somebody asks for who has no seat is asked no more: they are gone."""
        async with self._rooms.turn(match) as room:
            asked = [vote for vote in await self._all(match) if vote.is_open and vote.by.id == user]
            closed = {"outcome": VOID, "why": say("vote.withdrawn"), "closed": int(self._now())}
            void = tuple(replace(vote, **closed) for vote in asked if self.kind(vote).for_strangers)
            if void:
                await self._rooms.write(room.info, room, votes=void, undue=tuple((DUE, vote.number) for vote in void))
        for vote in void:
            self._told(vote)

    @on_newest
    async def end(self, due: Due) -> None:
        """The time of a vote is over."""
        async with self._rooms.turn(due.match) as room:
            vote = await self.find(due.match, due.user)
            if vote.is_open and vote.ends <= self._now():
                self._told(await self._settle(room, vote))

    @on_newest
    async def posted(self, vote: Vote, message: int, place: int) -> None:
        """The message of a vote is there, and shows it as it was given; once it is decided that is all."""
        async with self._rooms.turn(vote.match) as room:
            now = await self.find(vote.match, vote.number)
            told = not vote.is_open
            after = replace(now, message=message, place=place, told=told)
            if after != now:
                await self._rooms.write(room.info, room, votes=(after,))

    def _must_run(self, room: Room) -> None:
        if room.match is None or room.info.status not in OPEN:
            raise Refused(say("vote.not_running"))

    def _check(self, room: Room, vote: Vote, votes: list[Vote]) -> None:
        """Refuse what cannot be asked at all, or no more, given all votes of the match."""
        self._must_run(room)
        if room.info.paused_for and vote.is_open and not vote.message:
            raise Refused(say("refusal.paused_resume", why=room.why_paused))
        kind = self.kind(vote)
        kind.check(room, vote)
        kind.among(room, vote, [other for other in votes if other.is_open and other.number != vote.number])
        if not voters(room, vote) and not kind.rule({}, 0, False) and not kind.is_offer:
            raise Refused(say("vote.nobody"))

    async def _settle(self, room: Room, vote: Vote, interaction: int | None = None) -> Vote:
        """Write a vote down as it stands now, decided if it is, and with what has come of it."""
        carried, kind, votes = Carried(room), self.kind(vote), await self._all(vote.match)
        try:
            self._check(room, vote, votes)
            if outcome := ballot.decided(kind, vote, voters(room, vote), self._now()):
                vote = replace(vote, outcome=outcome, closed=int(self._now()))
                if outcome not in (NO, ballot.GO_ON):
                    carried = await kind.carry(room, vote)
        except (BotError, EngineError) as error:
            vote = replace(vote, outcome=VOID, why=str(error), closed=int(self._now()))
        written = dict(carried.written)
        if vote.is_open:
            written["dues"] = (*written.get("dues", ()), Due(DUE, vote.ends, vote.match, vote.number))
        else:
            written["undue"] = (*written.get("undue", ()), (DUE, vote.number))
        if interaction is not None:
            written["done"] = Done(interaction=interaction, seat=0, since=vote.number, number=vote.number)
        if carried.then:
            numbers = count(max(other.number for other in (*votes, vote)) + 1)
            opened = tuple(replace(then, number=next(numbers)) for then in carried.then)
            written["votes"] = opened
            written["dues"] = (*written.get("dues", ()), *(Due(DUE, one.ends, one.match, one.number) for one in opened))
        await self._rooms.write(room.info, carried.room, **written | {"votes": (vote, *written.get("votes", ()))})
        if self._voting is not None:
            self._voting.add(vote.match)
        return vote

    async def _changed(self, before: Room, room: Room) -> None:
        """Something has happened in a match: its open votes may have lost their point, or be decided by it."""
        match = room.info.id
        if self._voting is None:
            self._voting = set(await self._store.voting())
        # Where others write as well they may have opened one.
        if match not in self._voting and not self._store.is_shared:
            return
        open_ones = [vote for vote in await self._all(match) if vote.is_open]
        if open_ones:
            # Others may be asked now, or in another place.
            self._when_shown(match)
        for vote in open_ones:
            if self._is_to_close(room, vote, await self._all(match)):
                self._told(await self._settle(room, vote))
                room = await self._rooms.load(match)
        if not open_ones:
            self._voting.discard(match)

    def _is_to_close(self, room: Room, vote: Vote, votes: list[Vote]) -> bool:
        try:
            self._check(room, vote, votes)
        except (BotError, EngineError):
            return True
        return bool(ballot.decided(self.kind(vote), vote, voters(room, vote), self._now()))

    def _told(self, vote: Vote) -> None:
        self._when_shown(vote.match)
        if not vote.is_open:
            self._when_carried(vote.match)

    async def _all(self, match: str) -> list[Vote]:
        """The votes of a match, in order. When one ends is what is due: later, if the bot was away meanwhile."""
        ends = {due.user: due.at for due in await self._store.dues_of(match) if due.kind == DUE}
        votes = await self._store.votes(match)
        return [replace(vote, ends=ends.get(vote.number, vote.ends)) if vote.is_open else vote for vote in votes]

    async def _pressed_on(self, match: str, number: int, interaction: int | None) -> tuple[Vote, bool]:
        """A vote on which somebody has pressed, and whether that was carried out before; refused if it is closed."""
        vote = await self.find(match, number)
        is_repeat = await self._done(match, interaction) is not None
        if not is_repeat and not vote.is_open:
            raise Refused(say("vote.closed"))
        return vote, is_repeat

    async def _done(self, match: str, interaction: int | None) -> Done | None:
        return None if interaction is None else await self._store.done(match, interaction)


def _asks_the_same(vote: Vote, facts: dict[str, Any]) -> bool:
    """Whether a vote asks what somebody else would ask with these facts, for whatever reason."""
    return all(vote.facts.get(key) == given for key, given in facts.items() if key != ABSENT)


def _is_fresh_no(vote: Vote, now: int) -> bool:
    """Whether the table has just said no."""
    return vote.outcome == NO and vote.closed > now - AGAIN_AFTER
