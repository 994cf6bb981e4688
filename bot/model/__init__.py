"""The records: plain values that the store keeps and everything else passes around.

Nothing else of the bot is imported here. The sections, in order:

people   which fields tell of a person: `/me delete` goes by these types
clocks   how much time players have: what was agreed on, and where each clock stands
matches  a match: its status, place, people and terms
shards   which servers one process is responsible for, and who does what
jobs     work scheduled for later, and absences of the bot
posts    public posts that have to be sent
votes    a question put to a table, with the answers given so far
stored   what one transaction writes, and encoded commits, drafts and positions
"""

import re
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from engine.players import Level

# People.


class NameOf(Struct, frozen=True):
    """Marks the name of a person whose id stands in another field of the same record."""

    field: str


IS_USER, IS_WORDS, IS_FACTS = "user", "words", "facts"

UserId = Annotated[int, IS_USER]
"""A person on Discord; 0 is a computer, and below it is somebody who wanted to be forgotten."""
Words = Annotated[str, IS_WORDS]
"""A text that may name people."""
HIDDEN = "hidden"
"""The key under which it is kept that a player wants to be in no list."""


# Clocks.

VACATION_BUDGET = 14 * 86_400
"""Seconds of vacation that everybody has in a calendar year."""


class Pace(StrEnum):
    """How fast a table plays."""

    NONE = "none"
    QUICK = "quick"
    STEADY = "steady"
    EASY = "easy"


class Expiry(StrEnum):
    """What happens when somebody's time is up."""

    REMIND = "remind"
    DRAFT = "draft"
    """A computer drafts the decision; its owner has some hours to change it before it counts."""
    COMPUTER = "computer"
    """A computer plays the seat until its owner comes back."""
    CLAIM = "claim"
    """The others may vote to have the seat given up."""
    FORFEIT = "forfeit"


class TimeTerms(Struct, frozen=True, omit_defaults=True):
    """What a table has agreed on about time."""

    pace: Pace = Pace.NONE
    expiry: Expiry = Expiry.REMIND
    weekends: str = ""
    """The time zone in which Saturdays and Sundays are off; '' if they are not."""


class SeatClock(Struct, frozen=True, omit_defaults=True):
    """The time of one player."""

    user: UserId
    bank: int
    """Seconds that were left when the clock last began or stopped."""
    since: int = 0
    """When it began to run; 0 while it stands."""
    answered: int = 0
    """The seat's committed answers when it began."""
    paid: int = -1
    """The post after which the last increment was earned."""
    warned: int = 0
    """When its player was warned; 0 if not yet."""
    expired: int = 0
    """When it ran out; 0 if it has not."""
    drafted: int = 0
    """When a computer drafted the decision for its player; 0 if none has."""
    vacation: int = 0
    """When the vacation began for which the clock waits; 0 if it does not."""
    quiet: int = 0
    """Seconds that it has waited because its player was to be warned in their quiet hours."""
    late: int = 0
    """Seconds that were added because the warning could not be sent in time."""
    slept: int = 0
    """Decisions in a row that a computer has made because the clock had run out."""


class TableClocks(Struct, frozen=True, omit_defaults=True):
    """The clocks of a match by seat, and the rules by which they run now; none without a pace."""

    seats: tuple[SeatClock, ...] = ()
    pace: Pace = Pace.NONE
    weekends: str = ""
    posts: int = 0
    """How many posts the clocks have seen."""


# Matches.

TABLE = "table"
"""Why a match is paused that its players have put on hold: a key of [pause]."""


COMPUTER = 0
"""The user id of a chair that no person took.

Those of people who wanted to be forgotten are below it.
"""


USUAL_LEVEL: Level = "steady"
"""Of a computer that nobody chose a level for."""


class Status(StrEnum):
    """Where a match is in its life."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    """It cannot post where it lives; `MatchRecord.paused_for` says why."""
    ON_HOLD = "on_hold"
    """Its players have agreed on a pause.

    Should it be unable to post as well, `paused_for` says so besides.
    """
    FINISHED = "finished"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """A lobby that was left alone for too long."""
    CALLED_OFF = "called_off"
    """A match that its players have ended without a result."""


OPEN = frozenset({Status.LOBBY, Status.RUNNING, Status.PAUSED, Status.ON_HOLD})
"""A match that may still go on."""


class Person(Struct, frozen=True):
    """Somebody on Discord, or a computer; `name` is what the server shows, unescaped."""

    id: UserId
    name: Annotated[str, NameOf("id")]
    level: Level | None = None
    """How well a computer plays."""


BOT = Person(COMPUTER, "")
"""Who asks a table what the bot itself wants to know."""


class Terms(Struct, frozen=True, omit_defaults=True):
    """What a table has agreed on besides the settings of its game."""

    stand_in: Level = USUAL_LEVEL
    """How well a seat is played on that somebody has given up."""
    lesson: bool = False
    """Whether somebody plays their first match, with a coach in the panel."""
    hints: tuple[UserId, ...] = ()
    """The people who agree that everybody may ask for hints."""
    time: TimeTerms = TimeTerms()
    """How much time the players have, and what happens when it is up."""
    rated: bool = True
    """Whether the result changes ratings."""


class Place(Struct, frozen=True):
    """Where a match is played.

    `thread` is 0 until its thread is made, or if it lives in the channel itself.
    """

    guild: int
    channel: int
    thread: int = 0
    wants_thread: bool = True

    @property
    def posts_to(self) -> int:
        """The channel or thread that public messages go to."""
        return self.thread or self.channel


DEFAULT_TERMS = Terms()
"""Of a table that has agreed on nothing."""


class SeatChange(Struct, frozen=True, omit_defaults=True):
    """A seat changing hands, effective from a commit.

    Before the first change of a seat, `was` sat there.
    """

    seat: int
    since: int
    """The first commit, of whichever seat, at which they sit there."""
    user: UserId
    name: Annotated[str, NameOf("user")]
    was: UserId
    """The user who sat there before, and their name."""
    was_name: Annotated[str, NameOf("was")]
    why: str
    """How they lost it: `replaced` (by their wish, or for being away), `resigned`, `removed`."""


class PlannedTurn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's next turn, written down before it comes.

    Nobody else may know of it: its repr tells nothing.
    """

    id: int
    """The interaction that made it, by which its buttons know it."""
    seat: int
    move: str
    """As it was typed."""
    answers: tuple[tuple[str, tuple[str, ...]], ...]
    """Kinds of questions, and what is answered to each."""
    meant: tuple[str, ...] = ()
    """For each answer the facts of what it names, '' where its keys say it; none in old plans."""
    stages: tuple[str, ...] = ()
    """The rounds in which it may be played."""
    unless: tuple[str, ...] = ()
    """Spots on which nothing may have happened since."""
    since: int = 0
    """The commit at which it was made."""
    kept: bool = False
    """Its owner has read the summary and said yes; until then it is not played."""
    at: int = 0
    """When it is played, if it is its turn and an answer at once would tell something."""
    dropped: str = ""
    """Why it will not be played, in words; '' as long as it may be."""

    def __repr__(self) -> str:
        return f"<Planned of seat {self.seat}>"


class MatchRecord(Struct, frozen=True, kw_only=True):
    """What the store keeps of a match besides its position. `version` rises with every write."""

    id: str
    game: str
    status: Status
    place: Place
    host: UserId
    settings: dict[str, str]
    chairs: tuple[Person, ...]
    """In seat order once running."""
    terms: Terms = Terms()
    commitment: str = ""
    """The seals of its dice, parted by blanks: one, and another for each rewind."""
    lobby_message: int = 0
    turn_message: int = 0
    """The public message that carries the buttons now."""
    paused_for: str = ""
    """Why it cannot post: a key of [pause]."""
    last_activity_at: int = 0
    """When something last happened in the lobby or the match, in seconds since 1970."""
    result_unannounced: bool = False
    """It has ended, and its lobby's message and its thread's name do not say how yet."""
    seating: tuple[UserId, ...] = ()
    """Of a rematch: who is awaited, in the order in which they shall sit; computers are 0."""
    clocks: TableClocks = TableClocks()
    plans: tuple[PlannedTurn, ...] = ()
    """What seats have planned, one for each at most."""
    seat_changes: tuple[SeatChange, ...] = ()
    """Who has come into whose chair since the match began."""
    version: int = 0

    @property
    def awaited(self) -> list[int]:
        """Who is offered a rematch and has not sat down yet: their chairs are kept for them."""
        seated = {person.id for person in self.chairs}
        return [user for user in self.seating if user != COMPUTER and user not in seated]


# Shards.
#
# Which process does what if several share one database. A process alone does everything.
#
# - A match belongs to the server it is played in, a server to a shard as Discord counts them, and a
#   shard to the process that holds its lock in the database (bot/store/shard_locks.py). Direct
#   messages have no server and belong to shard 0.
# - Whatever happens in a match without an interaction (a post, a computer's move, a clock, a
#   reminder, the end of a vote) is done by the process that owns it. Every query that looks for
#   such work says so (`OWNED` in bot/store/sql.py).
# - Work without a server (ratings, films, deletions, thinning) is done by the process that locks
#   its row first (`SKIP LOCKED`). If that process dies, another does it some minutes later.
# - An interaction is answered by the process to which Discord sends it, whoever owns the match:
#   every write checks that nobody else has written since. If it is not the owner, the owner is
#   notified and posts the board.

MAX_SHARDS = 100_000
"""Shards that there may be: more than any bot has."""
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
        """Their numbers."""
        return range(self.first, self.last + 1)

    @property
    def are_all(self) -> bool:
        """Whether there are no others."""
        return len(self.ids) == self.count

    @property
    def bounds(self) -> dict[str, int]:
        """Their numbers as the values of a statement."""
        return {"first_shard": self.first, "last_shard": self.last, "shards": self.count}

    def serve(self, guild: int) -> bool:
        """Whether a server belongs to them; 0 is what belongs to no server."""
        return (guild >> 22) % self.count in self.ids


NO_SHARDS = Shards(0, -1, 1)
"""Of a process that does nothing but answer presses: another may have what was its own."""


def all_shards(count: int) -> Shards:
    """All shards that there are."""
    return Shards(0, count - 1, count)


def read_shards(text: str) -> Shards:
    """Return the shards in a text such as '0-3/16' or '5/16'; ValueError if it makes no sense."""
    found = SHARDS_TEXT.fullmatch("".join(text.split()))
    if found:
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if first <= last < count <= MAX_SHARDS:
            return Shards(first, last, count)
    raise ValueError


# Jobs.

SHARED_JOBS = frozenset({"film"})
"""Kinds of jobs of a match that any process may run: the match's owner need not know of them."""


class Job(Struct, frozen=True):
    """Something that is to happen at a time: of each kind one for a match and a person.

    To set it again moves it.
    """

    kind: str
    at: int
    """In seconds since 1970."""
    match: str = ""
    user: int = 0
    facts: dict[str, Any] = {}
    """What the handler has to know, as JSON values."""
    id: int = 0
    """Which setting of it this is; the store gives it."""
    tries: int = 0
    """How often it has failed."""


class Absence(Struct, frozen=True):
    """A time in which the bot was not there, in seconds since 1970."""

    since: int
    until: int
    whose: Shards = Shards()
    """The shards that were not served: of one all, unless others were."""


# Posts.


class Announcement(Struct, frozen=True):
    """A public post that is due: events of the commits after `since` up to `number`."""

    id: int
    """With the match also the post's nonce, so that Discord drops a repeat."""
    match: str
    since: int
    number: int


# Votes.


class Vote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question to the people of a table, with their answers so far."""

    match: str
    number: int
    """Counts the votes of a match from 1."""
    kind: str
    by: Person
    """Who asks; the bot itself has the id of a computer."""
    chairs: tuple[Person, ...]
    """Who sat where when it was asked: once it is decided somebody else may."""
    opened: int
    ends: int
    """In seconds since 1970."""
    facts: Annotated[dict[str, Any], IS_FACTS] = field(default_factory=dict)
    """What it is about.

    `seat` is the seat whose owner it is about, who is not asked; `subject` is any other seat.
    """
    said: dict[UserId, str] = field(default_factory=dict)
    outcome: str = ""
    """What was decided: an option, or VOID; '' while it is open."""
    why: Words = ""
    """Why it has lost its point, in words."""
    closed: int = 0
    message: int = 0
    place: int = 0
    """The channel or thread that the message is in."""
    told: bool = False
    """It is decided, and its message says so."""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to say to it."""
        return not self.outcome


# Stored.

ABSENCE = "absence"
"""What all processes are told when one was away."""


class Record(Struct, frozen=True):
    """Something kept. Its repr tells nothing: seeds and drafts must not reach a log."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class StoredCommit(Record, frozen=True):
    """A commit as kept, in JSON. Number 0 is the set-up, which nobody committed."""

    number: int
    rules: int
    """The game's version it was played under."""
    seat: int = 0
    back_to: int | None = None
    """The commit that it goes back to, None if it goes on."""
    commit: bytes = b""
    """Without its events; empty for the set-up."""
    events: bytes = b""
    snapshot: bytes = b""
    """The position after it, without drafts; empty once it was thinned out of an ended match."""


class StoredDraft(Record, frozen=True, kw_only=True):
    """A draft as kept; `cut` if the last commit of another seat shortened it."""

    seat: int
    answers: bytes
    cut: bool = False


class HandledInteraction(Record, frozen=True):
    """An interaction that was carried out; `since` and `number` are the commits around it."""

    interaction: int
    seat: int = 0
    since: int = 0
    number: int = 0


class StoredMatch(Record, frozen=True, kw_only=True):
    """A match's current state; the snapshot is empty in the lobby."""

    record: MatchRecord
    snapshot: bytes = b""
    drafts: tuple[StoredDraft, ...] = ()
    last_post: Announcement | None = None
    """Its last public post, sent or pending."""
