"""Whether what is kept of a match is right: seed and commits give its positions, seats and posts are in order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from bot.kernel import encoding, queries
from bot.model.match import COMPUTER, OPEN, Status
from bot.model.stored import StoredCommit, StoredMatch
from bot.runtime.errors import BotError
from bot.store.sql import Database
from bot.text import say
from engine import EngineError, Game, Match, begin, commitment

Games = Mapping[str, Game[Any]]

UNFINISHED = (Status.RUNNING, Status.PAUSED, Status.ON_HOLD, Status.CALLED_OFF)
"""As a match may stand that has no outcome."""


class Kept(Struct, frozen=True):
    """All that is looked at of a match, read at one moment."""

    stored: StoredMatch
    commits: list[StoredCommit]
    seats: list[tuple[int, int]]
    """Each seat, and whether it is open."""
    posts: list[tuple[int, int]]
    """The commits after which each post begins and ends."""


def read(db: Database, match: str) -> Kept | None:
    """A match, None if it is gone; Damaged if it cannot be read."""
    stored = queries.load_match(db, match)
    if stored is None:
        return None
    seats = db.execute(queries.SEATS, (match,)).fetchall()
    posts = db.execute(queries.POSTS, (match,)).fetchall()
    return Kept(
        stored,
        queries.commits(db, match, -1, None),
        [(seat, is_open) for seat, is_open in seats],
        [(since, number) for since, number in posts],
    )


def faults(kept: Kept, games: Games) -> Iterator[str]:
    """What is wrong with a match, a line each."""
    yield from _seats(kept)
    if not kept.stored.snapshot:
        if kept.commits or kept.posts:
            yield say("check.commits_in_lobby")
        return
    numbers = [stored.number for stored in kept.commits]
    if numbers != list(range(len(numbers))) or not kept.commits or not kept.commits[0].snapshot:
        yield say("check.gap")
        return
    try:
        room = encoding.decode_match(kept.stored, games)
    except (BotError, EngineError) as error:
        yield say("check.unreadable", why=error)
        return
    match = room.playing()
    if match.number != numbers[-1]:
        yield say("check.not_newest", number=match.number, last=numbers[-1])
    if (match.outcome is None) != (room.record.status in UNFINISHED):
        yield say("check.status", status=room.record.status)
    seals = [commitment(room.record.id, seed) for seed in (match.seed, *match.reseeds)]
    if room.record.commitment and room.record.commitment.split() != seals:
        yield say("check.commitment")
    yield from _posts(kept.posts, numbers[-1])
    yield from _positions(kept.commits, games)


def _seats(kept: Kept) -> Iterator[str]:
    record = kept.stored.record
    if [seat for seat, _ in kept.seats] != list(range(len(kept.seats))):
        yield say("check.seats")
    people = [person.id for person in record.chairs if person.id != COMPUTER]
    if len(set(people)) < len(people):
        yield say("check.sits_twice")
    if any(bool(is_open) != (record.status in OPEN) for _, is_open in kept.seats):
        yield say("check.seats_open")


def _posts(posts: Sequence[tuple[int, int]], last: int) -> Iterator[str]:
    """Each post tells what has happened since the one before."""
    told = -1
    for since, number in posts:
        if since != told or not since < number <= last:
            yield say("check.post", number=number)
        told = number


def _positions(kept: Sequence[StoredCommit], games: Games) -> Iterator[str]:
    """The match played again from its seed: after each commit it must stand as it was kept.

    What was played by older rules is taken as it was kept, as far as it was.
    """
    stood: dict[int, Match] = {}
    for stored in kept:
        number = stored.number
        try:
            there = encoding.decode_position(stored.snapshot, games) if stored.snapshot else None
            is_ours = there is None or stored.rules == there.game.version
            again = _again(stored, there, stood, is_ours)
        except (BotError, EngineError) as error:
            yield say("check.not_played", number=number, why=error)
            return
        if there is not None and again != there:
            yield say("check.position", number=number)
        stood[number] = there or again


def _again(stored: StoredCommit, there: Match | None, stood: Mapping[int, Match], is_ours: bool) -> Match:
    if there is not None and not is_ours:
        return there
    if stored.number:
        return encoding.played_on(stood[stored.number - 1], stored, stood)
    assert there is not None
    return begin(there.game, there.seats, dict(there.settings), there.seed, there.computers).without_log()
