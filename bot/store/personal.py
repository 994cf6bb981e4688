"""What is kept about a person, in every table: read for their export, and forgotten when they ask for it.

Every column of the schema is declared here, whichever feature it belongs to; a test fails for one that is not.
"""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.model.clocks import TableClocks
from bot.model.match import COMPUTER, Person, PlannedTurn, SeatChange, Terms
from bot.model.votes import Vote
from bot.store.sql import Database
from engine.core.escape import escaped

THEIR_OWN = {
    "player_setting": ("owner", ("key", "value")),
    "due": ("user", ("kind", "match", "at", "wake", "tries", "facts", "id")),
    "call": ("user", ("match", "times", "wanted", "since", "channel", "message", "over", "taken")),
    "note": ("user", ("match", "text")),
}
"""Tables whose rows belong to one person: the column with their id, and the others. The rows are deleted with them."""

SHARED = {"seat": ("user", "name"), "result": ("user", "name"), "rating": ("user", "name")}
"""Tables whose rows are part of other people's matches too: they stay, under another id and name."""

AMONG_OTHERS = {
    "match": ("host", "terms", "seating", "clocks", "sat", "plans", "channel", "thread"),
    "clock": ("clocks",),
    "vote": ("asked",),
    "draft": ("answers",),
    "message": ("message",),
}
"""Columns that may tell of a person among others: in JSON, by their seat, or as the channel of a direct message."""

NOBODYS = {
    "match": (
        *("opened", "id", "game", "status", "open", "guild", "wants_thread", "settings", "commitment", "paused_for"),
        *("unattended", "version", "untold", "touched", "thinned"),
    ),
    "seat": ("match", "seat", "open", "level"),
    "match_commit": ("match", "number", "rules", "seat", "answers"),
    "event": ("match", "number", "rules", "told"),
    "snapshot": ("match", "number", "position"),
    "draft": ("match", "seat", "cut"),
    "message": ("match", "kind"),
    "announcement": ("id", "match", "since", "number", "posted"),
    "interaction": ("match", "id", "seat", "since", "number"),
    "server_setting": ("owner", "key", "value"),
    "beat": ("shards", "shard", "at"),
    "absence": ("since", "until", "first_shard", "last_shard", "shards"),
    "clock": ("match", "number"),
    "vote": ("match", "number", "told"),
    "finish": ("number", "match", "guild", "game", "seats", "at", "rated"),
    "result": (
        *("number", "seat", "level", "place", "score", "kind", "has_left", "came_late", "counts"),
        *("here_mu", "here_sigma", "mu", "sigma"),
    ),
    "rating": ("pool", "guild", "game", "level", "mu", "sigma", "sure", "matches", "wins", "at"),
    "schema_version": ("version",),
}
"""Columns that tell of nobody, or of a seat only."""

VOTE_WORDS = frozenset({"before", "undone"})
"""Facts of a vote that are words and may name people: what a rewind would undo."""

MATCHES = """
    SELECT id FROM match WHERE opened > :after AND opened <= :until AND (
        host = :user OR terms LIKE :text OR seating LIKE :text OR clocks LIKE :text OR sat LIKE :text
        OR EXISTS (SELECT 1 FROM seat WHERE seat.match = match.id AND seat.user = :user)
        OR EXISTS (SELECT 1 FROM note WHERE note.match = match.id AND note.user = :user)
        OR EXISTS (SELECT 1 FROM vote WHERE vote.match = match.id AND vote.asked LIKE :text)
    ) ORDER BY opened
"""

IN_MATCH = "SELECT host, guild, terms, seating, clocks, sat, plans FROM match WHERE id = ?"

PUT_MATCH = """
    UPDATE match SET host = :host, terms = :terms, seating = :seating, clocks = :clocks, sat = :sat, plans = :plans,
        version = version + 1 WHERE id = :match
"""

CHAIRS = "SELECT seat, user, name FROM seat WHERE match = ? ORDER BY seat"

PUT_CHAIR = "UPDATE seat SET user = :id, name = :name WHERE match = :match AND seat = :seat"

FORGET_PLACE = (
    "UPDATE match SET channel = 0, thread = 0, untold = 0, paused_for = '' WHERE id = ?",
    "DELETE FROM message WHERE match = ?",
    "UPDATE announcement SET posted = 1 WHERE match = ?",
)


def own_rows(db: Database, user: int) -> dict[str, list[dict[str, Any]]]:
    """Return a person's own rows and their share of what others have played too, by table."""
    shared = {table: (column, (*NOBODYS[table], name)) for table, (column, name) in SHARED.items()}
    found = {}
    for table, (column, names) in (THEIR_OWN | shared).items():
        rows = db.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {column} = ? AND {column} != 0", (user,))
        found[table] = [dict(zip(names, row, strict=True)) for row in sorted(map(tuple, rows.fetchall()), key=str)]
    return found


def last_opened(db: Database) -> int:
    """Return the number of the newest match."""
    ((last,),) = db.execute("SELECT coalesce(max(opened), 0) FROM match").fetchall()
    return int(last)


def matches_with(db: Database, user: int, after: int, until: int) -> list[str]:
    """Return the matches in which a person may be found, of those opened after one number and up to another."""
    facts = {"user": user, "text": f"%{user}%", "after": after, "until": until}
    return [row[0] for row in db.execute(MATCHES, facts).fetchall()]


def moves(db: Database, match: str) -> list[tuple[int, int, bytes]]:
    """Return the number, seat and answers of every commit of a match."""
    found = db.execute("SELECT number, seat, answers FROM match_commit WHERE match = ? ORDER BY number", (match,))
    return [(number, seat, bytes(answers)) for number, seat, answers in found.fetchall()]


def forget_rows(db: Database, user: int, former: Person, kept_job: str) -> None:
    """Delete a person's own rows, except for their job of one kind; make the shared ones a former player's."""
    for table, (column, _) in THEIR_OWN.items():
        if table != "due":
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (user,))
    db.execute("DELETE FROM due WHERE user = ? AND kind != ?", (user, kept_job))
    for table, (column, name) in SHARED.items():
        rename = f"UPDATE {table} SET {column} = ?, {name} = ? WHERE {column} = ? AND {column} != 0"
        db.execute(rename, (former.id, former.name, user))


class Leaver(Struct, frozen=True):
    """Somebody who is being forgotten in a match, and the former player who takes their place."""

    user: int
    former: Person
    stand_ins: frozenset[str] = frozenset()
    """Names of theirs under which a computer plays on in their seat."""

    def new_id(self, user: int) -> int:
        """Return a person's id from now on."""
        return self.former.id if user == self.user else user

    def new_name(self, user: int, name: str) -> str:
        """Return a person's name from now on."""
        is_stand_in = user == COMPUTER and name in self.stand_ins
        return self.former.name if user == self.user or is_stand_in else name


def forget_in(db: Database, match: str, user: int, former: Person) -> None:
    """Put a former player wherever a match tells of a person, and delete what was theirs alone in it."""
    host, guild, terms, seating, clocks, sat, plans = db.execute(IN_MATCH, (match,)).fetchone()
    changes = msgspec.json.decode(sat, type=tuple[SeatChange, ...])
    stand_ins = frozenset(one.was_name for one in changes if one.was == user and one.user == COMPUTER)
    leaver = Leaver(user, former, stand_ins)
    chairs = db.execute(CHAIRS, (match,)).fetchall()
    own_seats = [seat for seat, holder, _ in chairs if holder == user]
    others = [holder for _, holder, _ in chairs if holder > COMPUTER and holder != user]
    kept_plans = msgspec.json.decode(plans, type=tuple[PlannedTurn, ...])
    record = {
        "terms": _forget_in_terms(msgspec.json.decode(terms, type=Terms), leaver),
        "seating": [awaited for awaited in msgspec.json.decode(seating, type=tuple[int, ...]) if awaited != user],
        "clocks": _forget_in_clocks(msgspec.json.decode(clocks, type=TableClocks), leaver),
        "sat": [_forget_in_seat_change(change, leaver) for change in changes],
        "plans": [plan for plan in kept_plans if plan.seat not in own_seats],
    }
    new_host = next(iter(others), former.id) if host == user else host
    columns = {column: _encode(document) for column, document in record.items()}
    db.execute(PUT_MATCH, {"match": match, "host": new_host, **columns})
    for seat, holder, name in chairs:
        chair = {"id": leaver.new_id(holder), "name": leaver.new_name(holder, name)}
        db.execute(PUT_CHAIR, {**chair, "match": match, "seat": seat})
    for seat in own_seats:
        db.execute("DELETE FROM draft WHERE match = ? AND seat = ?", (match, seat))
    for number, kept in db.execute("SELECT number, clocks FROM clock WHERE match = ?", (match,)).fetchall():
        before = msgspec.json.decode(kept, type=TableClocks)
        after = _forget_in_clocks(before, leaver)
        if after != before:
            row = (_encode(after), match, number)
            db.execute("UPDATE clock SET clocks = ? WHERE match = ? AND number = ?", row)
    for number, kept in db.execute("SELECT number, asked FROM vote WHERE match = ?", (match,)).fetchall():
        vote = _forget_in_vote(msgspec.json.decode(kept, type=Vote), leaver)
        db.execute("UPDATE vote SET asked = ? WHERE match = ? AND number = ?", (_encode(vote), match, number))
    if not guild and own_seats:
        for forget in FORGET_PLACE:
            db.execute(forget, (match,))


def _forget_in_terms(terms: Terms, leaver: Leaver) -> Terms:
    return replace(terms, hints=tuple(leaver.new_id(user) for user in terms.hints))


def _forget_in_clocks(clocks: TableClocks, leaver: Leaver) -> TableClocks:
    seats = tuple(replace(clock, user=leaver.new_id(clock.user)) for clock in clocks.seats)
    return replace(clocks, seats=seats)


def _forget_in_seat_change(change: SeatChange, leaver: Leaver) -> SeatChange:
    return replace(
        change,
        user=leaver.new_id(change.user),
        name=leaver.new_name(change.user, change.name),
        was=leaver.new_id(change.was),
        was_name=leaver.new_name(change.was, change.was_name),
    )


def _forget_in_person(person: Person, leaver: Leaver) -> Person:
    return replace(person, id=leaver.new_id(person.id), name=leaver.new_name(person.id, person.name))


def _forget_in_vote(vote: Vote, leaver: Leaver) -> Vote:
    names = {person.name for person in (vote.by, *vote.chairs) if person.id == leaver.user and person.name}

    def reworded(words: str) -> str:
        for name in (f"<@{leaver.user}>", *names, *map(escaped, names)):
            words = words.replace(name, leaver.former.name)
        return words

    facts = dict(vote.facts)
    for key in facts.keys() & VOTE_WORDS:
        facts[key] = reworded(facts[key])
    if "owner" in facts:
        facts["owner"] = leaver.new_id(facts["owner"])
    return replace(
        vote,
        by=_forget_in_person(vote.by, leaver),
        chairs=tuple(_forget_in_person(person, leaver) for person in vote.chairs),
        facts=facts,
        said={leaver.new_id(user): option for user, option in vote.said.items()},
        why=reworded(vote.why),
    )


def _encode(document: Any) -> str:
    return msgspec.json.encode(document).decode()
