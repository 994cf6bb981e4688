"""The records: plain values that the store saves and the rest of the bot passes around.

The names of fields are part of the saved data, so renaming one needs a migration. This module
imports nothing else of the bot. The sections, in order:

people   markers for fields with personal data, which `/me delete` finds by them
clocks   how much time players have: the terms, and the state of each clock
matches  a match: its status, place, players and terms
shards   which servers a process is responsible for
jobs     work scheduled for later, and absences of the bot
posts    public posts that have to be sent
votes    a question to the players of a match, with the answers so far
stored   encoded commits, drafts and positions
"""

import re
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from engine.players import Character, Level

# People.


class NameOf(Struct, frozen=True):
    """Marks the name of the person whose id is in another field of the same record."""

    field: str


class DetailOf(Struct, frozen=True):
    """Marks a detail about the person whose id is in another field of the same record."""

    field: str


IS_USER, IS_WORDS, IS_FACTS = "user", "words", "facts"

UserId = Annotated[int, IS_USER]
"""The Discord id of a person; 0 for a computer, negative for somebody whose data was deleted."""
Words = Annotated[str, IS_WORDS]
"""A text that may contain people's names."""
HIDDEN = "hidden"
"""The player setting that keeps somebody out of public lists."""


# Clocks.

VACATION_BUDGET = 14 * 86_400
"""Seconds of vacation that each player has in a calendar year."""


class Pace(StrEnum):
    """How much time players have for their turns; see GRANTS in bot/kernel/clocks.py."""

    NONE = "none"
    QUICK = "quick"
    STEADY = "steady"
    EASY = "easy"


class Expiry(StrEnum):
    """What happens when a player's time is up."""

    REMIND = "remind"
    """They are reminded, and nothing else happens."""
    DRAFT = "draft"
    """A computer drafts the turn; the player has some hours to change it before it is made."""
    COMPUTER = "computer"
    """A computer plays the seat until its player comes back."""
    CLAIM = "claim"
    """The others may vote to take the seat from them."""
    FORFEIT = "forfeit"
    """They lose the seat."""


class TimeTerms(Struct, frozen=True, omit_defaults=True):
    """What the players of a match have agreed on about time."""

    pace: Pace = Pace.NONE
    expiry: Expiry = Expiry.REMIND
    weekends: str = ""
    """The time zone in which Saturdays and Sundays are off; '' if they are not."""


class SeatClock(Struct, frozen=True, omit_defaults=True):
    """The clock of one player. Times are in seconds since 1970."""

    user: UserId
    bank: int
    """The seconds that were left when the clock last started or stopped."""
    since: int = 0
    """When it started to run; 0 while it is stopped."""
    answered: int = 0
    """How many answers the seat had committed when it started."""
    paid: int = -1
    """The number of posts, see TableClocks, when the last increment was earned."""
    warned: int = 0
    """When the player was warned; 0 if not yet."""
    expired: int = 0
    """When it ran out; 0 if it has not."""
    drafted: int = 0
    """When a computer drafted a turn for the player; 0 if none has."""
    vacation: int = 0
    """The start of the vacation that the clock waits for; 0 if it does not."""
    quiet: int = 0
    """Seconds added because the warning would have come in the player's quiet hours."""
    late: int = 0
    """Seconds added because the warning could not be sent in time."""
    slept: int = 0
    """How many turns in a row a computer has made because the clock had run out."""


class TableClocks(Struct, frozen=True, omit_defaults=True):
    """The clocks of a match by seat, and the terms they run by; empty if the match has no pace."""

    seats: tuple[SeatClock, ...] = ()
    pace: Pace = Pace.NONE
    weekends: str = ""
    posts: int = 0
    """How many posts were made since the clocks began."""


# Matches.

TABLE = "table"
"""The reason for a pause that the players have agreed on: a key of [pause]."""


COMPUTER = 0
"""The user id of a computer. People whose data was deleted have negative ids."""


DEFAULT_LEVEL: Level = "steady"
"""How well a computer plays if nobody has chosen a level."""


class Status(StrEnum):
    """The stage of a match's life."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    """The match cannot post in its place; `MatchRecord.paused_for` says why."""
    ON_HOLD = "on_hold"
    """The players have agreed on a pause.

    If the match cannot post either, `paused_for` says so as well.
    """
    FINISHED = "finished"
    CANCELLED = "cancelled"
    """A lobby that was closed, or that everyone has left."""
    EXPIRED = "expired"
    """A lobby in which nothing happened for too long."""
    CALLED_OFF = "called_off"
    """A match that its players have ended without a result."""


OPEN = frozenset({Status.LOBBY, Status.RUNNING, Status.PAUSED, Status.ON_HOLD})
"""The stages of a match that may still continue."""


class Person(Struct, frozen=True, omit_defaults=True):
    """A player: somebody on Discord, or a computer."""

    id: UserId
    name: Annotated[str, NameOf("id")]
    """As the server shows it, unescaped."""
    level: Level | None = None
    """How well a computer plays."""
    locale: Annotated[str, DetailOf("id")] = ""
    """The language of their Discord when they sat down, such as 'pt-BR'."""
    character: Character | None = None
    """What a computer cares for; None for one that plays without a taste of its own."""


BOT = Person(COMPUTER, "")
"""The bot itself, as the one who starts a vote."""


class Terms(Struct, frozen=True, omit_defaults=True):
    """What the players of a match have agreed on besides the settings of the game."""

    stand_in: Level = DEFAULT_LEVEL
    """How well a computer plays for somebody who has left their seat."""
    lesson: bool = False
    """Whether this is somebody's first match, with a coach in the panel."""
    hints: tuple[UserId, ...] = ()
    """The players who agree to hints; they are allowed once all do."""
    time: TimeTerms = TimeTerms()
    """How much time the players have, and what happens when it is up."""
    rated: bool = True
    """Whether the result changes ratings."""


class Place(Struct, frozen=True):
    """Where a match is played."""

    guild: int
    """The server; 0 for a direct message."""
    channel: int
    thread: int = 0
    """0 until the thread is created, and if the match is played in the channel itself."""
    wants_thread: bool = True
    locale: str = ""
    """The language of public texts, such as 'pt-BR'; '' if the server has chosen none."""

    @property
    def posts_to(self) -> int:
        """The channel or thread that public messages go to."""
        return self.thread or self.channel


DEFAULT_TERMS = Terms()
"""The terms if the players have agreed on nothing."""


class SeatChange(Struct, frozen=True, omit_defaults=True):
    """A seat changing hands, effective from a commit."""

    seat: int
    since: int
    """The first commit, of any seat, with the new player."""
    user: UserId
    """The new player."""
    name: Annotated[str, NameOf("user")]
    was: UserId
    """The player before."""
    was_name: Annotated[str, NameOf("was")]
    why: str
    """How they lost it: `replaced` (by their wish, or for being away), `resigned`, `removed`."""


class PlannedTurn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A turn that a player has planned ahead. It is secret, so its repr shows nothing."""

    id: int
    """The id of the interaction that made it, which is also in the custom ids of its buttons."""
    seat: int
    move: str
    """The move as typed."""
    answers: tuple[tuple[str, tuple[str, ...]], ...]
    """The answers: for each, the kind of question and the chosen keys."""
    meant: tuple[str, ...] = ()
    """What each answer refers to, '' if its keys say it all; empty in old plans."""
    stages: tuple[str, ...] = ()
    """The rounds in which it may be played."""
    unless: tuple[str, ...] = ()
    """It is dropped if something has happened on one of these spots."""
    since: int = 0
    """The commit at which it was made."""
    kept: bool = False
    """Whether the player has confirmed the summary; before that it is not played."""
    at: int = 0
    """When to play it: delayed if an instant answer would reveal that there was a plan."""
    dropped: str = ""
    """Why it will not be played, as text; '' while it still may be."""

    def __repr__(self) -> str:
        return f"<Planned of seat {self.seat}>"


class MatchRecord(Struct, frozen=True, kw_only=True):
    """Everything about a match except its position: players, place, terms and status."""

    id: str
    game: str
    status: Status
    place: Place
    host: UserId
    settings: dict[str, str]
    chairs: tuple[Person, ...]
    """The players; in seat order once the match is running."""
    terms: Terms = Terms()
    commitment: str = ""
    """Hashes of its seeds, separated by spaces: one, and another one for each rewind."""
    lobby_message: int = 0
    turn_message: int = 0
    """The public message that has the buttons at the moment."""
    paused_for: str = ""
    """Why the match cannot post: a key of [pause]; '' if it can."""
    last_activity_at: int = 0
    """When something last happened in the lobby or the match, in seconds since 1970."""
    result_unannounced: bool = False
    """Whether it has ended and its lobby message and thread name do not show the result yet."""
    seating: tuple[UserId, ...] = ()
    """In a rematch: the players of the last match, in their new seat order; 0 for a computer."""
    clocks: TableClocks = TableClocks()
    plans: tuple[PlannedTurn, ...] = ()
    """The players' planned turns, at most one per seat."""
    seat_changes: tuple[SeatChange, ...] = ()
    """All changes of seats since the match began."""
    version: int = 0
    """Rises with every write."""

    @property
    def awaited(self) -> list[int]:
        """The players who are offered a rematch and have not joined yet: seats are reserved."""
        seated = {person.id for person in self.chairs}
        return [user for user in self.seating if user != COMPUTER and user not in seated]


# Shards.
#
# How several processes on one database share the work. A single process does everything.
#
# - A match belongs to the server it is played in, a server to a shard as Discord counts them, and a
#   shard to the process that holds its lock in the database (bot/store/shard_locks.py). Direct
#   messages have no server and belong to shard 0.
# - Everything in a match that no interaction asks for (a post, a computer's move, a clock, a
#   reminder, the end of a vote) is done by the process that owns the match. Queries that look for
#   such work have the condition `OWNED` (bot/store/sql.py).
# - Work without a server (ratings, films, deletions, thinning) is done by the process that locks
#   its row first (`SKIP LOCKED`). If that process dies, another does it some minutes later.
# - An interaction is answered by the process to which Discord sends it, no matter which one owns
#   the match: every write checks that nobody else has written since. If that process is not the
#   owner, the owner is notified, and posts the board.

MAX_SHARDS = 100_000
"""More shards than any bot has."""
SHARDS_TEXT = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?/(\d{1,6})", re.ASCII)


class Shards(Struct, frozen=True):
    """The shards of one process: `first` to `last` of `count`."""

    first: int = 0
    last: int = 0
    count: int = 1

    def __str__(self) -> str:
        return (
            f"{self.first}-{self.last}/{self.count}"
            if self.last > self.first
            else f"{self.first}/{self.count}"
        )

    @property
    def ids(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def are_all(self) -> bool:
        """Whether the process serves all shards there are."""
        return len(self.ids) == self.count

    @property
    def bounds(self) -> dict[str, int]:
        """The values for `OWNED` in a statement."""
        return {"first_shard": self.first, "last_shard": self.last, "shards": self.count}

    def serve(self, guild: int) -> bool:
        """Whether a server belongs to these shards; 0 stands for direct messages."""
        # Discord's formula for the shard of a server.
        return (guild >> 22) % self.count in self.ids


NO_SHARDS = Shards(0, -1, 1)
"""The shards of a process that lost its own to another one: it only answers interactions."""


def all_shards(count: int) -> Shards:
    """Return all of this many shards."""
    return Shards(0, count - 1, count)


def parse_shards(text: str) -> Shards:
    """Parse a text such as '0-3/16' or '5/16'; raise ValueError if it makes no sense."""
    found = SHARDS_TEXT.fullmatch("".join(text.split()))
    if found:
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if first <= last < count <= MAX_SHARDS:
            return Shards(first, last, count)
    raise ValueError


# Jobs.

SHARED_JOBS = frozenset({"film"})
"""Kinds of jobs of a match that any process may run, not only the one that owns the match."""


class Job(Struct, frozen=True):
    """Work scheduled for a time.

    There is at most one job of a kind for a match and user: scheduling it again moves it.
    """

    kind: str
    at: int
    """In seconds since 1970."""
    match: str = ""
    user: int = 0
    facts: dict[str, Any] = {}
    """Arguments for the handler, as JSON values."""
    id: int = 0
    """Set by the store, and new whenever the job is scheduled again."""
    tries: int = 0
    """How often it has failed."""


class Absence(Struct, frozen=True):
    """A span of time in which the bot was down, in seconds since 1970."""

    since: int
    until: int
    whose: Shards = Shards()
    """The shards that were not served; by default 0/1, which is all."""


# Posts.


class Announcement(Struct, frozen=True):
    """A public post, sent or pending: it tells of the commits after `since` up to `number`."""

    id: int
    """Together with the match it is the message's nonce, by which Discord drops a repeat."""
    match: str
    since: int
    number: int


# Votes.


class Vote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A vote of the players of a match, with their answers so far."""

    match: str
    number: int
    """The votes of a match are counted from 1."""
    kind: str
    by: Person
    """Who started it: a player, or BOT."""
    chairs: tuple[Person, ...]
    """The players when it started. Its decision may change them."""
    opened: int
    """When it started, in seconds since 1970."""
    ends: int
    """When it ends at the latest, in seconds since 1970."""
    facts: Annotated[dict[str, Any], IS_FACTS] = field(default_factory=dict)
    """Details of what it is about.

    `seat` is a seat whose player has no vote, because it is about them; `subject` any other seat.
    """
    said: dict[UserId, str] = field(default_factory=dict)
    """The answers so far."""
    outcome: str = ""
    """The option that won, or VOID; '' while the vote is open."""
    why: Words = ""
    """Why it became pointless, as text."""
    closed: int = 0
    message: int = 0
    place: int = 0
    """The channel or thread that the message is in."""
    told: bool = False
    """Whether its message shows the outcome."""

    @property
    def is_open(self) -> bool:
        """Whether players can still vote."""
        return not self.outcome


# Stored.

ABSENCE = "absence"
"""The notification to all processes that an absence was recorded."""


class Record(Struct, frozen=True):
    """Saved data. Its repr shows nothing, because seeds and drafts must not reach a log."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class StoredCommit(Record, frozen=True):
    """A commit encoded as JSON. Number 0 is the set-up, which nobody committed."""

    number: int
    rules: int
    """The version of the game's rules that it was played under."""
    seat: int = 0
    back_to: int | None = None
    """The commit that it goes back to; None for an ordinary one."""
    commit: bytes = b""
    """The commit without its events; empty for the set-up."""
    events: bytes = b""
    snapshot: bytes = b""
    """The position after it, without drafts; empty if it was thinned out of an ended match."""


class StoredDraft(Record, frozen=True, kw_only=True):
    """An encoded draft."""

    seat: int
    answers: bytes
    cut: bool = False
    """Whether the last commit, of another seat, has shortened it."""


class HandledInteraction(Record, frozen=True):
    """An interaction that was handled; `since` and `number` are the commits before and after."""

    interaction: int
    seat: int = 0
    since: int = 0
    number: int = 0


class StoredMatch(Record, frozen=True, kw_only=True):
    """A match as the store loads it."""

    record: MatchRecord
    snapshot: bytes = b""
    """The newest position; empty in the lobby."""
    drafts: tuple[StoredDraft, ...] = ()
    last_post: Announcement | None = None
    """The last public post, sent or pending."""
