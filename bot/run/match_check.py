"""Check a saved match for `motu check`: its positions, its seats and its posts.

It only reads: a fault is reported, never repaired.
"""

from collections.abc import Iterator

from bot.kernel import encoding, queries
from bot.model import COMPUTER, OPEN, Status
from bot.runtime.base import BotError, StoreError
from bot.store.sql import Database, Select, as_tuple
from bot.text import say
from engine import GAMES, EngineError, commitment

UNFINISHED = (Status.RUNNING, Status.PAUSED, Status.ON_HOLD, Status.CALLED_OFF)
"""The statuses of matches without an outcome."""

# Each person in the match, and whether the match counts as open for them.
SEATS = Select(
    as_tuple, "SELECT user_id, is_open FROM seats WHERE match_id = {match} AND is_seated"
)

# For each post, the last commit before it and the last commit that it shows.
POSTS = Select(
    as_tuple, "SELECT since, number FROM announcements WHERE match_id = {match} ORDER BY number"
)


def find_faults(db: Database, match_id: str) -> list[str]:
    """Query: return what is wrong with a match, in words; nothing if it was deleted meanwhile."""
    try:
        return list(_find_faults(db, match_id))
    except StoreError as error:
        return [str(error)]


def _find_faults(db: Database, match_id: str) -> Iterator[str]:
    """Yield what is wrong with a match; raise StoreError if its rows cannot be read."""
    stored = queries.load_match(db, match_id)
    if stored is None:
        return
    record = stored.record
    seats, posts = SEATS(db, match_id), POSTS(db, match_id)
    people = [person.id for person in record.chairs if person.id != COMPUTER]
    if {user for user, _ in seats} != set(people):
        yield say("check.seats")
    if len(set(people)) < len(people):
        yield say("check.sits_twice")
    if any(is_open != (record.status in OPEN) for _, is_open in seats):
        yield say("check.seats_open")
    commits = queries.commits(db, match_id)
    if not stored.snapshot:
        if commits or posts:
            yield say("check.commits_in_lobby")
        return
    numbers = [stored.number for stored in commits]
    if numbers != list(range(len(numbers))) or not commits or not commits[0].snapshot:
        yield say("check.gap")
        return
    try:
        match = encoding.decode_match(stored, GAMES).playing()
    except (BotError, EngineError) as error:
        yield say("check.unreadable", why=error)
        return
    last = numbers[-1]
    if match.number != last:
        yield say("check.not_newest", number=match.number, last=last)
    if (match.outcome is None) != (record.status in UNFINISHED):
        yield say("check.status", status=record.status)
    seals = [commitment(record.id, seed) for seed in (match.seed, *match.reseeds)]
    if record.commitment and record.commitment.split() != seals:
        yield say("check.commitment")
    posted = -1
    for since, number in posts:
        # Each post begins where the one before it ended.
        if since != posted or not since < number <= last:
            yield say("check.post", number=number)
        posted = number
    number = -1
    try:
        # Moves under older rules may not replay, so trust their saved positions.
        for number, again, there in encoding.replay_from_seed(commits, GAMES, True):
            if there is not None and again != there:
                yield say("check.position", number=number)
    except (BotError, EngineError) as error:
        yield say("check.not_played", number=number + 1, why=error)
