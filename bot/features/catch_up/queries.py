"""The notes that people make in a match."""

from bot.store.sql import Database, Statement, first_value

NOTE = Statement('SELECT text FROM note WHERE match = {match} AND "user" = {user}')

PUT_NOTE = Statement("""
    INSERT INTO note VALUES ({match}, {user}, {text})
    ON CONFLICT (match, "user") DO UPDATE SET text = excluded.text
""")

DELETE_NOTE = Statement('DELETE FROM note WHERE match = {match} AND "user" = {user}')


def note(db: Database, match: str, user: int) -> str:
    """Return a person's note in a match."""
    return first_value(db.execute(NOTE, {"match": match, "user": user})) or ""


def put_note(db: Database, match: str, user: int, text: str) -> None:
    """Keep a person's note in a match; an empty one is deleted."""
    db.execute(PUT_NOTE if text else DELETE_NOTE, {"match": match, "user": user, "text": text})
