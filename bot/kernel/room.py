"""A match as the bot knows it: the engine's Match with the people and the place around it."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.model import (
    COMPUTER,
    TABLE,
    USUAL_LEVEL,
    Announcement,
    MatchRecord,
    Person,
    PlannedTurn,
    Status,
)
from bot.runtime.base import DAY, Refused
from bot.text import has, say
from engine import Event, Match, Seat, find_game
from engine.players import Level

QUIET = 7 * DAY
"""Seconds without activity after which a lobby closes."""

SILENT = 14 * DAY
"""Seconds without activity after which a match counts as silent."""


def as_they_sat(record: MatchRecord, number: int) -> MatchRecord:
    """Return the record with everybody in the seat that they had at a commit."""
    chairs = list(record.chairs)
    for note in reversed(record.seat_changes):
        if note.since > number:
            chairs[note.seat] = Person(note.was, note.was_name)
    return replace(record, chairs=tuple(chairs)) if record.seat_changes else record


def everybody(record: MatchRecord) -> set[int]:
    """Return the ids of all people who have ever sat at a table."""
    sat = {user for note in record.seat_changes for user in (note.user, note.was)}
    return ({person.id for person in record.chairs} | sat) - {COMPUTER}


class Room(Struct, frozen=True):
    """A match with its people. `match` is None in the lobby."""

    record: MatchRecord
    match: Match | None = None
    last_post: Announcement | None = None
    """The last public post, sent or pending; None before the first."""

    def __repr__(self) -> str:
        # Never the match itself: its seed and drafts must not reach a log.
        return f"<Room {self.record.id}: {self.record.game}, {self.record.status}>"

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat that a person holds, None if they hold none."""
        ids = [person.id for person in self.record.chairs]
        return Seat(ids.index(user)) if user in ids and user != COMPUTER else None

    def own_seat(self, user: int) -> Seat:
        """Return the seat that a person holds; refuse if they hold none."""
        seat = self.seat_of(user)
        if seat is None:
            raise Refused("refusal.not_seated")
        return seat

    def is_expired(self, seat: Seat) -> bool:
        """Whether a seat's time is up, and its decision still awaited."""
        clocks = self.record.clocks.seats
        return bool(clocks) and bool(clocks[seat].expired)

    def waits_for(self, user: int) -> bool:
        """Whether a person owes a decision."""
        return self.match is not None and self.seat_of(user) in self.match.waiting_for()

    def awaits(self, user: int) -> bool:
        """Whether a running match waits for a person, not for a computer that plays for them."""
        if self.match is None or self.record.status is not Status.RUNNING:
            return False
        return self.waits_for(user) and self.seat_of(user) in self.match.humans()

    def has_resigned(self, user: int) -> bool:
        """Whether a person has given up their seat."""
        return self.match is not None and self.seat_of(user) in self.match.resigned

    def is_seated(self, user: int) -> bool:
        """Whether a person holds a seat that they have not given up."""
        return self.seat_of(user) is not None and not self.has_resigned(user)

    def level_of(self, seat: Seat) -> Level:
        """Return the level at which a computer plays a seat."""
        person = self.record.chairs[seat]
        # A computer of an older database has no level of its own.
        return self.record.terms.stand_in if person.id != COMPUTER else person.level or USUAL_LEVEL

    def plan_of(self, seat: Seat) -> PlannedTurn | None:
        """Return what a seat has planned, even if that was dropped."""
        return next((plan for plan in self.record.plans if plan.seat == seat), None)

    @property
    def is_solo(self) -> bool:
        """Whether one person plays against computers."""
        return sum(person.id != COMPUTER for person in self.record.chairs) == 1

    @property
    def has_hints(self) -> bool:
        """Whether players may ask for hints: somebody alone may, and a table that agrees."""
        people = {person.id for person in self.record.chairs if person.id != COMPUTER}
        return self.is_solo or people <= set(self.record.terms.hints)

    def people(self, seats: Iterable[Seat]) -> list[int]:
        """Return the ids of the people in these seats, without computers and those who resigned."""
        gone = self.match.resigned if self.match else frozenset()
        users = [self.record.chairs[seat].id for seat in seats if seat not in gone]
        return [user for user in users if user > COMPUTER]

    @property
    def players(self) -> list[int]:
        """The ids of all people at the table, except those who were forgotten."""
        return [person.id for person in self.record.chairs if person.id > COMPUTER]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, with a result or without: it has no secrets any more."""
        return self.record.status in (Status.FINISHED, Status.CALLED_OFF)

    @property
    def is_open_lobby(self) -> bool:
        """Whether there is a free chair in a lobby whose message people can see."""
        is_shown = self.record.status is Status.LOBBY and bool(self.record.lobby_message)
        # Chairs of a rematch are kept for those who are awaited.
        taken = len(self.record.chairs) + len(self.record.awaited)
        return is_shown and taken < find_game(self.record.game).seats[-1]

    @property
    def is_paused(self) -> bool:
        """Whether no moves are taken for the time being, whatever the reason."""
        return self.record.status in (Status.PAUSED, Status.ON_HOLD)

    @property
    def why_paused(self) -> str:
        """Why the match waits, in words."""
        reason = self.record.paused_for or (TABLE if self.record.status is Status.ON_HOLD else "")
        # Older databases hold the words themselves.
        return say(f"pause.{reason}") if has(f"pause.{reason}") else reason

    def playing(self) -> Match:
        """Return the match; refuse with the reason if it has not begun."""
        if self.match is not None:
            return self.match
        match self.record.status:
            case Status.PAUSED:
                raise Refused("refusal.paused", why=self.why_paused)
            case Status.CANCELLED | Status.EXPIRED:
                raise Refused("refusal.cancelled_early")
        raise Refused("refusal.not_begun_host")


class Press(Struct, frozen=True):
    """Who wants something of a match.

    `turn` is what the pressed button was made for; None if typed.
    """

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
    """What the seat may know of what computers did after that."""
    committed: bool = False
    stale: bool = False
    """The press was for a position that is gone: nothing was done, show the panel anew."""

    def __repr__(self) -> str:
        return f"<Update of {self.room.record.id} for seat {self.seat}>"


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


def playable_match(room: Room, seat: Seat, while_paused: bool = False) -> Match:
    """Return the match; refuse with the reason if the seat cannot act in it."""
    if room.record.status is Status.CALLED_OFF:
        raise Refused("refusal.called_off")
    if room.record.status in (Status.CANCELLED, Status.EXPIRED):
        raise Refused("refusal.cancelled")
    if room.match is None:
        raise Refused("refusal.not_begun")
    if room.is_paused and not while_paused:
        raise Refused("refusal.paused_resume", why=room.why_paused)
    if seat in room.match.resigned:
        raise Refused("refusal.resigned")
    return room.match
