"""How much is played, as the limits of a server count it."""

from bot.store.sql import Database, Statement, first_value

FINISHED_MATCHES = Statement("""
    SELECT count(DISTINCT match.id) FROM seat JOIN match ON match.id = seat.match
    WHERE seat."user" = {user} AND seat.open = 0 AND status = 'finished'
""")

OPEN_MATCHES = Statement("SELECT count(*) FROM match WHERE guild = {guild} AND open = 1 AND id != {besides}")


def count_finished_matches(db: Database, user: int) -> int:
    """Return how many matches somebody has played to the end."""
    return int(first_value(db.execute(FINISHED_MATCHES, {"user": user})))


def count_open_matches(db: Database, guild: int, besides: str) -> int:
    """Return how many matches of a server are open, besides one."""
    return int(first_value(db.execute(OPEN_MATCHES, {"guild": guild, "besides": besides})))
