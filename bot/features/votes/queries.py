"""Store and find votes; each is one JSON document."""

import msgspec
from msgspec.structs import replace

from bot.kernel import queries
from bot.model import MatchRecord, Vote
from bot.store.sql import OWNED, Command, Database, Select

VOTE_ENDS = "vote"
"""The job at the end of a vote. Its `user` holds the number of the vote."""

VOTES = Select(
    msgspec.json.Decoder(Vote).decode,
    "SELECT vote FROM votes WHERE match_id = {match} ORDER BY number",
)

PUT_VOTE = Command("""
    INSERT INTO votes (match_id, number, guild, kind, is_open, is_posted, vote)
    VALUES (
        {match}, {number}, (SELECT guild FROM matches WHERE id = {match}),
        {kind}, {is_open}, {is_posted}, {vote}
    )
    ON CONFLICT (match_id, number) DO UPDATE SET
        is_open = excluded.is_open,
        is_posted = excluded.is_posted,
        vote = excluded.vote
""")

matches_with_unposted_votes = Select(
    str, f"SELECT DISTINCT match_id FROM votes WHERE NOT is_posted AND {OWNED}"
)
"""Return the matches with votes that are open, or whose result is not posted yet."""


def votes(db: Database, match_id: str) -> list[Vote]:
    """Return the votes of a match in order, each open one with the end that is scheduled now.

    That may be later than the end in its document: votes are extended by the time that the bot
    was down.
    """
    stored_votes = VOTES(db, match_id)
    if not any(vote.is_open for vote in stored_votes):
        return stored_votes
    ends = {job.user: job.at for job in queries.jobs(db, match_id) if job.kind == VOTE_ENDS}
    return [
        replace(vote, ends=ends.get(vote.number, vote.ends)) if vote.is_open else vote
        for vote in stored_votes
    ]


def votes_of_match(db: Database, record: MatchRecord) -> list[Vote]:
    """Return the votes of a match; loaded with each change, see Parts.needs."""
    return votes(db, record.id)


def put_vote(db: Database, vote: Vote) -> None:
    """Save a new or changed vote."""
    document = msgspec.json.encode(vote).decode()
    PUT_VOTE(db, vote.match, vote.number, vote.kind, vote.is_open, vote.told, document)


def note_vote_message(db: Database, vote: Vote, message: int, place: int) -> None:
    """Record which message shows a vote and, for a closed one, that its result is posted."""
    # Only these fields change: somebody may have voted since `vote` was read.
    for current in votes(db, vote.match):
        if current.number == vote.number:
            updated = replace(current, message=message, place=place, told=not vote.is_open)
            if updated != current:
                put_vote(db, updated)
