"""A match as the store keeps it: who sits where, where it is played, and what its table has
agreed on.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from bot.model.clocks import TableClocks, TimeTerms
from bot.model.people import NameOf, UserId
from engine.players import Level

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
    """That another sits in a chair from a commit on; before the first such note of a chair,
    `was` sat there.
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
    """How they lost it: `replaced` at their own wish or because they were away, `resigned` or
    `removed`.
    """


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
    """For each answer the facts of what it names, '' where its keys alone say that; none before
    they were noted.
    """
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
    """The seals of its dice, of which there are new ones whenever it is rewound, parted by
    blanks.
    """
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
