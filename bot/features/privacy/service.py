"""Export everything that is stored about a person, or delete it.

To delete a person, they first resign in their matches and leave their lobbies. Finished matches
stay, because they are other people's as well, with an anonymous former player in the seat. That
player is the same in all their matches, so recomputed ratings of others do not change. Nothing
leads back to the person; if they return, they are somebody new.

A job is written before the work begins, so that a crash never leaves it half done.
"""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.features.lobby.rules import Table
from bot.features.lobby.service import Lobby
from bot.features.play.service import Play
from bot.features.privacy import queries as privacy_queries
from bot.features.reminders.rules import REMIND
from bot.features.votes import queries as vote_queries
from bot.features.votes.service import Votes
from bot.kernel import queries
from bot.kernel.kernel import Kernel
from bot.kernel.room import Press, Room, with_seating_at
from bot.model import COMPUTER, Job, Person, Status
from bot.posts.places import RENAME
from bot.runtime.base import BotError, log_error
from bot.store.sql import Database
from bot.text import say
from engine import Commit, EngineError
from engine.core.words import closest_language, speaking

FORGET, SCRUB = "forget", "scrub"
"""Kinds of jobs: delete a person's data; overwrite the deleted bytes."""
RETRY_SECONDS = 300
"""When to try again if the bot stops before a deletion is complete."""
MATCHES_PER_READ = 500
"""How many matches to search at once, which takes a few milliseconds."""
FORMAT = 1
"""The version of the export's format."""
MAX_EXACT_INTEGER = 1 << 53
"""JavaScript and some readers of JSON round integers from here on."""


class SeatsLeft(Struct, frozen=True):
    """The seats that somebody gives up when their data is deleted, as ids of matches."""

    running: tuple[str, ...]
    """Matches in which they resign."""
    lobbies: tuple[str, ...]
    awaited: tuple[str, ...]
    """Lobbies of rematches with a seat reserved for them."""


class Privacy:
    """Exports and deletes what is stored about people."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._clocks = kernel.clocks
        self._matches = kernel.matches
        self._scheduler = kernel.scheduler
        self._services = kernel.services
        self._one_at_a_time = asyncio.Lock()

    async def seats(self, user: int) -> SeatsLeft:
        """Return the seats that somebody would give up."""
        rooms = await self._matches.of_user(user)
        running = tuple(room.record.id for room in rooms if room.record.status is not Status.LOBBY)
        lobbies = tuple(room.record.id for room in rooms if room.record.status is Status.LOBBY)
        return SeatsLeft(
            running, lobbies, tuple(await self._store.read(queries.rematches_awaiting, user))
        )

    # Deletion.

    async def delete(self, user: int) -> SeatsLeft:
        """Delete a person's data for good, and return the seats that they have given up."""
        left = await self.seats(user)
        pending_job = await self._store.read(queries.find_job, FORGET, user=user)
        facts = pending_job.facts if pending_job else {"as": -1 - secrets.randbits(52)}
        await self._scheduler.set(
            Job(FORGET, self._clocks.now + RETRY_SECONDS, user=user, facts=facts)
        )
        await self._forget(user, facts["as"])
        return left

    async def resume_forgetting(self, job: Job) -> None:
        """Repeat a deletion that was interrupted when the bot stopped."""
        await self._forget(job.user, job.facts["as"])

    async def scrub(self, job: Job) -> None:
        """Overwrite deleted data in the database file."""
        await self._store.scrub()

    async def _forget(self, user: int, former_id: int) -> None:
        """Replace a person by a former player everywhere. May be repeated after a crash."""
        # Other people read this name, so it is in the bot's language, not that of the person.
        with speaking(closest_language("")):
            former = Person(former_id, say("name.former"))
        async with self._one_at_a_time:
            await self._leave_all(user)
            # The names of threads may contain the person's name. Schedule the renaming first, for
            # later than a repeated deletion: after a crash in between, the person's id no longer
            # leads to these matches.
            later = self._clocks.now + 2 * RETRY_SECONDS
            renames = [Job(RENAME, later, match) for match in await self._matches_with(user)]
            await self._scheduler.set(*renames)
            # The second pass finds what was written during the first.
            for _ in range(2):
                for match in await self._matches_with(user):
                    async with self._matches.lock(match):
                        await self._store.write(privacy_queries.forget_in, match, user, former)
                        self._matches.drop(match)
                await self._store.write(privacy_queries.forget_rows, user, former, FORGET)
            await self._store.write_in_copies(privacy_queries.forget_everywhere, user, former)
            await self._scheduler.set(*(replace(job, at=self._clocks.now) for job in renames))
            # The job FORGET names the person, so it must be gone before bytes are overwritten. From
            # here on SCRUB takes over if the bot crashes.
            await self._scheduler.set(Job(SCRUB, self._clocks.now + RETRY_SECONDS))
            await self._store.write(queries.cancel_job, FORGET, user=user)
            try:
                await self._store.scrub()
                await self._store.write(queries.cancel_job, SCRUB)
            except BotError as error:
                log_error(error, "overwriting deleted data later")

    async def _leave_all(self, user: int) -> None:
        """Leave all matches, lobbies and votes, as if the person had done so."""
        seats = await self.seats(user)
        for match in seats.running:
            with _logging_errors(match):
                press = Press(match, user, secrets.randbits(40))
                await self._services.require(Play).resign(press)
        for match in (*seats.lobbies, *seats.awaited):
            with _logging_errors(match):
                await self._services.require(Lobby).change(match, Person(user, ""), Table.leave)
        if votes := self._services.get(Votes):
            for match in await votes.find_matches_voting():
                with _logging_errors(match):
                    await votes.withdraw_requests(match, user)

    async def _matches_with(self, user: int) -> list[str]:
        """Return all matches that may mention a person, oldest first."""
        last = await self._store.read(privacy_queries.last_opened) or 0
        matches: list[str] = []
        for after in range(0, last, MATCHES_PER_READ):
            until = after + MATCHES_PER_READ
            matches += await self._store.read(
                privacy_queries.matches_with, user=user, after=after, until=until
            )
        return matches

    async def export(self, user: int) -> Any:
        """Return everything that is stored about a person, as values for JSON."""
        rows = await self._store.read(privacy_queries.own_rows, user)
        matches = [
            await self._store.read(_known_in_match, match, user)
            for match in await self._matches_with(user)
        ]
        jobs = [{**row, "facts": _read_json(row["facts"])} for row in rows["jobs"]]
        exported = {
            "motu_export": FORMAT,
            "made": datetime.fromtimestamp(self._clocks.now, UTC).isoformat(),
            "user": user,
            "settings": {row["name"]: _read_json(row["value"]) for row in rows["player_settings"]},
            "matches": [known for known in matches if known],
            "notes": rows["notes"],
            "results": rows["results"],
            "ratings": rows["ratings"],
            "reminders": [job for job in jobs if job["kind"] == REMIND],
            "jobs": [job for job in jobs if job["kind"] != REMIND],
        }
        return _with_ids_as_text(msgspec.to_builtins(exported))


@contextmanager
def _logging_errors(match_id: str) -> Iterator[None]:
    """Log an error of a match and go on: the person's data in it is deleted all the same."""
    try:
        yield
    except (BotError, EngineError) as error:
        log_error(error, f"a deleted user couldn't resign from match {match_id}")


def _known_in_match(db: Database, match_id: str, user: int) -> dict[str, Any]:
    """Return what is stored about a person in a match."""
    stored = queries.load_match(db, match_id)
    if stored is None:
        return {}
    record = stored.record
    current_seat = Room(record).seat_of(user)
    data: dict[str, Any] = {
        "match": match_id,
        "game": record.game,
        "status": record.status,
        "server": record.place.guild,
        "channel": record.place.channel,
        "thread": record.place.thread,
        "touched": record.last_activity_at,
        "host": record.host == user,
        "seat": None if current_seat is None else current_seat + 1,
        "name": None if current_seat is None else record.chairs[current_seat].name,
        "seats_had": [
            {
                "seat": change.seat + 1,
                "came": change.user == user,
                "from_commit": change.since,
                "why": change.why,
                "name": change.name if change.user == user else change.was_name,
            }
            for change in record.seat_changes
            if user in (change.user, change.was)
        ],
        "awaited_for_a_rematch": user in record.seating,
        "agreed_to_hints": user in record.terms.hints,
        "clock": next((clock for clock in record.clocks.seats if clock.user == user), None),
        "plans": [plan for plan in record.plans if plan.seat == current_seat],
        "draft": [
            _read_json(draft.answers) for draft in stored.drafts if draft.seat == current_seat
        ],
        "votes": [
            {
                "number": vote.number,
                "kind": vote.kind,
                "asked": vote.by.id == user,
                "said": vote.said.get(user, ""),
            }
            for vote in vote_queries.votes(db, match_id)
            if vote.by.id == user or user in vote.said
        ],
        "moves": [],
    }
    for number, seat, encoded in privacy_queries.moves(db, match_id):
        # The person may have had another seat then. Seeds of new dice are left out: they are not
        # personal.
        if with_seating_at(record, number).chairs[seat].id == user != COMPUTER:
            commit = msgspec.json.decode(encoded, type=Commit)
            move = {"number": number, "answers": [[one.kind, *one.keys] for one in commit.answers]}
            data["moves"].append(move | ({"resigned": True} if commit.resigned else {}))
    return {key: value for key, value in data.items() if value not in (None, False, [])}


def _with_ids_as_text(value: Any) -> Any:
    """Turn integers that JavaScript would round, such as Discord's ids, into strings."""
    if isinstance(value, dict):
        return {key: _with_ids_as_text(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_with_ids_as_text(one) for one in value]
    return str(value) if isinstance(value, int) and abs(value) >= MAX_EXACT_INTEGER else value


def _read_json(value: str | bytes) -> Any:
    """Decode a text as JSON; return any other text unchanged."""
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
