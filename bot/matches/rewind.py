"""Going back: a seat's last turn taken back by itself, or the match rewound because everybody wants to.

Nothing is removed from the log. A commit says to where the match went back, and numbers go on rising, so that no button
and no post of what was undone can be taken for one of what comes.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.errors import Refused
from bot.matches import ballot, post_rules, records
from bot.matches.ballot import Carried, Kind, Vote
from bot.matches.clocks import Clocks
from bot.matches.computers import computer_to_move
from bot.matches.pings import REMIND, SECOND, Pings
from bot.matches.room import Call, Due, Press, Room, Update
from bot.matches.rooms import Rooms, on_newest
from bot.store.base import Done, Store, StoredCommit
from bot.text import say
from engine import Answer, Commit, Event, Match, Seat, commitment
from engine.core.event import Line, TookBack
from engine.core.secrecy import find_disclosure

REWIND = "rewind"
"""The vote on it."""
MOST = 200
"""Points back to which a match can go."""
KEPT = 64
"""Matches whose points are kept in memory: somebody who looks for one asks with every letter."""


class Point(Struct, frozen=True):
    """Where a match could go back to: before something that everybody knows of."""

    number: int
    """The commit after which the match stood there."""
    seat: Seat
    """Who did what came then."""
    events: tuple[Event, ...]
    """What that told everyone."""
    stage: Line | None
    """The round, turn or phase it was."""


class Rewinds:
    """Takes all matches back."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        clocks: Clocks,
        pings: Pings,
        make_seed: Callable[[], str],
        playable: Callable[[Room, Seat], Match],
        go_on: Callable[[str], None],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._clocks = clocks
        self._pings = pings
        self._make_seed = make_seed
        self._playable = playable
        self._go_on = go_on
        self._points: LRUCache[tuple[str, int], list[Point]] = LRUCache(KEPT)

    @on_newest
    async def take_back(self, press: Press) -> Update:
        """The seat's last turn taken back, and its draft as it was before the confirm; refused with the reason."""
        async with self._rooms.turn(press.match) as room:
            seat = room.own_seat(press.user)
            if await self._store.done(press.match, press.interaction):
                return Update(room, seat)
            match = self._playable(room, seat)
            number, made, secret = await self._last_turn(room, match, seat)
            before = await self._rooms.position(press.match, number - 1)
            disclosure = await asyncio.to_thread(find_disclosure, before, made)
            if disclosure is not None:
                raise Refused(say(f"rewind.{disclosure}"))
            drafts = {other: draft.answers for other, draft in match.drafts.items()}
            if made.answers[0].kind not in {offer.kind for offer in before.offers(seat)}:
                drafts[seat] = made.answers
            said = await self._store.announced(press.match)
            after, written = await self._went_back(room, number - 1, seat, drafts=drafts, again=secret)
            if said is None or said.number < number:
                # No post has told of it, so none has to tell that it is gone.
                written["announce"] = None
            # Nobody calls them to what they have just opened again; but should they leave it so, they are reminded.
            written["calls"] = (Call(press.match, press.user, times=1),)
            written["dues"] = (*written["dues"], Due(REMIND, self._clocks.now + SECOND, press.match, press.user))
            done = Done(interaction=press.interaction, seat=seat, since=match.number, number=match.number)
            written_room = await self._rooms.write(room.info, after, **written, done=done)
        self._go_on(press.match)
        return Update(written_room, seat, (TookBack(seat),), committed=True)

    async def points(self, room: Room) -> list[Point]:
        """Where a match could go back to, the newest first."""
        match, number = room.playing(), room.playing().number
        key = (room.info.id, number)
        if key not in self._points:
            kept = await self._store.commits(room.info.id, number=number)
            self._points[key] = await asyncio.to_thread(_points, kept, match)
        return self._points[key]

    async def point(self, room: Room, number: int) -> Point:
        """That one of them; refused if it is none."""
        for point in await self.points(room):
            if point.number == number:
                return point
        raise Refused(say("rewind.no_point"))

    async def at(self, room: Room, number: int) -> Room:
        """The room as it would be there."""
        past = await self._rooms.position(room.info.id, number)
        return Room(room.info, room.playing().back_to(past, Seat(0)))

    def kind(self) -> Kind:
        """The vote on a rewind: all people at the table must want it."""
        return Kind(name=REWIND, rule=ballot.everybody, carry=self._carried, check=_must_stand, shows=_to)

    async def _carried(self, room: Room, vote: Vote) -> Carried:
        seat = room.seat_of(vote.by.id)
        after, written = await self._went_back(room, vote.facts["to"], seat or Seat(0), self._make_seed())
        return Carried(after, written)

    async def _last_turn(self, room: Room, match: Match, seat: Seat) -> tuple[int, Commit, list[Commit]]:
        """The number of the last turn that stands, and the turn; refused if it is not the seat's to take back.

        Of secret orders that others have given since nobody may hear, not even by a refusal: they are given again.
        """
        number, secret = match.number, list[Commit]()
        while number:
            (stored,) = await self._store.commits(room.info.id, number - 1, number)
            made = records.commit(stored, match.game)
            if made.seat != seat and await self._is_secret_offer(room, number, made):
                secret.insert(0, made)
                number -= 1
                continue
            if made.seat != seat or seat in match.away:
                raise Refused(say("rewind.others"))
            if made.back_to is None:
                if not made.answers:
                    break
                return number, made, secret
            if made.seed:
                break
            number = made.back_to
        raise Refused(say("rewind.nothing"))

    async def _is_secret_offer(self, room: Room, number: int, made: Commit) -> bool:
        before = await self._rooms.position(room.info.id, number - 1)
        return any(
            offer.secret and offer.kind == made.answers[0].kind for offer in before.offers(made.seat) if made.answers
        )

    async def _went_back(
        self,
        room: Room,
        number: int,
        seat: Seat,
        seed: str = "",
        drafts: Mapping[Seat, tuple[Answer, ...]] | None = None,
        again: Iterable[Commit] = (),
    ) -> tuple[Room, dict[str, Any]]:
        """The room back where it stood after a commit, and what else is to be written. The time used is given back.

        What is to be done `again` is done there at once.
        """
        past = await self._rooms.position(room.info.id, number)
        after = room.playing().back_to(past, seat, seed)
        commits = [records.stored_commit(after)]
        for made in again:
            after = after.replay(made)
            commits.append(records.stored_commit(after))
        if drafts:
            after = after.rebased(drafts)
        info = await self._clocks.rewound(replace(room.info, touched=self._clocks.now), number)
        if seed:
            # What was drafted or planned was meant for what is undone.
            info = replace(info, commitment=f"{info.commitment} {commitment(info.id, seed)}", plans=())
        called = await self._pings.after(room, [(room.playing(), after)], told=True)
        written = {
            "commits": tuple(commits),
            "answered": called.answered,
            "dues": called.dues,
            "undue": tuple((REMIND, user) for user in called.answered),
            "drafts": records.stored_drafts(after),
            "unattended": computer_to_move(after) is not None,
            "announce": after.number if post_rules.people_to_move(after) else None,
            "withdrawn": number,
        }
        return Room(info, after.without_log()), written


def _points(kept: list[StoredCommit], match: Match) -> list[Point]:
    found: list[Point] = []
    for stored in reversed(records.line(kept, match.game)):
        made = records.commit(stored, match.game)
        told = records.facts([made], None)
        if stored.number and made.answers and told:
            before = records.position(kept[stored.number - 1].snapshot, {match.game.id: match.game})
            found.append(Point(stored.number - 1, made.seat, told, before.view(None).stage()))
            if len(found) == MOST:
                break
    return found


def stands(match: Match) -> str:
    """Where a match stands, as everybody knows it: a secret order changes nothing of it."""
    known = msgspec.json.encode((match.asides, match.view(None)))
    return sha256(known).hexdigest()[:16]


def _must_stand(room: Room, vote: Vote) -> None:
    """Refuse to go back from where a match no longer stands."""
    if stands(room.playing()) != vote.facts["at"]:
        raise Refused(say("rewind.moved_on"))


def _to(vote: Vote) -> int:
    to: int = vote.facts["to"]
    return to
