"""Where the log of a match was posted or rewound."""

from bot.store.sql import Database, Statement, first_column

ANNOUNCED_COMMITS = Statement(
    "SELECT number FROM announcements WHERE match_id = {match} ORDER BY number"
)

REWINDS = Statement("""
    SELECT number, back_to FROM moves WHERE match_id = {match} AND back_to IS NOT NULL ORDER BY number
""")


def announced_commits(db: Database, match: str) -> list[int]:
    """Return the numbers of the commits after which a post was due."""
    return first_column(db.execute(ANNOUNCED_COMMITS, {"match": match}))


def rewinds(db: Database, match: str) -> list[tuple[int, int]]:
    """Return the commits that took others back, each with the one it went back to."""
    return [
        (number, back_to) for number, back_to in db.execute(REWINDS, {"match": match}).fetchall()
    ]
