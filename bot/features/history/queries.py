"""Where the log of a match was posted or rewound."""

from bot.store.sql import Database, Statement, first_column

ANNOUNCED_COMMITS = Statement("SELECT number FROM announcement WHERE match = {match} ORDER BY number")

REWINDS = Statement(
    sqlite="""
        SELECT number, json_extract(CAST(answers AS TEXT), '$.back_to') FROM match_commit
        WHERE match = {match} AND CAST(answers AS TEXT) LIKE '%"back_to"%' ORDER BY number
    """,
    postgres="""
        SELECT number, CAST(CAST(convert_from(answers, 'UTF8') AS json) ->> 'back_to' AS INTEGER) FROM match_commit
        WHERE match = {match} AND convert_from(answers, 'UTF8') LIKE '%"back_to"%' ORDER BY number
    """,
)


def announced_commits(db: Database, match: str) -> list[int]:
    """Return the numbers of the commits after which a post was due."""
    return first_column(db.execute(ANNOUNCED_COMMITS, {"match": match}))


def rewinds(db: Database, match: str) -> list[tuple[int, int]]:
    """Return the commits that took others back, each with the one it went back to."""
    found = db.execute(REWINDS, {"match": match}).fetchall()
    return [(number, back_to) for number, back_to in found if back_to is not None]
