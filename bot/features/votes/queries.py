"""Votes as they are kept: one document each."""

import msgspec
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.queries import owned
from bot.model.match import MatchRecord
from bot.model.shards import Shards
from bot.model.votes import Vote
from bot.store.sql import Database, first_column

VOTE_ENDS = "vote"
"""The job at the end of a vote; its user is the number of the vote."""

VOTES = "SELECT asked FROM vote WHERE match = :match ORDER BY number"

PUT_VOTE = """
    INSERT INTO vote VALUES (:match, :number, :told, :vote)
    ON CONFLICT (match, number) DO UPDATE SET told = excluded.told, asked = excluded.asked
"""

VOTING = "SELECT DISTINCT match FROM vote WHERE told = 0 AND {owns}"


def votes(db: Database, match: str) -> list[Vote]:
    """Return the votes of a match, in order; open ones with their ends as scheduled.

    That is later than first said, if the bot was down meanwhile.
    """
    rows = db.execute(VOTES, {"match": match})
    found = [msgspec.json.decode(kept, type=Vote) for kept in first_column(rows)]
    if not any(vote.is_open for vote in found):
        return found
    ends = {job.user: job.at for job in queries.jobs(db, match) if job.kind == VOTE_ENDS}
    return [replace(vote, ends=ends.get(vote.number, vote.ends)) if vote.is_open else vote for vote in found]


def votes_of_match(db: Database, record: MatchRecord) -> list[Vote]:
    """Return the votes of a match, in order."""
    return votes(db, record.id)


def put_vote(db: Database, vote: Vote) -> None:
    """Keep a vote, new or changed."""
    kept = msgspec.json.encode(vote).decode()
    db.execute(PUT_VOTE, {"match": vote.match, "number": vote.number, "told": vote.told, "vote": kept})


def note_vote_message(db: Database, vote: Vote, message: int, place: int) -> None:
    """Note which message shows a vote as it was given; once it is decided, that its result is told."""
    for kept in votes(db, vote.match):
        if kept.number == vote.number:
            shown = replace(kept, message=message, place=place, told=not vote.is_open)
            if shown != kept:
                put_vote(db, shown)


def matches_with_unposted_votes(db: Database, *, own: Shards) -> list[str]:
    """Return the matches with votes that are open, or whose result is not told yet."""
    return first_column(db.execute(VOTING.format(owns=owned(own, "vote"))))
