"""What is kept of a person: told to them, and forgotten if they want it.

Whoever goes resigns in what they play and leaves their lobbies. What they have played is also other people's: it stays
whole, with a former player in their seat, who is the same in all of their matches so that others' ratings come out the
same if they are worked out anew. Nothing leads from there to the person, and should they come back they are somebody
new.

It is written down before it is begun that somebody is to be forgotten, so that no crash leaves half of it.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from bot.errors import BotError, log_error
from bot.matches.room import COMPUTER, Due, Info, Person, Press, Room, Status, as_they_sat
from bot.matches.rooms import Rooms
from bot.matches.vote_kinds import RENAME
from bot.store.base import Store
from bot.text import say
from engine import Commit, EngineError

if TYPE_CHECKING:
    from bot.matches.service import Matches

FORGET, SCRUB = "forget", "scrub"
"""The kinds of rows that say: somebody is to be forgotten; the bytes that told of them are to be written over."""
AGAIN = 300
"""Seconds after which it is tried again, should the bot have stopped in the midst of it."""
AT_ONCE = 500
"""Matches looked through in one go: a few milliseconds."""
FORMAT = 1
"""The version of what somebody is told."""
EXACT = 1 << 53
"""Whole numbers from here on are not exact to those who read JSON as JavaScript does."""


class SeatsLeft(Struct, frozen=True):
    """What somebody would leave."""

    running: tuple[str, ...]
    """Ids of the matches in which they would resign."""
    lobbies: tuple[str, ...]
    awaited: tuple[str, ...]
    """Lobbies in which a chair is kept for them."""


class Privacy:
    """What is known of people, for themselves."""

    def __init__(self, matches: "Matches", store: Store, rooms: Rooms) -> None:
        self._matches = matches
        self._store = store
        self._rooms = rooms
        self._one_at_a_time = asyncio.Lock()
        matches.scheduler.register(FORGET, self._forget_due)
        matches.scheduler.register(SCRUB, self._scrub_due)

    async def seats(self, user: int) -> SeatsLeft:
        """Which seats somebody would leave."""
        rooms = await self._matches.of_user(user)
        running = tuple(room.info.id for room in rooms if room.info.status is not Status.LOBBY)
        lobbies = tuple(room.info.id for room in rooms if room.info.status is Status.LOBBY)
        return SeatsLeft(running, lobbies, tuple(await self._store.awaiting(user)))

    async def export(self, user: int) -> dict[str, Any]:
        """All that is kept of a person, as JSON has it. Ids are texts: some readers of JSON would round them."""
        rows = await self._store.own_rows(user)
        settings = {row["key"]: _read(row["value"]) for row in rows["player_setting"]}
        played, finishes = [], dict[int, str]()
        async for match in self._matches_with(user):
            played.append(await self._played(match, user))
            if finish := await self._store.finish(match):
                finishes[finish.number] = match
        now = datetime.fromtimestamp(self._matches.clocks.now, UTC)
        known = {
            "motu_export": FORMAT,
            "made": now.isoformat(),
            "user": user,
            "settings": settings,
            "matches": [one for one in played if one],
            "notes": rows["note"],
            "results": [{"match": finishes.get(row["number"]), **row} for row in rows["result"]],
            "ratings": rows["rating"],
            "calls": rows["call"],
            "due": [{**row, "facts": _read(row["facts"])} for row in rows["due"]],
        }
        return {key: _with_ids_as_text(value) for key, value in known.items()}

    async def delete(self, user: int) -> SeatsLeft:
        """Somebody forgotten, for good; which seats they have left by it."""
        left, rows = await self.seats(user), await self._store.own_rows(user)
        begun = [_read(row["facts"]) for row in rows["due"] if row["kind"] == FORGET]
        facts = begun[0] if begun else {"as": -1 - secrets.randbits(52)}
        await self._matches.scheduler.set(Due(FORGET, self._matches.clocks.now + AGAIN, user=user, facts=facts))
        await self._forget(user, facts["as"])
        return left

    async def _forget_due(self, due: Due) -> None:
        """The bot has stopped in the midst of it."""
        await self._forget(due.user, due.facts["as"])

    async def _forget(self, user: int, former_id: int) -> None:
        former = Person(former_id, say("name.former"))
        async with self._one_at_a_time:
            await self._leave_all(user)
            # Should the bot stop in the midst, who is forgotten stands in no match any more: so this is written first,
            # for later than the forgetting is tried again.
            await self._rename_threads(user, self._matches.clocks.now + 2 * AGAIN)
            async with self._matches.standing.at_rest():
                # Whatever comes in meanwhile is found the second time.
                for _ in range(2):
                    async for match in self._matches_with(user):
                        await self._rooms.rewrite(match, self._store.forget_in(match, user, former))
                    await self._store.forget_rows(user, former, FORGET)
            self._matches.pings.settings.forget(user)
            await self._store.forget_in_copies(user, former)
            await self._rename_threads(former_id, self._matches.clocks.now)
            # Nothing that tells who it was may be left when the bytes are written over.
            await self._matches.scheduler.set(Due(SCRUB, self._matches.clocks.now + AGAIN))
            await self._store.drop_due(FORGET, user=user)
            await self._scrub_now()

    async def _rename_threads(self, user: int, at: int) -> None:
        """Schedule new names for the threads of a person's matches: the old ones may tell who played there."""
        dues = [Due(RENAME, at, match) async for match in self._matches_with(user)]
        await self._matches.scheduler.set(*dues)

    async def _scrub_now(self) -> None:
        try:
            await self._store.scrub()
            await self._store.drop_due(SCRUB)
        except BotError as error:
            log_error(error, "what was forgotten is written over later")

    async def _scrub_due(self, due: Due) -> None:
        await self._store.scrub()

    async def _leave_all(self, user: int) -> None:
        """Out of all lobbies and matches, as if they had done it themselves."""
        seats = await self.seats(user)
        for match in (*seats.running, *seats.lobbies, *seats.awaited):
            try:
                if match in seats.running:
                    await self._matches.resign(Press(match, user, secrets.randbits(40)))
                else:
                    await self._matches.leave(match, Person(user, ""))
            except (BotError, EngineError) as error:
                # It may have ended just now, or be damaged: their name is taken out of it all the same.
                log_error(error, f"match {match} is not left as it should be")
        for match in await self._matches.votes.voting():
            try:
                await self._matches.votes.give_up(match, user)
            except (BotError, EngineError) as error:
                log_error(error, f"match {match} cannot be read")

    async def _matches_with(self, user: int) -> AsyncIterator[str]:
        """All matches in which a person is found, the oldest first."""
        last = await self._store.last_opened()
        for after in range(0, last, AT_ONCE):
            for match in await self._store.matches_with(user, after, after + AT_ONCE):
                yield match

    async def _played(self, match: str, user: int) -> dict[str, Any]:
        """What a match knows of a person."""
        stored = await self._store.load(match)
        if stored is None:
            return {}
        info = stored.info
        own = Room(info).seat_of(user)
        told: dict[str, Any] = {
            "match": match,
            "game": info.game,
            "status": info.status,
            "server": info.place.guild,
            "channel": info.place.channel,
            "thread": info.place.thread,
            "touched": info.touched,
            "host": info.host == user,
            "seat": None if own is None else own + 1,
            "name": None if own is None else info.chairs[own].name,
            "seats_had": [
                {"seat": note.seat + 1, "came": note.user == user, "from_commit": note.since, "why": note.why}
                | {"name": note.name if note.user == user else note.was_name}
                for note in info.sat
                if user in (note.user, note.was)
            ],
            "awaited_for_a_rematch": user in info.seating,
            "agreed_to_hints": user in info.terms.hints,
            "clock": next((msgspec.to_builtins(clock) for clock in info.clocks.seats if clock.user == user), None),
            "plans": [msgspec.to_builtins(plan) for plan in info.plans if plan.seat == own],
            "draft": [_read(draft.answers) for draft in stored.drafts if draft.seat == own],
            "votes": await self._votes(match, user),
            "moves": await self._moves(info, user),
        }
        return {key: value for key, value in told.items() if value not in (None, False, [])}

    async def _votes(self, match: str, user: int) -> list[dict[str, Any]]:
        """The votes that they have asked for, or said something to."""
        return [
            {"number": vote.number, "kind": vote.kind, "asked": vote.by.id == user, "said": vote.said.get(user, "")}
            for vote in await self._store.votes(match)
            if vote.by.id == user or user in vote.said
        ]

    async def _moves(self, info: Info, user: int) -> list[dict[str, Any]]:
        """What they have committed in whatever seat they had then; not the seeds of new dice, which are everybody's."""
        moves = []
        for number, seat, kept in await self._store.moves(info.id):
            if as_they_sat(info, number).chairs[seat].id == user != COMPUTER:
                made = msgspec.json.decode(kept, type=Commit)
                told = {"number": number, "answers": [[answer.kind, *answer.keys] for answer in made.answers]}
                moves.append(told | ({"resigned": True} if made.resigned else {}))
        return moves


def _with_ids_as_text(value: Any) -> Any:
    """The same with those numbers as texts that are too large for some readers of JSON: Discord's ids."""
    if isinstance(value, dict):
        return {key: _with_ids_as_text(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_with_ids_as_text(one) for one in value]
    return str(value) if isinstance(value, int) and abs(value) >= EXACT else value


def _read(value: str | bytes) -> Any:
    """What a text of JSON says; any other text as it is."""
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
