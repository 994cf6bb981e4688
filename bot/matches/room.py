"""A match as the bot knows it: the engine's Match with the people and the place around it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.clock import DAY
from bot.errors import Refused
from bot.matches.pace import TableClocks, TimeTerms
from bot.shards import Shards
from bot.text import has, say
from engine import Event, Match, Seat
from engine.players import Level

TABLE = "table"
"""Why a match is paused that its players have put on hold: a key of [pause]."""

COMPUTER = 0
"""The user id of a chair that no person took. Those of people who wanted to be forgotten are below it."""

USUAL_LEVEL: Level = "steady"
"""Of a computer that nobody chose a level for."""

QUIET = 7 * DAY
"""Seconds after which a lobby closes in which nobody does anything."""

SILENT = 14 * DAY
"""Seconds after which a match counts as silent in which nothing happens."""


class Status(StrEnum):
    """Where a match is in its life."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    """It cannot post where it lives; `Info.paused_for` says why."""
    ON_HOLD = "on_hold"
    """Its players have agreed on a pause. Should it be unable to post as well, `paused_for` says so besides."""
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

    id: int
    name: str
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
    hints: tuple[int, ...] = ()
    """The people who agree that everybody may ask for hints."""
    time: TimeTerms = TimeTerms()
    """How much time the players have, and what happens when it is up."""
    rated: bool = True
    """Whether the result changes ratings."""


class Place(Struct, frozen=True):
    """Where a match is played. `thread` is 0 until its thread is made, or if it lives in the channel itself."""

    guild: int
    channel: int
    thread: int = 0
    wants_thread: bool = True

    @property
    def posts_to(self) -> int:
        """The channel or thread that public messages go to."""
        return self.thread or self.channel


USUAL_TERMS = Terms()
"""Of a table that has agreed on nothing."""


class Sat(Struct, frozen=True, omit_defaults=True):
    """That another sits in a chair from a commit on; before the first such note of a chair, `was` sat there."""

    seat: int
    since: int
    """The first commit, of whichever seat, at which they sit there."""
    user: int
    name: str
    was: int
    """The user who sat there before, and their name."""
    was_name: str
    why: str
    """How they lost it: `replaced` at their own wish or because they were away, `resigned` or `removed`."""


class Planned(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's next turn, written down before it comes. Nobody else may know of it: its repr tells nothing."""

    id: int
    """The interaction that made it, by which its buttons know it."""
    seat: int
    move: str
    """As it was typed."""
    answers: tuple[tuple[str, tuple[str, ...]], ...]
    """Kinds of questions, and what is answered to each."""
    meant: tuple[str, ...] = ()
    """For each answer the facts of what it names, '' where its keys alone say that; none before they were noted."""
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


class Info(Struct, frozen=True, kw_only=True):
    """What the store keeps of a match besides its position. `version` rises with every write."""

    id: str
    game: str
    status: Status
    place: Place
    host: int
    settings: dict[str, str]
    chairs: tuple[Person, ...]
    """In seat order once running."""
    terms: Terms = Terms()
    commitment: str = ""
    """The seals of its dice, of which there are new ones whenever it is rewound, parted by blanks."""
    lobby_message: int = 0
    turn_message: int = 0
    """The public message that carries the buttons now."""
    paused_for: str = ""
    """Why it cannot post: a key of [pause]."""
    touched: int = 0
    """When something last happened in the lobby or the match, in seconds since 1970."""
    untold: bool = False
    """It has ended, and its lobby's message and its thread's name do not say how yet."""
    seating: tuple[int, ...] = ()
    """Of a rematch: who is awaited, in the order in which they shall sit; computers are 0."""
    clocks: TableClocks = TableClocks()
    plans: tuple[Planned, ...] = ()
    """What seats have planned, one for each at most."""
    sat: tuple[Sat, ...] = ()
    """Who has come into whose chair since the match began."""
    version: int = 0


def as_they_sat(info: Info, number: int) -> Info:
    """The match with everybody in the chair that they had at a commit."""
    chairs = list(info.chairs)
    for note in reversed(info.sat):
        if note.since > number:
            chairs[note.seat] = Person(note.was, note.was_name)
    return replace(info, chairs=tuple(chairs)) if info.sat else info


def everybody(info: Info) -> set[int]:
    """The ids of all people who have ever sat at a table."""
    sat = {user for note in info.sat for user in (note.user, note.was)}
    return ({person.id for person in info.chairs} | sat) - {COMPUTER}


class Room(Struct, frozen=True):
    """A match with its people. `match` is None in the lobby."""

    info: Info
    match: Match | None = None

    def __repr__(self) -> str:
        # Never the match itself: its seed and drafts must not reach a log.
        return f"<Room {self.info.id}: {self.info.game}, {self.info.status}>"

    def seat_of(self, user: int) -> Seat | None:
        """The seat a person holds."""
        ids = [person.id for person in self.info.chairs]
        return Seat(ids.index(user)) if user in ids and user != COMPUTER else None

    def own_seat(self, user: int) -> Seat:
        """The seat a person holds; refused if they hold none."""
        seat = self.seat_of(user)
        if seat is None:
            raise Refused(say("refusal.not_seated"))
        return seat

    def is_expired(self, seat: Seat) -> bool:
        """Whether a seat's time is up, and its decision still awaited."""
        clocks = self.info.clocks.seats
        return bool(clocks) and bool(clocks[seat].expired)

    def waits_for(self, user: int) -> bool:
        """Whether a person owes a decision."""
        return self.match is not None and self.seat_of(user) in self.match.waiting_for()

    def has_resigned(self, user: int) -> bool:
        """Whether a person has given up their seat."""
        return self.match is not None and self.seat_of(user) in self.match.resigned

    def level_of(self, seat: Seat) -> Level:
        """How well a seat without a person is played."""
        person = self.info.chairs[seat]
        # A computer of an older database has no level of its own.
        return self.info.terms.stand_in if person.id != COMPUTER else person.level or USUAL_LEVEL

    def plan_of(self, seat: Seat) -> Planned | None:
        """What a seat has planned, or had."""
        return next((plan for plan in self.info.plans if plan.seat == seat), None)

    @property
    def is_solo(self) -> bool:
        """Whether one person plays against computers."""
        return sum(person.id != COMPUTER for person in self.info.chairs) == 1

    @property
    def has_hints(self) -> bool:
        """Whether players may ask what a strong computer would do: somebody alone may, and a table that agrees."""
        people = {person.id for person in self.info.chairs if person.id != COMPUTER}
        return self.is_solo or people <= set(self.info.terms.hints)

    def people(self, seats: Iterable[Seat]) -> list[int]:
        """The ids of the people behind those seats, computers and those who resigned left out."""
        gone = self.match.resigned if self.match else frozenset()
        users = [self.info.chairs[seat].id for seat in seats if seat not in gone]
        return [user for user in users if user > COMPUTER]

    @property
    def players(self) -> list[int]:
        """The ids of all people at the table, those included who resigned; not of those who wanted to be forgotten."""
        return [person.id for person in self.info.chairs if person.id > COMPUTER]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, with a result or without: nothing of it is a secret any more."""
        return self.info.status in (Status.FINISHED, Status.CALLED_OFF)

    @property
    def is_paused(self) -> bool:
        """Whether no moves are taken for the time being, whatever the reason."""
        return self.info.status in (Status.PAUSED, Status.ON_HOLD)

    @property
    def why_paused(self) -> str:
        """Why the match waits, in words."""
        reason = self.info.paused_for or (TABLE if self.info.status is Status.ON_HOLD else "")
        # Older databases hold the words themselves.
        return say(f"pause.{reason}") if has(f"pause.{reason}") else reason

    def playing(self) -> Match:
        """The match, refused with the reason if it has not begun."""
        if self.match is not None:
            return self.match
        match self.info.status:
            case Status.PAUSED:
                raise Refused(say("refusal.paused", why=self.why_paused))
            case Status.CANCELLED | Status.EXPIRED:
                raise Refused(say("refusal.cancelled_early"))
        raise Refused(say("refusal.not_begun_host"))


class Press(Struct, frozen=True):
    """Who wants something of a match. `turn` is what the pressed button was made for; None if typed."""

    match: str
    user: int
    interaction: int
    """Discord's id of the interaction: a repeat of the same one changes nothing more."""
    turn: int | None = None


class Update(Struct, frozen=True):
    """What came of a press, for the private answer."""

    room: Room
    seat: Seat
    events: tuple[Event, ...] = ()
    """What the seat may know of what just happened."""
    meanwhile: tuple[Event, ...] = ()
    """The same of what computers did after it."""
    committed: bool = False
    stale: bool = False
    """The press was for a position that is gone: nothing was done, show the panel anew."""

    def __repr__(self) -> str:
        return f"<Update of {self.room.info.id} for seat {self.seat}>"


class Due(Struct, frozen=True):
    """Something that is to happen at a time: of each kind one for a match and a person. To set it again moves it."""

    kind: str
    at: int
    """In seconds since 1970."""
    match: str = ""
    user: int = 0
    facts: dict[str, Any] = {}
    """What else is to be known when it happens, as JSON has it."""
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


class Call(Struct, frozen=True):
    """How somebody is called to a decision of theirs in a match; in no match, to all that waits for them."""

    match: str
    user: int
    times: int = 0
    """How often they were called to it."""
    wanted: str = ""
    """The call that is to be made now: a key of [call]."""
    since: int = 0
    """When that was wanted, in seconds since 1970: by it a repeat is known."""
    channel: int = 0
    message: int = 0
    """The message of its own that calls them, if there is one."""
    over: bool = False
    """The decision is theirs no more: what calls them to it shall lose its buttons."""


class Announcement(Struct, frozen=True):
    """A public post that is due: events of the commits after `since` up to `number`."""

    id: int
    """With the match also the post's nonce, so that Discord drops a repeat."""
    match: str
    since: int
    number: int


class Post(Struct, frozen=True):
    """An announcement with all that its message needs, as the match stood at that commit."""

    announcement: Announcement
    room: Room
    events: tuple[Event, ...]
    """As everyone may know them."""
    newly: tuple[Seat, ...] = ()
    """Those whose hand it has become since the announcement before: the ones to ping."""
    by_computers: int = 0
    """How many computers have acted since then."""
