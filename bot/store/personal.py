"""Which columns hold something about a person, what they get to see of it, and what becomes of it when they go.

Every column of the schema stands here, which a test sees to: no new one can be overlooked.
"""

from typing import Any

import msgspec
from msgspec import Struct

from bot.matches.room import COMPUTER, Person
from bot.store.database import Database

THEIR_OWN = {
    "player_setting": ("owner", ("key", "value")),
    "due": ("user", ("kind", "match", "at", "wake", "tries", "facts", "id")),
    "call": ("user", ("match", "times", "wanted", "since", "channel", "message", "over", "taken")),
    "note": ("user", ("match", "text")),
}
"""Tables whose rows are one person's alone: the column that says whose, and the others. The rows go with them."""

SHARED = {"seat": ("user", "name"), "result": ("user", "name"), "rating": ("user", "name")}
"""Tables whose rows are part of what others have played: they stay, with another id and name."""

AMONG_OTHERS = {
    "match": ("host", "terms", "seating", "clocks", "sat", "plans", "channel", "thread"),
    "clock": ("clocks",),
    "vote": ("asked",),
    "draft": ("answers",),
    "message": ("message",),
}
"""Columns in which a person may stand among others: in JSON, by their seat, or as whom a direct message is with."""

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
"""Columns that tell of nobody, or of nothing but a seat."""

IDS = {"id": "name", "user": "name", "was": "was_name", "owner": ""}
"""Fields of JSON that hold a person's id, and where their name stands beside it."""

MATCHES = """
    SELECT id FROM match WHERE opened > :after AND opened <= :until AND (
        host = :user OR terms LIKE :text OR seating LIKE :text OR clocks LIKE :text OR sat LIKE :text
        OR EXISTS (SELECT 1 FROM seat WHERE seat.match = match.id AND seat.user = :user)
        OR EXISTS (SELECT 1 FROM note WHERE note.match = match.id AND note.user = :user)
        OR EXISTS (SELECT 1 FROM vote WHERE vote.match = match.id AND vote.asked LIKE :text)
    ) ORDER BY opened
"""

IN_MATCH = "SELECT host, terms, seating, clocks, sat, plans, guild FROM match WHERE id = ?"

PUT_MATCH = """
    UPDATE match SET host = :host, terms = :terms, seating = :seating, clocks = :clocks, sat = :sat, plans = :plans,
        version = version + 1 WHERE id = :match
"""

PUT_SEAT = "UPDATE seat SET user = :id, name = :name WHERE match = :match AND seat = :seat"

PUT_RESULT = """
    UPDATE result SET user = :id, name = :name
    WHERE number = (SELECT number FROM finish WHERE match = :match) AND seat = :seat AND user = :user
"""

FORGET_PLACE = (
    "UPDATE match SET channel = 0, thread = 0, untold = 0, paused_for = '' WHERE id = ?",
    "DELETE FROM message WHERE match = ?",
    "UPDATE announcement SET posted = 1 WHERE match = ?",
)


class Leaver(Struct, frozen=True):
    """Who is to be forgotten, and who they are from then on."""

    user: int
    former: Person
    stand_ins: tuple[str, ...] = ()
    """Names of theirs that a computer has which plays their seat."""


def own_rows(db: Database, user: int) -> dict[str, list[dict[str, Any]]]:
    """All rows of a person's own, and of what they have played, by table."""
    shared = {table: (column, (*NOBODYS[table], name)) for table, (column, name) in SHARED.items()}
    found = {}
    for table, (column, names) in (THEIR_OWN | shared).items():
        rows = db.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {column} = ? AND {column} != 0", (user,))
        found[table] = [dict(zip(names, row, strict=True)) for row in sorted(map(tuple, rows.fetchall()), key=str)]
    return found


def last_opened(db: Database) -> int:
    """The number of the newest match."""
    ((last,),) = db.execute("SELECT coalesce(max(opened), 0) FROM match").fetchall()
    return int(last)


def matches_with(db: Database, user: int, after: int, until: int) -> list[str]:
    """Ids of matches opened after one and up to another in which a person may be found, whatever their part in them."""
    facts = {"user": user, "text": f"%{user}%", "after": after, "until": until}
    return [row[0] for row in db.execute(MATCHES, facts).fetchall()]


def moves(db: Database, match: str) -> list[tuple[int, int, bytes]]:
    """The commits of a match: their numbers, seats and answers."""
    found = db.execute("SELECT number, seat, answers FROM match_commit WHERE match = ? ORDER BY number", (match,))
    return [(number, seat, bytes(answers)) for number, seat, answers in found.fetchall()]


def forget_rows(db: Database, user: int, former: Person, finish: str) -> None:
    """A person's own rows dropped, but for the one of this kind that says that it is to be done; the rest renamed."""
    for table, (column, _) in THEIR_OWN.items():
        if table != "due":
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (user,))
    db.execute("DELETE FROM due WHERE user = ? AND kind != ?", (user, finish))
    for table, (column, name) in SHARED.items():
        anew = f"UPDATE {table} SET {column} = ?, {name} = ? WHERE {column} = ? AND {column} != 0"
        db.execute(anew, (former.id, former.name, user))


def forget_in(db: Database, match: str, user: int, former: Person) -> None:
    """All that a match tells of a person told of a former player, and what was theirs alone in it dropped."""
    host, terms, seating, clocks, sat, plans, guild = db.execute(IN_MATCH, (match,)).fetchone()
    notes = msgspec.json.decode(sat)
    # A computer plays on under the name of whoever was sent away.
    stand_ins = {note["was_name"] for note in notes if note["was"] == user and note["user"] == COMPUTER}
    leaver = Leaver(user, former, tuple(stand_ins))
    chairs = db.execute("SELECT seat, user, name FROM seat WHERE match = ? ORDER BY seat", (match,)).fetchall()
    own = [seat for seat, holder, _ in chairs if holder == user]
    others = [holder for _, holder, _ in chairs if holder > COMPUTER and holder != user]
    facts = {
        "match": match,
        "host": host if host != user else next(iter(others), former.id),
        "terms": _told_anew(terms, leaver),
        "seating": _json([awaited for awaited in msgspec.json.decode(seating) if awaited != user]),
        "clocks": _told_anew(clocks, leaver),
        "sat": _told_anew(sat, leaver),
        "plans": _json([plan for plan in msgspec.json.decode(plans) if plan["seat"] not in own]),
    }
    db.execute(PUT_MATCH, facts)
    for seat, holder, name in chairs:
        if holder == user or (holder == COMPUTER and name in stand_ins):
            now = {"id": former.id if holder == user else COMPUTER, "name": former.name}
            db.execute(PUT_SEAT, {**now, "match": match, "seat": seat})
    for seat in range(len(chairs)):
        db.execute(PUT_RESULT, {"id": former.id, "name": former.name, "match": match, "seat": seat, "user": user})
    for seat in own:
        db.execute("DELETE FROM draft WHERE match = ? AND seat = ?", (match, seat))
    for table, (column,) in (("clock", AMONG_OTHERS["clock"]), ("vote", AMONG_OTHERS["vote"])):
        for number, text in db.execute(f"SELECT number, {column} FROM {table} WHERE match = ?", (match,)).fetchall():
            if (anew := _told_anew(text, leaver)) != text:
                db.execute(f"UPDATE {table} SET {column} = ? WHERE match = ? AND number = ?", (anew, match, number))
    if not guild and own:
        for forget in FORGET_PLACE:
            db.execute(forget, (match,))


def _told_anew(text: str, leaver: Leaver) -> str:
    """A text of JSON in which a former player stands where a person did; the same if they do not."""
    found = msgspec.json.decode(text)
    anew = _renamed(found, leaver)
    return text if anew == found else _json(anew)


def _renamed(found: Any, leaver: Leaver) -> Any:
    if isinstance(found, list):
        return [_renamed(one, leaver) for one in found]
    if not isinstance(found, dict):
        return found
    after = {key: _renamed(value, leaver) for key, value in found.items()}
    former = leaver.former
    for key, name in IDS.items():
        is_them = found.get(key) == leaver.user
        if is_them:
            after[key] = former.id
        if name in found and (is_them or (found.get(key) == COMPUTER and found[name] in leaver.stand_ins)):
            after[name] = former.name
    if "hints" in found:
        after["hints"] = [former.id if user == leaver.user else user for user in found["hints"]]
    if "said" in found:
        users = {user: str(former.id) if user == str(leaver.user) else user for user in found["said"]}
        after["said"] = {users[user]: option for user, option in found["said"].items()}
    if found.get("why") and "by" in found:
        # Why a vote has lost its point, in words that may name somebody.
        names = [person["name"] for person in (found["by"], *found["chairs"]) if person["id"] == leaver.user]
        for name in (f"<@{leaver.user}>", *filter(None, names)):
            after["why"] = after["why"].replace(name, former.name)
    return after


def _json(found: Any) -> str:
    return msgspec.json.encode(found).decode()
